package glove.egress;

import java.util.List;

/**
 * Where a body of HTTP/1.1 ends (RFC 9112 §6), read so strictly that nobody can read it otherwise:
 * what two programs could take for two lengths is refused. Immutable.
 */
final class BodyFraming {
    /** What tells the end. */
    enum Kind {
        /** There is no body. */
        NONE,
        /** A number of bytes. */
        LENGTH,
        /** A {@link ChunkScanner} finds the end. */
        CHUNKED,
        /** The server closes the connection. */
        UNTIL_CLOSE
    }

    static final BodyFraming NONE = new BodyFraming(Kind.NONE, 0);
    static final BodyFraming CHUNKED = new BodyFraming(Kind.CHUNKED, 0);
    static final BodyFraming UNTIL_CLOSE = new BodyFraming(Kind.UNTIL_CLOSE, 0);

    static final String CONTENT_LENGTH = "content-length";
    static final String TRANSFER_ENCODING = "transfer-encoding";

    /** As many as surely fit; the number stays below 2^62. */
    private static final int DIGITS_MAX = 18;

    private final Kind kind;
    private final long length;

    private BodyFraming(Kind kind, long length) {
        this.kind = kind;
        this.length = length;
    }

    /**
     * What the fields of a message say.
     *
     * @param silent when they say nothing
     * @throws MalformedException when they contradict themselves or each other
     */
    static BodyFraming of(HeadFields fields, BodyFraming silent) throws MalformedException {
        List<String> lengths = fields.values(CONTENT_LENGTH);
        List<String> encodings = fields.values(TRANSFER_ENCODING);
        if (!lengths.isEmpty() && !encodings.isEmpty()) {
            throw fields.malformed("both Content-Length and Transfer-Encoding are given");
        }
        if (encodings.size() > 1
                || (encodings.size() == 1 && !encodings.get(0).equalsIgnoreCase("chunked"))) {
            throw fields.malformed("a Transfer-Encoding other than 'chunked' is given");
        }
        if (!encodings.isEmpty()) {
            return CHUNKED;
        }
        if (lengths.size() > 1) {
            throw fields.malformed("more than one Content-Length is given");
        }
        return lengths.isEmpty() ? silent : new BodyFraming(Kind.LENGTH, number(fields, lengths));
    }

    private static long number(HeadFields fields, List<String> lengths) throws MalformedException {
        String text = lengths.get(0);
        long number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                throw fields.malformed("the Content-Length is no number");
            }
            number = 10 * number + digit;
        }
        if (text.isEmpty() || text.length() > DIGITS_MAX) {
            throw fields.malformed("the Content-Length is no number that fits");
        }
        return number;
    }

    Kind kind() {
        return kind;
    }

    /** Bytes, for {@link Kind#LENGTH}; 0 else. */
    long length() {
        return length;
    }

    /** Whether bytes of a body follow the head. */
    boolean hasBody() {
        return kind != Kind.NONE && (kind != Kind.LENGTH || length > 0);
    }

    /** The field that says it, with its end of line; empty when none is needed. */
    String field() {
        if (kind == Kind.LENGTH) {
            return "Content-Length: " + length + "\r\n";
        }
        return kind == Kind.CHUNKED ? "Transfer-Encoding: chunked\r\n" : "";
    }
}
