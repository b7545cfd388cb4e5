package glove.gateway;

import java.util.Optional;

/** A frame that is no message. The words may be shown to its sender and hold ASCII only. */
final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final transient Optional<MessageId> id;

    MalformedException(int code, Optional<MessageId> id, String message) {
        super(message);
        this.code = code;
        this.id = id;
    }

    /** Of JSON-RPC. */
    int code() {
        return code;
    }

    /** Of the request it wanted to be, when that can be read. */
    Optional<MessageId> id() {
        return id;
    }

    String words() {
        return String.valueOf(getMessage());
    }
}
