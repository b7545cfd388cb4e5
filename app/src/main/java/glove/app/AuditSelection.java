package glove.app;

import glove.journal.AuditEvent;
import glove.sandbox.Refusal;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Which events are shown. Immutable.
 *
 * @param deniedOnly those that are not {@code ok}
 * @param sinceNanos not before, since the epoch
 * @param lastMax so many of the last ones; empty for all
 */
record AuditSelection(boolean deniedOnly, long sinceNanos, Optional<Integer> lastMax) {
    private static final long BILLION = 1_000_000_000;
    private static final int DATE_CHARACTERS = 10;

    boolean has(AuditEvent event) {
        return event.timestampNanos() >= sinceNanos
                && !(deniedOnly && event.status().equals("ok"));
    }

    /** So long ago, or a moment: local time when it has no offset, midnight when it has no time. */
    static long since(String given, Instant now, ZoneId zone) throws Refusal {
        try {
            Instant moment = isAgo(given)
                    ? now.minusSeconds(seconds(given))
                    : moment(given.replace(' ', 'T'), zone);
            return Math.addExact(
                    Math.multiplyExact(moment.getEpochSecond(), BILLION), moment.getNano());
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw new Refusal(
                    "--since '" + TerminalText.of(given) + "' is no time; it takes 90s, 10m, 2h, "
                            + "3d (ago), 2026-11-29, 2026-11-29T14:30, 2026-11-29T14:30:00Z",
                    "--since 2h");
        }
    }

    private static boolean isAgo(String given) {
        for (int i = 0; i + 1 < given.length(); i++) {
            if (given.charAt(i) < '0' || given.charAt(i) > '9') {
                return false;
            }
        }
        return given.length() > 1 && "smhd".indexOf(given.charAt(given.length() - 1)) >= 0;
    }

    private static long seconds(String given) {
        int last = given.length() - 1;
        long unit = switch (given.charAt(last)) {
            case 's' -> 1;
            case 'm' -> 60;
            case 'h' -> 3600;
            default -> 24 * 3600;
        };
        return Math.multiplyExact(Long.parseLong(given.substring(0, last)), unit);
    }

    private static Instant moment(String given, ZoneId zone) {
        if (given.length() == DATE_CHARACTERS) {
            return LocalDateTime.parse(given + "T00:00").atZone(zone).toInstant();
        }
        for (int i = DATE_CHARACTERS; i < given.length(); i++) {
            if ("Z+-".indexOf(given.charAt(i)) >= 0) {
                return OffsetDateTime.parse(given).toInstant();
            }
        }
        return LocalDateTime.parse(given).atZone(zone).toInstant();
    }
}
