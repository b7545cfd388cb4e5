package glove.gateway;

import java.util.Optional;

/** A frame that is no message. The words may be shown to its sender and hold ASCII only. */
final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final transient Optional<MessageId> id;

    private final boolean isAnswer;

    MalformedException(int code, Optional<MessageId> id, String message) {
        this(code, id, false, message);
    }

    private MalformedException(int code, Optional<MessageId> id, boolean isAnswer, String message) {
        super(message);
        this.code = code;
        this.id = id;
        this.isAnswer = isAnswer;
    }

    /** Of a message whose envelope is well, but not what it holds. */
    static MalformedException within(Message message, String words) {
        boolean isNoted = message.kind() == Message.Kind.NOTIFICATION;
        Optional<MessageId> id = isNoted ? Optional.empty() : Optional.of(message.id());
        return new MalformedException(Protocol.PARSE_ERROR, id, message.isAnswer(), words);
    }

    /** Of JSON-RPC. */
    int code() {
        return code;
    }

    /** The id of the request it wanted to be, when that can be read. */
    Optional<MessageId> asked() {
        return isAnswer ? Optional.empty() : id;
    }

    /** The id of the request it wanted to answer, when that can be read. */
    Optional<MessageId> answered() {
        return isAnswer ? id : Optional.empty();
    }

    String words() {
        return String.valueOf(getMessage());
    }
}
