package glove.session.receipt;

import glove.wire.Digest;
import glove.wire.JsonWriter;

/** How a session ended, as it stands in the journal. */
public sealed interface Receipt permits ResourceReceipt, RefinementReceipt {
    /** Which of the two it is. */
    ReceiptKind kind();

    /** What every receipt says: what was used, and why it ended. */
    ResourceReceipt resource();

    /** What is wrong with it, as in "has ..."; empty when it may stand in a journal. */
    String complaint();

    /** What its envelope covers. */
    Digest digest();

    /** The canonical form, as a value. */
    void write(JsonWriter out);
}
