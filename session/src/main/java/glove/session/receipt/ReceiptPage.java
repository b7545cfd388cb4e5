package glove.session.receipt;

import glove.wire.JsonWriter;

import java.util.List;

/**
 * Some receipts behind a place, in their order, and how far the journal goes. Immutable.
 *
 * @param envelopes of both kinds
 * @param hasMore whether there are others behind them
 * @param localAnchor the journal's end
 */
public record ReceiptPage(List<ReceiptEnvelope> envelopes, boolean hasMore, Anchor localAnchor) {
    /** For how many a peer may ask at once. */
    public static final int LIMIT_MAX = 1000;

    private static final int SCHEMA_VERSION = 1;

    /** Keeps a copy. */
    public ReceiptPage {
        envelopes = List.copyOf(envelopes);
    }

    /** The answer a peer gets, with the kinds apart: it merges them by their sequence. */
    public void write(JsonWriter out) {
        out.beginObject().member("schema_version", SCHEMA_VERSION);
        write(out.name("envelopes"), ReceiptKind.RESOURCE);
        write(out.name("refinement_envelopes"), ReceiptKind.REFINEMENT);
        localAnchor.write(out.member("has_more", hasMore).name("local_anchor"));
        out.endObject();
    }

    private void write(JsonWriter out, ReceiptKind kind) {
        out.beginArray();
        for (ReceiptEnvelope envelope : envelopes) {
            if (envelope.receipt().kind() == kind) {
                envelope.write(out);
            }
        }
        out.endArray();
    }
}
