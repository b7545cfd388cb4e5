package glove.host;

import java.util.Optional;

/**
 * The one place where the daemon survives a bug, or an end of its memory: one request or connection
 * is given up for it, and all others are served on. Elsewhere such things end a process.
 */
final class Isolated {
    private Isolated() {}

    /** Something for one client. */
    interface Body<E extends Exception> {
        void run() throws E;
    }

    /** Does it; what went wrong, of the kinds no program expects. */
    static <E extends Exception> Optional<Throwable> run(Body<E> body) throws E {
        try {
            body.run();
            return Optional.empty();
        } catch (RuntimeException | Error e) {
            return Optional.of(e);
        }
    }
}
