package glove.session;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** A log of records as bytes, as tests take it apart and put it together. */
public final class StoreBytes {
    private StoreBytes() {}

    /** What a log holds, record by record. */
    public static List<byte[]> payloads(byte[] log, int headerBytes) {
        List<byte[]> payloads = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(log).position(headerBytes);
        while (in.hasRemaining()) {
            byte[] payload = new byte[in.getInt()];
            in.get(payload);
            if (in.getInt() != payload.length) {
                throw new IllegalStateException("no log");
            }
            payloads.add(payload);
        }
        return payloads;
    }

    /** A log of such records. */
    public static byte[] of(String header, List<byte[]> payloads) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(header.getBytes(StandardCharsets.US_ASCII));
        for (byte[] payload : payloads) {
            byte[] length = ByteBuffer.allocate(4).putInt(payload.length).array();
            out.writeBytes(length);
            out.writeBytes(payload);
            out.writeBytes(length);
        }
        return out.toByteArray();
    }

    /** Puts bytes in the place of a file, for its owner only. */
    public static void write(Path file, byte[] bytes) throws IOException {
        Files.deleteIfExists(file);
        Files.write(file, bytes);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
}
