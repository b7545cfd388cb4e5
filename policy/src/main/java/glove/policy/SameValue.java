package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * When two values are the same. Strings by their characters, not normalised. Members in any order.
 * Integers only when written alike, so that {@code 1} is neither {@code 1.0} nor {@code 1e0}, which
 * some upstreams read as another type; other numbers by their exact value. Stateless.
 */
final class SameValue {
    private SameValue() {}

    static boolean test(JsonValue a, JsonValue b) {
        if (a.kind() != b.kind()) {
            return false;
        }
        return switch (a.kind()) {
            case NULL -> true;
            case BOOLEAN -> a.truth() == b.truth();
            case STRING -> a.string().equals(b.string());
            case NUMBER -> numbers(a, b);
            case ARRAY -> elements(a.children(), b.children());
            case OBJECT -> members(a, b);
        };
    }

    private static boolean numbers(JsonValue a, JsonValue b) {
        if (Numbers.isInteger(a) || Numbers.isInteger(b)) {
            return a.number().equals(b.number());
        }
        Optional<BigDecimal> left = Numbers.exact(a);
        Optional<BigDecimal> right = Numbers.exact(b);
        // Minus zero has a sign to upstreams, and none to BigDecimal.
        boolean sameSign = a.number().startsWith("-") == b.number().startsWith("-");
        return sameSign
                && left.isPresent()
                && right.isPresent()
                && left.get().compareTo(right.get()) == 0;
    }

    private static boolean elements(List<JsonValue> a, List<JsonValue> b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (int i = 0; i < a.size(); i++) {
            if (!test(a.get(i), b.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean members(JsonValue a, JsonValue b) {
        if (a.size() != b.size()) {
            return false;
        }
        for (JsonValue member : a.children()) {
            Optional<JsonValue> other = b.member(member.name());
            if (other.isEmpty() || !test(member, other.get())) {
                return false;
            }
        }
        return a.is(JsonKind.OBJECT);
    }
}
