package glove.session.exposure;

import glove.sys.OwnedFd;
import glove.sys.UnixPath;

/**
 * Where something that was once exposed belongs: the directory it was in, open for reading, and its
 * name there. Gives no right to show it to anybody. Owns the descriptor. Immutable otherwise.
 *
 * @param parent the same directory as when it was exposed
 * @param name one name; there may be nothing of it now
 */
public record RecoveryTarget(OwnedFd parent, UnixPath name) implements AutoCloseable {
    @Override
    public void close() {
        parent.close();
    }
}
