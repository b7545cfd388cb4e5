package glove.egress;

import glove.sys.ErrnoException;
import glove.sys.Linux;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;

/**
 * What all connections of a proxy share, and whose turn it is. Owns its descriptors. Confined to
 * the thread of the proxy.
 */
final class Hub implements AutoCloseable {
    /** Where heads and handshakes are looked at: nothing stays here between two calls. */
    static final int SCRATCH_BYTES = 64 << 10;

    private static final int WRONG_CREDENTIALS_MAX = 100;

    /** What a proxy works with. */
    record Parts(
            Linux linux,
            EgressPolicy policy,
            Credential credential,
            EgressAudit audit,
            Seams seams) {}

    /** What tests put their own in place of. */
    record Seams(Resolver resolver, NanoClock clock, Network network) {}

    final Linux linux;
    final EgressPolicy policy;
    final Credential credential;
    final Network network;
    final WatchTable watches;
    final Deadlines deadlines = new Deadlines();
    final PipePool pipes;
    final Lookups lookups;
    final Spending spending;
    final Decisions decisions;
    final HeadBudget requestHeads = new HeadBudget(this);
    final HeadBudget answerHeads = new HeadBudget(this);
    final Bucket arrivals;
    final byte[] scratch = new byte[SCRATCH_BYTES];

    private final NanoClock clock;
    private final ArrayDeque<Connection> awake = new ArrayDeque<>();
    private int connections;
    private @Nullable Connection first; // of all there are, linked
    private int wrongCredentials;
    private long now;

    Hub(Parts parts) throws ErrnoException {
        this.linux = parts.linux();
        this.policy = parts.policy();
        this.credential = parts.credential();
        this.network = parts.seams().network();
        this.clock = parts.seams().clock();
        this.now = clock.nanos();
        this.arrivals = new Bucket(now);
        this.pipes = new PipePool(linux);
        this.spending = new Spending(policy.limits());
        this.decisions = new Decisions(this, parts.audit());
        this.watches = new WatchTable(linux);
        boolean complete = false;
        try {
            this.lookups = new Lookups(linux, parts.seams().resolver(), watches);
            complete = true;
        } finally {
            if (!complete) {
                watches.close();
            }
        }
    }

    /** The time of this turn. */
    long now() {
        return now;
    }

    /** Looks at the clock; the time there is. */
    long tick() {
        now = clock.nanos();
        return now;
    }

    /** A connection wants its turn. */
    void wake(Connection connection) {
        if (!connection.isAwake()) {
            connection.setAwake(true);
            awake.addLast(connection);
        }
    }

    boolean isAnyAwake() {
        return !awake.isEmpty();
    }

    /** A turn for each that wants one now, until a moment; others, and second turns, wait. */
    void advance(long until) {
        for (int left = awake.size(); left > 0 && tick() - until < 0; left--) {
            Connection connection = awake.removeFirst();
            connection.setAwake(false);
            connection.advance();
        }
    }

    /** Tells those whose moment has come. */
    void expire() throws ErrnoException {
        for (Timed timed = deadlines.take(now); timed != null; timed = deadlines.take(now)) {
            timed.overdue();
        }
    }

    int connections() {
        return connections;
    }

    /** One more; {@link #left} when it is closed. */
    void joined(Connection connection) {
        connections++;
        connection.next = first;
        if (first != null) {
            first.previous = connection;
        }
        first = connection;
    }

    void left(Connection connection) {
        connections--;
        deadlines.remove(connection);
        if (connection.previous != null) {
            connection.previous.next = connection.next;
        } else {
            first = connection.next;
        }
        if (connection.next != null) {
            connection.next.previous = connection.previous;
        }
    }

    /**
     * A client has shown a wrong credential: whether there were so many in this run that they get
     * no answers any more.
     */
    boolean isTiredOfStrangers() {
        return ++wrongCredentials > WRONG_CREDENTIALS_MAX;
    }

    /** Whether bytes of clients are on their way out. */
    boolean isAnySending() {
        for (Connection one = first; one != null; one = one.next) {
            if (one.isSending()) {
                return true;
            }
        }
        return false;
    }

    /** Ends all connections; what was allowed ends with this reason. */
    void endAll(String reason) {
        while (first != null) {
            first.cut(reason);
        }
    }

    @Override
    public void close() {
        endAll("");
        pipes.close();
        lookups.close();
        watches.close();
    }
}
