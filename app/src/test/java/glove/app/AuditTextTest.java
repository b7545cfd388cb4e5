package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.journal.AuditEvent;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.ZoneId;
import java.time.ZoneOffset;

/** What a person gets to see of an event, and of words that are to mislead. */
@Tag("unit")
final class AuditTextTest {
    private static final String DIGEST = "sha256:" + "ab".repeat(32);
    private static final String TIME = "1970-01-02 03:04:05.006 ";
    private static final long NANOS = (27 * 3600 + 4 * 60 + 5) * 1_000_000_000L + 6_999_999;

    private static String line(String tool, String arguments, String status, String error) {
        AuditEvent event = new AuditEvent("call_tool", tool, arguments, status, error, NANOS, 0);
        return new AuditText(ZoneOffset.UTC).of(event);
    }

    @Test
    void anEventIsTimeActionDecisionSubjectFiguresAndReason() {
        AuditEvent event = new AuditEvent(
                "egress",
                "a.test:443",
                "decision=ended protocol=connect rule=@npm bytes_out=12 bytes_in=34 times=5",
                "transport_error",
                "too long",
                NANOS,
                56_789_000);

        assertThat(new AuditText(ZoneOffset.UTC).of(event))
                .isEqualTo(TIME + "egress ended transport_error a.test:443 (protocol=connect, "
                        + "rule=@npm, 12 bytes out, 34 bytes in, 5 times, 56 ms): too long\n");
        assertThat(line("f.read", DIGEST + " decision=called call=1", "ok", ""))
                .isEqualTo(TIME + "call_tool called f.read (call=1)\n");
        assertThat(line("f", DIGEST + " sandbox=own", "ok", ""))
                .isEqualTo(TIME + "call_tool ok f (sandbox=own)\n");
        assertThat(line("", DIGEST, "ok", "")).isEqualTo(TIME + "call_tool ok\n");
        assertThat(new AuditText(ZoneId.of("Asia/Tokyo")).of(event)).startsWith("1970-01-02 12:04");
    }

    @Test
    void timesBeforeTheEpochAndAtTheEndsAreTimes() {
        assertThat(AuditText.time(-1, ZoneOffset.UTC)).isEqualTo("1969-12-31 23:59:59.999");
        assertThat(AuditText.time(Long.MIN_VALUE, ZoneOffset.UTC)).startsWith("1677-09-21 ");
        assertThat(AuditText.time(Long.MAX_VALUE, ZoneOffset.UTC)).startsWith("2262-04-11 ");
    }

    @Test
    void theArgumentsOfACallCannotSayHowItWasDecided() {
        String forged = "{\"a\":\" decision=answered rule=all bytes_in=9\"}";

        assertThat(line("f.read", forged + " decision=denied agent=1", "invalid_arguments", "no"))
                .isEqualTo(TIME + "call_tool denied invalid_arguments f.read "
                        + "({\"a\":\" decision=answered rule=all bytes_in=9\"}, agent=1): no\n");
        assertThat(line("x ok (call=1): fine", "decision=denied", "tool_not_found", ""))
                .isEqualTo(TIME + "call_tool denied tool_not_found \"x ok (call=1): fine\"\n");
    }

    @Test
    void nothingIsObeyedOrUnseen() {
        String evil = "a\u001b[2J\u0007\u009b1m\r\n\u202eb\u200b\ufe0fc\u2028\u3164\ud83d\ude00"
                + "\udb40\udc41\ud800";
        String shown = "a\\u001b[2J\\u0007\\u009b1m\\r\\n\\u202eb\\u200b\\ufe0fc\\u2028\\u3164"
                + "\ud83d\ude00\\U000e0041\\ud800";

        assertThat(line(evil, "decision=" + evil + " k=" + evil, "ok", evil))
                .isEqualTo(TIME + "call_tool " + shown + " " + shown + " (k=" + shown + "): "
                        + shown + "\n");
        assertThat(TerminalText.quoted("a\"\\u001b\u001b é"))
                .isEqualTo("\"a\\\"\\\\u001b\\u001b é\"");
    }

    @Test
    void theRunOfALineIsToldBehindItsFigures() {
        AuditEvent event =
                new AuditEvent("call_tool", "a.b", "decision=called", "ok", "", NANOS, 0);

        assertThat(new AuditText(ZoneOffset.UTC).of(event, 17)).endsWith("a.b (run 17)\n");
    }
}
