package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The presets as data. */
@Tag("unit")
final class PresetTest {
    @Test
    void theseAreThere() {
        assertThat(Preset.all())
                .extracting(Preset::name)
                .containsExactly(
                        "@npm",
                        "@pypi",
                        "@maven",
                        "@cargo",
                        "@go",
                        "@debian",
                        "@github",
                        "@anthropic",
                        "@openai",
                        "@google-ai");
    }

    @Test
    void eachIsOfExactHostsWithAPurpose() throws EgressException, MalformedException {
        for (Preset preset : withHosts()) {
            EgressRules rules = EgressRules.parse(List.of(preset.name()), List.of());
            Set<String> seen = new HashSet<>();

            assertThat(preset.purpose()).isNotEmpty();
            assertThat(preset.entries()).isNotEmpty().hasSameSizeAs(rules.rules());
            for (EgressRule rule : rules.rules()) {
                assertThat(seen.add(rule.toString())).as("%s once", rule).isTrue();
                assertThat(rule.isAboutAddresses() || rule.isDomain() || rule.port() == 0)
                        .as("%s", rule)
                        .isFalse();
                assertThat(rule.origin()).isEqualTo("--egress-allow " + preset.name());
                Destination there = Destination.parse(rule.toString());
                assertThat(rules.decide(there).isAllowed()).isTrue();
                assertThat(Preset.all())
                        .noneMatch(other -> !other.name().equals(preset.name())
                                && other.entries().toString().contains("=" + rule.name() + ","));
            }
            assertThat(preset.entries()).noneMatch(entry -> entry.purpose().isEmpty());
        }
    }

    @Test
    void sshIsOpenWhereGitUsesIt() throws EgressException {
        assertThat(portsOf("@github")).containsExactlyInAnyOrder(22, 443);
        for (Preset preset : withHosts()) {
            if (!preset.name().equals("@github")) {
                assertThat(portsOf(preset.name())).as(preset.name()).containsExactly(443);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"@npm", "@pypi", "@maven", "@cargo", "@go", "@debian"})
    void aRegistryIsNamedByWhoeverConfiguredTheClient(String name) {
        assertThatThrownBy(() -> EgressRules.parse(List.of(name), List.of()))
                .isInstanceOfSatisfying(EgressException.class, e -> {
                    assertThat(e).hasMessageContaining(name).hasMessageContaining("registry");
                    assertThat(e.hints()).hasSize(2);
                });
    }

    private static List<Preset> withHosts() {
        return Preset.all().stream()
                .filter(preset -> !preset.entries().isEmpty())
                .toList();
    }

    private static Set<Integer> portsOf(String name) throws EgressException {
        Set<Integer> ports = new HashSet<>();
        for (EgressRule rule : EgressRules.parse(List.of(name), List.of()).rules()) {
            ports.add(rule.port());
        }
        return ports;
    }
}
