package glove.sandbox;

import glove.sys.DirEntry;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Process 1 of a run and all its descendants, as proc(5) shows them outside. A picture taken while
 * everything moves: what forks and ends during it can be missed, nothing foreign is ever in it.
 * Confined to one thread.
 */
final class ProcessTree {
    private static final int TEXT_BYTES_MAX = 1 << 20;
    private static final UnixPath PROC = UnixPath.of("/proc");

    private final Linux linux;
    private final int root;
    private int[] pids = new int[64];
    private ProcessStat[] stats = new ProcessStat[64];
    private int count;

    /**
     * Of a run.
     *
     * @param root process 1, by its id outside; not reaped as long as this is used
     */
    ProcessTree(Linux linux, int root) {
        this.linux = linux;
        this.root = root;
    }

    /** How many processes the last look found, process 1 included; 0 when it is gone. */
    int count() {
        return count;
    }

    int pid(int index) {
        return pids[index];
    }

    ProcessStat stat(int index) {
        return stats[index];
    }

    /** Takes a new picture. */
    void look() throws ErrnoException {
        count = 0;
        add(root);
        for (int next = 0; next < count; next++) {
            if (!addChildren(pids[next], stats[next].threads())) {
                scan();
                return;
            }
        }
    }

    private void add(int pid) throws ErrnoException {
        byte[] line = read("/proc/" + pid + "/stat");
        ProcessStat stat = ProcessStat.parse(line);
        if (stat.equals(ProcessStat.NONE)) {
            return;
        }
        if (count == pids.length) {
            pids = Arrays.copyOf(pids, 2 * count);
            stats = Arrays.copyOf(stats, 2 * count);
        }
        pids[count] = pid;
        stats[count] = stat;
        count++;
    }

    /** Each thread lists the children it made. False where this kernel has no such lists. */
    private boolean addChildren(int pid, long threads) throws ErrnoException {
        String tasks = "/proc/" + pid + "/task";
        if (threads <= 1) {
            return addChildrenOf(tasks + "/" + pid);
        }
        try {
            for (DirEntry task : linux.listDirectory(UnixPath.of(tasks))) {
                if (!addChildrenOf(tasks + "/" + task.name())) {
                    return false;
                }
            }
        } catch (ErrnoException e) {
            requireGone(e);
        }
        return true;
    }

    private boolean addChildrenOf(String task) throws ErrnoException {
        byte[] list;
        try {
            list = linux.readFile(UnixPath.of(task + "/children"), TEXT_BYTES_MAX);
        } catch (ErrnoException e) {
            requireGone(e);
            return linux.lstatIfPresent(UnixPath.of(task)).isEmpty();
        }
        int pid = 0;
        for (byte b : list) {
            if (b >= '0' && b <= '9') {
                pid = 10 * pid + b - '0';
            } else if (pid != 0) {
                add(pid);
                pid = 0;
            }
        }
        return true;
    }

    /** By the parents of all processes of the machine: what has no list of children costs more. */
    private void scan() throws ErrnoException {
        int[] all = new int[256];
        ProcessStat[] found = new ProcessStat[256];
        int length = 0;
        for (DirEntry entry : linux.listDirectory(PROC)) {
            int pid = number(entry.name());
            ProcessStat stat =
                    pid == 0 ? ProcessStat.NONE : ProcessStat.parse(read("/proc/" + pid + "/stat"));
            if (stat.equals(ProcessStat.NONE)) {
                continue;
            }
            if (length == all.length) {
                all = Arrays.copyOf(all, 2 * length);
                found = Arrays.copyOf(found, 2 * length);
            }
            all[length] = pid;
            found[length] = stat;
            length++;
        }
        keepDescendants(root, Arrays.copyOf(all, length), Arrays.copyOf(found, length));
    }

    /** Process ids can wrap around, so a child may stand before its parent. */
    void keepDescendants(int first, int[] all, ProcessStat[] found) {
        boolean[] inside = new boolean[all.length];
        boolean more = true;
        while (more) {
            more = false;
            for (int i = 0; i < all.length; i++) {
                if (!inside[i] && (all[i] == first || contains(all, inside, found[i].parent()))) {
                    inside[i] = true;
                    more = true;
                }
            }
        }
        count = 0;
        pids = new int[Math.max(1, all.length)];
        stats = new ProcessStat[pids.length];
        for (int i = 0; i < all.length; i++) {
            if (inside[i]) {
                pids[count] = all[i];
                stats[count] = found[i];
                count++;
            }
        }
    }

    private static boolean contains(int[] all, boolean[] inside, int pid) {
        for (int i = 0; i < all.length; i++) {
            if (inside[i] && all[i] == pid) {
                return true;
            }
        }
        return false;
    }

    /** Empty when it has ended meanwhile. */
    private byte[] read(String file) throws ErrnoException {
        try {
            return linux.readFile(UnixPath.of(file), TEXT_BYTES_MAX);
        } catch (ErrnoException e) {
            requireGone(e);
            return new byte[0];
        }
    }

    private static void requireGone(ErrnoException e) throws ErrnoException {
        if (e.errno() != Errno.ENOENT && e.errno() != Errno.ESRCH) {
            throw e;
        }
    }

    /** 0 for a name that is no process id. */
    private static int number(UnixPath name) {
        String text = new String(name.bytes(), StandardCharsets.ISO_8859_1);
        return (int) CgroupText.number(text, 0, text.length()).orElse(0);
    }
}
