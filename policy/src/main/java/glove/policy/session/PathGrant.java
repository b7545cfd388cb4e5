package glove.policy.session;

import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;

/**
 * A path a plan wants in its session (sheet 10, 1.2). Immutable.
 *
 * @param source which
 * @param terms how
 */
public record PathGrant(Source source, Terms terms) {
    /** Which path, by a name only the owner can resolve. */
    public sealed interface Source {
        /** What a plan's grants are ordered by. */
        Id128 id();
    }

    /** A path the policy names; schema 1. The policy's names hold no colon. */
    public record OfPolicy(Id128 id) implements Source {}

    /**
     * A path the owner has exposed for a time; schema 2.
     *
     * @param generation of the exposure of that name, from 1
     * @param scopeDigest what exactly was exposed
     */
    public record Exposed(Id128 id, long generation, Digest scopeDigest) implements Source {}

    /**
     * How it is wanted.
     *
     * @param maxBytes quota of a copy; 0 where nothing is written
     * @param ttlSecs for how long from now
     */
    public record Terms(
            Access access,
            Materialization materialization,
            long maxBytes,
            long ttlSecs,
            CleanupPolicy cleanup) {}

    static PathGrant read(JsonFields fields, int schema) {
        Source source = schema == SessionPlan.SCHEMA_EXPOSURES
                ? new Exposed(
                        fields.value("exposure_id", Id128.CLASS),
                        fields.u64("generation"),
                        fields.value("scope_digest", Digest.CLASS))
                : new OfPolicy(fields.value("alias", Id128.CLASS));
        Terms terms = new Terms(
                fields.value("access", Access.CLASS),
                fields.value("materialization", Materialization.CLASS),
                fields.u64("max_bytes"),
                fields.u64("ttl_secs"),
                fields.value("cleanup_policy", CleanupPolicy.CLASS));
        fields.end();
        return new PathGrant(source, terms);
    }

    void write(JsonWriter out) {
        out.beginObject();
        switch (source) {
            case OfPolicy(Id128 alias) -> out.member("alias", alias.text());
            case Exposed(Id128 id, long generation, Digest scope) ->
                out.member("exposure_id", id.text())
                        .unsigned("generation", generation)
                        .member("scope_digest", scope.hex());
        }
        out.member("access", terms.access.word())
                .member("materialization", terms.materialization.word())
                .unsigned("max_bytes", terms.maxBytes)
                .unsigned("ttl_secs", terms.ttlSecs)
                .member("cleanup_policy", terms.cleanup.word())
                .endObject();
    }
}
