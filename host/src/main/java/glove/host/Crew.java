package glove.host;

import glove.sys.Linux;

import java.util.Optional;

/**
 * The threads beside the server's own: one reads large requests, one after the other, some carry
 * out what waits for a disk, and a few what may take long. Owns them; used by the server's thread.
 */
final class Crew implements AutoCloseable {
    /** So many requests share one sync of the store. */
    static final int WORKERS = 16;

    /** So many may take long at once. */
    static final int INSPECTORS = 2;

    private final Workers<ControlProtocol.Admission> readers;
    private final Workers<JsonFrame> workers;
    private final Workers<JsonFrame> inspectors;

    private Crew(
            Workers<ControlProtocol.Admission> readers,
            Workers<JsonFrame> workers,
            Workers<JsonFrame> inspectors) {
        this.readers = readers;
        this.workers = workers;
        this.inspectors = inspectors;
    }

    /**
     * Starts all of them: none is made later, when there may be no room for it.
     *
     * @param workers how many carry out requests
     * @param inspectors how many carry out what may take long; at most {@link #INSPECTORS}
     */
    static Crew start(Linux linux, DaemonLog log, int workers, int inspectors)
            throws StartException {
        Workers<ControlProtocol.Admission> readers = Workers.start(linux, log, "reader", 1);
        Optional<Workers<JsonFrame>> carriers = Optional.empty();
        boolean complete = false;
        try {
            carriers = Optional.of(Workers.start(linux, log, "worker", workers));
            Crew crew = new Crew(
                    readers, carriers.get(), Workers.start(linux, log, "inspector", inspectors));
            complete = true;
            return crew;
        } finally {
            if (!complete) {
                carriers.ifPresent(Workers::close);
                readers.close();
            }
        }
    }

    Workers<ControlProtocol.Admission> readers() {
        return readers;
    }

    /** Those who carry out what takes so long. */
    Workers<JsonFrame> of(ControlMethod.Pace pace) {
        return pace == ControlMethod.Pace.LONG ? inspectors : workers;
    }

    /** Forgets what nobody has begun for a connection; false when there is no such thing. */
    boolean forget(long connection) {
        return readers.forget(connection)
                || workers.forget(connection)
                || inspectors.forget(connection);
    }

    /** How many carry out what may take long. */
    int inspectors() {
        return inspectors.count();
    }

    /** Whether something waits for a thread that carries it out. */
    boolean isWaiting(long connection) {
        return workers.isWaiting(connection) || inspectors.isWaiting(connection);
    }

    @Override
    public void close() {
        readers.close();
        workers.close();
        inspectors.close();
    }
}
