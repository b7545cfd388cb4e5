package glove.gateway;

/**
 * What all peers together may make the gateway hold, in bytes: so that whoever sends the most
 * costs itself, and never the run. The rest of the heap is for the one message that is looked at,
 * which may be copied several times. Immutable.
 *
 * @param lines of which the end has not come
 * @param lists what upstreams offer, as they sent it
 * @param queues what upstreams have not read
 */
public record HeapShares(long lines, long lists, long queues) {
    private static final long MEBIBYTE = 1 << 20;

    /** Of one upstream's lists, however few there are. */
    private static final long LISTS_MOST = 2 * MEBIBYTE;

    private static final long LISTS_LEAST = 64 << 10;

    /** All are positive. */
    public HeapShares {
        if (lines <= 0 || lists <= 0 || queues <= 0) {
            throw new IllegalArgumentException("a share of the heap that holds nothing");
        }
    }

    /** Of a heap of that size. */
    static HeapShares of(long heapBytes) {
        return new HeapShares(heapBytes / 6, heapBytes / 24, heapBytes / 8);
    }

    /** Of one of so many upstreams, for all it lists. */
    long listsOf(int upstreams) {
        return Math.clamp(lists / Math.max(1, upstreams), LISTS_LEAST, LISTS_MOST);
    }
}
