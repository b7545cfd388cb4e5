package glove.sandbox;

import glove.sys.DirectoryLister;
import glove.sys.UnixPath;

/**
 * One name inside a grant that the agent gets otherwise than the grant says. Immutable.
 *
 * @param path canonical but for its last name, which may be a link
 * @param why for people: which rule or option
 * @param type {@code DT_*} it had when it was found
 */
public record Guard(UnixPath path, Kind kind, String why, int type) implements Comparable<Guard> {
    /** By path alone: one run has one guard a path. */
    @Override
    public int compareTo(Guard other) {
        return path.compareTo(other.path);
    }

    /** What becomes of it. */
    public enum Kind {
        /** Visible and read-only; can't be moved, replaced or removed. */
        PROTECTED,
        /** A file is absent, a directory empty. */
        HIDDEN,
        /** A socket of the host: absent. */
        SOCKET
    }

    /** Whether the agent must not be able to move what stands above it. */
    boolean holdsParents() {
        return kind != Kind.SOCKET;
    }

    boolean isDirectory() {
        return type == DirectoryLister.DT_DIR;
    }

    boolean isLink() {
        return type == DirectoryLister.DT_LNK;
    }
}
