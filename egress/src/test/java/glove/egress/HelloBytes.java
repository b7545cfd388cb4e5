package glove.egress;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.List;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/** Makes first messages of TLS clients: what the JDK sends, and any other by its parts. Stateless. */
final class HelloBytes {
    private HelloBytes() {}

    /** What the JDK sends to a server of this name; without one for an empty name. */
    static byte[] ofTheJdk(String serverName) throws NoSuchAlgorithmException, SSLException {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        if (!serverName.isEmpty()) {
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(serverName)));
            engine.setSSLParameters(parameters);
        }
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), out);
        byte[] bytes = new byte[out.flip().remaining()];
        out.get(bytes);
        return bytes;
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    static byte[] number(int value, int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (value >>> (Byte.SIZE * (size - 1 - i)));
        }
        return bytes;
    }

    /** Bytes behind their length. */
    static byte[] vector(int lengthBytes, byte[]... parts) {
        byte[] content = join(parts);
        return join(number(content.length, lengthBytes), content);
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static byte[] extension(int type, byte[]... content) {
        return join(number(type, 2), vector(2, content));
    }

    /** The extension that names servers; each entry is a type and a name. */
    static byte[] serverName(byte[]... entries) {
        return extension(0, vector(2, entries));
    }

    static byte[] entry(int type, String name) {
        return join(number(type, 1), vector(2, ascii(name)));
    }

    /** A whole handshake message with these extensions. */
    static byte[] message(byte[]... extensions) {
        return messageOf(vector(2, extensions));
    }

    /** A whole handshake message with whatever ends it. */
    static byte[] messageOf(byte[] tail) {
        byte[] random = new byte[32];
        byte[] suites = vector(2, number(0x1301, 2), number(0x0a0a, 2));
        byte[] body = join(
                number(0x0303, 2),
                random,
                vector(1, new byte[32]),
                suites,
                vector(1, new byte[1]),
                tail);
        return join(number(1, 1), vector(3, body));
    }

    /** A whole message of a server. */
    static byte[] serverHello(byte[] random) {
        byte[] body = join(number(0x0303, 2), random, new byte[6]);
        return join(number(2, 1), vector(3, body));
    }

    static byte[] record(byte[] content) {
        return join(number(22, 1), number(0x0301, 2), vector(2, content));
    }

    /** A whole hello in one record, for a server of this name or, when that is empty, for none. */
    static byte[] to(String serverName) {
        return record(serverName.isEmpty() ? message() : message(serverName(entry(0, serverName))));
    }
}
