package glove.policy.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.JsonFields;
import glove.wire.JsonProblems;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Launch templates and their digest, as other implementations print it. */
@Tag("unit")
final class LaunchTemplateTest {
    /** Accepted elsewhere, and refused here: paths in another form, an executable brought along. */
    private static final Set<String> REFUSED_HERE = Set.of(
            "read-only-contains-executable",
            "double-separator-executable",
            "trailing-separator-executable",
            "trailing-separator-read-only");

    @Test
    void everyDigestIsTheSame() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (JsonValue one : Vectors.cases("launch_template_digest.json")) {
            String name = Vectors.string(one, "name");
            JsonProblems problems = JsonProblems.all(9);
            LaunchTemplate template = LaunchTemplate.read(
                    JsonFields.of(one.member("launch").orElseThrow(), problems).missingIsDefault());
            boolean expected = Vectors.isAccepted(one) && !REFUSED_HERE.contains(name);
            if (problems.isEmpty() != expected) {
                wrong.add(name + ": " + problems.list());
            } else if (expected && !template.digest().hex().equals(Vectors.string(one, "digest"))) {
                wrong.add(name + ": " + template.digest());
            }
        }
        assertThat(wrong).isEmpty();
    }
}
