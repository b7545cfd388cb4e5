package glove.egress;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** TLS hellos as clients send them. */
final class Hellos {
    private Hellos() {}

    /** One record with a hello for a server; without a name when that is empty. */
    static byte[] to(String name) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(new byte[] {3, 3});
        body.writeBytes(new byte[32]);
        body.writeBytes(new byte[] {0, 0, 2, 0x13, 1, 1, 0});
        byte[] host = name.getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream extensions = new ByteArrayOutputStream();
        if (host.length > 0) {
            extensions.writeBytes(new byte[] {0, 0});
            number(extensions, host.length + 5);
            number(extensions, host.length + 3);
            extensions.write(0);
            number(extensions, host.length);
            extensions.writeBytes(host);
        }
        extensions.writeBytes(new byte[] {0, 43, 0, 3, 2, 3, 4});
        number(body, extensions.size());
        body.writeBytes(extensions.toByteArray());
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        record.writeBytes(new byte[] {22, 3, 1});
        number(record, body.size() + 4);
        record.writeBytes(new byte[] {1, 0});
        number(record, body.size());
        record.writeBytes(body.toByteArray());
        return record.toByteArray();
    }

    private static void number(ByteArrayOutputStream out, int value) {
        out.write(value >> 8);
        out.write(value);
    }
}
