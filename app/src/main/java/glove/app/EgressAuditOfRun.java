package glove.app;

import glove.egress.EgressAudit;
import glove.egress.EgressAuditException;
import glove.egress.EgressEvent;
import glove.journal.AuditEvent;
import glove.journal.AuditException;
import glove.journal.AuditLog;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Decisions about a run's way out: as lines of the audit log before they take effect, live on
 * stderr when asked for, and at the end what was refused with the option that would allow it.
 * Confined to the run's thread.
 *
 * <p>An audit line says the destination as its tool, and in its arguments the rest as {@code
 * key=value} (docs/egress.md).
 */
final class EgressAuditOfRun implements EgressAudit {
    /** So many different refusals are told at the end; the log has all. */
    private static final int TOLD_MAX = 20;

    private static final long MILLION = 1_000_000;
    private static final long BILLION = 1_000_000_000;

    /** One destination that was refused: why, what would allow it, and how often. */
    private static final class Refused {
        final String reason;
        long times;

        Refused(String reason) {
            this.reason = reason;
        }
    }

    private final AuditLog log;
    private final Notices notices;
    private final boolean live;
    private final String upstream;
    private final Map<String, Refused> refused = new LinkedHashMap<>();
    private long untold;
    private boolean gathered;

    /**
     * Borrows the log.
     *
     * @param live whether each decision is told at once
     * @param upstream whose way out it is; empty for the agent's
     */
    EgressAuditOfRun(AuditLog log, Notices notices, boolean live, String upstream) {
        this.log = log;
        this.notices = notices;
        this.live = live;
        this.upstream = upstream;
    }

    @Override
    public void record(List<EgressEvent> events) throws EgressAuditException {
        Instant now = Instant.now();
        long timestamp = now.getEpochSecond() * BILLION + now.getNano();
        List<AuditEvent> lines = new ArrayList<>();
        for (EgressEvent event : events) {
            lines.add(line(event, timestamp));
        }
        try {
            log.append(lines);
        } catch (AuditException e) {
            throw new EgressAuditException(String.valueOf(e.getMessage()), e);
        }
        for (EgressEvent event : events) {
            remember(event);
            if (live) {
                notices.say(of() + option(words(event)));
            }
        }
    }

    private AuditEvent line(EgressEvent event, long timestamp) {
        StringBuilder arguments = new StringBuilder("decision=").append(word(event.kind()));
        add(arguments, "upstream", upstream);
        add(arguments, "protocol", word(event.protocol()));
        add(arguments, "address", event.address());
        add(arguments, "rule", event.rule());
        if (event.kind() == EgressEvent.Kind.ENDED) {
            add(arguments, "bytes_out", Long.toString(event.bytesOut()));
            add(arguments, "bytes_in", Long.toString(event.bytesIn()));
        }
        if (event.times() > 1) {
            add(arguments, "times", Integer.toString(event.times()));
        }
        return new AuditEvent(
                "egress",
                event.destination(),
                arguments.toString(),
                status(event),
                event.reason(),
                timestamp,
                event.nanos());
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static void add(StringBuilder arguments, String key, String value) {
        if (!value.isEmpty()) {
            arguments.append(' ').append(key).append('=').append(value.replace(' ', '_'));
        }
    }

    private static String status(EgressEvent event) {
        return switch (event.kind()) {
            case ASKED, ALLOWED -> "ok";
            case REFUSED -> "invalid_arguments";
            case FAILED -> "transport_error";
            case ENDED -> event.reason().isEmpty() ? "ok" : "transport_error";
        };
    }

    private void remember(EgressEvent event) {
        if (event.kind() != EgressEvent.Kind.REFUSED || event.destination().isEmpty()) {
            return;
        }
        gathered |= event.times() > 1;
        Refused known = refused.get(event.destination());
        if (known == null) {
            if (refused.size() == TOLD_MAX) {
                untold += event.times();
                return;
            }
            known = new Refused(event.reason());
            refused.put(event.destination(), known);
        }
        known.times += event.times();
    }

    /** Reasons name the destination themselves. */
    private static String words(EgressEvent event) {
        StringBuilder out = new StringBuilder("egress ").append(word(event.kind()));
        String many = event.times() > 1 ? ", " + event.times() + " times" : "";
        boolean refused = event.kind() == EgressEvent.Kind.REFUSED;
        if (refused || event.kind() == EgressEvent.Kind.FAILED) {
            return out.append(": ").append(event.reason()).append(many).toString();
        }
        out.append(' ').append(event.destination());
        if (event.kind() == EgressEvent.Kind.ASKED) {
            return out.append(" by ").append(event.rule()).toString();
        }
        out.append(" (");
        out.append(event.address()).append(')');
        if (event.kind() == EgressEvent.Kind.ALLOWED) {
            return out.append(" by ").append(event.rule()).append(many).toString();
        }
        out.append(", ").append(event.bytesOut()).append(" bytes out, ");
        out.append(event.bytesIn()).append(" in, ");
        out.append(event.nanos() / MILLION).append(" ms");
        return out.append(event.reason().isEmpty() ? "" : ": " + event.reason()).toString();
    }

    /** In the words of the option that is this way out's. */
    private String option(String sentence) {
        return upstream.isEmpty()
                ? sentence
                : sentence.replace(
                        "--egress-allow ", "--upstream-sandbox " + upstream + ":egress=");
    }

    private String of() {
        return upstream.isEmpty() ? "" : upstream + ": ";
    }

    /** At the end: every destination once, unless all has been told. */
    void tellRefused() {
        if (live) {
            return;
        }
        for (Refused what : refused.values()) {
            String times = what.times > 1 ? " (" + what.times + " times)" : "";
            notices.say(of() + "egress refused" + times + ": " + option(what.reason));
        }
        if (untold > 0) {
            notices.say(of() + "egress refused " + untold + " more; the audit log "
                    + (gathered ? "names the first ones, and counts the others" : "names them"));
        }
    }
}
