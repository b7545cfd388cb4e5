package glove.gateway;

/**
 * The bounds of a gateway. Immutable.
 *
 * @param agents connected at the same time
 * @param frameBytes of one line, in either direction
 * @param agentRequests of one agent under way; those beyond are told so
 * @param agentQueueBytes that wait for an agent before it is read no further
 * @param agentHoardBytes that wait for an agent before results are not kept for it
 * @param upstreamFrames that wait for an upstream to read them; those beyond are refused
 * @param upstreamQueueBytes likewise
 * @param malformed frames of an agent, or lines of an upstream in a row, that end its session
 * @param pages of one list of an upstream
 * @param items of one list of an upstream
 * @param pageItems of a list as an agent gets it
 * @param notificationsPerSecond of an upstream that are passed on, on average
 * @param times how long is waited for what
 * @param shares of the heap, for what all peers hold together
 */
public record GatewayLimits(
        int agents,
        int frameBytes,
        int agentRequests,
        int agentQueueBytes,
        int agentHoardBytes,
        int upstreamFrames,
        int upstreamQueueBytes,
        int malformed,
        int pages,
        int items,
        int pageItems,
        int notificationsPerSecond,
        Times times,
        HeapShares shares) {
    private static final int AGENTS = 8;

    /**
     * How long is waited, in milliseconds.
     *
     * @param hello for upstreams before an agent's initialize is answered without them
     * @param start of an upstream, until its lists are there
     * @param first sign of life of an upstream that was asked
     * @param idle between two of them
     * @param hard end of a request in any case
     * @param refresh at least, between two readings of a list
     * @param restartFirst before an upstream is started again; doubled each time
     * @param restartMost at most
     */
    public record Times(
            long hello,
            long start,
            long first,
            long idle,
            long hard,
            long refresh,
            long restartFirst,
            long restartMost) {
        /** All are positive. */
        public Times {
            boolean positive = hello > 0 && start > 0 && first > 0 && idle > 0 && hard > 0;
            if (!positive || refresh <= 0 || restartFirst <= 0 || restartMost < restartFirst) {
                throw new IllegalArgumentException("a time of the gateway that is none");
            }
        }

        /** Half a minute to start, five minutes to say something, an hour in all. */
        public static Times standard() {
            return new Times(750, 30_000, 300_000, 300_000, 3_600_000, 1_000, 500, 60_000);
        }
    }

    /** All are positive. */
    public GatewayLimits {
        boolean positive = agents > 0
                && frameBytes > 0
                && agentRequests > 0
                && agentQueueBytes > 0
                && agentHoardBytes > 0
                && upstreamFrames > 0
                && upstreamQueueBytes > 0
                && malformed > 0;
        if (!positive || pages < 1 || items < 1 || pageItems < 1 || notificationsPerSecond < 1) {
            throw new IllegalArgumentException("a limit of the gateway that lets nothing through");
        }
    }

    /** All agents' hoards together are at most a quarter of the heap. */
    static int hoardBytes(long heapBytes) {
        long share = Math.min(heapBytes / 4 / AGENTS, 64L << 20);
        return (int) Math.max(share, 1 << 20);
    }

    /** What a run has unless it says otherwise. */
    public static GatewayLimits standard() {
        long heap = Runtime.getRuntime().maxMemory();
        return new GatewayLimits(
                AGENTS,
                16 << 20,
                128,
                4 << 20,
                hoardBytes(heap),
                64,
                32 << 20,
                16,
                64,
                4096,
                512,
                100,
                Times.standard(),
                HeapShares.of(heap));
    }
}
