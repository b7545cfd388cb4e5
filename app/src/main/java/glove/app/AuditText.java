package glove.app;

import glove.journal.AuditEntry;
import glove.journal.AuditEvent;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * An event of the audit log in one line for a person: when, what was done, how it was decided, on
 * what, with which figures, and why. Whatever the event holds, it is one line that a terminal only
 * shows. Confined to one thread.
 */
final class AuditText {
    private static final String DECISION = "decision=";
    private static final String DIGEST = "sha256:";
    private static final String OK = "ok";
    private static final long BILLION = 1_000_000_000;
    private static final int MILLION = 1_000_000;

    private final ZoneId zone;
    private final StringBuilder figures = new StringBuilder();
    private String decision = "";

    /** With times of a zone. */
    AuditText(ZoneId zone) {
        this.zone = zone;
    }

    /** The line, with its line feed. */
    String of(AuditEvent event) {
        return of(event, AuditEntry.NO_RUN);
    }

    /** The same of a run, which is told when it is known. */
    String of(AuditEvent event, long run) {
        figures.setLength(0);
        decision = "";
        read(event.arguments());
        if (event.latencyNanos() > 0) {
            addFigure(event.latencyNanos() / MILLION + " ms");
        }
        if (run != AuditEntry.NO_RUN) {
            addFigure("run " + run);
        }
        StringBuilder out = new StringBuilder(time(event.timestampNanos(), zone));
        out.append(' ').append(TerminalText.of(event.action()));
        if (!decision.isEmpty()) {
            out.append(' ').append(TerminalText.of(decision));
        }
        // Also beside a decision: it is a word of the arguments, and this is a member.
        if (decision.isEmpty() || !event.status().equals(OK)) {
            out.append(' ').append(TerminalText.of(event.status()));
        }
        if (!event.tool().isEmpty()) {
            out.append(' ').append(subject(event.tool()));
        }
        if (!figures.isEmpty()) {
            out.append(" (").append(TerminalText.of(figures.toString())).append(')');
        }
        if (!event.error().isEmpty()) {
            out.append(": ").append(TerminalText.of(event.error()));
        }
        return out.append('\n').toString();
    }

    /** One word, so that no name can look like the rest of a line. */
    private static String subject(String tool) {
        for (int i = 0; i < tool.length(); i++) {
            if (" \"\\".indexOf(tool.charAt(i)) >= 0) {
                return TerminalText.quoted(tool);
            }
        }
        return TerminalText.of(tool);
    }

    /**
     * The arguments of a call may stand first, as the agent wrote them. What Glove adds begins with
     * the decision and has no space in a value: so the last one is Glove's.
     */
    private void read(String arguments) {
        int at = arguments.lastIndexOf(" " + DECISION);
        int added = at >= 0 ? at + 1 : arguments.startsWith(DECISION) ? 0 : arguments.length();
        String given = arguments.substring(0, added).strip();
        if (given.startsWith(DIGEST)) {
            int end = given.indexOf(' ');
            given = end < 0 ? "" : given.substring(end + 1);
        }
        if (!given.isEmpty()) {
            addFigure(given);
        }
        int start = added;
        while (start < arguments.length()) {
            int end = arguments.indexOf(' ', start);
            end = end < 0 ? arguments.length() : end;
            addPair(arguments.substring(start, end));
            start = end + 1;
        }
    }

    private void addPair(String pair) {
        int equals = pair.indexOf('=');
        String key = equals < 0 ? "" : pair.substring(0, equals);
        String value = pair.substring(equals + 1);
        switch (key) {
            case "decision" -> decision = value;
            case "bytes_out" -> addFigure(value + " bytes out");
            case "bytes_in" -> addFigure(value + " bytes in");
            case "times" -> addFigure(value + " times");
            default -> addFigure(pair);
        }
    }

    private void addFigure(String figure) {
        figures.append(figures.isEmpty() ? "" : ", ").append(figure);
    }

    /** As {@code 2026-11-29 09:07:05.003}. */
    static String time(long nanos, ZoneId zone) {
        Instant instant =
                Instant.ofEpochSecond(Math.floorDiv(nanos, BILLION), Math.floorMod(nanos, BILLION));
        LocalDateTime local = LocalDateTime.ofInstant(instant, zone);
        StringBuilder out = new StringBuilder();
        pad(out, local.getYear(), 4).append('-');
        pad(out, local.getMonthValue(), 2).append('-');
        pad(out, local.getDayOfMonth(), 2).append(' ');
        pad(out, local.getHour(), 2).append(':');
        pad(out, local.getMinute(), 2).append(':');
        pad(out, local.getSecond(), 2).append('.');
        return pad(out, local.getNano() / MILLION, 3).toString();
    }

    private static StringBuilder pad(StringBuilder out, int number, int digits) {
        String text = Integer.toString(number);
        for (int i = text.length(); i < digits; i++) {
            out.append('0');
        }
        return out.append(text);
    }
}
