package glove.egress;

import java.util.Objects;

/**
 * What came over the wire is not what its protocol allows; the connection has to end. The message
 * is a sentence for the peer and the audit log, without any of the peer's own bytes.
 */
public final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;

    /**
     * Without a stack trace: a peer can cause as many as it likes.
     *
     * @param code what to answer, in the numbers of the protocol that was spoken: a status of HTTP,
     *     or a reply of SOCKS5
     */
    public MalformedException(int code, String sentence) {
        super(sentence, null, false, false);
        this.code = code;
    }

    /** What to answer: a status of HTTP, or a reply of SOCKS5. */
    public int code() {
        return code;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a sentence");
    }
}
