package glove.gateway;

import java.util.Optional;

/** Where pinned definitions are kept: in the owner's state, not where an agent can write. */
public interface PinStore {
    /**
     * What was written under a key; empty when nothing was.
     *
     * @param key of {@link UpstreamSpec#pinKey}
     */
    Optional<byte[]> read(String key) throws PinException;

    /** Replaces it, whole or not at all, and durably. */
    void write(String key, byte[] content) throws PinException;
}
