package glove.host;

import glove.session.stage.ChangesRequest;
import glove.session.stage.RetainedStages;
import glove.session.stage.StageException;
import glove.wire.JsonWriter;

import java.util.List;

/** What sessions left behind, to be looked at before anybody applies it. Immutable. */
final class RetainedMethods {
    private final RetainedStages stages;
    private final DaemonLog log;

    RetainedMethods(RetainedStages stages, DaemonLog log) {
        this.stages = stages;
        this.log = log;
    }

    List<ControlMethod> methods() {
        return List.of(ControlMethod.lasting("inspect_retained_changes", this::inspect));
    }

    private void inspect(ControlCall call, JsonWriter result) throws ControlException {
        call.requireNoKey("inspection is read-only");
        ChangesRequest asked = call.read(ChangesRequest::read, "invalid retained change request");
        Claim claim = call.claim();
        try {
            stages.inspect(asked, claim::isWanted).write(result);
        } catch (StageException e) {
            claim.requireWanted();
            log.info("retained_changes_unavailable", "why", e.getMessage());
            throw new ControlException(StageException.CODE, "retained changes are unavailable");
        }
    }
}
