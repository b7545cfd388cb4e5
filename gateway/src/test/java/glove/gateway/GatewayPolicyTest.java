package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Which templates an agent may have completed: those a rule covers whole. */
@Tag("unit")
final class GatewayPolicyTest {
    private static boolean covers(String prefix, String template) {
        Room.Plan plan = new Room.Plan();
        plan.resources = List.of(new ResourceRule("files", prefix));
        GatewayPolicy policy = plan.policy();
        assertThat(policy.coversTemplate("other", template)).isFalse();
        return policy.coversTemplate("files", template);
    }

    @Test
    void aTemplateBelowThePrefixIsCovered() {
        assertThat(covers("note://open", "note://open/{id}")).isTrue();
        assertThat(covers("note://open/", "note://open/{id}")).isTrue();
        assertThat(covers("file:///data", "file:///data/{+path}")).isTrue();
        assertThat(covers("https://host", "https://host/{x}")).isTrue();
        assertThat(covers("note://open", "note://open")).isTrue();
        assertThat(covers("", "note://{id}")).isTrue();
    }

    @Test
    void aTemplateThatReachesPastThePrefixIsNot() {
        assertThat(covers("note://open", "note://{id}")).isFalse();
        assertThat(covers("note://open", "note://open{id}")).isFalse();
        assertThat(covers("note://open", "note://opened/{id}")).isFalse();
        assertThat(covers("file:///data/public", "file:///data/{name}")).isFalse();
        assertThat(covers("file:///", "file://{+path}")).isFalse();
        assertThat(covers("https://host", "https://host{x}")).isFalse();
        assertThat(covers("https://host", "https://host:{port}/")).isFalse();
        assertThat(covers("file:/", "file:/{+path}")).isFalse();
        assertThat(covers("", "file:///{path}")).isFalse();
        assertThat(covers("", "{+uri}")).isFalse();
    }
}
