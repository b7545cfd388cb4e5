package glove.policy.session;

import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;

import java.util.List;
import java.util.Optional;

/**
 * A wish to expose something, that could be granted (sheet 50, 5.1). Immutable.
 *
 * @param requestId the key under which it is done once
 * @param exposureId its name
 * @param rootId below which root
 * @param hostPath what
 * @param displayLabel what controllers see instead of the path, see {@link #isLabel}
 * @param offer how it may be used
 * @param ttlSecs for how long from now, not 0; u64
 */
public record ExposureRequest(
        Id128 requestId,
        Id128 exposureId,
        Id128 rootId,
        HostPath hostPath,
        String displayLabel,
        ExposureOffer offer,
        long ttlSecs) {
    /** How long a label may be. */
    public static final int LABEL_BYTES_MAX = 256;

    private static final int VERSION = 1;

    /** Of a list that is only read to say that it is too long. */
    private static final int ITEMS_MAX = 4096;

    /**
     * A wish as it was sent: of the right kinds, and nothing else is known of it. Immutable.
     *
     * @param exposureId any text
     * @param rootId any text
     * @param hostPath any text
     * @param displayLabel any text
     * @param modes in any order
     * @param ttlSecs u64
     * @param templates any texts
     */
    public record Submitted(
            String exposureId,
            String rootId,
            String hostPath,
            String displayLabel,
            List<ExposureMode> modes,
            long ttlSecs,
            List<String> templates) {
        /** Copies the lists. */
        public Submitted {
            modes = List.copyOf(modes);
            templates = List.copyOf(templates);
        }

        /** Reads it from an object that has these members and no other. */
        public static Submitted read(JsonFields fields) {
            Submitted read = new Submitted(
                    fields.string("exposure_id"),
                    fields.string("root_id"),
                    fields.string("host_path"),
                    fields.string("display_label"),
                    ExposureMode.readAll(fields, "allowed_modes", ITEMS_MAX),
                    fields.u64("ttl_secs"),
                    fields.strings("allowed_runtime_template_ids", ITEMS_MAX));
            fields.end();
            return read;
        }

        /** Writes it as a value. */
        public void write(JsonWriter out) {
            out.beginObject()
                    .member("exposure_id", exposureId)
                    .member("root_id", rootId)
                    .member("host_path", hostPath)
                    .member("display_label", displayLabel)
                    .name("allowed_modes")
                    .beginArray();
            modes.forEach(mode -> mode.write(out));
            out.endArray()
                    .unsigned("ttl_secs", ttlSecs)
                    .name("allowed_runtime_template_ids")
                    .beginArray();
            templates.forEach(out::value);
            out.endArray().endObject();
        }

        /** Why it can't be granted by anybody, in words; empty when it could. */
        public Optional<String> complaint() {
            if (!Id128.is(exposureId) || !Id128.is(rootId)) {
                return Optional.of("exposure_id and root_id are " + Id128.CLASS.words());
            }
            // With a slash at its end others would find no last name in it.
            Optional<HostPath> path = HostPath.parse(hostPath);
            if (path.isEmpty() || path.get().endsWithSlash()) {
                return Optional.of("host_path is " + HostPath.CLASS.words());
            }
            if (!isLabel(displayLabel)) {
                return Optional.of("display_label is 1 to " + LABEL_BYTES_MAX
                        + " bytes without slashes, backslashes and control characters");
            }
            if (ttlSecs == 0) {
                return Optional.of("ttl_secs is 0: write for how many seconds it is exposed");
            }
            for (String template : templates) {
                if (!Id128.is(template)) {
                    return Optional.of(
                            "allowed_runtime_template_ids are " + Id128.CLASS.words() + " each");
                }
            }
            return ExposureOffer.complaint(modes, ids()).map(what -> "the request " + what);
        }

        private List<Id128> ids() {
            return templates.stream().map(Id128::new).toList();
        }

        /** As a wish, when there is no {@link #complaint}. */
        public ExposureRequest request(Id128 requestId) {
            return new ExposureRequest(
                    requestId,
                    new Id128(exposureId),
                    new Id128(rootId),
                    HostPath.parse(hostPath).orElseThrow(),
                    displayLabel,
                    ExposureOffer.of(modes, ids()),
                    ttlSecs);
        }
    }

    /** Refuses a label that is none and a time of 0. */
    public ExposureRequest {
        if (!isLabel(displayLabel) || ttlSecs == 0) {
            throw new IllegalArgumentException("no request: it was not looked at");
        }
    }

    /** Whether a text may be a label: nothing a terminal obeys or somebody takes for a path. */
    public static boolean isLabel(String text) {
        boolean plain = !text.isEmpty();
        for (int i = 0; plain && i < text.length(); i++) {
            char c = text.charAt(i);
            plain = c >= ' ' && c != 0x7f && c != '/' && c != '\\';
        }
        return plain && Bytes.length(text) <= LABEL_BYTES_MAX;
    }

    /** Over all of it: the same key with another digest is another request. */
    public Digest digest() {
        DigestWriter out = new DigestWriter("glove.path-exposure-create-request")
                .u8(VERSION)
                .string(requestId.text())
                .string(exposureId.text())
                .string(rootId.text())
                .string(hostPath.text())
                .string(displayLabel);
        offer.writeModes(out);
        out.u64(ttlSecs);
        offer.writeTemplates(out);
        return out.sha256();
    }

    /** Of a wish to take an exposure back. */
    public static Digest revokeDigest(Id128 requestId, Id128 exposureId, long generation) {
        return new DigestWriter("glove.path-exposure-revoke-request")
                .u8(VERSION)
                .string(requestId.text())
                .string(exposureId.text())
                .u64(generation)
                .sha256();
    }
}
