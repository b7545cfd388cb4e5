package glove.host;

import glove.journal.AppendLog;
import glove.journal.AppendLogException;
import glove.policy.session.ExposureRequest;
import glove.session.exposure.ExposureCatalogue;
import glove.session.exposure.ExposureRefusedException;
import glove.session.exposure.ExposureRegistry;
import glove.session.exposure.ExposureReply;
import glove.session.exposure.ExposureState;
import glove.session.exposure.ExposureView;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonProblems;
import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.List;

/** What the owner exposes, shown without any path. Immutable. */
final class ExposureMethods {
    private static final String UNAVAILABLE = "path_exposure_unavailable";

    private final ExposureRegistry registry;
    private final DaemonLog log;

    ExposureMethods(ExposureRegistry registry, DaemonLog log) {
        this.registry = registry;
        this.log = log;
    }

    List<ControlMethod> methods() {
        return List.of(
                ControlMethod.slow("create_path_exposure", this::create),
                ControlMethod.slow("list_path_exposures", this::list),
                ControlMethod.slow("revoke_path_exposure", this::revoke));
    }

    private void create(ControlCall call, JsonWriter result) throws ControlException {
        Id128 key = call.requireKey("path exposure creation requires idempotency");
        ExposureRequest.Submitted asked = submitted(call);
        ExposureReply reply = registry.create(asked, call.toStore(key));
        write(reply, "path exposure creation was rejected", result);
    }

    /** A word that is no mode is told apart from everything else. */
    private static ExposureRequest.Submitted submitted(ControlCall call) throws ControlException {
        String invalid = "invalid path exposure request";
        JsonProblems problems = JsonProblems.first();
        JsonFields fields = JsonFields.of(
                call.payload().orElseThrow(() -> ControlException.invalid(invalid)), problems);
        ExposureRequest.Submitted asked = ExposureRequest.Submitted.read(fields);
        if (problems.isEmpty()) {
            return asked;
        }
        String place = problems.list().get(0).pointer();
        boolean mode = place.startsWith("/allowed_modes/")
                && (place.endsWith("/access")
                        || place.endsWith("/materialization")
                        || place.endsWith("/cleanup_policy"));
        throw ControlException.invalid(mode ? "invalid path exposure mode" : invalid);
    }

    private void list(ControlCall call, JsonWriter result) throws ControlException {
        call.requireNothing("path exposure listing requires a null read-only payload");
        List<ExposureView> exposures;
        try {
            exposures = registry.list(call.nowMs());
        } catch (AppendLogException e) {
            log.error("exposure_journal_failed", "why", e.getMessage());
            throw new ControlException(UNAVAILABLE, "path exposures are unavailable");
        } catch (ExposureRefusedException e) {
            log.error("exposures_unavailable", "why", e.getMessage());
            throw new ControlException(UNAVAILABLE, "path exposures are unavailable");
        }
        exposures = listable(exposures);
        result.beginObject().member("schema_version", 1).name("exposures").beginArray();
        exposures.forEach(exposure -> exposure.write(result));
        result.endArray().endObject();
    }

    /** All, or where they are too many for a response all that stand. */
    private List<ExposureView> listable(List<ExposureView> all) throws ControlException {
        if (ExposureCatalogue.bytes(all) <= ExposureCatalogue.BYTES_MAX) {
            return all;
        }
        List<ExposureView> standing = new ArrayList<>();
        for (ExposureView exposure : all) {
            if (exposure.state() == ExposureState.ACTIVE) {
                standing.add(exposure);
            }
        }
        String advice = "begin another journal, or expose with fewer runtime templates";
        long bytes = ExposureCatalogue.bytes(standing);
        if (bytes > ExposureCatalogue.BYTES_MAX) { // of a journal from before that was refused
            log.error(
                    "exposures_not_listed",
                    "bytes",
                    Long.toString(bytes),
                    "advice",
                    "glove exposure revoke ID --generation N; " + advice);
            throw new ControlException(
                    "response_too_large", "receipt audit response exceeds the control frame");
        }
        String leftOut = Integer.toString(all.size() - standing.size());
        log.warning("exposures_left_out", "count", leftOut, "state", "over", "advice", advice);
        return standing;
    }

    /** What is taken back. Immutable. */
    private record Revocation(String exposureId, long generation) {}

    private void revoke(ControlCall call, JsonWriter result) throws ControlException {
        String invalid = "invalid path exposure revocation";
        Id128 key = call.requireKey(invalid);
        Revocation asked = call.read(
                fields -> new Revocation(fields.string("exposure_id"), fields.u64("generation")),
                invalid);
        ExposureReply reply =
                registry.revoke(asked.exposureId(), asked.generation(), call.toStore(key));
        write(reply, "path exposure revocation was rejected", result);
    }

    /** Before nothing more can be exposed; taking back is always possible. */
    void tellIfLow() {
        if (registry.isRoomLow()) {
            AppendLog.Room room = registry.roomSpokenFor();
            log.warning(
                    "exposure_journal_low",
                    "bytes",
                    Long.toString(room.bytes()),
                    "bytes_max",
                    Long.toString(room.bytesMax()),
                    "records",
                    Long.toString(room.records()),
                    "exposures",
                    Integer.toString(registry.count()),
                    "exposures_max",
                    Integer.toString(ExposureRegistry.EXPOSURES_MAX),
                    "advice",
                    "begin another journal before nothing more can be exposed");
        }
    }

    private void write(ExposureReply reply, String rejected, JsonWriter result)
            throws ControlException {
        switch (reply) {
            case ExposureReply.Done done -> {
                ExposureView exposure = done.exposure();
                if (!done.repeated()) {
                    log.info(
                            "exposure_" + exposure.state().word(),
                            "exposure",
                            exposure.exposureId().text(),
                            "generation",
                            Long.toUnsignedString(exposure.generation()));
                }
                tellIfLow();
                result.beginObject().member("schema_version", 1).name("exposure");
                exposure.write(result);
                result.endObject();
            }
            case ExposureReply.Refused refused -> {
                log.info(
                        "exposure_rejected",
                        "reason",
                        refused.reason().name(),
                        "why",
                        refused.why());
                if (refused.reason() == ExposureRefusedException.Reason.LATE) {
                    throw ControlException.late();
                }
                if (refused.reason() == ExposureRefusedException.Reason.UNAVAILABLE) {
                    throw new ControlException(UNAVAILABLE, "path exposures are unavailable");
                }
                throw new ControlException(ExposureReply.Refused.CODE, rejected);
            }
        }
    }
}
