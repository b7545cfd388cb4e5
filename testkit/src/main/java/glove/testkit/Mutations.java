package glove.testkit;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Bytes that were right, and are not quite any more: for readers of JSON. Stateless. */
public final class Mutations {
    /** What has gone wrong in such readers before. */
    private static final List<String> PIECES = List.of(
            "null",
            "{}",
            "[]",
            "1e3",
            "-0",
            "-1",
            "256",
            "4294967296",
            "18446744073709551616",
            "\"\"",
            "\"\\ud800\"",
            "\"\\u0000\"",
            "{\"schema_version\":1}",
            "//",
            "/../",
            ",",
            "\u0000",
            "\u00e9");

    private Mutations() {}

    /** With one to three changes. */
    public static byte[] of(byte[] bytes, Random random) {
        byte[] result = bytes.clone();
        for (int i = random.nextInt(3); i >= 0 && result.length > 0; i--) {
            int at = random.nextInt(result.length);
            int to = Math.min(result.length, at + random.nextInt(20));
            String piece = PIECES.get(random.nextInt(PIECES.size()));
            switch (random.nextInt(4)) {
                case 0 -> result[at] = (byte) random.nextInt(256);
                case 1 -> result = Arrays.copyOf(result, at);
                case 2 -> result = joined(result, at, new byte[0], to);
                default -> result = joined(result, at, piece.getBytes(StandardCharsets.UTF_8), to);
            }
        }
        return result;
    }

    /** What is before a place, a piece, and what is behind another place. */
    private static byte[] joined(byte[] bytes, int before, byte[] piece, int behind) {
        byte[] result = new byte[before + piece.length + bytes.length - behind];
        System.arraycopy(bytes, 0, result, 0, before);
        System.arraycopy(piece, 0, result, before, piece.length);
        System.arraycopy(bytes, behind, result, before + piece.length, bytes.length - behind);
        return result;
    }
}
