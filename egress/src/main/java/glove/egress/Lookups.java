package glove.egress;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadFactory;

/**
 * Resolves names on threads of its own, because getaddrinfo(3) blocks; an eventfd tells the proxy's
 * thread of answers. A name that is being resolved is not asked for again. The threads are made
 * when all there are have work, and are daemons: one that hangs does not hold up the end. What both
 * sides touch is guarded by this object.
 */
final class Lookups extends Watched implements AutoCloseable {
    /** So many names may hang before others wait. */
    static final int THREADS_MAX = 32;

    private static final long STACK_BYTES = 256 << 10;

    private static final class Daemons implements ThreadFactory {
        @Override
        public Thread newThread(Runnable work) {
            Thread thread = new Thread(null, work, "glove-resolver", STACK_BYTES);
            thread.setDaemon(true);
            return thread;
        }
    }

    private final Linux linux;
    private final Resolver resolver;
    private final ThreadFactory factory;
    private final OwnedFd answered;
    private final Map<HostName, Lookup> inFlight = new HashMap<>(); // the proxy's thread only
    private final ArrayDeque<Lookup> asked = new ArrayDeque<>();
    private final ArrayDeque<Lookup> answers = new ArrayDeque<>();
    private int threads;
    private int idle;
    private boolean closed;
    private boolean broken;
    private volatile @Nullable Throwable fault; // why
    private boolean told; // the proxy's thread only

    Lookups(Linux linux, Resolver resolver, WatchTable watches) throws ErrnoException {
        this(linux, resolver, watches, new Daemons());
    }

    Lookups(Linux linux, Resolver resolver, WatchTable watches, ThreadFactory factory)
            throws ErrnoException {
        this.linux = linux;
        this.resolver = resolver;
        this.factory = factory;
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

    /** Begins to resolve a name, or waits with those who asked for it before. */
    Lookup ask(HostName name, Asker asker) throws ErrnoException {
        Lookup known = inFlight.get(name);
        if (known != null) {
            known.join(asker);
            return known;
        }
        Lookup lookup = new Lookup(name);
        lookup.join(asker);
        inFlight.put(name, lookup);
        begin(lookup);
        return lookup;
    }

    /** Somebody waits no more; a name nobody waits for is not asked for, if that is not begun. */
    void leave(Lookup lookup, Asker asker) {
        if (lookup.leave(asker) && takeBack(lookup)) {
            inFlight.remove(lookup.name());
        }
    }

    private synchronized boolean takeBack(Lookup lookup) {
        return asked.remove(lookup);
    }

    private synchronized void begin(Lookup lookup) throws ErrnoException {
        asked.addLast(lookup);
        if (asked.size() <= idle) {
            notify();
        } else if (threads < THREADS_MAX && !startThread() && threads == 0) {
            asked.remove(lookup);
            lookup.fail();
            answers.addLast(lookup);
            linux.signal(answered);
        }
    }

    /** False when this machine has none left; then those there are have to do. */
    private boolean startThread() {
        threads++;
        boolean started = false;
        try {
            Thread thread = factory.newThread(this::work);
            thread.setUncaughtExceptionHandler(new Ends());
            thread.start();
            started = true;
        } catch (OutOfMemoryError e) {
            // pthread_create(3): EAGAIN, by a limit of processes or memory.
        } finally {
            threads -= started ? 0 : 1;
        }
        return started;
    }

    private void work() {
        try {
            for (Lookup lookup = next(); lookup != null; lookup = next()) {
                lookup.resolve(resolver);
                answer(lookup);
            }
            leave(true);
        } catch (InterruptedException | ErrnoException e) {
            // Nobody interrupts these threads, and the eventfd takes every signal.
            fault = e;
            leave(false);
        }
    }

    /** Of whatever else ends a thread: the proxy's thread hears of it, and nobody prints it. */
    private final class Ends implements Thread.UncaughtExceptionHandler {
        @Override
        public void uncaughtException(Thread thread, Throwable thrown) {
            fault = thrown;
            leave(false);
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

    /** Waits for one; null at the end. */
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
            } else {
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
            inFlight.remove(lookup.name());
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

    /** What ended it. */
    @Nullable
    Throwable fault() {
        return fault;
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
