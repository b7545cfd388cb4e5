package glove.session.bundle;

import glove.wire.Digest;
import glove.wire.JsonException;
import glove.wire.JsonFields;
import glove.wire.JsonLimits;
import glove.wire.JsonProblem;
import glove.wire.JsonProblems;
import glove.wire.JsonText;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a bundle of a library says (sheet 50, 8.1). Immutable.
 *
 * @param sourceLibraryRef where it is from, in its library's own words
 * @param sourceManifestDigest of what it was made from
 * @param entries at most {@value #ENTRIES_MAX}, of different keys
 */
record BundleDocument(String sourceLibraryRef, Digest sourceManifestDigest, List<Entry> entries) {
    /** In one bundle, and in all of a session. */
    static final int ENTRIES_MAX = 4096;

    private static final int SCHEMA_VERSION = 1;
    private static final int REF_BYTES_MAX = 512;
    private static final int CONTENT_BYTES_MAX = 1 << 20;
    private static final JsonLimits LIMITS = JsonLimits.FRAME.withBytesMax(LibraryBundle.BYTES_MAX);

    /**
     * One of its parts. Immutable.
     *
     * @param key its name
     * @param kind what it is
     * @param contentDigest SHA-256 of its content in UTF-8
     * @param content not empty
     */
    record Entry(String key, BundleKind kind, Digest contentDigest, String content) {
        /** How long its content is, in bytes of UTF-8. */
        int contentBytes() {
            return content.getBytes(StandardCharsets.UTF_8).length;
        }
    }

    /** Copies the list. */
    BundleDocument {
        entries = List.copyOf(entries);
    }

    /**
     * Reads one and checks every rule that is about it alone.
     *
     * @param json the whole bundle
     * @return the document; empty when there are problems
     */
    static Optional<BundleDocument> parse(byte[] json, JsonProblems problems) {
        try {
            JsonFields fields = JsonFields.of(JsonText.value(json, LIMITS).root(), problems);
            return read(fields.missingIsDefault());
        } catch (JsonException e) {
            problems.add(new JsonProblem("", "is no JSON: " + e.getMessage(), ""));
            return Optional.empty();
        }
    }

    private static Optional<BundleDocument> read(JsonFields fields) {
        int schema = fields.u8("schema_version");
        if (schema != SCHEMA_VERSION) {
            fields.problem("schema_version", "is " + schema, "write " + SCHEMA_VERSION);
            return Optional.empty(); // nobody knows what else it may have
        }
        String ref = fields.string("source_library_ref");
        int refBytes = ref.getBytes(StandardCharsets.UTF_8).length;
        if (refBytes < 1 || refBytes > REF_BYTES_MAX || ref.indexOf('\0') >= 0) {
            fields.problem(
                    "source_library_ref",
                    "has " + refBytes + " bytes, or a NUL",
                    "write 1 to " + REF_BYTES_MAX + " bytes");
        }
        Digest manifest = fields.value("source_manifest_digest", Digest.CLASS);
        List<Entry> entries = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        for (JsonFields object : fields.objects("entries", ENTRIES_MAX)) {
            Entry entry = readEntry(object);
            if (!keys.add(entry.key)) {
                object.problem("key", "stands there before", "keep one of them");
            }
            entries.add(entry);
        }
        fields.end();
        return fields.problems().isEmpty()
                ? Optional.of(new BundleDocument(ref, manifest, entries))
                : Optional.empty();
    }

    private static Entry readEntry(JsonFields fields) {
        Entry entry = new Entry(
                fields.value("key", BundleKey.CLASS),
                fields.value("kind", BundleKind.CLASS),
                fields.value("content_digest", Digest.CLASS),
                fields.string("content"));
        fields.end();
        byte[] content = entry.content.getBytes(StandardCharsets.UTF_8);
        if (content.length < 1 || content.length > CONTENT_BYTES_MAX) {
            fields.problem(
                    "content",
                    "has " + content.length + " bytes",
                    "write 1 to " + CONTENT_BYTES_MAX);
        } else if (entry.content.indexOf('\0') >= 0) {
            fields.problem("content", "has a NUL", "leave it out");
        } else if (!Digest.sha256(content).equals(entry.contentDigest)) {
            fields.problem(
                    "content_digest",
                    "is that of something else",
                    "write " + Digest.sha256(content));
        }
        return entry;
    }
}
