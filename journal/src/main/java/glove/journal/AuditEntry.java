package glove.journal;

import glove.wire.JsonException;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An event as it stands in an audit log, with its place in the chain. Immutable.
 *
 * @param run the number of the first line of the same run: it joins what several write to one log;
 *     {@link #NO_RUN} in lines that were written before they had it
 * @param sequence number of the line, from 0
 * @param previous SHA-256 of the line before, in hexadecimal
 */
public record AuditEntry(AuditEvent event, long run, long sequence, String previous) {
    /** Of {@link #run}: not told. */
    public static final long NO_RUN = -1;

    private static final List<String> MEMBERS = List.of(
            "action",
            "tool",
            "arguments",
            "status",
            "error",
            "timestamp_ns",
            "latency_ns",
            "run",
            "sequence",
            "previous");
    private static final int TEXTS = 5;

    /** Among the members. */
    private static final int RUN = 7;

    private static final int DIGEST_CHARACTERS = 64;

    /** Of one line: an object of a few texts. */
    private static final JsonLimits LIMITS =
            new JsonLimits(AuditLog.LINE_BYTES_MAX, 1, 20, 64, 64, 128);

    /**
     * Reads a line, which must be byte for byte what {@link AuditLog} writes.
     *
     * @param line with the line feed at its end
     * @throws AuditLineException when it is not; the message may be shown on a terminal
     */
    public static AuditEntry of(byte[] line) throws AuditLineException {
        int length = line.length - 1;
        if (line.length > AuditLog.LINE_BYTES_MAX) {
            throw tooLong();
        }
        JsonValue root;
        try {
            root = JsonText.frame(line, 0, length, LIMITS).root();
        } catch (JsonException e) {
            throw new AuditLineException("no strict JSON object: " + e.getMessage());
        }
        List<JsonValue> values = root.children();
        int run = values.size() > RUN && values.get(RUN).name().equals(MEMBERS.get(RUN)) ? 1 : 0;
        checkMembers(values, run == 1);
        AuditEvent event = new AuditEvent(
                values.get(0).string(),
                values.get(1).string(),
                values.get(2).string(),
                values.get(3).string(),
                values.get(4).string(),
                number(values.get(5)),
                number(values.get(6)));
        AuditEntry entry = new AuditEntry(
                event,
                run == 1 ? number(values.get(RUN)) : NO_RUN,
                number(values.get(RUN + run)),
                values.get(RUN + run + 1).string());
        entry.checkChain();
        int different = Arrays.mismatch(entry.toLine(), line);
        if (different >= 0) {
            throw new AuditLineException(
                    "not written the way Glove writes it, at byte " + different);
        }
        return entry;
    }

    static AuditLineException tooLong() {
        return new AuditLineException(
                "longer than " + AuditLog.LINE_BYTES_MAX + " bytes: Glove writes no such line");
    }

    private static void checkMembers(List<JsonValue> values, boolean hasRun)
            throws AuditLineException {
        List<String> members = new ArrayList<>(MEMBERS);
        if (!hasRun) {
            members.remove(RUN);
        }
        for (int i = 0; i < values.size(); i++) {
            if (i == members.size()) {
                throw new AuditLineException("a member more than the " + i + " that belong there");
            }
            String name = members.get(i);
            if (!values.get(i).name().equals(name)) {
                throw new AuditLineException("member " + (i + 1) + " is not '" + name + "'");
            }
            boolean isText = i < TEXTS || i == members.size() - 1;
            JsonKind kind = isText ? JsonKind.STRING : JsonKind.NUMBER;
            if (!values.get(i).is(kind)) {
                throw new AuditLineException("'" + name + "' is not " + kind.words());
            }
        }
        if (values.size() < members.size()) {
            throw new AuditLineException("'" + members.get(values.size()) + "' is missing");
        }
    }

    private static long number(JsonValue value) throws AuditLineException {
        try {
            return Long.parseLong(value.number());
        } catch (NumberFormatException e) {
            throw new AuditLineException("'" + value.name() + "' is no whole number of 64 bits");
        }
    }

    private void checkChain() throws AuditLineException {
        if (sequence < 0) {
            throw new AuditLineException("'sequence' is below 0");
        }
        if (run > sequence || run < NO_RUN) {
            throw new AuditLineException("'run' is the number of no line up to this one");
        }
        if (!isDigest(previous)) {
            throw new AuditLineException(
                    "'previous' is not a SHA-256 of 64 lower-case hexadecimal digits");
        }
    }

    /** Whether it is a SHA-256 as Glove writes it. */
    static boolean isDigest(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return text.length() == DIGEST_CHARACTERS;
    }

    /** The line. */
    byte[] toLine() {
        return AuditLog.line(event, run, sequence, previous);
    }
}
