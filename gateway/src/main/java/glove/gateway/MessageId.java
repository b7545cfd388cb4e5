package glove.gateway;

import glove.wire.JsonKind;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The id of a request, in its own kind: {@code 1} and {@code "1"} are two. Immutable.
 *
 * @param isText whether it is a string
 * @param value the string, or the digits as they were sent
 */
record MessageId(boolean isText, String value) {
    /** As sent, quotes and escapes included. */
    static final int BYTES_MAX = 1 << 10;

    /** So many digits surely fit a long. */
    private static final int LONG_DIGITS = 18;

    /** Ours. */
    static MessageId of(long number) {
        return new MessageId(false, Long.toString(number));
    }

    /** Reads one; empty when it is neither a string nor an integer, or too long. */
    static Optional<MessageId> read(JsonValue value) {
        if (value.byteCount() > BYTES_MAX) {
            return Optional.empty();
        }
        if (value.is(JsonKind.STRING)) {
            return Optional.of(new MessageId(true, value.string()));
        }
        if (!value.is(JsonKind.NUMBER) || !isInteger(value.number())) {
            return Optional.empty();
        }
        return Optional.of(new MessageId(false, value.number()));
    }

    /** Digits, which a minus may precede; {@code -0} is no way to write one. */
    private static boolean isInteger(String number) {
        for (int i = number.startsWith("-") ? 1 : 0; i < number.length(); i++) {
            if (number.charAt(i) < '0' || number.charAt(i) > '9') {
                return false;
            }
        }
        return !number.equals("-0");
    }

    /** Its number, when it is one of ours; negative otherwise. */
    long ours() {
        boolean ours = !isText && value.length() <= LONG_DIGITS && value.charAt(0) != '-';
        return ours ? Long.parseLong(value) : -1;
    }

    // By hand: those a record has by itself are made at run time, when first used, and slowly.

    @Override
    public boolean equals(Object other) {
        return other instanceof MessageId id && isText == id.isText && value.equals(id.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode() * 2 + (isText ? 1 : 0);
    }

    /** As a JSON value. */
    byte[] toJson() {
        return isText
                ? new JsonWriter().value(value).toBytes()
                : value.getBytes(StandardCharsets.US_ASCII);
    }
}
