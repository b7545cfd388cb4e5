package glove.host;

import java.util.Objects;

/** Why the daemon gave no result. */
public final class ClientException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What kind of no. */
    public enum Kind {
        /** Nobody serves there. */
        NOT_RUNNING,
        /** What is there is not the owner's alone. */
        UNSAFE,
        /** The daemon said no. */
        REFUSED,
        /** It said nothing that could be understood, or nothing in time. Nothing was changed. */
        BROKEN,
        /** The same of something that changes: it may be done, or not, or be done any moment. */
        UNKNOWN
    }

    private final Kind kind;
    private final String code;

    ClientException(Kind kind, String message) {
        this(kind, "", message);
    }

    /** The daemon's own no. */
    ClientException(String code, String message) {
        this(Kind.REFUSED, code, "gloved rejected the request [" + code + "]: " + message);
    }

    private ClientException(Kind kind, String code, String message) {
        super(message);
        this.kind = kind;
        this.code = code;
    }

    /** What kind of no. */
    public Kind kind() {
        return kind;
    }

    /** The daemon's word for it; empty when it said none. */
    public String code() {
        return code;
    }

    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage(), "made with a message");
    }
}
