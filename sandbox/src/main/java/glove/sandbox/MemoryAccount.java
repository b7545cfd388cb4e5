package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/**
 * The memory a tree of processes has mapped and resident. The cheap answer first: the sum of what
 * each has resident counts shared pages once for each, so it is never too small; only where that is
 * over a limit is the exact one asked for. Confined to one thread.
 */
final class MemoryAccount {
    private static final int TEXT_BYTES_MAX = 1 << 16;
    private static final long KIB = 1024;

    private final Linux linux;
    private final long pageBytes;
    private boolean exact = true;

    MemoryAccount(Linux linux) throws ErrnoException {
        this.linux = linux;
        this.pageBytes = linux.pageBytes();
    }

    /**
     * Bytes in use.
     *
     * @param enough an answer of at most this need not be exact
     */
    long bytes(ProcessTree tree, long enough) throws ErrnoException {
        long resident = 0;
        for (int i = 0; i < tree.count(); i++) {
            resident += tree.stat(i).residentPages() * pageBytes;
        }
        return resident <= enough ? resident : withSharedOnce(tree);
    }

    private long withSharedOnce(ProcessTree tree) {
        exact = true;
        long bytes = 0;
        for (int i = 0; i < tree.count(); i++) {
            OptionalLong share = proportionalShare(tree.pid(i));
            if (share.isPresent()) {
                bytes += share.getAsLong();
            } else {
                // Process 1 lets nobody look; it is small. Others that do are counted without
                // what they may share, which is less than they use.
                String statm = read("/proc/" + tree.pid(i) + "/statm");
                exact &= i == 0 || statm.isEmpty();
                bytes += unsharedPages(statm) * pageBytes;
            }
        }
        return bytes;
    }

    /** Whether the last exact answer had every shared page in it, once. */
    boolean exact() {
        return exact;
    }

    /** Pss: each page divided by how many map it. */
    private OptionalLong proportionalShare(int pid) {
        OptionalLong kib = smapsRollup(read("/proc/" + pid + "/smaps_rollup"));
        return kib.isPresent() ? OptionalLong.of(kib.getAsLong() * KIB) : kib;
    }

    /** The value of the line {@code Pss:} in KiB; empty when there is none. */
    static OptionalLong smapsRollup(String text) {
        int at = text.indexOf("\nPss:");
        if (at < 0) {
            return OptionalLong.empty();
        }
        int start = at + "\nPss:".length();
        while (start < text.length() && text.charAt(start) == ' ') {
            start++;
        }
        int end = text.indexOf(' ', start);
        return end < 0 ? OptionalLong.empty() : CgroupText.number(text, start, end);
    }

    /** Resident without shared pages, by the second and third number of /proc/PID/statm. */
    static long unsharedPages(String statm) {
        int first = statm.indexOf(' ');
        int second = statm.indexOf(' ', first + 1);
        int third = statm.indexOf(' ', second + 1);
        if (first < 0 || second < 0 || third < 0) {
            return 0;
        }
        long resident = CgroupText.number(statm, first + 1, second).orElse(0);
        long shared = CgroupText.number(statm, second + 1, third).orElse(0);
        return Math.max(0, resident - shared);
    }

    /** Empty when it has ended meanwhile, or may not be read. */
    private String read(String file) {
        try {
            return new String(
                    linux.readFile(UnixPath.of(file), TEXT_BYTES_MAX), StandardCharsets.ISO_8859_1);
        } catch (ErrnoException e) {
            return "";
        }
    }
}
