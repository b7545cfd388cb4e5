package glove.journal;

import java.util.Optional;

/**
 * Whether the bytes behind the last whole record of a log can be what an interrupted append left: a
 * beginning of one record that does not end. Only that may be cut off; a whole record whose length
 * was changed afterwards looks alike, was acknowledged, and must be refused. Stateless.
 *
 * <p>Records are JSON objects in all logs of Glove, and no beginning of an object is one. So a
 * record that closes its object before its length says so never was a beginning. Records that are
 * something else are told by the length behind them only.
 */
public final class TornEnd {
    private TornEnd() {}

    /**
     * Judges it.
     *
     * @param tail from the length of a record on to the end of the file; fewer bytes than that
     *     record would have
     * @param recordBytesMax of one record, without its frame
     * @return why it was not torn, as in "does not end, ..."; empty when it can have been
     */
    public static Optional<String> complaint(byte[] tail, int recordBytesMax) {
        if (tail.length <= Integer.BYTES) {
            return Optional.empty(); // too little to be a record, whatever it is
        }
        if (endsAsARecord(tail, recordBytesMax)) {
            return Optional.of("does not end where its length says so, and there is the end of a "
                    + "whole one: its length was changed");
        }
        int length = number(tail, 0);
        int end = objectEnd(tail);
        if (end >= 0 && end < (long) length + Integer.BYTES) {
            return Optional.of("is a whole one of " + (end - Integer.BYTES) + " bytes, and its "
                    + "length says " + length + ": its length was changed");
        }
        return Optional.empty();
    }

    /**
     * Whether the last four bytes are the length of what is before them: of all of it, or of a
     * record that has its length in front, too.
     */
    private static boolean endsAsARecord(byte[] tail, int recordBytesMax) {
        int last = tail.length - Integer.BYTES;
        int length = number(tail, last);
        if (length < 1 || length > recordBytesMax || length > last - Integer.BYTES) {
            return false;
        }
        int start = last - length - Integer.BYTES;
        return start == 0 || number(tail, start) == length;
    }

    /** Behind the object that begins behind the length; -1 when it does not end. */
    private static int objectEnd(byte[] tail) {
        int depth = 0;
        boolean text = false;
        for (int i = Integer.BYTES; i < tail.length; i++) {
            byte now = tail[i];
            if (text) {
                i += now == '\\' ? 1 : 0;
                text = now != '"';
            } else if (now == '{') {
                depth++;
            } else if (depth == 0 && now != ' ' && now != '\n' && now != '\t' && now != '\r') {
                return -1; // none of Glove's records
            } else if (now == '"') {
                text = true;
            } else if (now == '}' && --depth == 0) {
                return i + 1;
            }
        }
        return -1;
    }

    private static int number(byte[] bytes, int from) {
        return (bytes[from] & 0xff) << 24
                | (bytes[from + 1] & 0xff) << 16
                | (bytes[from + 2] & 0xff) << 8
                | (bytes[from + 3] & 0xff);
    }
}
