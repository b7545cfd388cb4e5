package glove.app;

import glove.gateway.GatewayAudit;
import glove.gateway.GatewayAuditException;
import glove.gateway.GatewayEvent;
import glove.journal.AuditEvent;
import glove.journal.AuditException;
import glove.journal.AuditLog;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What happens at the gateway of a run: as lines of the audit log before it takes effect, and at
 * the end what was denied with what would allow it. Confined to the run's thread.
 *
 * <p>An audit line says {@code upstream.name} as its tool, and in its arguments the digest of the
 * call's arguments, or these, and the rest as {@code key=value} (docs/mcp.md).
 */
final class GatewayAuditOfRun implements GatewayAudit {
    /** So many different denials are told at the end; the log has all. */
    private static final int TOLD_MAX = 20;

    /** What the gateway says of upstreams it lets go of itself. */
    private static final String RUN_IS_OVER = "the run is over";

    /** What it says of tools no rule allows. */
    private static final String NO_RULE = "no rule allows it";

    private static final long BILLION = 1_000_000_000;

    /** A line has 32 KiB; each of these may double when it is written, or be 3 bytes a letter. */
    private static final int ARGUMENT_BYTES_MAX = 6 << 10;

    private static final int NAME_CHARS_MAX = 512;
    private static final int REASON_CHARS_MAX = 1024;

    /** What all others are in the log: nobody else's word is an action. */
    private static final String UNKNOWN = "refused";

    /** Methods of the protocol as actions of the log. */
    private static final String[][] ACTIONS = {
        {"initialize", "initialize"},
        {"tools/list", "list_tools"},
        {"tools/call", "call_tool"},
        {"resources/list", "list_resources"},
        {"resources/templates/list", "list_resource_templates"},
        {"resources/read", "read_resource"},
        {"resources/subscribe", "subscribe_resource"},
        {"resources/unsubscribe", "unsubscribe_resource"},
        {"prompts/list", "list_prompts"},
        {"prompts/get", "get_prompt"},
        {"completion/complete", "complete"},
        {"logging/setLevel", "set_level"},
        {"ping", "ping"},
        {"sampling/createMessage", "create_message"},
        {"elicitation/create", "elicit"},
    };

    private final AuditLog log;
    private final GatewayWatch watch;
    private final String separator; // behind upstreams' names in those agents see
    private final Notices notices;
    private final Map<String, Integer> denied = new LinkedHashMap<>();
    private long untold;

    /**
     * Borrows the log.
     *
     * @param watch told which upstreams have answered
     */
    GatewayAuditOfRun(AuditLog log, GatewayWatch watch, Notices notices, String separator) {
        this.log = log;
        this.watch = watch;
        this.notices = notices;
        this.separator = separator;
    }

    /** A line about an upstream that is not the gateway's: its launch. */
    void launching(UpstreamOptions upstream) throws AuditException {
        long now = now();
        byte[] command = joined(upstream.argv);
        String arguments = "sha256:" + AuditLog.sha256(command) + " sandbox="
                + (upstream.sandbox.isPresent() ? "own" : "none");
        log.append(new AuditEvent("upstream_launch", upstream.name, arguments, "ok", "", now, 0));
    }

    /** Each with a NUL behind it. */
    static byte[] joined(List<byte[]> words) {
        int length = 0;
        for (byte[] word : words) {
            length += word.length + 1;
        }
        byte[] all = new byte[length];
        int at = 0;
        for (byte[] word : words) {
            System.arraycopy(word, 0, all, at, word.length);
            at += word.length + 1;
        }
        return all;
    }

    private static long now() {
        Instant now = Instant.now();
        return now.getEpochSecond() * BILLION + now.getNano();
    }

    @Override
    public void record(List<GatewayEvent> events) throws GatewayAuditException {
        long timestamp = now();
        List<AuditEvent> lines = new ArrayList<>(events.size());
        for (GatewayEvent event : events) {
            lines.add(line(event, timestamp));
        }
        try {
            log.append(lines);
        } catch (AuditException e) {
            throw new GatewayAuditException(e.getMessage(), e);
        }
        for (GatewayEvent event : events) {
            if (event.kind() == GatewayEvent.Kind.UPSTREAM_READY) {
                watch.ready(event.subject().upstream());
            } else if (event.kind() == GatewayEvent.Kind.DENIED) {
                remember(event);
            }
        }
    }

    @Override
    public void settle() {
        log.settle();
    }

    private static AuditEvent line(GatewayEvent event, long timestamp) {
        return new AuditEvent(
                action(event),
                cut(tool(event.subject()), NAME_CHARS_MAX),
                arguments(event),
                status(event),
                cut(event.reason(), REASON_CHARS_MAX),
                timestamp,
                event.payload().nanos());
    }

    private static String action(GatewayEvent event) {
        return switch (event.kind()) {
            case INITIALIZED -> "initialize";
            case LEFT -> "agent_left";
            case UPSTREAM_READY -> "upstream_ready";
            case UPSTREAM_ENDED -> "upstream_exit";
            case PINNED -> "pin";
            case WITHHELD -> "withhold";
            default -> action(event.subject().method());
        };
    }

    private static String action(String method) {
        for (String[] known : ACTIONS) {
            if (known[0].equals(method)) {
                return known[1];
            }
        }
        return method.isEmpty() ? "message" : UNKNOWN;
    }

    private static String tool(GatewayEvent.Subject subject) {
        if (subject.upstream().isEmpty() || subject.name().isEmpty()) {
            return subject.upstream() + subject.name();
        }
        return subject.upstream() + "." + subject.name();
    }

    private static String arguments(GatewayEvent event) {
        GatewayEvent.Payload payload = event.payload();
        StringBuilder out = new StringBuilder();
        int bytes = payload.arguments().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > 0 && bytes <= ARGUMENT_BYTES_MAX) {
            out.append(payload.arguments());
        } else if (!payload.digest().isEmpty()) {
            out.append("sha256:").append(payload.digest());
        }
        out.append(out.isEmpty() ? "decision=" : " decision=");
        out.append(event.kind().name().toLowerCase(Locale.ROOT));
        add(out, "rule", cut(event.rule(), NAME_CHARS_MAX));
        add(out, "call", event.call());
        add(out, "agent", event.agent());
        add(out, "bytes_out", payload.bytesOut());
        add(out, "bytes_in", payload.bytesIn());
        if (event.times() > 1) {
            add(out, "times", event.times());
        }
        return out.toString();
    }

    private static void add(StringBuilder out, String key, long value) {
        if (value > 0) {
            out.append(' ').append(key).append('=').append(value);
        }
    }

    private static void add(StringBuilder out, String key, String value) {
        if (!value.isEmpty()) {
            out.append(' ').append(key).append('=').append(value.replace(' ', '_'));
        }
    }

    private static String status(GatewayEvent event) {
        return switch (event.kind()) {
            case DENIED ->
                event.subject().upstream().isEmpty() ? "tool_not_found" : "invalid_arguments";
            case REFUSED ->
                event.subject().upstream().isEmpty() ? "invalid_arguments" : "transport_error";
            // What was answered has a size.
            case FAILED -> event.payload().bytesIn() > 0 ? "execution_error" : "transport_error";
            case CANCELLED, WITHHELD -> "execution_error";
            case UPSTREAM_ENDED -> event.reason().equals(RUN_IS_OVER) ? "ok" : "transport_error";
            default -> "ok";
        };
    }

    /** Not between the halves of a letter. */
    private static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + "...";
    }

    private void remember(GatewayEvent event) {
        String subject = tool(event.subject());
        String what = subject.isEmpty() ? event.subject().method() : subject;
        String reason = event.reason() + remedy(event);
        String whole = reason.contains(what) ? reason : what + ": " + reason;
        String shown = printable(cut(whole, REASON_CHARS_MAX));
        if (denied.containsKey(shown) || denied.size() < TOLD_MAX) {
            denied.merge(shown, event.times(), Integer::sum);
        } else {
            untold += event.times();
        }
    }

    /** What would allow a tool that looks unknown; others say it in their reasons. */
    private String remedy(GatewayEvent event) {
        if (!event.reason().equals(NO_RULE)) {
            return "";
        }
        GatewayEvent.Subject subject = event.subject();
        int end = subject.name().indexOf(separator);
        String upstream = end < 0 ? "" : subject.name().substring(0, end);
        return watch.knows(upstream)
                ? "; --allow " + upstream + "." + subject.name().substring(end + separator.length())
                : "";
    }

    /** Parts may be the agent's words: nothing a terminal would obey. */
    private static String printable(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean obeyed = Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
            out.append(obeyed ? '?' : c);
        }
        return out.toString();
    }

    /** At the end: every denial once. */
    void tellDenied() {
        for (Map.Entry<String, Integer> one : denied.entrySet()) {
            String times = one.getValue() > 1 ? " (" + one.getValue() + " times)" : "";
            notices.say("denied" + times + ": " + one.getKey());
        }
        if (untold > 0) {
            notices.say("denied " + untold + " more; the audit log has them all");
        }
    }
}
