package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.Stat;
import glove.sys.UnixPath;

/**
 * A host path the agent may see: at the same path inside, when made by {@link Grants}, else where
 * an {@link AgentHome} says. Immutable.
 *
 * @param path canonical: absolute, no symbolic links
 * @param access read-only or writable
 * @param identity the file it was when it was validated
 * @param owner its owner on disk
 * @param group its group on disk
 * @param reason what asked for it: an option, or words
 */
public record Grant(
        UnixPath path, Access access, Identity identity, int owner, int group, String reason) {
    /**
     * An open directory that Glove itself decided to show.
     *
     * @param reason in words, for people
     */
    public static Grant ofDirectory(Linux linux, Fd directory, Access access, String reason)
            throws ErrnoException {
        Stat stat = linux.fstat(directory);
        return new Grant(
                linux.pathOf(directory), access, Identity.of(stat), stat.uid(), stat.gid(), reason);
    }

    /** Whether it is a directory rather than a file. */
    public boolean isDirectory() {
        return identity.isDirectory();
    }

    /** Whether the agent may change it. */
    public boolean writable() {
        return access == Access.WRITE;
    }
}
