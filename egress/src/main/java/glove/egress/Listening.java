package glove.egress;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;

import java.util.Optional;

/** A listener inside the sandbox. Owns it. Confined to the thread of the proxy. */
final class Listening extends Watched implements AutoCloseable {
    /** Connections accepted in a row before those there are have their turn. */
    private static final int AT_ONCE = 64;

    /** After a failure to accept, which is for want of descriptors or memory. */
    private static final long PAUSE = 100_000_000L;

    private final Hub hub;
    private final OwnedFd listener;
    private final Entry entry;
    private final Timed retry = new Timed() {
        @Override
        void overdue() {
            waiting = true;
        }
    };
    private boolean waiting;

    private Listening(Hub hub, OwnedFd listener, Entry entry) {
        this.hub = hub;
        this.listener = listener;
        this.entry = entry;
    }

    /**
     * Begins to listen.
     *
     * @param listener owned from here on, also when this fails
     */
    static Listening on(Hub hub, OwnedFd listener, Entry entry) throws ErrnoException {
        Listening listening = new Listening(hub, listener, entry);
        boolean watched = false;
        try {
            hub.linux.fcntl(listener, Linux.F_SETFL, OpenFlags.O_NONBLOCK);
            hub.watches.add(listener, listening);
            watched = true;
            return listening;
        } finally {
            if (!watched) {
                listener.close();
            }
        }
    }

    @Override
    void happened(int events) {
        waiting = true;
    }

    /** Whether somebody may wait to be accepted. */
    boolean isWaiting() {
        return waiting;
    }

    /** Accepts some of those who wait. */
    void accept() {
        for (int i = 0; i < AT_ONCE && waiting; i++) {
            if (!hub.arrivals.mayTake(hub.now())) {
                waiting = false;
                hub.deadlines.set(retry, hub.arrivals.next());
                return;
            }
            try {
                Optional<OwnedFd> accepted = hub.linux.accept(listener);
                if (accepted.isEmpty()) {
                    waiting = false;
                } else {
                    hub.arrivals.take();
                    begin(accepted.get());
                }
            } catch (ErrnoException e) {
                waiting = false;
                hub.deadlines.set(retry, hub.now() + PAUSE);
            }
        }
    }

    private void begin(OwnedFd accepted) {
        int most = hub.policy.limits().connections();
        if (hub.connections() >= most) {
            accepted.close();
            hub.decisions.refuseOverflow(
                    "there are " + most + " connections at once already, which is the limit");
            return;
        }
        Connection connection = new Connection(hub, entry);
        try {
            connection.begin(Stream.of(hub, accepted, connection));
        } catch (ErrnoException e) {
            // It could not be watched and is closed, which its client sees, and nobody else.
            hub.decisions.refuseOverflow("a connection could not be served: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        hub.watches.remove(this);
        hub.deadlines.remove(retry);
        listener.close();
    }
}
