package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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
        for (Preset preset : Preset.all()) {
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
    void plainHttpIsOpenWherePackagesAreSignedAndSshWhereGitUsesIt() throws EgressException {
        assertThat(portsOf("@debian")).containsExactlyInAnyOrder(80, 443);
        assertThat(portsOf("@github")).containsExactlyInAnyOrder(22, 443);
        for (Preset preset : Preset.all()) {
            if (!preset.name().equals("@debian") && !preset.name().equals("@github")) {
                assertThat(portsOf(preset.name())).as(preset.name()).containsExactly(443);
            }
        }
    }

    private static Set<Integer> portsOf(String name) throws EgressException {
        Set<Integer> ports = new HashSet<>();
        for (EgressRule rule : EgressRules.parse(List.of(name), List.of()).rules()) {
            ports.add(rule.port());
        }
        return ports;
    }
}
