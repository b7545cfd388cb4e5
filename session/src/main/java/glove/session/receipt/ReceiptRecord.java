package glove.session.receipt;

import glove.journal.RecordException;
import glove.wire.JsonException;
import glove.wire.JsonFields;
import glove.wire.JsonLimits;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.util.Arrays;

/**
 * Envelopes as records of a journal. There is one spelling of each: what is read must be the very
 * bytes that would be written, so that no byte of a record is outside what its chain covers.
 * Stateless.
 */
final class ReceiptRecord {
    /** Of one record, without its frame. */
    static final int BYTES_MAX = 65_536;

    private static final JsonLimits LIMITS = JsonLimits.FILE.withBytesMax(BYTES_MAX);
    private static final String KIND = "kind";

    private ReceiptRecord() {}

    static byte[] encode(ReceiptEnvelope envelope) {
        ReceiptKind kind = envelope.receipt().kind();
        JsonWriter out = JsonWriter.canonical().beginObject().member(KIND, kind.word());
        envelope.write(out.name(kind.member()));
        return out.endObject().toBytes();
    }

    /** An older form: an envelope of a resource receipt, alone. It is read, never written. */
    private static byte[] encodeAlone(ReceiptEnvelope envelope) {
        JsonWriter out = JsonWriter.canonical();
        envelope.write(out);
        return out.toBytes();
    }

    /**
     * Whether what is about to be written could be read again: else nothing could be, after it.
     *
     * @param written what {@link #encode} made of an envelope
     */
    static void prove(byte[] written, ReceiptEnvelope of) throws RecordException {
        if (!decode(written).equals(of)) {
            throw new RecordException("reads as another one");
        }
    }

    static ReceiptEnvelope decode(byte[] payload) throws RecordException {
        JsonValue root;
        try {
            root = JsonText.value(payload, LIMITS).root();
        } catch (JsonException e) {
            throw new RecordException("is no JSON: " + e.getMessage());
        }
        JsonProblems problems = JsonProblems.first();
        JsonFields fields = JsonFields.of(root, problems);
        boolean alone = !fields.has(KIND);
        ReceiptEnvelope read;
        if (alone) {
            read = ReceiptEnvelope.read(ReceiptKind.RESOURCE, fields);
        } else {
            ReceiptKind kind = fields.value(KIND, ReceiptKind.CLASS);
            read = ReceiptEnvelope.read(kind, fields.object(kind.member()));
            fields.end();
        }
        if (!problems.isEmpty()) {
            throw new RecordException("is no receipt: " + problems.firstInWords());
        }
        byte[] written = alone ? encodeAlone(read) : encode(read);
        if (!Arrays.equals(written, payload)) {
            throw new RecordException("says the same as a receipt, but in other bytes");
        }
        return read;
    }
}
