package glove.session.exposure;

import glove.policy.session.ExposureOffer;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonWriter;

/**
 * What controllers see of an exposure: no path, no root, nothing by which the file could be told
 * (sheet 20, 4). Immutable.
 *
 * @param exposureId its name
 * @param generation of that name, from 1; u64
 * @param scopeDigest what a grant must name
 * @param displayLabel what the owner calls it
 * @param offer how it may be used
 * @param expiresAtMs in milliseconds since 1970; u64
 * @param state how it stands
 */
public record ExposureView(
        Id128 exposureId,
        long generation,
        Digest scopeDigest,
        String displayLabel,
        ExposureOffer offer,
        long expiresAtMs,
        ExposureState state) {
    static final int SCHEMA_VERSION = 1;

    static ExposureView of(HeldExposure held, ExposureState state) {
        return new ExposureView(
                held.scope().exposureId(),
                held.scope().generation(),
                held.scopeDigest(),
                held.label(),
                held.scope().offer(),
                held.scope().expiresAtMs(),
                state);
    }

    /** Writes it as a value. */
    public void write(JsonWriter out) {
        out.beginObject()
                .member("schema_version", SCHEMA_VERSION)
                .member("exposure_id", exposureId.text())
                .unsigned("generation", generation)
                .member("scope_digest", scopeDigest.hex())
                .member("display_label", displayLabel)
                .name("allowed_modes");
        offer.writeModes(out);
        out.unsigned("expires_at_ms", expiresAtMs).name("allowed_runtime_template_ids");
        offer.writeTemplates(out);
        out.member("state", state.word()).endObject();
    }
}
