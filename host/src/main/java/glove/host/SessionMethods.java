package glove.host;

import glove.journal.AppendLog;
import glove.journal.AppendLogException;
import glove.session.RegistryCode;
import glove.session.RegistryReply;
import glove.session.SessionRecord;
import glove.session.SessionRegistry;
import glove.session.SessionView;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonKind;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Sessions, as far as they get without a runtime: created, and asked for. Thread-safe. */
final class SessionMethods {
    private final SessionRegistry registry;
    private final DaemonLog log;
    private final AtomicInteger toldPercent = new AtomicInteger();

    SessionMethods(SessionRegistry registry, DaemonLog log) {
        this.registry = registry;
        this.log = log;
    }

    List<ControlMethod> methods() {
        return List.of(
                ControlMethod.slow("create_session", this::create),
                ControlMethod.quick("session_status", this::status));
    }

    /** What a creation asks for. Immutable. */
    private record Creation(Id128 sessionId, Digest controllerPlan, Optional<JsonValue> plan) {}

    private void create(ControlCall call, JsonWriter result) throws ControlException {
        Id128 key = call.requireKey("session creation requires idempotency");
        String invalid = "invalid session create request";
        Creation asked = call.read(
                fields -> new Creation(
                        fields.value("session_id", Id128.CLASS),
                        fields.value("controller_plan_digest", Digest.CLASS),
                        fields.raw("plan")),
                invalid);
        JsonValue plan = asked.plan()
                .filter(value -> value.is(JsonKind.OBJECT))
                .orElseThrow(() -> ControlException.invalid(invalid));
        RegistryReply reply = registry.create(
                asked.sessionId(), asked.controllerPlan(), plan.toBytes(), call.toStore(key));
        switch (reply) {
            case RegistryReply.Done done -> {
                if (!done.repeated()) {
                    log.info("session_created", "session", asked.sessionId().text());
                    tellIfLow();
                }
                write(done.session(), result);
            }
            case RegistryReply.Refused refused -> {
                log.info(
                        "session_not_created",
                        "session",
                        asked.sessionId().text(),
                        "code",
                        refused.code().wireCode(),
                        "why",
                        refused.why());
                throw refusal(refused.code());
            }
        }
    }

    /** Before nothing more can be created: once for each percent. */
    void tellIfLow() {
        AppendLog.Room room = registry.room();
        int percent = room.usedPercent();
        if (room.isLow() && toldPercent.getAndAccumulate(percent, Math::max) < percent) {
            log.warning(
                    "session_store_low",
                    "bytes",
                    Long.toString(room.bytes()),
                    "bytes_max",
                    Long.toString(room.bytesMax()),
                    "records",
                    Long.toString(room.records()),
                    "records_max",
                    Long.toString(room.recordsMax()),
                    "advice",
                    "begin another store before no more sessions can be created");
        }
    }

    private void status(ControlCall call, JsonWriter result) throws ControlException {
        call.requireNoKey("read-only session status forbids idempotency keys");
        Id128 id = call.read(
                fields -> fields.value("session_id", Id128.CLASS),
                "invalid session status request");
        Optional<SessionRecord> found;
        try {
            found = registry.find(id);
        } catch (AppendLogException e) {
            log.error("session_store_failed", "why", e.getMessage());
            throw refusal(RegistryCode.STORAGE);
        }
        write(SessionView.of(found.orElseThrow(() -> refusal(RegistryCode.NOT_FOUND))), result);
    }

    private static ControlException refusal(RegistryCode code) {
        return new ControlException(code.wireCode(), code.wireMessage());
    }

    /** The order of the members is part of the protocol. */
    private static void write(SessionView session, JsonWriter out) {
        out.beginObject()
                .member("schema_version", 1)
                .member("session_id", session.sessionId())
                .member("controller_plan_digest", session.controllerPlanDigest())
                .member("plan_content_digest", session.planContentDigest())
                .member("state", session.state().word())
                .unsigned("policy_revision", session.policyRevision())
                .unsigned("expires_at_ms", session.expiresAtMs())
                .unsigned("created_at_ms", session.createdAtMs());
        if (!session.profileDigest().isEmpty()) {
            out.member("profile_digest", session.profileDigest());
        }
        out.endObject();
    }
}
