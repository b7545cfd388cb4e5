package glove.session;

import java.util.Optional;

/**
 * What is known at some point: by the committer thread, or by everybody else what is on disk.
 */
interface RegistryView {
    /** The session as it is. */
    Optional<SessionRecord> session(String id);

    /** What a key was used for. */
    Optional<KeyUse> key(String key);

    /**
     * What a key was used for. Immutable.
     *
     * @param operation it did
     * @param sessionId with whom
     * @param requestDigest of what was asked for
     */
    record KeyUse(SessionOperation operation, String sessionId, String requestDigest) {}
}
