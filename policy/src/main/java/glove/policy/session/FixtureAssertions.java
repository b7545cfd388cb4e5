package glove.policy.session;

import glove.wire.DigestWriter;
import glove.wire.JsonFields;
import glove.wire.JsonProblem;
import glove.wire.JsonWriter;

import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What must hold after an evaluation, decided without its model (sheet 10, 4.4). Immutable.
 *
 * @param exitCode there exactly when it is expected to exit
 * @param required texts the terminal must have shown, sorted
 * @param forbidden texts it must not have shown, sorted
 * @param maxLatencyMs wall time; not 0
 */
record FixtureAssertions(
        TerminationCause termination,
        OptionalInt exitCode,
        List<String> required,
        List<String> forbidden,
        OptionalLong maxLatencyMs) {
    private static final int LITERALS_MAX = 128;
    private static final int LITERAL_BYTES_MAX = 4096;
    private static final int BYTES_MAX = 64 << 10;

    /** Control characters the canonical form can hold. */
    private static final String CONTROLS = "\b\f\n\r\t";

    /** Copies the lists. */
    FixtureAssertions {
        required = List.copyOf(required);
        forbidden = List.copyOf(forbidden);
    }

    static FixtureAssertions read(JsonFields fields) {
        FixtureAssertions read = new FixtureAssertions(
                fields.value("expected_termination", TerminationCause.CLASS),
                fields.optionalI32("expected_exit_code"),
                literals(fields, "required_transcript_literals"),
                literals(fields, "forbidden_transcript_literals"),
                fields.optionalU64("max_latency_ms"));
        fields.end();
        read.check(fields);
        return read;
    }

    private static List<String> literals(JsonFields fields, String name) {
        List<String> literals = fields.strings(name, LITERALS_MAX);
        FixtureModule.checkOrder(fields, name, literals);
        for (int i = 0; i < literals.size(); i++) {
            if (!isLiteral(literals.get(i))) {
                String pointer = fields.pointer() + "/" + name + "/" + i;
                String instead = "write 1 to " + LITERAL_BYTES_MAX + " bytes of text";
                fields.problems().add(new JsonProblem(pointer, "is no text to look for", instead));
            }
        }
        return literals;
    }

    private static boolean isLiteral(String text) {
        int length = Bytes.length(text);
        boolean plain = length >= 1 && length <= LITERAL_BYTES_MAX;
        for (int i = 0; plain && i < text.length(); i++) {
            plain = text.charAt(i) >= ' ' || CONTROLS.indexOf(text.charAt(i)) >= 0;
        }
        return plain;
    }

    private void check(JsonFields fields) {
        boolean exits = termination == TerminationCause.EXITED;
        if (exits != exitCode.isPresent()) {
            fields.problem(
                    "expected_exit_code",
                    exits ? "is missing" : "is there",
                    "give it exactly when expected_termination is exited");
        }
        if (exitCode.orElse(0) < 0) {
            fields.problem("expected_exit_code", "is negative", "write 0 or more");
        }
        if (maxLatencyMs.isPresent() && maxLatencyMs.getAsLong() == 0) {
            fields.problem("max_latency_ms", "is 0", "leave it out, or write 1 or more");
        }
        int bytes = 0;
        for (String literal : required) {
            bytes += Bytes.length(literal);
        }
        for (String literal : forbidden) {
            bytes += Bytes.length(literal);
        }
        if (bytes > BYTES_MAX) {
            fields.problem(
                    "required_transcript_literals",
                    "has " + bytes + " bytes, with the forbidden ones",
                    "write at most " + BYTES_MAX);
        }
    }

    void write(JsonWriter out) {
        out.beginObject().member("expected_termination", termination.word());
        exitCode.ifPresent(value -> out.member("expected_exit_code", value));
        write(out.name("required_transcript_literals"), required);
        write(out.name("forbidden_transcript_literals"), forbidden);
        maxLatencyMs.ifPresent(value -> out.unsigned("max_latency_ms", value));
        out.endObject();
    }

    private static void write(JsonWriter out, List<String> literals) {
        out.beginArray();
        for (String literal : literals) {
            out.value(literal);
        }
        out.endArray();
    }

    void write(DigestWriter out) {
        out.string(termination.word());
        if (exitCode.isPresent()) {
            out.present().u32(exitCode.getAsInt());
        } else {
            out.absent();
        }
        out.strings(required).strings(forbidden);
        if (maxLatencyMs.isPresent()) {
            out.present().u64(maxLatencyMs.getAsLong());
        } else {
            out.absent();
        }
    }
}
