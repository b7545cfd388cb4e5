package glove.session.stage;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Paths inside a tree: relative, plain, and ordered by their bytes. Stateless. */
final class StagePath {
    /** Of a tree that is one file. */
    static final String WHOLE = ".";

    static final int BYTES_MAX = 4096;
    private static final int NAME_BYTES_MAX = 255;

    private StagePath() {}

    /** Whether it is {@link #WHOLE}, or names without {@code .} and {@code ..} between slashes. */
    static boolean is(String text) {
        if (text.equals(WHOLE)) {
            return true;
        }
        if (text.getBytes(StandardCharsets.UTF_8).length > BYTES_MAX) {
            return false;
        }
        for (String name : text.split("/", -1)) {
            boolean plain = !name.isEmpty()
                    && !name.equals(".")
                    && !name.equals("..")
                    && name.indexOf('\0') < 0
                    && name.getBytes(StandardCharsets.UTF_8).length <= NAME_BYTES_MAX;
            if (!plain) {
                return false;
            }
        }
        return true;
    }

    static int compare(String a, String b) {
        return Arrays.compareUnsigned(
                a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }
}
