package glove.egress;

import glove.sys.ErrnoException;

import org.jspecify.annotations.Nullable;

/**
 * One connection of a client, from its arrival to its end. Owns the client's socket; its {@link
 * Stage} owns the rest. Confined to the thread of the proxy.
 */
final class Connection extends Timed {
    private static final long MILLI = 1_000_000L;

    private final Hub hub;
    private final Entry entry;
    private final long since;
    private final HeadBudget.Share requestHeads;
    private final HeadBudget.Share answerHeads;
    private @Nullable Stream client; // null until adopted
    private Stage stage;
    private boolean awake;
    private boolean advancing;
    private boolean entered;
    private boolean closed;
    private long lastMoved;

    /** The list of all, which the hub alone writes; null at its ends. */
    @Nullable
    Connection next;

    @Nullable
    Connection previous;

    Connection(Hub hub, Entry entry) {
        this.hub = hub;
        this.entry = entry;
        this.since = hub.now();
        this.requestHeads = new HeadBudget.Share(hub.requestHeads, this);
        this.answerHeads = new HeadBudget.Share(hub.answerHeads, this);
        this.lastMoved = since;
        this.stage = new Arrival(this);
    }

    /** Begins with the client's socket. */
    void begin(Stream accepted) {
        client = accepted;
        hub.joined(this);
        if (entry.isDirect()) {
            stage = new DirectRequest(this, entry.destination()).opening();
        }
        advance();
    }

    Hub hub() {
        return hub;
    }

    Entry entry() {
        return entry;
    }

    Stream client() {
        if (client == null) {
            throw new IllegalStateException("a connection without a client");
        }
        return client;
    }

    /** Heads of its requests that are kept. */
    HeadBudget.Share requestHeads() {
        return requestHeads;
    }

    /** The same of answers. */
    HeadBudget.Share answerHeads() {
        return answerHeads;
    }

    private void dropHeads() {
        requestHeads.close();
        answerHeads.close();
    }

    boolean isAwake() {
        return awake;
    }

    void setAwake(boolean awake) {
        this.awake = awake;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isSending() {
        return !closed && stage.isSending();
    }

    /** Goes on in another stage, which has its turn at once, or soon. */
    void enter(Stage following) {
        stage = following;
        entered = true;
        if (!advancing) {
            hub.wake(this);
        }
    }

    /** Its turn: through as many stages as it can go, which are few. */
    void advance() {
        advancing = true;
        entered = true;
        try {
            while (entered && !closed) {
                entered = false;
                stage.advance();
            }
        } catch (ErrnoException e) {
            broke(e);
        } finally {
            advancing = false;
        }
    }

    /** The stage wants its turn at this moment at the latest. */
    void dueAt(long moment) {
        long total = hub.policy.limits().totalMillis() * MILLI;
        boolean sooner = total > 0 && since + total - moment < 0;
        hub.deadlines.set(this, sooner ? since + total : moment);
    }

    /** The same from now on. */
    void dueIn(long nanos) {
        dueAt(hub.now() + nanos);
    }

    /** Bytes have passed. */
    void moved() {
        lastMoved = hub.now();
    }

    /** The stage waits for bytes only: silence is bounded all the same. */
    void dueWhenIdle() {
        long idle = hub.policy.limits().idleMillis() * MILLI;
        if (idle > 0) {
            dueAt(lastMoved + idle);
        } else if (hub.policy.limits().totalMillis() > 0) {
            dueAt(Long.MAX_VALUE / 2 + hub.now());
        } else {
            hub.deadlines.remove(this);
        }
    }

    /** Whether there has been silence for as long as the limit allows. */
    boolean isIdle() {
        long idle = hub.policy.limits().idleMillis() * MILLI;
        return idle > 0 && hub.now() - lastMoved >= idle;
    }

    @Override
    void overdue() {
        if (closed) {
            return;
        }
        long total = hub.policy.limits().totalMillis() * MILLI;
        if (total > 0 && hub.now() - since >= total) {
            cut("cut off: it was open for " + total / MILLI + " ms, which is the limit");
            return;
        }
        try {
            stage.overdue();
        } catch (ErrnoException e) {
            broke(e);
        }
    }

    /** Cuts it off for its silence. */
    void cutIdle() {
        long idle = hub.policy.limits().idleMillis();
        cut("cut off: nothing was sent either way for " + idle + " ms, which is the limit");
    }

    /** Ends it: both sides see the end of what they got. */
    void close() {
        if (leave("")) {
            client().close();
        }
    }

    /** Ends it: the client sees a failure, since what it got may be only a part. */
    void cut(String reason) {
        if (leave(reason)) {
            client().reset();
        }
    }

    /** A system call failed. */
    void broke(ErrnoException why) {
        cut("broken off: " + why.getMessage());
    }

    private boolean leave(String reason) {
        if (closed) {
            return false;
        }
        closed = true;
        hub.left(this);
        stage.release(reason);
        dropHeads();
        return true;
    }

    /** The client has an answer and nothing else to expect: waits until it was taken. */
    void linger() throws ErrnoException {
        stage.release("");
        dropHeads();
        enter(new Lingering(this));
    }
}
