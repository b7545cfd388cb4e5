package glove.session.stage;

import glove.wire.JsonFields;

/**
 * Which changes somebody wants to see. Immutable.
 *
 * @param sessionId any text: what no stage is named by, there is none of
 * @param exposureId any text
 * @param offset of the first, from 0; u64
 * @param limit how many at most, 1 to {@value #LIMIT_MAX}
 */
public record ChangesRequest(String sessionId, String exposureId, long offset, int limit) {
    /** How many changes a page has at most. */
    public static final int LIMIT_MAX = 256;

    /** Reads it from an object that has these members and no other. */
    public static ChangesRequest read(JsonFields fields) {
        String session = fields.string("session_id");
        String exposure = fields.string("exposure_id");
        long offset = fields.u64("offset");
        long limit = fields.u32("limit");
        fields.end();
        if (limit < 1 || limit > LIMIT_MAX) {
            fields.problem("limit", "is " + limit, "write 1 to " + LIMIT_MAX);
            return new ChangesRequest(session, exposure, offset, 1);
        }
        return new ChangesRequest(session, exposure, offset, (int) limit);
    }
}
