package glove.sandbox;

import glove.sys.DirectoryLister;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks through all that is mounted from the host for files that would gain rights on it: with a
 * set-user-id or set-group-id bit, or capabilities. Who may mount an overlay can have the kernel
 * copy such a file from a readable grant into a writable one, bits and attributes included, and
 * then change the copy by a shared mapping, which takes neither away. The kernel copies only files
 * whose owner has a number in the sandbox, so those of others do not matter.
 *
 * <p>Sees what is there at the launch. Confined to one thread.
 */
public final class SetIdSearch {
    private static final String CAPABILITY = "security.capability";
    private static final int SET_ID_BITS = 06000;
    private static final byte[] HERE = {'.', 0};

    private final Linux linux;
    private final Set<Integer> owners = new HashSet<>();
    private byte[][] waiting = new byte[64][];
    private int count;
    private int listed;

    private SetIdSearch(Linux linux) {
        this.linux = linux;
    }

    /** Refuses a profile whose agent may mount, and is granted such a file. */
    public static void refuse(Linux linux, Profile profile) throws Refusal, ErrnoException {
        SetIdSearch search = new SetIdSearch(linux);
        List<Grant> mounted = profile.mounted();
        search.owners.add(linux.geteuid());
        for (Grant grant : mounted) {
            search.owners.add(grant.owner());
        }
        for (Grant grant : mounted) {
            if (grant.isDirectory()) {
                search.walk(grant);
            } else {
                search.look(grant.path());
            }
        }
    }

    private void walk(Grant grant) throws Refusal, ErrnoException {
        int flags = OpenFlags.O_PATH | OpenFlags.O_DIRECTORY;
        try (OwnedFd root = linux.open(grant.path(), flags, 0)) {
            DirectoryLister lister = new DirectoryLister(root, Optional.empty(), 0);
            lister.wantAllNames();
            push(HERE);
            while (count > 0) {
                list(lister, grant, waiting[--count]);
            }
        }
    }

    private void list(DirectoryLister lister, Grant grant, byte[] path)
            throws Refusal, ErrnoException {
        UnixPath directory = path.length == HERE.length && path[0] == '.'
                ? grant.path()
                : grant.path().resolve(UnixPath.of(Arrays.copyOf(path, path.length - 1)));
        if (++listed > TreeWalk.DIRECTORIES_MAX) {
            throw new Refusal(
                    "--allow-nesting: the grants hold more than " + TreeWalk.DIRECTORIES_MAX
                            + " directories: too many to look for set-user-id files",
                    "grant the directory inside '" + grant.path() + "' that is needed");
        }
        int end;
        try {
            end = lister.list(path, false);
        } catch (ErrnoException e) {
            if (!isGone(e)) {
                throw unseen(directory, e);
            }
            return;
        }
        byte[] b = lister.buffer();
        for (int at = DirectoryLister.FIRST; at < end; ) {
            int from = at + DirectoryLister.NAME;
            int type = b[at + DirectoryLister.TYPE];
            at += (b[at + DirectoryLister.LENGTH] & 0xff)
                    | (b[at + DirectoryLister.LENGTH + 1] & 0xff) << 8;
            int to = from;
            while (b[to] != 0) {
                to++;
            }
            boolean dots =
                    b[from] == '.' && (to - from == 1 || (to - from == 2 && b[to - 1] == '.'));
            boolean unknown = type == DirectoryLister.DT_UNKNOWN;
            if (!dots
                    && (unknown
                            || type == DirectoryLister.DT_DIR
                            || type == DirectoryLister.DT_REG)) {
                UnixPath name = UnixPath.of(Arrays.copyOfRange(b, from, to));
                if (type == DirectoryLister.DT_DIR || (look(directory.resolve(name)) && unknown)) {
                    push(join(path, b, from, to));
                }
            }
        }
    }

    /** Whether it is a directory. */
    private boolean look(UnixPath file) throws Refusal, ErrnoException {
        try {
            Stat stat = linux.lstat(file);
            boolean concerned = stat.isRegularFile() && owners.contains(stat.uid());
            if (concerned && (stat.mode() & SET_ID_BITS) != 0) {
                throw refusal(file, "is a set-user-id or set-group-id file", "chmod ug-s ");
            }
            if (concerned && linux.hasXattr(file, CAPABILITY)) {
                throw refusal(file, "has capabilities", "setcap -r ");
            }
            return stat.isDirectory();
        } catch (ErrnoException e) {
            if (!isGone(e)) {
                throw unseen(file, e);
            }
            return false;
        }
    }

    private static boolean isGone(ErrnoException e) {
        return e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR || e.errno() == Errno.ELOOP;
    }

    private static Refusal refusal(UnixPath file, String what, String command) {
        return new Refusal(
                "--allow-nesting: '" + file + "' " + what + ": a command that may mount could make"
                        + " one with other content of it, for this machine",
                command + ShellWord.operand(file),
                "grant only what is needed beside it",
                "--allow-userns, if it needs no mount namespace");
    }

    private static Refusal unseen(UnixPath path, ErrnoException e) {
        return new Refusal(
                "--allow-nesting: cannot look into '" + path + "' for set-user-id files: "
                        + Errno.words(e.errno()),
                "chmod u+rx " + ShellWord.operand(path),
                "grant only what is needed beside it");
    }

    private void push(byte[] path) {
        if (count == waiting.length) {
            waiting = Arrays.copyOf(waiting, 2 * count);
        }
        waiting[count++] = path;
    }

    /** With a NUL at its end, relative to the grant. */
    private static byte[] join(byte[] path, byte[] b, int from, int to) {
        boolean top = path.length == HERE.length && path[0] == '.';
        int before = top ? 0 : path.length;
        byte[] joined = new byte[before + to - from + 1];
        if (!top) {
            System.arraycopy(path, 0, joined, 0, path.length - 1);
            joined[path.length - 1] = '/';
        }
        System.arraycopy(b, from, joined, before, to - from);
        return joined;
    }
}
