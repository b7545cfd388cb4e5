package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The paths live Unix sockets of this network namespace are bound to (proc(5), /proc/net/unix).
 *
 * @param paths absolute ones
 * @param relative whether one is bound to a path that counts from its process's directory
 */
record BoundSockets(List<UnixPath> paths, boolean relative) {
    private static final UnixPath TABLE = UnixPath.of("/proc/self/net/unix");
    private static final int TABLE_BYTES_MAX = 64 << 20;

    /** Fields before the path: Num RefCount Protocol Flags Type St Inode. */
    private static final int FIELDS_BEFORE = 7;

    static BoundSockets read(Linux linux) throws ErrnoException {
        byte[] text = linux.readFile(TABLE, TABLE_BYTES_MAX);
        List<UnixPath> paths = new ArrayList<>();
        boolean relative = false;
        int start = 0;
        for (int end = 0; end < text.length; end++) {
            if (text[end] != '\n') {
                continue;
            }
            int at = start;
            for (int field = 0; field < FIELDS_BEFORE; field++) {
                at = skipField(text, at, end);
            }
            boolean header = start == 0;
            if (at < end && !header && text[at] != '@') { // '@': abstract, not in a filesystem
                if (text[at] == '/') {
                    paths.add(UnixPath.of(withoutNul(text, at, end)));
                } else {
                    relative = true;
                }
            }
            start = end + 1;
        }
        return new BoundSockets(paths, relative);
    }

    private static int skipField(byte[] text, int at, int end) {
        int i = at;
        while (i < end && text[i] == ' ') {
            i++;
        }
        while (i < end && text[i] != ' ') {
            i++;
        }
        return i < end ? i + 1 : end;
    }

    private static byte[] withoutNul(byte[] text, int from, int to) {
        int end = from;
        while (end < to && text[end] != 0) {
            end++;
        }
        return Arrays.copyOfRange(text, from, end);
    }
}
