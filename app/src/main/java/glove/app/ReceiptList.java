package glove.app;

import glove.session.receipt.Ending;
import glove.session.receipt.ObservedUse;
import glove.session.receipt.ReceiptEnvelope;
import glove.session.receipt.ReceiptKind;
import glove.session.receipt.ReceiptScan;
import glove.session.receipt.RefinementReceipt;
import glove.session.receipt.ResourceReceipt;
import glove.wire.JsonWriter;
import glove.wire.U64;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/**
 * Prints receipts as they come, a line each or as one document: a journal may be larger than what
 * should be held. Confined to one thread.
 */
final class ReceiptList implements ReceiptScan.Visitor {
    private static final int SCHEMA_VERSION = 1;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    /** The last moment of the year 9999, in milliseconds since 1970. */
    private static final long LAST_MILLIS = 253_402_300_799_999L;

    private final boolean json;
    private final ZoneId zone;
    private boolean any;
    private boolean printed = true;

    ReceiptList(boolean json, ZoneId zone) {
        this.json = json;
        this.zone = zone;
    }

    void begin(String journal) {
        if (json) {
            String head = new JsonWriter()
                    .beginObject()
                    .member("schema_version", SCHEMA_VERSION)
                    .member("journal", journal)
                    .endObject()
                    .toJson();
            // The document goes on where this ends.
            print(head.substring(0, head.length() - 1) + ",\"receipts\":[");
        }
    }

    @Override
    public void receipt(ReceiptEnvelope envelope) {
        if (json) {
            JsonWriter out = new JsonWriter().beginObject();
            out.member("kind", envelope.receipt().kind().word());
            envelope.write(out.name("envelope"));
            print((any ? ",\n" : "\n") + out.endObject().toJson());
        } else {
            print(line(envelope));
        }
        any = true;
    }

    void end(ReceiptScan scan) {
        if (json) {
            JsonWriter tail = new JsonWriter().beginObject();
            tail.member("authenticated", scan.authenticated())
                    .member("whole", scan.fault().isEmpty());
            scan.end().write(tail.name("anchor"));
            fault(tail, scan);
            print("]," + tail.endObject().toJson().substring(1) + "\n");
        } else if (!any && scan.fault().isEmpty()) {
            print("no receipts\n");
        }
    }

    /** What is wrong, if anything, into an object that is open. */
    static void fault(JsonWriter out, ReceiptScan scan) {
        scan.fault()
                .ifPresent(fault -> out.name("fault")
                        .beginObject()
                        .member("record", fault.record())
                        .member("offset", fault.offset())
                        .member("what", fault.what())
                        .member("torn", fault.torn())
                        .endObject());
    }

    private void print(String text) {
        printed &= Output.print(text) == 0;
    }

    /** Whether all could be written. */
    boolean isPrinted() {
        return printed;
    }

    private String line(ReceiptEnvelope envelope) {
        ResourceReceipt resource = envelope.receipt().resource();
        Ending ending = resource.ending();
        ObservedUse used = resource.observed();
        StringBuilder out = new StringBuilder();
        out.append(U64.text(envelope.sequence())).append(' ').append(time(ending.finishedAtMs()));
        out.append(' ')
                .append(envelope.sessionId())
                .append(' ')
                .append(ending.cause().word());
        ending.exitCode().ifPresent(code -> out.append(' ').append(code));
        out.append(": wall ").append(of(used.wallTimeMs(), resource.limits().wallTimeMs(), "ms"));
        out.append(", cpu ").append(of(used.cpuTimeMs(), resource.limits().cpuTimeMs(), "ms"));
        out.append(", memory ")
                .append(of(used.peakMemoryBytes(), resource.limits().memoryBytes(), "bytes"));
        out.append(", disk ").append(of(used.diskBytes(), resource.limits().diskBytes(), "bytes"));
        if (resource.sandbox().backend().word().startsWith("remote")) {
            out.append(", as claimed from afar");
        }
        if (!resource.retained().isEmpty()) {
            out.append(", changes of ").append(resource.retained().size()).append(" exposures");
        }
        if (envelope.receipt().kind() == ReceiptKind.REFINEMENT
                && envelope.receipt() instanceof RefinementReceipt evaluation) {
            out.append(evaluation.outcome().isPresent() ? ", evaluated" : ", no valid outcome");
        }
        return out.append('\n').toString();
    }

    private static String of(long used, long most, String unit) {
        return U64.text(used) + " of " + U64.text(most) + " " + unit;
    }

    private String time(long millis) {
        if (millis < 0 || millis > LAST_MILLIS) {
            return U64.text(millis) + " ms";
        }
        return Instant.ofEpochMilli(millis).atZone(zone).format(TIME);
    }
}
