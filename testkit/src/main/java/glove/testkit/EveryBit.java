package glove.testkit;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Flips each bit of each byte of a file, one at a time, and tries who reads it. Stateless. */
public final class EveryBit {
    private EveryBit() {}

    /** Reads the file. */
    public interface Reader {
        /** Whether it was refused. */
        boolean refuses() throws Exception;
    }

    /**
     * Flips them all; the file is whole again afterwards.
     *
     * @return the flips after which the file was read, or was not left as it was, as in "byte 12,
     *     bit 3"; empty when each was refused
     */
    public static List<String> flippedUnseen(Path file, Reader reader) throws Exception {
        byte[] whole = Files.readAllBytes(file);
        List<String> unseen = new ArrayList<>();
        for (int at = 0; at < whole.length; at++) {
            for (int bit = 0; bit < 8; bit++) {
                byte flipped = (byte) (whole[at] ^ 1 << bit);
                set(file, at, flipped);
                boolean refused = reader.refuses();
                byte[] after = Files.readAllBytes(file);
                if (!refused || at >= after.length || after[at] != flipped) {
                    unseen.add("byte " + at + ", bit " + bit);
                }
                set(file, at, whole[at]);
                if (after.length != whole.length) {
                    Files.write(file, whole);
                }
            }
        }
        if (!Arrays.equals(whole, Files.readAllBytes(file))) {
            unseen.add("something else in the file was changed");
        }
        return unseen;
    }

    private static void set(Path file, int at, byte value) throws IOException {
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            if (at < out.length()) {
                out.seek(at);
                out.write(value);
            }
        }
    }
}
