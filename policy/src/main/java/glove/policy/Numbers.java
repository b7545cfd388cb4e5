package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * Numbers of any size, exactly: binary floating point would let values through that only round to
 * what a rule allows. Stateless.
 */
final class Numbers {
    private Numbers() {}

    /** Empty for another kind, and for an exponent that does not fit an int. */
    static Optional<BigDecimal> exact(JsonValue value) {
        if (!value.is(JsonKind.NUMBER)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new BigDecimal(value.number()));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Whether it is written as one: {@code 1.0} and {@code 1e2} are not. */
    static boolean isInteger(JsonValue value) {
        if (!value.is(JsonKind.NUMBER)) {
            return false;
        }
        String text = value.number();
        return text.indexOf('.') < 0 && text.indexOf('e') < 0 && text.indexOf('E') < 0;
    }
}
