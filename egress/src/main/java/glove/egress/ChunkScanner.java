package glove.egress;

/**
 * Finds the end of a chunked body (RFC 9112 §7.1) while it passes. The bytes stay as they are, so
 * only what everybody reads alike passes: sizes in plain hexadecimal, every line ended by CR LF.
 * Confined to one thread; one object for one body.
 */
final class ChunkScanner {
    /** Up to 2^60, and no more zeros than anybody writes. */
    private static final int SIZE_DIGITS_MAX = 15;

    private static final int EXTENSION_BYTES_MAX = 1 << 10;
    private static final int TRAILER_BYTES_MAX = 8 << 10;

    /** No name that is refused is longer. */
    private static final int NAME_CHARACTERS_MAX = 32;

    private static final int SIZE = 0;
    private static final int EXTENSION = 1;
    private static final int SIZE_LF = 2;
    private static final int DATA = 3;
    private static final int DATA_CR = 4;
    private static final int DATA_LF = 5;
    private static final int LINE = 6;
    private static final int NAME = 7;
    private static final int VALUE = 8;
    private static final int VALUE_LF = 9;
    private static final int LAST_LF = 10;
    private static final int DONE = 11;

    private final int code;
    private final StringBuilder name = new StringBuilder();
    private int state = SIZE;
    private int digits;
    private int extensionBytes;
    private int trailerBytes;
    private long left;

    private ChunkScanner(int code) {
        this.code = code;
    }

    /** For the body of a request. */
    static ChunkScanner ofRequest() {
        return new ChunkScanner(HttpCode.BAD_REQUEST);
    }

    /** For the body of an answer. */
    static ChunkScanner ofResponse() {
        return new ChunkScanner(HttpCode.BAD_GATEWAY);
    }

    /** Whether the body is over. */
    boolean isDone() {
        return state == DONE;
    }

    /**
     * How many bytes are to come that are only data, and need not be looked at: they may be passed
     * on unseen and told by {@link #skip}.
     */
    long dataLeft() {
        return state == DATA ? left : 0;
    }

    /**
     * Passes over data.
     *
     * @param bytes at most {@link #dataLeft}
     */
    void skip(long bytes) {
        if (bytes < 0 || bytes > dataLeft()) {
            throw new IllegalArgumentException("only " + dataLeft() + " bytes are data");
        }
        left -= bytes;
        if (bytes > 0 && left == 0) {
            state = DATA_CR;
        }
    }

    /**
     * Looks at the next bytes.
     *
     * @return how many of them belong to the body: all of them, until it {@link #isDone}
     * @throws MalformedException when this is no chunked body; nothing may follow then
     */
    int scan(byte[] bytes, int from, int to) throws MalformedException {
        int at = from;
        while (at < to && state != DONE) {
            if (state == DATA) {
                int some = (int) Math.min(left, to - at);
                skip(some);
                at += some;
            } else {
                next(bytes[at]);
                at++;
            }
        }
        return at - from;
    }

    private void next(byte b) throws MalformedException {
        if (state <= SIZE_LF) {
            nextOfSize(b);
        } else if (state <= DATA_LF) {
            expect(b, state == DATA_CR ? '\r' : '\n', state == DATA_CR ? DATA_LF : SIZE);
        } else {
            nextOfTrailer(b);
        }
    }

    private void nextOfSize(byte b) throws MalformedException {
        if (state == SIZE_LF) {
            expect(b, '\n', left == 0 ? LINE : DATA);
            digits = 0;
            extensionBytes = 0;
        } else if (b == '\r' && digits > 0) {
            state = SIZE_LF;
        } else if (state == EXTENSION) {
            extensionBytes++;
            if (!HeadFields.isOfValue(b) || extensionBytes > EXTENSION_BYTES_MAX) {
                throw malformed("a chunk has an extension that is none, or is too long");
            }
        } else if (b == ';' && digits > 0) {
            state = EXTENSION;
        } else {
            int digit = Character.digit(b, 16);
            if (digit < 0 || digits == SIZE_DIGITS_MAX) {
                throw malformed("a chunk does not begin with its size");
            }
            left = (digits == 0 ? 0 : left << 4) + digit;
            digits++;
        }
    }

    /**
     * Fields behind the last chunk; what they say is for the receiver, who may put them among those
     * of the head (RFC 9110 §6.5.1): none that would frame or route a message there.
     */
    private void nextOfTrailer(byte b) throws MalformedException {
        trailerBytes++;
        if (trailerBytes > TRAILER_BYTES_MAX) {
            throw malformed("the fields behind the last chunk are too long");
        }
        if (state == LAST_LF) {
            expect(b, '\n', DONE);
        } else if (state == VALUE_LF) {
            expect(b, '\n', LINE);
        } else if (state == LINE && b == '\r') {
            state = LAST_LF;
        } else if (state == NAME && b == ':') {
            if (HeadFields.isForHeadsOnly(name.toString())) {
                throw malformed("a field behind the last chunk is one that is for heads only");
            }
            name.setLength(0);
            state = VALUE;
        } else if (state == VALUE && b == '\r') {
            state = VALUE_LF;
        } else if (state == VALUE ? !HeadFields.isOfValue(b) : !HeadFields.isToken(b)) {
            throw malformed("a field behind the last chunk is none");
        } else if (state == LINE || state == NAME) {
            state = NAME;
            if (name.length() < NAME_CHARACTERS_MAX) {
                name.append((char) b);
            }
        }
    }

    private void expect(byte b, char wanted, int then) throws MalformedException {
        if (b != wanted) {
            throw malformed("a chunk does not end where its size says, or a line not with CR LF");
        }
        state = then;
    }

    private MalformedException malformed(String sentence) {
        return new MalformedException(code, sentence);
    }
}
