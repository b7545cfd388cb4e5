package glove.session;

import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.U64;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers answers by key for requests that leave no record, such as input for a session: a
 * request repeated with its key is answered as before, another one with the same key is refused.
 * Bounded: when there is no room, the oldest answers are forgotten that are older than anybody may
 * still ask for. Lost when the process ends.
 *
 * <p>A key is {@linkplain #begin taken} while its request is carried out, and never forgotten then.
 *
 * <p>Thread-safe: guarded by itself.
 *
 * @param <R> the answers
 */
public final class IdempotencyMemory<R> {
    /** What stands behind a key. */
    private static final class Entry<R> {
        private final Digest request;
        private Optional<R> answer = Optional.empty();
        private long atMs;

        Entry(Digest request) {
            this.request = request;
        }
    }

    private final int most;
    private final long lifetimeMs;
    private final Map<Id128, Entry<R>> entries = new HashMap<>();
    private final ArrayDeque<Id128> answered = new ArrayDeque<>(); // the oldest first

    /** What became of a key that somebody wants to use. Immutable. */
    public sealed interface Beginning<R> {
        /** It is the caller's: carry the request out, then {@link #finish} or {@link #cancel}. */
        record Fresh<R>() implements Beginning<R> {}

        /**
         * It was carried out.
         *
         * @param answer of then
         */
        record Repeated<R>(R answer) implements Beginning<R> {}

        /** The key was used for another request. */
        record Conflict<R>() implements Beginning<R> {}

        /** The same request is being carried out, by somebody else: ask again. */
        record Busy<R>() implements Beginning<R> {}

        /** There is no room, and nothing that may be forgotten. */
        record Full<R>() implements Beginning<R> {}
    }

    /**
     * An empty one.
     *
     * @param most keys it holds
     * @param lifetimeMs how long an answer must be kept: as long as the longest plan lives; u64
     */
    public IdempotencyMemory(int most, long lifetimeMs) {
        this.most = most;
        this.lifetimeMs = lifetimeMs;
    }

    /**
     * Takes a key.
     *
     * @param request of all that is asked for
     * @param nowMs of a clock that does not go back
     */
    public synchronized Beginning<R> begin(Id128 key, Digest request, long nowMs) {
        Entry<R> known = entries.get(key);
        if (known != null) {
            if (!known.request.equals(request)) {
                return new Beginning.Conflict<>();
            }
            return known.answer.isPresent()
                    ? new Beginning.Repeated<>(known.answer.get())
                    : new Beginning.Busy<>();
        }
        if (entries.size() >= most && !forgetOldest(nowMs)) {
            return new Beginning.Full<>();
        }
        entries.put(key, new Entry<>(request));
        return new Beginning.Fresh<>();
    }

    private boolean forgetOldest(long nowMs) {
        Id128 oldest = answered.peek();
        Entry<R> entry = oldest == null ? null : entries.get(oldest);
        boolean young = entry != null
                && (nowMs < entry.atMs || U64.compare(nowMs - entry.atMs, lifetimeMs) <= 0);
        if (entry == null || young) {
            return false;
        }
        answered.remove();
        entries.remove(oldest);
        return true;
    }

    /** It was carried out, by whoever had begun it. */
    public synchronized void finish(Id128 key, R answer, long nowMs) {
        Entry<R> entry = begun(key);
        entry.answer = Optional.of(answer);
        entry.atMs = nowMs;
        answered.add(key);
    }

    /** It was not carried out: as if nobody had asked. */
    public synchronized void cancel(Id128 key) {
        begun(key);
        entries.remove(key);
    }

    private Entry<R> begun(Id128 key) {
        Entry<R> entry = entries.get(key);
        if (entry == null || entry.answer.isPresent()) {
            throw new IllegalStateException("the key '" + key + "' is nobody's");
        }
        return entry;
    }

    /** How many keys it holds. */
    public synchronized int size() {
        return entries.size();
    }
}
