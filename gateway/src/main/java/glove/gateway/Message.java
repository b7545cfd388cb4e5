package glove.gateway;

import glove.wire.JsonException;
import glove.wire.JsonException.Fault;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One message of JSON-RPC, checked: what is decided on it and what is forwarded of it are the same
 * bytes. Immutable.
 *
 * <p>Its envelope holds what JSON-RPC names and nothing else. A member more would be forwarded
 * unseen, and a reader that does not care about upper and lower case takes {@code "Method"} for
 * the method.
 */
final class Message {
    /** What it is. */
    enum Kind {
        REQUEST,
        NOTIFICATION,
        /** An answer that is none but an error. */
        ERROR,
        RESULT
    }

    private static final List<String> OF_CALLS = List.of("jsonrpc", "id", "method", "params");
    private static final List<String> OF_ANSWERS = List.of("jsonrpc", "id", "result", "error");
    private static final int METHOD_BYTES_MAX = 1 << 10;

    private final Kind kind;
    private final JsonValue root;
    private final Optional<MessageId> id;
    private final String method;
    private final Optional<JsonValue> body;

    private Message(
            Kind kind,
            JsonValue root,
            Optional<MessageId> id,
            String method,
            Optional<JsonValue> body) {
        this.kind = kind;
        this.root = root;
        this.id = id;
        this.method = method;
        this.body = body;
    }

    /**
     * Reads a frame, which belongs to the message from here on.
     *
     * @throws MalformedException when it is none
     */
    static Message read(byte[] frame, JsonLimits limits) throws MalformedException {
        try {
            JsonValue root = JsonText.frame(frame, 0, frame.length, limits).root();
            // What is left of CR is space between tokens, but some readers end a line there: what
            // follows would be a message of its own that nobody has looked at.
            for (int i = 0; i < frame.length; i++) {
                if (frame[i] == '\r') {
                    frame[i] = ' ';
                }
            }
            return classify(root);
        } catch (JsonException e) {
            if (e.fault() == Fault.LONE_SURROGATE) {
                throw withHalfCharacter(frame, limits, e);
            }
            boolean batch = e.fault() == Fault.NOT_AN_OBJECT && frame[0] == '[';
            int code = batch ? Protocol.INVALID_REQUEST : Protocol.PARSE_ERROR;
            String what = batch ? "several messages in one" : "not JSON as RFC 8259 has it: ";
            String words = batch ? what : what + e.getMessage();
            throw new MalformedException(code, Optional.empty(), words);
        }
    }

    /**
     * Half a character, as some programs cut texts, is no reason to leave who asked without an
     * answer: whose message it is can be read without it.
     */
    private static MalformedException withHalfCharacter(
            byte[] frame, JsonLimits limits, JsonException e) {
        String words = "not JSON as RFC 8259 has it: " + e.getMessage();
        byte[] whole = HalfCharacters.replaced(frame);
        try {
            return MalformedException.within(
                    classify(JsonText.frame(whole, 0, whole.length, limits).root()), words);
        } catch (JsonException | MalformedException other) {
            return new MalformedException(Protocol.PARSE_ERROR, Optional.empty(), words);
        }
    }

    /** Whether a line is none at all, which some programs write and nobody minds. */
    static boolean isBlank(byte[] frame) {
        return frame.length == 0 || (frame.length == 1 && frame[0] == '\r');
    }

    /** Whether a line that is no message was meant as one, by the look of it. */
    static boolean isMeant(byte[] frame) {
        byte[] sign = Answers.ascii("\"jsonrpc\"");
        for (int at = 0; at + sign.length <= frame.length; at++) {
            if (Arrays.equals(frame, at, at + sign.length, sign, 0, sign.length)) {
                return true;
            }
        }
        return false;
    }

    private static Message classify(JsonValue root) throws MalformedException {
        Optional<JsonValue> method = root.member("method");
        Optional<JsonValue> asId = root.member("id");
        Optional<MessageId> id = asId.isEmpty() ? Optional.empty() : MessageId.read(asId.get());
        Optional<MessageId> replyTo = method.isPresent() ? id : Optional.empty();
        if (root.member("jsonrpc").filter(version -> version.isString("2.0")).isEmpty()) {
            throw invalid(replyTo, "\"jsonrpc\" is not \"2.0\"");
        }
        if (asId.isPresent() && id.isEmpty()) {
            throw invalid(replyTo, "\"id\" is neither a short string nor an integer");
        }
        List<String> known = method.isPresent() ? OF_CALLS : OF_ANSWERS;
        for (JsonValue member : root.children()) {
            if (!known.contains(member.name())) {
                throw invalid(replyTo, "a member that JSON-RPC does not have");
            }
        }
        return method.isPresent() ? call(root, id, method.get()) : answer(root, id);
    }

    private static Message call(JsonValue root, Optional<MessageId> id, JsonValue method)
            throws MalformedException {
        if (!method.is(JsonKind.STRING) || method.byteCount() > METHOD_BYTES_MAX) {
            throw invalid(id, "\"method\" is not a short string");
        }
        Optional<JsonValue> params = root.member("params");
        if (params.isPresent() && !params.get().is(JsonKind.OBJECT)) {
            throw invalid(id, "\"params\" is not an object");
        }
        if (params.isPresent() && !isObject(params.get().member("_meta"))) {
            throw invalid(id, "\"_meta\" is not an object");
        }
        Kind kind = id.isPresent() ? Kind.REQUEST : Kind.NOTIFICATION;
        return new Message(kind, root, id, method.string(), params);
    }

    private static boolean isObject(Optional<JsonValue> value) {
        return value.isEmpty() || value.get().is(JsonKind.OBJECT);
    }

    private static Message answer(JsonValue root, Optional<MessageId> id)
            throws MalformedException {
        Optional<JsonValue> result = root.member("result");
        Optional<JsonValue> error = root.member("error");
        if (id.isEmpty() || result.isPresent() == error.isPresent()) {
            throw invalid(Optional.empty(), "neither a request nor an answer to one");
        }
        if (result.isPresent()) {
            return new Message(Kind.RESULT, root, id, "", result);
        }
        JsonValue told = error.orElseThrow();
        boolean whole = told.is(JsonKind.OBJECT)
                && told.member("code", JsonKind.NUMBER).isPresent()
                && told.member("message", JsonKind.STRING).isPresent();
        if (!whole) {
            throw invalid(Optional.empty(), "an error without code and message");
        }
        return new Message(Kind.ERROR, root, id, "", error);
    }

    private static MalformedException invalid(Optional<MessageId> id, String words) {
        return new MalformedException(Protocol.INVALID_REQUEST, id, words);
    }

    Kind kind() {
        return kind;
    }

    boolean isAnswer() {
        return kind == Kind.RESULT || kind == Kind.ERROR;
    }

    JsonValue root() {
        return root;
    }

    /** Of all but notifications. */
    MessageId id() {
        return id.orElseThrow();
    }

    /** Of requests and notifications; empty for answers. */
    String method() {
        return method;
    }

    /** Of requests and notifications: an object. */
    Optional<JsonValue> params() {
        return isAnswer() ? Optional.empty() : body;
    }

    /** A member of the params. */
    Optional<JsonValue> param(String name) {
        return params().isEmpty() ? Optional.empty() : params().get().member(name);
    }

    /** A member of the params that is a string; empty also when it is something else. */
    Optional<String> text(String name) {
        return param(name).filter(value -> value.is(JsonKind.STRING)).map(JsonValue::string);
    }

    /** What a request wants its progress told by: a string or an integer. */
    Optional<JsonValue> progressToken() {
        return param("_meta").flatMap(meta -> meta.member(Protocol.PROGRESS_TOKEN));
    }

    /** Of an answer: the result or the error. */
    JsonValue outcome() {
        return body.orElseThrow();
    }

    int byteCount() {
        return root.byteCount();
    }

    /** Bytes of memory it costs to keep it. */
    long memoryBytes() {
        return root.memoryBytes();
    }
}
