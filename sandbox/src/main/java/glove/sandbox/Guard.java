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
    /** Why something is hidden whatever the options say. */
    static final String OWN_STATE = "Glove's own state";

    /** Why something is read-only whatever the options say. */
    static final String OWN_PROGRAM = "Glove itself runs from it";

    /** By path alone: one run has one guard a path. */
    @Override
    public int compareTo(Guard other) {
        return path.compareTo(other.path);
    }

    /** What becomes of it. */
    public enum Kind {
        /** Visible and read-only; can't be moved, replaced or removed. */
        PROTECTED("protected"),
        /** A file is absent, a directory empty. */
        HIDDEN("hidden"),
        /** A socket of the host: absent. */
        SOCKET("masked");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** For people and for data. */
        public String words() {
            return words;
        }
    }

    /** Whether the agent must not be able to move what stands above it. */
    boolean holdsParents() {
        return kind != Kind.SOCKET;
    }

    /** Whether no option lifts it. */
    boolean stays() {
        return why.equals(OWN_STATE) || why.equals(OWN_PROGRAM);
    }

    boolean isDirectory() {
        return type == DirectoryLister.DT_DIR;
    }

    boolean isLink() {
        return type == DirectoryLister.DT_LNK;
    }
}
