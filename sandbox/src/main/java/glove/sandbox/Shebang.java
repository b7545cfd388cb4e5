package glove.sandbox;

import glove.sys.UnixPath;

import java.util.Arrays;
import java.util.Optional;

/** The first line of a script (execve(2), interpreter scripts). */
final class Shebang {
    /** What the kernel looks at: BINPRM_BUF_SIZE. */
    static final int BYTES_MAX = 256;

    private Shebang() {}

    /** The path after {@code #!} at the beginning of a file; empty for a binary. */
    static Optional<UnixPath> interpreterOf(byte[] head) {
        if (head.length < 3 || head[0] != '#' || head[1] != '!') {
            return Optional.empty();
        }
        int start = 2;
        while (start < head.length && isBlank(head[start])) {
            start++;
        }
        int end = start;
        while (end < head.length && !isBlank(head[end]) && head[end] != '\n' && head[end] != 0) {
            end++;
        }
        return end == start
                ? Optional.empty()
                : Optional.of(UnixPath.of(Arrays.copyOfRange(head, start, end)));
    }

    /** What stands behind that path, as the kernel hands it over: one word, or an empty one. */
    static byte[] argumentOf(byte[] head) {
        int at = 2;
        while (at < head.length && isBlank(head[at])) {
            at++;
        }
        while (at < head.length && !isBlank(head[at]) && head[at] != '\n' && head[at] != 0) {
            at++;
        }
        while (at < head.length && isBlank(head[at])) {
            at++;
        }
        int end = at;
        while (end < head.length && head[end] != '\n' && head[end] != 0) {
            end++;
        }
        while (end > at && isBlank(head[end - 1])) {
            end--;
        }
        return Arrays.copyOfRange(head, at, end);
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }
}
