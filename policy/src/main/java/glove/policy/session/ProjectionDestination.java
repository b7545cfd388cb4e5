package glove.policy.session;

import glove.wire.AbsolutePath;
import glove.wire.Id128;
import glove.wire.JsonFields;

/** A place for libraries in sessions, under the name plans know it by. Immutable. */
public record ProjectionDestination(Id128 alias, AbsolutePath targetPath) {
    static ProjectionDestination read(JsonFields fields) {
        ProjectionDestination read = new ProjectionDestination(
                fields.value("alias", Id128.CLASS),
                fields.value("target_path", AbsolutePath.CLASS));
        fields.end();
        if (ReservedPaths.isProjection(read.targetPath)) {
            fields.problem(
                    "target_path",
                    "would cover, or be covered by, the session's own",
                    "write /opt/libraries, say");
        }
        return read;
    }
}
