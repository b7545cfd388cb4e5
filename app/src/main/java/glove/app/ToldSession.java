package glove.app;

import glove.session.SessionState;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonProblems;
import glove.wire.JsonValue;
import glove.wire.U64;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A session as a daemon tells of it (sheet 20, 4), read as strictly as its requests. Stateless. */
final class ToldSession {
    private static final int SCHEMA_VERSION = 1;

    private ToldSession() {}

    /**
     * One fact a line.
     *
     * @param id of which the daemon was asked
     * @return empty when this is no answer to that
     */
    static Optional<List<String>> lines(JsonValue answer, String id) {
        JsonProblems problems = JsonProblems.first();
        JsonFields fields = JsonFields.of(answer, problems);
        List<String> lines = new ArrayList<>();
        int schema = fields.u8("schema_version");
        lines.add("schema_version " + schema);
        Id128 told = fields.value("session_id", Id128.CLASS);
        lines.add("session_id " + told);
        for (String name : List.of("controller_plan_digest", "plan_content_digest")) {
            lines.add(name + " " + fields.value(name, Digest.CLASS));
        }
        lines.add("state " + fields.value("state", SessionState.WORDS).word());
        lines.add("policy_revision " + U64.text(fields.u64("policy_revision")));
        for (String name : List.of("expires_at_ms", "created_at_ms")) {
            long atMs = fields.u64(name);
            lines.add(name + " " + U64.text(atMs));
        }
        fields.optionalValue("profile_digest", Digest.CLASS)
                .ifPresent(digest -> lines.add("profile_digest " + digest));
        fields.end();
        boolean good =
                problems.isEmpty() && schema == SCHEMA_VERSION && told.text().equals(id);
        return good ? Optional.of(lines) : Optional.empty();
    }
}
