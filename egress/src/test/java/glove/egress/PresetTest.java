package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

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
            EgressRules rules =
                    EgressRules.parse(List.of(preset.name()), List.of(), new NoRegistries());
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
    void aRegistryIsWhatTheOwnersClientSays(String name) throws EgressException {
        EgressRules rules = EgressRules.parse(
                List.of(name),
                List.of(),
                question -> RegistryUrl.in(
                        "https://one.test/" + question.preset() + "\nhttp://two.test/\n"));

        assertThat(rules.rules())
                .extracting(EgressRule::toString)
                .containsExactly("one.test:443", "two.test:80");
        assertThat(rules.rules())
                .extracting(EgressRule::origin)
                .containsOnly("--egress-allow " + name);
    }

    @Test
    void aQuestionIsACommandWithItsQuotedWordsWhole() throws EgressException {
        Preset.Question npm = Preset.named("@npm").question().orElseThrow();
        Preset.Question pypi = Preset.named("@pypi").question().orElseThrow();

        assertThat(npm.client()).isEqualTo("npm");
        assertThat(npm.command()).containsExactly("npm", "config", "get", "registry");
        assertThat(npm.sight().settings()).containsExactly(".npmrc");
        assertThat(npm.sight().tools()).containsExactly("npm");
        assertThat(npm.settings()).containsExactly(new Preset.Setting(".npmrc", "registry=URL"));
        assertThat(pypi.command()).hasSize(3).startsWith("python3", "-c");
        assertThat(pypi.command().get(2)).contains("\nprint(").doesNotContain("'");
        assertThat(pypi.settings()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"@github", "@anthropic", "@openai", "@google-ai"})
    void whatGloveNamesIsNotAskedFor(String name) throws EgressException {
        assertThat(Preset.named(name).question()).isEmpty();
    }

    private static List<Preset> withHosts() {
        return Preset.all().stream()
                .filter(preset -> !preset.entries().isEmpty())
                .toList();
    }

    private static Set<Integer> portsOf(String name) throws EgressException {
        Set<Integer> ports = new HashSet<>();
        for (EgressRule rule :
                EgressRules.parse(List.of(name), List.of(), new NoRegistries()).rules()) {
            ports.add(rule.port());
        }
        return ports;
    }
}
