package glove.policy.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.JsonProblems;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Policies, as other implementations load them. */
@Tag("unit")
final class SessionPolicyTest {
    /** About the file, not the text. */
    private static final Set<String> OF_FILES = Set.of("mode-0644", "mode-0400");

    private static final Set<String> REFUSED_HERE = Set.of("two-documents");

    @Test
    void everyPolicyIsDecidedTheSame() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (JsonValue one : Vectors.cases("session_policy_load.json")) {
            String name = Vectors.string(one, "name");
            if (OF_FILES.contains(name)) {
                continue;
            }
            JsonProblems problems = JsonProblems.all(9);
            Optional<SessionPolicy> policy =
                    SessionPolicy.parse(Vectors.text(one, "policy"), new TestPaths(), problems);
            boolean expected = Vectors.isAccepted(one) && !REFUSED_HERE.contains(name);
            if (policy.isPresent() != expected) {
                wrong.add(name + ": " + problems.list());
            }
        }
        assertThat(wrong).isEmpty();
    }
}
