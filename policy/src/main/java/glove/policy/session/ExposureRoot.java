package glove.policy.session;

import glove.wire.AbsolutePath;
import glove.wire.Id128;
import glove.wire.U64;

import java.util.Optional;

/**
 * A directory below which the owner may expose files and directories. Immutable.
 *
 * @param rootId what requests name
 * @param hostRoot where it is
 * @param offer the most that may be exposed of it
 * @param maxTtlSecs for how long at most, not 0; u64
 */
public record ExposureRoot(
        Id128 rootId, AbsolutePath hostRoot, ExposureOffer offer, long maxTtlSecs) {
    /**
     * What stands in the way of an exposure below it, in words; empty when nothing does. What is on
     * disk is not looked at.
     */
    public Optional<String> refusal(AbsolutePath path, ExposureOffer wanted) {
        if (!holds(path)) {
            return Optional.of(HostPath.quoted(path) + " is not below " + HostPath.quoted(hostRoot)
                    + ", the directory of "
                    + "the root '" + rootId + "': name something in it, not itself");
        }
        if (ReservedPaths.isExposed(path)) {
            return Optional.of(
                    HostPath.quoted(path) + " is the system's or holds keys, and is never exposed");
        }
        return offer.beyond(wanted);
    }

    /** What is wrong with a time to live; empty when nothing is. */
    public Optional<String> refusalOfTtl(long ttlSecs) {
        return U64.isLess(maxTtlSecs, ttlSecs)
                ? Optional.of(U64.text(ttlSecs) + " seconds are more than the root '" + rootId
                        + "' allows, " + U64.text(maxTtlSecs))
                : Optional.empty();
    }

    /** Whether a path leads to something strictly below it, by its text. */
    public boolean holds(AbsolutePath path) {
        return path.isWithin(hostRoot) && !path.equals(hostRoot);
    }
}
