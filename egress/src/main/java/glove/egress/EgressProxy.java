package glove.egress;

import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import java.util.ArrayList;
import java.util.List;

/**
 * The only way out of a sandbox: serves the listeners inside it, decides each connection, records
 * the decision, and only then connects. All on one thread, which waits for one descriptor: {@link
 * #awaited} when it has to wait, at most {@link #patience}, and then takes a {@link #turn}. Any
 * failure that is not one connection's closes everything: it ends the way out, never opens it.
 *
 * <p>Owns its descriptors. Confined to the thread that opened it; name resolution has threads of
 * its own.
 */
public final class EgressProxy implements AutoCloseable {
    /** Of {@link #patience}: no moment of its own. */
    public static final long UNLIMITED = -1;

    /** Waits of the kernel's own in one turn, when there is always more to do. */
    private static final int ROUNDS = 64;

    /** After this long others have their turn. */
    private static final long TURN_NANOS = 10_000_000L;

    private static final long MILLI = 1_000_000L;

    private final Hub hub;
    private final List<Listening> listeners = new ArrayList<>();
    private boolean closed;

    private EgressProxy(Hub hub) {
        this.hub = hub;
    }

    /** A proxy that serves nobody yet. */
    public static EgressProxy open(
            Linux linux,
            EgressPolicy policy,
            Credential credential,
            EgressAudit audit,
            Resolver resolver)
            throws ErrnoException {
        Network network = new KernelNetwork(linux);
        Hub.Seams seams = new Hub.Seams(resolver, System::nanoTime, network);
        return open(new Hub.Parts(linux, policy, credential, audit, seams));
    }

    static EgressProxy open(Hub.Parts parts) throws ErrnoException {
        return new EgressProxy(new Hub(parts));
    }

    Hub hub() {
        return hub;
    }

    /** Whether nothing leaves any more. */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Serves a listener.
     *
     * @param listener a TCP one; owned from here on, also when this fails
     */
    public void serve(OwnedFd listener, Entry entry) throws ErrnoException {
        listeners.add(Listening.on(hub, listener, entry));
    }

    /** Readable when there is something to do: an epoll(7) descriptor. */
    public Fd awaited() {
        return hub.watches.epoll();
    }

    /** Milliseconds after which it wants a turn in any case; {@link #UNLIMITED}. */
    public long patience() {
        if (closed) {
            return UNLIMITED;
        }
        if (hub.isAnyAwake() || isAnyWaiting()) {
            return 0;
        }
        if (hub.deadlines.isEmpty()) {
            return UNLIMITED;
        }
        long nanos = hub.deadlines.earliest() - hub.tick();
        return nanos <= 0 ? 0 : (nanos + MILLI - 1) / MILLI;
    }

    private boolean isAnyWaiting() {
        for (Listening listening : listeners) {
            if (listening.isWaiting()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Does what can be done without waiting, for a few milliseconds at most.
     *
     * @throws EgressAuditException when decisions could not be recorded; everything is closed
     * @throws ErrnoException when the kernel no longer tells what happens; everything is closed
     */
    public void turn() throws ErrnoException, EgressAuditException {
        boolean done = false;
        try {
            long until = hub.tick() + TURN_NANOS;
            boolean more = true;
            for (int i = 0; i < ROUNDS && more && hub.now() - until < 0; i++) {
                more = round(until);
                hub.tick();
            }
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    /** Whether there may be more to do at once. */
    private boolean round(long until) throws ErrnoException, EgressAuditException {
        int told = hub.watches.tell();
        hub.lookups.tell();
        if (hub.lookups.isBroken()) {
            throw new IllegalStateException(
                    "a thread that resolves names has ended", hub.lookups.fault());
        }
        hub.expire();
        for (Listening listening : listeners) {
            listening.accept();
        }
        hub.advance(until);
        hub.decisions.commit();
        return told > 0 || hub.isAnyAwake() || isAnyWaiting();
    }

    /** How many connections of clients there are. */
    public int connections() {
        return hub.connections();
    }

    /**
     * Whether bytes of clients are on their way out. Clients that are gone have sent all they will:
     * a few more turns get those out.
     */
    public boolean isSending() {
        return !closed && hub.isAnySending();
    }

    /**
     * Ends all connections, records how, and closes everything: the run is over.
     *
     * @throws EgressAuditException when that could not be recorded; everything is closed
     */
    public void finish() throws EgressAuditException {
        if (closed) {
            return;
        }
        try {
            hub.tick();
            hub.endAll("the run ended");
            hub.decisions.finish();
        } finally {
            close();
        }
    }

    /** Closes everything at once; nothing is recorded any more. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (Listening listening : listeners) {
            listening.close();
        }
        hub.close();
    }
}
