package glove.host;

import glove.sys.Linux;

/**
 * The threads beside the server's own: one reads large requests, one after the other, and some
 * carry out what waits for a disk. Owns them; used by the server's thread.
 */
final class Crew implements AutoCloseable {
    /** So many requests share one sync of the store. */
    static final int WORKERS = 16;

    private final Workers<ControlProtocol.Admission> readers;
    private final Workers<JsonFrame> workers;

    private Crew(Workers<ControlProtocol.Admission> readers, Workers<JsonFrame> workers) {
        this.readers = readers;
        this.workers = workers;
    }

    /**
     * Starts all of them: none is made later, when there may be no room for it.
     *
     * @param workers how many carry out requests
     */
    static Crew start(Linux linux, DaemonLog log, int workers) throws StartException {
        Workers<ControlProtocol.Admission> readers = Workers.start(linux, log, "reader", 1);
        boolean complete = false;
        try {
            Crew crew = new Crew(readers, Workers.start(linux, log, "worker", workers));
            complete = true;
            return crew;
        } finally {
            if (!complete) {
                readers.close();
            }
        }
    }

    Workers<ControlProtocol.Admission> readers() {
        return readers;
    }

    Workers<JsonFrame> workers() {
        return workers;
    }

    @Override
    public void close() {
        readers.close();
        workers.close();
    }
}
