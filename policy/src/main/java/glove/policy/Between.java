package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.Set;

/** {@code range}: a number from the one to the other, both included; exactly compared. */
record Between(Optional<BigDecimal> least, Optional<BigDecimal> most) implements Constraint {
    @Override
    public boolean holds(JsonValue value) {
        Optional<BigDecimal> number = Numbers.exact(value);
        return number.isPresent()
                && (least.isEmpty() || number.get().compareTo(least.get()) >= 0)
                && (most.isEmpty() || number.get().compareTo(most.get()) <= 0);
    }

    @Override
    public Set<JsonKind> kinds() {
        return Set.of(JsonKind.NUMBER);
    }

    @Override
    public String rule() {
        if (most.isEmpty()) {
            return "a number of at least " + least.orElseThrow();
        }
        String end = most.get().toString();
        return least.isEmpty()
                ? "a number of at most " + end
                : "a number from " + least.get() + " to " + end;
    }

    @Override
    public String advice() {
        return rule();
    }
}
