package glove.policy.session;

import glove.wire.Digest;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The numbers an evaluation ended with (sheet 10, 4.6). Immutable.
 *
 * @param metrics 1 to 256, by name; sorted by bytes
 */
public record RefinementOutcome(SortedMap<String, Long> metrics) {
    /** What the document says it is. */
    public static final String SCHEMA = "sage.refinement-eval-outcome-v1";

    /** How it is written. */
    public static final String ENCODING = "canonical-json-utf8";

    private static final int METRICS_MAX = 256;
    private static final int NAME_MAX = 64;

    /** Refuses other numbers of metrics and other names. */
    public RefinementOutcome {
        metrics = Collections.unmodifiableSortedMap(copy(metrics));
        if (metrics.isEmpty() || metrics.size() > METRICS_MAX) {
            throw new IllegalArgumentException("1 to " + METRICS_MAX + " metrics");
        }
        for (String name : metrics.keySet()) {
            if (!isName(name)) {
                throw new IllegalArgumentException("no name of a metric: " + name.length());
            }
        }
    }

    private static SortedMap<String, Long> copy(Map<String, Long> metrics) {
        SortedMap<String, Long> copy = new TreeMap<>(Comparator.naturalOrder());
        copy.putAll(metrics);
        return copy;
    }

    /** Whether a metric may be called so: {@code [a-z][a-z0-9_.-]{0,63}}. */
    public static boolean isName(String name) {
        boolean plain = !name.isEmpty() && name.length() <= NAME_MAX;
        for (int i = 0; plain && i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = c >= 'a' && c <= 'z';
            boolean other = (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
            plain = letter || (i > 0 && other);
        }
        return plain;
    }

    /** Reads one; what is wrong is a problem of the object, and the value a stand-in then. */
    public static RefinementOutcome read(JsonFields fields) {
        if (!fields.string("schema").equals(SCHEMA)) {
            fields.problem("schema", "is another", "write " + SCHEMA);
        }
        if (!fields.string("encoding").equals(ENCODING)) {
            fields.problem("encoding", "is another", "write " + ENCODING);
        }
        JsonFields table = fields.object("metrics");
        SortedMap<String, Long> metrics = new TreeMap<>();
        for (String name : table.names()) {
            metrics.put(name, table.i64(name));
            if (!isName(name)) {
                table.problem(name, "is no name of a metric", "begin with a small letter");
            }
        }
        table.end();
        fields.end();
        if (metrics.isEmpty() || metrics.size() > METRICS_MAX) {
            fields.problem("metrics", "has " + metrics.size(), "write 1 to " + METRICS_MAX);
        }
        return fields.problems().isEmpty()
                ? new RefinementOutcome(metrics)
                : new RefinementOutcome(new TreeMap<>(Map.of("none", 0L)));
    }

    /** The canonical form, as a value. */
    public void write(JsonWriter out) {
        out.beginObject().member("schema", SCHEMA).member("encoding", ENCODING);
        out.name("metrics").beginObject();
        for (Map.Entry<String, Long> metric : metrics.entrySet()) {
            out.member(metric.getKey(), metric.getValue());
        }
        out.endObject().endObject();
    }

    /** The canonical form. */
    public byte[] toJson() {
        JsonWriter out = JsonWriter.canonical();
        write(out);
        return out.toBytes();
    }

    /** What stands for it elsewhere. */
    public Commitment commitment() {
        byte[] json = toJson();
        return new Commitment(Digest.sha256(json), json.length);
    }

    /**
     * What stands for an outcome, or for none.
     *
     * @param digest SHA-256 of the canonical form
     * @param byteLength of that; 0 when there is no outcome
     */
    public record Commitment(Digest digest, int byteLength) {
        /** Of an evaluation without a valid outcome. */
        public static final Commitment NONE = new Commitment(Digest.sha256(new byte[0]), 0);
    }
}
