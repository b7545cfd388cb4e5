package glove.sandbox;

import glove.sys.UnixPath;

/**
 * A host path the agent may see, at the same path inside. Immutable; made by {@link Grants}.
 *
 * @param path canonical: absolute, no symbolic links
 * @param access read-only or writable
 * @param identity the file it was when it was validated
 * @param owner its owner on disk
 * @param group its group on disk
 */
public record Grant(UnixPath path, Access access, Identity identity, int owner, int group) {
    boolean writable() {
        return access == Access.WRITE;
    }
}
