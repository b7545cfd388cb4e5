package glove.host;

import glove.wire.Id128;
import glove.wire.JsonException;
import glove.wire.JsonFields;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;
import glove.wire.U64;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * From the bytes of a request to those of its response (sheet 20, 3): what is checked, in which
 * order, and what is said. Immutable; thread-safe as its methods are.
 */
final class ControlProtocol {
    /** A frame's content has at least one byte and at most so many, both ways. */
    static final int FRAME_BYTES_MAX = 1 << 20;

    /** Above what any request can have, so that no frame takes more memory than it has bytes. */
    private static final JsonLimits LIMITS =
            new JsonLimits(FRAME_BYTES_MAX, 32, 64, 256, 256, 1 << 14);

    private static final int SCHEMA_VERSION = 1;

    private final BootstrapSecret secret;
    private final Map<String, ControlMethod> methods;
    private final LongSupplier clock;

    /**
     * With some methods: all others do not exist.
     *
     * @param clock milliseconds since 1970
     */
    ControlProtocol(BootstrapSecret secret, List<ControlMethod> methods, LongSupplier clock) {
        this.secret = secret;
        this.clock = clock;
        Map<String, ControlMethod> byName = new HashMap<>();
        for (ControlMethod method : methods) {
            if (byName.put(method.name(), method) != null) {
                throw new IllegalArgumentException("two methods " + method.name());
            }
        }
        this.methods = Map.copyOf(byName);
    }

    /** Of all methods there are. */
    Set<String> methodNames() {
        return methods.keySet();
    }

    /** What becomes of a request. */
    sealed interface Admission {
        /** It was refused: what to say, to a request of that name. */
        record Refused(String id, String code, String message) implements Admission {}

        /** It is to be carried out, by {@link #answer}. */
        record Admitted(ControlMethod method, ControlCall call) implements Admission {}
    }

    /** All of it, in one go. */
    byte[] respond(byte[] frame) {
        return switch (admit(frame)) {
            case Admission.Refused refused -> refuse(refused);
            case Admission.Admitted admitted -> answer(admitted);
        };
    }

    /** Whether a request is one, of somebody who may ask, in time, for something there is. */
    Admission admit(byte[] frame) {
        if (frame.length == 0 || frame.length > FRAME_BYTES_MAX) {
            return refused("", "invalid_request", "invalid control frame size");
        }
        Optional<Envelope> read = Envelope.read(frame);
        if (read.isEmpty()) {
            return refused("", "invalid_request", "invalid JSON-RPC request");
        }
        Envelope envelope = read.get();
        String id = Id128.is(envelope.id) ? envelope.id : "";
        if (!envelope.version.equals("2.0") || id.isEmpty() || !Id128.is(envelope.method)) {
            return refused(id, "invalid_request", "invalid JSON-RPC envelope");
        }
        Optional<Parameters> parameters = envelope.params.flatMap(Parameters::read);
        if (parameters.isEmpty()) {
            return refused(id, "invalid_request", "invalid method parameters");
        }
        return admit(envelope, parameters.get());
    }

    private Admission admit(Envelope envelope, Parameters asked) {
        String id = envelope.id;
        if (!secret.isSame(asked.secret)) {
            return refused(id, "unauthorized", "supervisor authentication failed");
        }
        if (asked.schema != SCHEMA_VERSION) {
            return refused(id, "unsupported_schema", "unsupported control schema");
        }
        long nowMs = clock.getAsLong();
        if (asked.deadlineMs == 0 || U64.isLess(asked.deadlineMs, nowMs)) {
            return refused(id, ControlException.LATE, ControlException.LATE_MESSAGE);
        }
        ControlMethod method = methods.get(envelope.method);
        if (method == null) {
            return refused(id, "method_not_found", "control method is unavailable");
        }
        Claim claim = new Claim(clock, nowMs, asked.deadlineMs);
        ControlCall call =
                new ControlCall(id, envelope.method, asked.idempotencyKey, asked.payload, claim);
        return new Admission.Admitted(method, call);
    }

    private static Admission refused(String id, String code, String message) {
        return new Admission.Refused(id, code, message);
    }

    /** The response to a request that was refused. */
    byte[] refuse(Admission.Refused refused) {
        return error(refused.id, refused.code, refused.message);
    }

    /** The response to a request that nobody began in time. */
    byte[] late(Admission.Admitted admitted) {
        return error(admitted.call.id(), ControlException.LATE, ControlException.LATE_MESSAGE);
    }

    /** The response to a request that is given up because the daemon ends. */
    byte[] ending(Admission.Admitted admitted) {
        ControlException ending = ControlException.ending();
        return error(admitted.call.id(), ending.code(), ending.getMessage());
    }

    /** Carries a request out, if it is still in time: it may have waited for its turn. */
    byte[] answer(Admission.Admitted admitted) {
        String id = admitted.call.id();
        JsonWriter out = JsonWriter.canonical().beginObject();
        out.member("jsonrpc", "2.0").member("id", id).name("result");
        try {
            admitted.call.claim().requireInTime();
            admitted.method.handler().answer(admitted.call, out);
        } catch (ControlException e) {
            return error(id, e.code(), e.getMessage());
        }
        byte[] response = out.endObject().toBytes();
        return response.length <= FRAME_BYTES_MAX
                ? response
                : error(
                        id,
                        "response_too_large",
                        "receipt audit response exceeds the control frame");
    }

    private static byte[] error(String id, String code, String message) {
        JsonWriter out = JsonWriter.canonical().beginObject();
        out.member("jsonrpc", "2.0").member("id", id).name("error").beginObject();
        return out.member("code", code)
                .member("message", message)
                .endObject()
                .endObject()
                .toBytes();
    }

    /**
     * The outer object, of which nothing is trusted yet. What is missing is empty, and refused as
     * that: so peers are told the same by all daemons. Immutable.
     */
    private record Envelope(String version, String id, String method, Optional<JsonValue> params) {
        static Optional<Envelope> read(byte[] frame) {
            JsonProblems problems = JsonProblems.first();
            JsonFields fields;
            try {
                fields = JsonFields.of(JsonText.value(frame, LIMITS).root(), problems);
            } catch (JsonException e) {
                return Optional.empty();
            }
            fields.missingIsDefault();
            Envelope envelope = new Envelope(
                    fields.string("jsonrpc"),
                    fields.string("id"),
                    fields.string("method"),
                    fields.raw("params"));
            fields.end();
            return problems.isEmpty() ? Optional.of(envelope) : Optional.empty();
        }
    }

    /** What every method is sent; a missing secret is none, a missing number 0. Immutable. */
    private record Parameters(
            long schema,
            String secret,
            long deadlineMs,
            Optional<String> idempotencyKey,
            Optional<JsonValue> payload) {
        static Optional<Parameters> read(JsonValue value) {
            if (!value.is(JsonKind.OBJECT)) {
                return Optional.empty();
            }
            JsonProblems problems = JsonProblems.first();
            JsonFields fields = JsonFields.of(value, problems).missingIsDefault();
            Parameters parameters = new Parameters(
                    fields.u32("schema_version"),
                    fields.string("bootstrap_secret"),
                    fields.u64("deadline_ms"),
                    fields.optionalString("idempotency_key"),
                    fields.raw("payload"));
            fields.end();
            return problems.isEmpty() ? Optional.of(parameters) : Optional.empty();
        }
    }
}
