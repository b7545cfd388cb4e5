package glove.journal;

import java.nio.charset.StandardCharsets;

/**
 * What an {@link AppendLog} looks like on disk, and how large it may become. Immutable.
 *
 * @param name for messages, as in "session store"
 * @param header the first bytes of the file, a character each (Latin-1)
 * @param bounds exact: what would go beyond is refused, and what is beyond is not opened
 * @param parent what its directory must be
 */
public record AppendLayout(String name, String header, Bounds bounds, Parent parent) {
    /** Around each record: its length in front of it and behind it, big-endian. */
    static final int FRAME_BYTES = 2 * Integer.BYTES;

    /**
     * Bounds. Immutable.
     *
     * @param recordBytesMax of one record, without its frame
     * @param fileBytesMax of the whole file
     * @param recordsMax in the file
     */
    public record Bounds(int recordBytesMax, long fileBytesMax, long recordsMax) {
        /** All are positive. */
        public Bounds {
            if (recordBytesMax < 1 || recordBytesMax > (1 << 30) || recordsMax < 1) {
                throw new IllegalArgumentException("bounds that let nothing through");
            }
        }
    }

    /** What the directory of a log must be. */
    public enum Parent {
        /** The caller's, with mode 0700: nobody else can even look. */
        OWNER_ONLY,
        /** Any directory: the checks of the file itself must do. */
        ANY
    }

    /** There is room for at least the header. */
    public AppendLayout {
        if (header.isEmpty() || bounds.fileBytesMax() < header.length()) {
            throw new IllegalArgumentException("no room for the header of a " + name);
        }
    }

    byte[] headerBytes() {
        return header.getBytes(StandardCharsets.ISO_8859_1);
    }
}
