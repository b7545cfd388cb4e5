package glove.policy.session;

import glove.wire.Id128;
import glove.wire.JsonFields;

/** Limits a plan may ask for, all six exactly. Immutable. */
public record ResourceProfile(Id128 profileId, ResourceLimits limits) {
    static ResourceProfile read(JsonFields fields) {
        ResourceProfile read = new ResourceProfile(
                fields.value("profile_id", Id128.CLASS), ResourceLimits.read(fields));
        fields.end();
        return read;
    }
}
