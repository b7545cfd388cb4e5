package glove.session.receipt;

import glove.journal.AppendLayout;
import glove.sys.UnixPath;
import glove.wire.Digest;

/**
 * Where a journal lies and how large it may become. Immutable.
 *
 * @param path of the file, which is its owner's alone
 * @param bytesMax of it
 */
public record ReceiptStore(UnixPath path, long bytesMax) {
    /** How large a journal may be at most, and is unless something else is said. */
    public static final long BYTES_MOST = 64L << 20;

    /** How large it must be allowed to be. */
    public static final long BYTES_LEAST = 1024;

    /** The first bytes of a journal; the name of its key follows. */
    static final String MAGIC = "GLVRJNL1";

    static final int HEADER_BYTES = MAGIC.length() + 2 * Digest.BYTES;

    /** Around each record: its length in front of it and behind it. */
    static final int FRAME_BYTES = 2 * Integer.BYTES;

    /** Set aside for each session that runs. */
    static final int RESERVED_BYTES = ReceiptRecord.BYTES_MAX + FRAME_BYTES;

    /** Refuses bounds that no journal has. */
    public ReceiptStore {
        if (bytesMax < BYTES_LEAST || bytesMax > BYTES_MOST) {
            throw new IllegalArgumentException("a journal of " + bytesMax + " bytes");
        }
    }

    /** With the usual bound. */
    public static ReceiptStore at(UnixPath path) {
        return new ReceiptStore(path, BYTES_MOST);
    }

    AppendLayout layout(Digest keyId) {
        return new AppendLayout(
                "receipt journal",
                MAGIC + keyId.hex(),
                new AppendLayout.Bounds(ReceiptRecord.BYTES_MAX, bytesMax, Integer.MAX_VALUE),
                AppendLayout.Parent.ANY);
    }
}
