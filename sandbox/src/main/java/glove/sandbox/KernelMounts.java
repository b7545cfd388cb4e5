package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where filesystems are mounted that speak to the kernel rather than hold files (proc(5),
 * mountinfo). A chroot or container tree inside a grant may have some.
 */
final class KernelMounts {
    private static final UnixPath MOUNTINFO = UnixPath.of("/proc/self/mountinfo");
    private static final int MOUNTINFO_BYTES_MAX = 16 << 20;

    private static final byte[][] TYPES = bytes(
            "proc",
            "sysfs",
            "devtmpfs",
            "devpts",
            "cgroup",
            "cgroup2",
            "securityfs",
            "debugfs",
            "tracefs",
            "bpf",
            "configfs",
            "efivarfs",
            "fusectl",
            "binfmt_misc",
            "pstore",
            "mqueue",
            "selinuxfs",
            "smackfs",
            "nsfs",
            "rpc_pipefs",
            "nfsd",
            "resctrl");

    private KernelMounts() {}

    static List<UnixPath> read(Linux linux) throws ErrnoException {
        byte[] text = linux.readFile(MOUNTINFO, MOUNTINFO_BYTES_MAX);
        List<UnixPath> found = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '\n') {
                addIfKernel(text, start, i, found);
                start = i + 1;
            }
        }
        return found;
    }

    /** {@code id parent major:minor root MOUNTPOINT options optional... - TYPE source options}. */
    private static void addIfKernel(byte[] text, int start, int end, List<UnixPath> found) {
        int point = field(text, start, end, 4);
        int separator = point;
        while (separator < end && !isSeparator(text, separator, end)) {
            separator++;
        }
        int type = separator + 3;
        if (point >= end || type >= end) {
            return;
        }
        for (byte[] kernelType : TYPES) {
            if (isWord(text, type, end, kernelType)) {
                found.add(UnixPath.of(unescaped(text, point, wordEnd(text, point, end))));
                return;
            }
        }
    }

    private static boolean isSeparator(byte[] text, int at, int end) {
        return at + 2 < end && text[at] == ' ' && text[at + 1] == '-' && text[at + 2] == ' ';
    }

    private static int field(byte[] text, int start, int end, int number) {
        int at = start;
        for (int i = 0; i < number && at < end; i++) {
            at = wordEnd(text, at, end) + 1;
        }
        return at;
    }

    private static int wordEnd(byte[] text, int at, int end) {
        int i = at;
        while (i < end && text[i] != ' ') {
            i++;
        }
        return i;
    }

    private static boolean isWord(byte[] text, int at, int end, byte[] word) {
        if (wordEnd(text, at, end) - at != word.length) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (text[at + i] != word[i]) {
                return false;
            }
        }
        return true;
    }

    /** Space, tab, newline and backslash stand as a backslash and three octal digits. */
    private static byte[] unescaped(byte[] text, int from, int to) {
        byte[] out = new byte[to - from];
        int n = 0;
        for (int i = from; i < to; i++) {
            if (text[i] == '\\' && i + 3 < to) {
                out[n++] = (byte)
                        ((text[i + 1] - '0') << 6 | (text[i + 2] - '0') << 3 | (text[i + 3] - '0'));
                i += 3;
            } else {
                out[n++] = text[i];
            }
        }
        return Arrays.copyOf(out, n);
    }

    private static byte[][] bytes(String... words) {
        byte[][] all = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            all[i] = words[i].getBytes(StandardCharsets.US_ASCII);
        }
        return all;
    }
}
