package glove.sandbox;

import glove.sys.DirEntry;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What of /proc beside the processes stays visible inside: this list. Everything else the running
 * kernel has there, whatever it is, is covered. So a new kernel's new file is denied, not shown.
 */
public final class ProcEntries {
    /** Sorted. What ps, top, free, nproc, run-times and build tools read, plus links to oneself. */
    private static final String[] SHOWN = {
        "cgroups",
        "cpuinfo",
        "filesystems",
        "loadavg",
        "meminfo",
        "mounts",
        "net",
        "self",
        "stat",
        "swaps",
        "sys",
        "thread-self",
        "uptime",
        "version",
        "vmstat",
    };

    /** One name, and whether it is a directory. */
    public record Entry(UnixPath name, boolean directory) {}

    private ProcEntries() {}

    /** Those of the host's proc, which is the same kernel's, to be covered. */
    static List<Entry> masked(Linux linux) throws ErrnoException {
        List<Entry> masked = new ArrayList<>();
        for (DirEntry entry : linux.listDirectory(UnixPath.of("/proc"))) {
            byte[] name = entry.name().bytes();
            boolean process = name[0] >= '0' && name[0] <= '9';
            if (!process && !isShown(name)) {
                masked.add(new Entry(entry.name(), entry.isDirectory()));
            }
        }
        return masked;
    }

    private static boolean isShown(byte[] name) {
        return Arrays.binarySearch(SHOWN, new String(name, StandardCharsets.ISO_8859_1)) >= 0;
    }
}
