package glove.host;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A path of this machine followed name by name, as the kernel does it, and all on its way that
 * somebody other than root and this user could change (sheet 10, 2.10): who can decides what
 * stands at its end tomorrow. For telling, not for opening: it may change meanwhile. Immutable.
 *
 * @param end where it leads, without links, or where it breaks off
 * @param stat of that; empty when the path leads nowhere, or nobody may look
 * @param broken why there is none, in words; empty when there is
 * @param doubts sentences, each of one place; empty when only root and this user decide
 */
public record PathTrust(UnixPath end, Optional<Stat> stat, String broken, List<String> doubts) {
    private static final int LINKS_MAX = 40; // the kernel's own limit
    private static final int GROUP_WRITES = 020;
    private static final int OTHERS_WRITE = 02;
    private static final int STICKY = 01000;
    private static final int PERMISSIONS = 07777;
    private static final UnixPath ROOT = UnixPath.of("/");
    private static final UnixPath HERE = UnixPath.of(".");

    /** Copies the list. */
    public PathTrust {
        doubts = List.copyOf(doubts);
    }

    /** Whether something is there, and only root and this user decide what. */
    public boolean isTrusted() {
        return stat.isPresent() && doubts.isEmpty();
    }

    /** Follows an absolute path. */
    public static PathTrust of(Linux linux, UnixPath path) {
        return new Walk(linux).to(path);
    }

    /** Permissions as chmod(1) takes them. */
    public static String mode(Stat stat) {
        return Integer.toOctalString(stat.mode() & PERMISSIONS);
    }

    /** On the way. Confined to one thread, for one path. */
    private static final class Walk {
        private final Linux linux;
        private final List<String> doubts = new ArrayList<>();
        private final Set<UnixPath> seen = new HashSet<>();
        private final ArrayDeque<UnixPath> names = new ArrayDeque<>();
        private int links;

        Walk(Linux linux) {
            this.linux = linux;
        }

        PathTrust to(UnixPath path) {
            UnixPath at = ROOT;
            try {
                Stat stat = linux.lstat(at);
                check(at, stat);
                push(path);
                while (!names.isEmpty()) {
                    UnixPath name = names.removeFirst();
                    if (!stat.isDirectory()) { // as it is for the kernel also where a slash ends it
                        return broken(at, "does not exist");
                    }
                    if (name.equals(HERE)) {
                        continue;
                    }
                    boolean up = name.equals(UnixPath.of(".."));
                    UnixPath next = up ? at.parent() : at.resolve(name);
                    Stat found = linux.lstat(next);
                    check(next, found);
                    if (!found.isSymbolicLink()) {
                        at = next;
                        stat = found;
                        continue;
                    }
                    if (++links > LINKS_MAX) {
                        return broken(next, "leads through too many symbolic links");
                    }
                    UnixPath text = linux.readlink(next);
                    push(text);
                    at = text.isAbsolute() ? ROOT : at;
                    stat = text.isAbsolute() ? linux.lstat(ROOT) : stat;
                }
                return new PathTrust(at, Optional.of(stat), "", doubts);
            } catch (ErrnoException e) {
                boolean missing = e.errno() == Errno.ENOENT || e.errno() == Errno.ENOTDIR;
                String why = "cannot be looked at: " + Errno.words(e.errno());
                return broken(at, missing ? "does not exist" : why);
            }
        }

        private PathTrust broken(UnixPath where, String why) {
            return new PathTrust(where, Optional.empty(), why, doubts);
        }

        private void check(UnixPath path, Stat stat) {
            if (!seen.add(path)) {
                return;
            }
            String place = "'" + path + "' ";
            if (stat.uid() != 0 && stat.uid() != linux.geteuid()) {
                doubts.add(place + "belongs to user " + Integer.toUnsignedString(stat.uid()));
            }
            boolean keeps = stat.isDirectory() && stat.uid() == 0 && (stat.mode() & STICKY) != 0;
            if (stat.isSymbolicLink() || keeps) {
                return; // nobody writes a link; what others have put into /tmp is only theirs
            }
            if ((stat.mode() & OTHERS_WRITE) != 0) {
                doubts.add(place + "may be written by anybody (mode " + mode(stat) + ")");
            } else if ((stat.mode() & GROUP_WRITES) != 0) {
                doubts.add(place + "may be written by group " + Integer.toUnsignedString(stat.gid())
                        + " (mode " + mode(stat) + ")");
            }
        }

        /** In front of the names that are left, in order. */
        private void push(UnixPath path) {
            byte[] bytes = path.bytes();
            int end = bytes.length;
            for (int i = bytes.length - 1; i >= -1; i--) {
                if (i >= 0 && bytes[i] != '/') {
                    continue;
                }
                if (end > i + 1) {
                    names.addFirst(UnixPath.of(Arrays.copyOfRange(bytes, i + 1, end)));
                } else if (end == bytes.length) {
                    names.addFirst(HERE); // a slash at the end: a directory
                }
                end = i;
            }
        }
    }
}
