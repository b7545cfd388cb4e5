package glove.host;

import glove.session.stage.RetainedStages;

/**
 * How much at once. Immutable.
 *
 * @param connectionsMax clients
 * @param heldBytesMax of requests that nobody works on and responses together
 * @param receiveMillis from the accept to the end of a request
 * @param sendMillis from the response to its end
 * @param stopMillis from the signal until all is dropped
 * @param lastingMillis for what may take long, from when it is begun
 */
record ServerBounds(
        int connectionsMax,
        int heldBytesMax,
        long receiveMillis,
        long sendMillis,
        long stopMillis,
        long lastingMillis) {
    private static final int GROWING_FACTOR = 3;
    private static final int READ_FACTOR = 4;
    private static final int WAITING_FACTOR = 3;
    private static final int ANSWER_FACTOR = 8;
    private static final int CARRIED_OUT_FACTOR = 12;

    /** The usual ones. */
    static final ServerBounds USUAL = new ServerBounds(1024, 16 << 20, 5000, 5000, 5000, 600_000);

    /**
     * The most that all of it takes of the heap, whatever clients send: a test holds it against
     * what the daemon is started with. Measured in largest frames: what is held, a copy of one
     * that grows and one that is read; small requests that wait; what is carried out, by its
     * answer in the making; large requests with their plan parsed twice; and what sessions left
     * behind, while it is looked at.
     */
    long heapBytesMax() {
        long frame = ControlProtocol.FRAME_BYTES_MAX;
        long waiting = (long) connectionsMax * WAITING_FACTOR * LargeRequests.SMALL_BYTES;
        return RetainedStages.heapBytesMax(Crew.INSPECTORS)
                + heldBytesMax
                + (GROWING_FACTOR + READ_FACTOR) * frame
                + waiting
                + Crew.WORKERS * ANSWER_FACTOR * frame
                + LargeRequests.AT_ONCE * CARRIED_OUT_FACTOR * frame;
    }

    /** With another number of clients. */
    ServerBounds withConnectionsMax(int clients) {
        return new ServerBounds(
                clients, heldBytesMax, receiveMillis, sendMillis, stopMillis, lastingMillis);
    }
}
