package glove.session;

import glove.wire.Id128;

/**
 * What every request that changes something has. Immutable.
 *
 * @param key the same request with the same key is done once; another one is refused
 * @param nowMs milliseconds since 1970, not 0
 * @param deadline until when it may be done
 */
public record RegistryCall(Id128 key, long nowMs, Deadline deadline) {
    /** One without a deadline. */
    public RegistryCall(Id128 key, long nowMs) {
        this(key, nowMs, Deadline.NONE);
    }
}
