package glove.egress;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;

/**
 * Resolves names on a few threads, because getaddrinfo(3) blocks; an eventfd tells the proxy's
 * thread of answers. The threads begin with the first names and are daemons: one that hangs does
 * not hold up the end. What both sides touch is guarded by this object.
 */
final class Lookups extends Watched implements AutoCloseable {
    private static final int THREADS_MAX = 4;
    private static final long STACK_BYTES = 256 << 10;

    private final Linux linux;
    private final Resolver resolver;
    private final OwnedFd answered;
    private final ArrayDeque<Lookup> asked = new ArrayDeque<>();
    private final ArrayDeque<Lookup> answers = new ArrayDeque<>();
    private int threads;
    private int idle;
    private boolean closed;
    private boolean broken;
    private boolean told; // the proxy's thread only

    Lookups(Linux linux, Resolver resolver, WatchTable watches) throws ErrnoException {
        this.linux = linux;
        this.resolver = resolver;
        this.answered = linux.eventfd();
        boolean watched = false;
        try {
            watches.add(answered, this);
            watched = true;
        } finally {
            if (!watched) {
                answered.close();
            }
        }
    }

    /** Begins one. */
    synchronized void ask(Lookup lookup) {
        asked.addLast(lookup);
        if (asked.size() <= idle) {
            notify();
        } else if (threads < THREADS_MAX) {
            threads++;
            Thread thread = new Thread(null, this::work, "glove-resolver-" + threads, STACK_BYTES);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void work() {
        boolean done = false;
        try {
            for (Lookup lookup = next(); lookup != null; lookup = next()) {
                lookup.resolve(resolver);
                answer(lookup);
            }
            done = true;
        } catch (InterruptedException | ErrnoException e) {
            // Nobody interrupts these threads, and the eventfd takes every signal: see broken.
        } finally {
            leave(done);
        }
    }

    private synchronized void leave(boolean done) {
        threads--;
        if (!done && !closed) {
            broken = true;
            try {
                linux.signal(answered);
            } catch (ErrnoException e) {
                // Then the next turn finds out, which is when a client has waited too long.
            }
        }
    }

    /** Waits for one that somebody still wants; null at the end. */
    private synchronized @Nullable Lookup next() throws InterruptedException {
        while (!closed) {
            Lookup lookup = asked.pollFirst();
            if (lookup == null) {
                idle++;
                try {
                    wait();
                } finally {
                    idle--;
                }
            } else if (!lookup.isCancelled()) {
                return lookup;
            }
        }
        return null;
    }

    private synchronized void answer(Lookup lookup) throws ErrnoException {
        if (!closed) {
            answers.addLast(lookup);
            linux.signal(answered); // under the lock: its descriptor is not closed meanwhile
        }
    }

    @Override
    void happened(int events) {
        told = true;
    }

    /** Hands out the answers there are. */
    void tell() throws ErrnoException {
        if (!told) {
            return;
        }
        told = false;
        linux.takeSignal(answered);
        for (Lookup lookup = nextAnswer(); lookup != null; lookup = nextAnswer()) {
            lookup.tell();
        }
    }

    private synchronized @Nullable Lookup nextAnswer() {
        return answers.pollFirst();
    }

    /** A thread ended that should not have: names may go unresolved. */
    synchronized boolean isBroken() {
        return broken;
    }

    @Override
    public synchronized void close() {
        closed = true;
        asked.clear();
        answers.clear();
        notifyAll();
        answered.close();
    }
}
