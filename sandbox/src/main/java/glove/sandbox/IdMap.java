package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

/** Which ids this process's user namespace has (user_namespaces(7), /proc/self/uid_map). */
final class IdMap {
    private static final int BYTES_MAX = 64 << 10;

    private IdMap() {}

    /** Whether an id exists here, for users and for groups. */
    static boolean has(Linux linux, long id) throws ErrnoException {
        return has(linux, "/proc/self/uid_map", id) && has(linux, "/proc/self/gid_map", id);
    }

    /** Lines of three numbers: first id inside, first outside, how many. */
    private static boolean has(Linux linux, String file, long id) throws ErrnoException {
        byte[] text = linux.readFile(UnixPath.of(file), BYTES_MAX);
        long[] numbers = new long[3];
        int n = 0;
        boolean inNumber = false;
        for (byte b : text) {
            if (b >= '0' && b <= '9') {
                numbers[n] = (inNumber ? numbers[n] * 10 : 0) + b - '0';
                inNumber = true;
                continue;
            }
            n += inNumber ? 1 : 0;
            inNumber = false;
            if (n == 3) {
                if (id >= numbers[0] && id - numbers[0] < numbers[2]) {
                    return true;
                }
                n = 0;
            }
        }
        return false;
    }
}
