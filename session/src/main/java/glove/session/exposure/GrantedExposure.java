package glove.session.exposure;

import glove.policy.session.CreatePolicy;
import glove.policy.session.Materialization;
import glove.policy.session.PathGrant;
import glove.sys.OwnedFd;
import glove.wire.AbsolutePath;
import glove.wire.Digest;
import glove.wire.Id128;

/**
 * What a grant leads to: the very file or directory that was checked, open (O_PATH). Owns the
 * descriptor, and is closed by who asked for it. Immutable otherwise.
 *
 * @param source the descriptor
 * @param isDirectory otherwise it is a regular file
 * @param grant what was asked for, which names the alias, generation and scope
 * @param terms how
 * @param sourceIdentity digest of what it is
 */
public record GrantedExposure(
        OwnedFd source,
        boolean isDirectory,
        PathGrant.Exposed grant,
        PathGrant.Terms terms,
        Digest sourceIdentity)
        implements AutoCloseable {
    private static final String TARGETS = "/workspace/exposures/";

    /** Its name among the mounts of the session. */
    public Id128 alias() {
        return grant.id();
    }

    /** Where it is in the session. */
    public AbsolutePath targetPath() {
        return new AbsolutePath(TARGETS + grant.id());
    }

    /** What is made in the session for it. */
    public CreatePolicy createPolicy() {
        return terms.materialization() == Materialization.BIND
                ? CreatePolicy.NEVER
                : CreatePolicy.EMPTY_DIRECTORY;
    }

    @Override
    public void close() {
        source.close();
    }
}
