package glove.policy.session;

import glove.wire.Digest;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;

/**
 * What an evaluation of a skill is bound to (sheet 10, 4.1). Immutable.
 *
 * @param variant which of the two skills runs
 * @param fixture what is asked of it, for the supervisor alone
 * @param base the skill there is
 * @param candidate the proposed one
 * @param matchedContextDigest what both runs have in common
 */
public record RefinementBinding(
        Variant variant,
        LibraryProjection fixture,
        LibraryProjection base,
        LibraryProjection candidate,
        Digest matchedContextDigest) {
    /** The one schema there is. */
    static final int SCHEMA_VERSION = 1;

    /** The projection that is shown in the session. */
    public LibraryProjection selected() {
        return variant == Variant.BASE ? base : candidate;
    }

    static RefinementBinding read(JsonFields fields) {
        int schema = fields.u8Or("schema_version", SCHEMA_VERSION);
        if (schema != SCHEMA_VERSION) {
            fields.problem("schema_version", "is " + schema, "write " + SCHEMA_VERSION);
        }
        RefinementBinding read = new RefinementBinding(
                fields.value("variant", Variant.CLASS),
                LibraryProjection.read(fields.object("fixture")),
                LibraryProjection.read(fields.object("base")),
                LibraryProjection.read(fields.object("candidate")),
                fields.value("matched_context_digest", Digest.CLASS));
        fields.end();
        return read;
    }

    void write(JsonWriter out) {
        out.beginObject()
                .member("schema_version", SCHEMA_VERSION)
                .member("variant", variant.word());
        fixture.write(out.name("fixture"));
        base.write(out.name("base"));
        candidate.write(out.name("candidate"));
        out.member("matched_context_digest", matchedContextDigest.hex()).endObject();
    }
}
