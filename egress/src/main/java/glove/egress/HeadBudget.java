package glove.egress;

import java.util.Iterator;
import java.util.LinkedHashSet;

/**
 * How many bytes of heads are kept in memory over all connections: those that are read and have
 * not left yet. When they are too many, further heads wait in the sockets. There is one budget for
 * requests and one for answers, so that answers never wait for requests that wait for them.
 * Confined to the thread of the proxy.
 */
final class HeadBudget {
    /** Hundreds of the longest heads; one head more than that at most is kept. */
    static final int BYTES_MAX = 4 << 20;

    private final Hub hub;
    private final LinkedHashSet<Share> waiting = new LinkedHashSet<>();
    private int held;
    private int peak;

    HeadBudget(Hub hub) {
        this.hub = hub;
    }

    /** What one connection has of it. */
    static final class Share {
        private final HeadBudget budget;
        private final Connection connection;
        private int held;

        Share(HeadBudget budget, Connection connection) {
            this.budget = budget;
            this.connection = connection;
        }

        /** Whether no further head may be read now; the connection is woken when that changes. */
        boolean mustWait() {
            if (budget.held >= BYTES_MAX) {
                budget.waiting.add(this);
                return true;
            }
            budget.waiting.remove(this);
            return false;
        }

        /** Keeps a head of so many bytes. */
        void hold(int bytes) {
            held += bytes;
            budget.held += bytes;
            budget.peak = Math.max(budget.peak, budget.held);
            budget.wakeNext();
        }

        /** Keeps none any more. */
        void drop() {
            if (held > 0) {
                budget.held -= held;
                held = 0;
                budget.wakeNext();
            }
        }

        /** Has no need of it any more. */
        void close() {
            budget.waiting.remove(this);
            drop();
            budget.wakeNext();
        }
    }

    /** Each that is woken wakes the next when it has taken what it needs, or has gone. */
    private void wakeNext() {
        if (held < BYTES_MAX && !waiting.isEmpty()) {
            Iterator<Share> first = waiting.iterator();
            Share next = first.next();
            first.remove();
            hub.wake(next.connection);
        }
    }

    /** Bytes kept now. */
    int held() {
        return held;
    }

    /** The most that were ever kept. */
    int peak() {
        return peak;
    }
}
