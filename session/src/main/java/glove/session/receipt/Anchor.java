package glove.session.receipt;

import glove.wire.Digest;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;
import glove.wire.U64;

import java.util.Optional;

/**
 * A place in a chain of receipts. Who keeps one can tell later whether what stood before it is
 * still all there. Immutable.
 *
 * @param keyId of the chain's key
 * @param sequence how many receipts stand before it; u64
 * @param headHmac of the last of them; zeros before the first
 */
public record Anchor(Digest keyId, long sequence, Digest headHmac) {
    /** The place before the first receipt. */
    public static Anchor genesis(Digest keyId) {
        return new Anchor(keyId, 0, Digest.ZERO);
    }

    /** Reads the members of one, and no other. */
    public static Anchor read(JsonFields fields) {
        Anchor read = new Anchor(
                fields.value("key_id", Digest.CLASS),
                fields.u64("sequence"),
                fields.value("head_hmac", Digest.CLASS));
        fields.end();
        return read;
    }

    /** Writes it as a value. */
    public void write(JsonWriter out) {
        out.beginObject()
                .member("key_id", keyId.hex())
                .unsigned("sequence", sequence)
                .member("head_hmac", headHmac.hex())
                .endObject();
    }

    /**
     * Of what {@link #toString} gives: {@code SEQUENCE:HMAC}.
     *
     * @param keyId of the chain it is to be of
     * @return empty when it is something else
     */
    public static Optional<Anchor> parse(Digest keyId, String text) {
        int colon = text.indexOf(':');
        if (colon < 0 || !U64.isText(text.substring(0, colon))) {
            return Optional.empty();
        }
        long sequence = U64.parse(text.substring(0, colon));
        return Digest.CLASS
                .parse(text.substring(colon + 1))
                .map(hmac -> new Anchor(keyId, sequence, hmac));
    }

    /** Without the key's name. */
    @Override
    public String toString() {
        return U64.text(sequence) + ":" + headHmac.hex();
    }
}
