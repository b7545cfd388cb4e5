package glove.host;

import glove.session.RegistryCall;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonKind;
import glove.wire.JsonProblems;
import glove.wire.JsonValue;

import java.util.Optional;

/**
 * A request that was admitted, as its method sees it. Immutable but for its claim.
 *
 * @param id to be echoed
 * @param method its name
 * @param idempotencyKey as it was sent
 * @param payload empty when there is none, which no method takes
 * @param claim for how long an answer is waited for
 */
record ControlCall(
        String id,
        String method,
        Optional<String> idempotencyKey,
        Optional<JsonValue> payload,
        Claim claim) {
    /** Milliseconds since 1970, of its admission. */
    long nowMs() {
        return claim.admittedMs();
    }

    /** What a store is asked with. */
    RegistryCall toStore(Id128 key) {
        return new RegistryCall(key, nowMs(), claim::isLate);
    }

    /** For methods that change nothing and are asked nothing. */
    void requireNothing(String otherwise) throws ControlException {
        boolean nothing = payload.isPresent() && payload.get().is(JsonKind.NULL);
        if (idempotencyKey.isPresent() || !nothing) {
            throw ControlException.invalid(otherwise);
        }
    }

    /** For methods that change nothing. */
    void requireNoKey(String otherwise) throws ControlException {
        if (idempotencyKey.isPresent()) {
            throw ControlException.invalid(otherwise);
        }
    }

    /** For methods that change something: done once, however often it is asked for. */
    Id128 requireKey(String otherwise) throws ControlException {
        if (idempotencyKey.isEmpty() || !Id128.is(idempotencyKey.get())) {
            throw ControlException.invalid(otherwise);
        }
        return new Id128(idempotencyKey.get());
    }

    /** Reads a payload into typed values. */
    interface Reading<T> {
        /** With stand-ins for what is wrong: that is told by the problems. */
        T from(JsonFields fields);
    }

    /** The payload, an object with exactly what is read from it. */
    <T> T read(Reading<T> reading, String otherwise) throws ControlException {
        if (payload.isEmpty()) {
            throw ControlException.invalid(otherwise);
        }
        JsonProblems problems = JsonProblems.first();
        JsonFields fields = JsonFields.of(payload.get(), problems);
        T value = reading.from(fields);
        fields.end();
        if (!problems.isEmpty()) {
            throw ControlException.invalid(otherwise);
        }
        return value;
    }
}
