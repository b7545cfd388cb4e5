package glove.gateway;

/** What an upstream did that went nowhere. Confined to the gateway's thread. */
final class UpstreamCounts {
    private long malformed;
    private long flooded;

    void addMalformed() {
        malformed++;
    }

    void addFlooded() {
        flooded++;
    }

    /** Lines that are no messages. */
    long malformed() {
        return malformed;
    }

    /** Notifications that were too many. */
    long flooded() {
        return flooded;
    }
}
