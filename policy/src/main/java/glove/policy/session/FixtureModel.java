package glove.policy.session;

import glove.wire.DigestWriter;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;

import java.util.Optional;

/** Which model answers a {@link RefinementFixture}. Immutable. */
record FixtureModel(
        Optional<String> provider,
        String modelId,
        Optional<String> family,
        Optional<String> revision,
        String tier,
        int normalizerVersion) {
    static FixtureModel read(JsonFields fields) {
        FixtureModel read = new FixtureModel(
                fields.optionalValue("provider", RefinementFixture.TEXT),
                fields.value("model_id", RefinementFixture.TEXT),
                fields.optionalValue("model_family", RefinementFixture.TEXT),
                fields.optionalValue("model_revision", RefinementFixture.TEXT),
                fields.value("tier", RefinementFixture.TEXT),
                (int) fields.positiveU32("normalizer_version"));
        fields.end();
        return read;
    }

    void write(JsonWriter out) {
        out.beginObject();
        provider.ifPresent(value -> out.member("provider", value));
        out.member("model_id", modelId);
        family.ifPresent(value -> out.member("model_family", value));
        revision.ifPresent(value -> out.member("model_revision", value));
        out.member("tier", tier)
                .unsigned("normalizer_version", Integer.toUnsignedLong(normalizerVersion))
                .endObject();
    }

    void write(DigestWriter out) {
        optional(out, provider);
        out.string(modelId);
        optional(out, family);
        optional(out, revision);
        out.string(tier).u32(normalizerVersion);
    }

    private static void optional(DigestWriter out, Optional<String> value) {
        if (value.isPresent()) {
            out.present().string(value.get());
        } else {
            out.absent();
        }
    }
}
