package glove.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.policy.Decision.Denied;
import glove.wire.JsonException;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

@Tag("unit")
final class ToolPolicyTest {
    private static final String POLICY = "policy ";

    @Test
    void eachCallOfTheTableIsDecidedAsItSays() throws IOException, PolicyException {
        ToolPolicy policy = ToolPolicy.ofOptions(List.of(), List.of());
        CallRates rates = new CallRates(() -> 0);
        List<String> wrong = new ArrayList<>();
        int calls = 0;

        for (String line : Tables.lines("calls.txt")) {
            if (line.startsWith(POLICY)) {
                policy = policy(line.substring(POLICY.length()));
                continue;
            }
            String[] parts = line.split(" ", 3);
            String verdict = verdict(policy, parts[1], parts[2], rates);
            if (!verdict.equals(parts[0])) {
                wrong.add(line + " was " + verdict);
            }
            calls++;
        }

        assertThat(wrong).isEmpty();
        assertThat(calls).isGreaterThan(280);
    }

    @Test
    void noSentenceRepeatsWhatWasSentOrHoldsMoreThanAscii() throws IOException, PolicyException {
        ToolPolicy policy = ToolPolicy.ofOptions(List.of(), List.of());
        int denials = 0;
        for (String line : Tables.lines("calls.txt")) {
            if (line.startsWith(POLICY)) {
                policy = policy(line.substring(POLICY.length()));
                continue;
            }
            String[] parts = line.split(" ", 3);
            Optional<Decision> decision =
                    decide(policy, parts[1], parts[2], new CallRates(() -> 0));
            if (decision.isPresent() && decision.get() instanceof Denied denied) {
                denials++;
                String all = denied.operatorSentence() + denied.modelSentence() + denied.hints();
                assertThat(all).as(line).matches("[ -~]+").doesNotContain("passwd", "evil", "/etc");
                assertThat(denied.modelSentence())
                        .doesNotContain("/data", "good.example", "v1.", "--allow");
            }
        }
        assertThat(denials).isGreaterThan(150);
    }

    @Test
    void theClosestRuleExplainsTheDenial() throws PolicyException {
        ToolPolicy policy = policy("{\"version\":1,\"rules\":["
                + "{\"tool\":\"a.b\",\"arguments\":[{\"pointer\":\"/k\",\"required\":true,\"equals\":\"x\"}]},"
                + "{\"tool\":\"a.b\",\"arguments\":[{\"pointer\":\"/k\",\"required\":true,\"equals\":\"y\"},"
                + "{\"pointer\":\"/n\",\"required\":true,\"type\":\"number\"}]}]}");

        Denied denied = denied(policy, "a.b", "{\"k\":\"y\",\"n\":\"1\"}");

        assertThat(denied.operatorSentence())
                .isEqualTo("'a.b': argument '/n' must be of type number");
        assertThat(denied.hints()).containsExactly("edit /rules/1 of 'p.json'");
        assertThat(denied.modelSentence())
                .isEqualTo("not allowed by policy: argument 'n' must be of type number");
    }

    @Test
    void aDenialNamesTheOptionToChange() throws PolicyException {
        ToolPolicy policy =
                ToolPolicy.ofOptions(List.of("f.*"), List.of("f.read:path=/data/public"));

        Denied denied = denied(policy, "f.read", "{\"path\":\"/etc/passwd\"}");

        assertThat(denied.operatorSentence())
                .isEqualTo("'f.read': argument '/path' must be under /data/public");
        assertThat(denied.hints())
                .containsExactly(
                        "change or leave out --allow f.* with --allow-arg 'f.read:path=/data/public'");
        assertThat(denied.modelSentence())
                .isEqualTo(
                        "not allowed by policy: argument 'path' must be an absolute path inside a"
                                + " directory you were given, without '..'");
    }

    @Test
    void optionsAllowWhatTheyNameAndNothingElse() throws PolicyException {
        ToolPolicy policy = ToolPolicy.ofOptions(
                List.of("f.read", "f.read", "g.*"),
                List.of("f.read:path=/w", "f.read:path=/w/x", "g.say:text=glove", "g.eq:a=b=c:d"));

        assertThat(verdict(policy, "f.read", "{\"path\":\"/w/x/y\",\"head\":1}"))
                .isEqualTo("ALLOWED");
        assertThat(verdict(policy, "f.read", "{\"path\":\"/w/y\"}")).isEqualTo("ARGUMENT");
        assertThat(verdict(policy, "f.read", "-")).isEqualTo("ARGUMENT");
        assertThat(verdict(policy, "f.write", "{}")).isEqualTo("UNKNOWN_TOOL");
        assertThat(verdict(policy, "g.say", "{\"text\":\"glove-says-hi\"}")).isEqualTo("ALLOWED");
        assertThat(verdict(policy, "g.say", "{\"text\":\"GLOVE\"}")).isEqualTo("ARGUMENT");
        assertThat(verdict(policy, "g.eq", "{\"a\":\"b=c:d\"}")).isEqualTo("ALLOWED");
        assertThat(verdict(policy, "g.free", "{\"x\":1}")).isEqualTo("ALLOWED");
        assertThat(policy.isVisible(new ToolName("g", "free"))).isTrue();
        assertThat(policy.isVisible(new ToolName("f", "write"))).isFalse();
    }

    @Test
    void withoutRulesEverythingIsDenied() throws PolicyException {
        ToolPolicy policy = ToolPolicy.ofOptions(List.of(), List.of());

        assertThat(verdict(policy, "a.b", "{}")).isEqualTo("UNKNOWN_TOOL");
        assertThat(policy.isVisible(new ToolName("a", "b"))).isFalse();
    }

    @Test
    void optionsThatCannotBeMeantAreRefusedWithWhatToType() {
        refused(List.of("files"), List.of(), "there is no dot", "UPSTREAM.TOOL");
        refused(List.of("a.b*"), List.of(), "neither one tool nor all", "a.*");
        refused(
                List.of("a.b"),
                List.of("a.c:x=y"),
                "has no effect: the tool is not allowed",
                "--allow a.c");
        refused(List.of("ab.c"), List.of("a.c:x=y"), "has no effect", "--allow a.c");
        refused(List.of("a.*"), List.of("a.*:x=y"), "must name one tool", "once for each");
        refused(List.of("a.b"), List.of("a.b"), "names no argument", "FIELD=START");
        refused(List.of("a.b"), List.of("a.b:x"), "names no argument", "FIELD=START");
        refused(List.of("a.b"), List.of("a.b:=y"), "names no argument", "FIELD=START");
        refused(List.of("a.b"), List.of(":x=y"), "names no argument", "FIELD=START");
        refused(List.of("a.b"), List.of("a.b:x=/a/../b"), "'..'", "without '..'");
    }

    /** What would let through more than it seems to, or nothing. */
    @Test
    void anArgumentsBeginningThatLooksLikeSomethingElseIsRefused() throws PolicyException {
        List<String> tools = List.of("a.b");
        refused(tools, List.of("a.b:x="), "would allow all", "leave the option out");
        refused(tools, List.of("a.b:x=/data/*"), "a star is a letter", "without the star");
        refused(tools, List.of("a.b:x=*.txt"), "a star is a letter", "without the star");
        String host = "a host that only begins so";
        refused(tools, List.of("a.b:x=https://example.com"), host, "'https://example.com/'");
        refused(tools, List.of("a.b:x=https://example.com:8"), host, "host_in");
        for (String path : List.of("~/x", "~", ".", "..", "./x", "../x", "x/../y", "x/..")) {
            refused(tools, List.of("a.b:x=" + path), "a relative path", "an absolute path");
        }

        for (String start : List.of("https://example.com/", "owner/", "..x", "glove-", "=")) {
            ToolPolicy policy = ToolPolicy.ofOptions(tools, List.of("a.b:x=" + start));
            assertThat(verdict(policy, "a.b", "{\"x\":\"" + start + "y\"}"))
                    .as("control: " + start)
                    .isEqualTo("ALLOWED");
        }
    }

    private static void refused(
            List<String> allow, List<String> allowArg, String what, String hint) {
        assertThatThrownBy(() -> ToolPolicy.ofOptions(allow, allowArg))
                .isInstanceOfSatisfying(PolicyException.class, e -> {
                    assertThat(e.getMessage()).contains(what);
                    assertThat(e.hints()).anyMatch(line -> line.contains(hint));
                });
    }

    @Test
    void optionsAndAFileMayNotSpeakOfTheSameTools() throws PolicyException {
        ToolPolicy file = policy(
                "{\"version\":1,\"rules\":[{\"tool\":\"a.b\",\"arguments\":[]},{\"tool\":\"a.*\"}]}");

        ToolPolicy both = file.and(ToolPolicy.ofOptions(List.of("a.c", "b.*"), List.of()));

        assertThat(verdict(both, "a.b", "{\"x\":1}")).isEqualTo("ARGUMENT");
        assertThat(verdict(both, "b.x", "{}")).isEqualTo("ALLOWED");
        assertThatThrownBy(() -> file.and(ToolPolicy.ofOptions(List.of("a.b"), List.of())))
                .isInstanceOf(PolicyException.class)
                .hasMessage("a.b has rules in two places: /rules/0 of 'p.json', and --allow a.b");
    }

    @Test
    void aRuleSaysHowLargeAResultMayBe() throws PolicyException {
        ToolPolicy policy = policy(
                "{\"version\":1,\"rules\":[{\"tool\":\"a.b\",\"result_bytes_max\":7},{\"tool\":\"a.*\"}]}");

        assertThat(policy.rules().get(0).resultBytesMax()).isEqualTo(7);
        assertThat(policy.rules().get(1).resultBytesMax()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void namesOfToolsAreTakenApartAtTheFirstDot() {
        assertThat(ToolName.parse("a.b.c")).contains(new ToolName("a", "b.c"));
        for (String none : List.of(
                "",
                "a",
                ".b",
                "a.",
                "a.*",
                "a b.c",
                "a.b c",
                "a__b.c",
                "a/b.c",
                "a.\u0000",
                "\u0430.b")) {
            assertThat(ToolName.parse(none)).as(none).isEmpty();
        }
        assertThat(ToolName.parse("a".repeat(64) + ".b")).isPresent();
        assertThat(ToolName.parse("a".repeat(65) + ".b")).isEmpty();
    }

    private static Denied denied(ToolPolicy policy, String tool, String arguments) {
        return (Denied) decide(policy, tool, arguments, new CallRates(() -> 0)).orElseThrow();
    }

    private static String verdict(ToolPolicy policy, String tool, String arguments) {
        return verdict(policy, tool, arguments, new CallRates(() -> 0));
    }

    private static String verdict(
            ToolPolicy policy, String tool, String arguments, CallRates rates) {
        Optional<Decision> decision = decide(policy, tool, arguments, rates);
        if (decision.isEmpty()) {
            return "NOT_JSON";
        }
        return decision.get() instanceof Denied denied ? denied.reason().name() : "ALLOWED";
    }

    private static Optional<Decision> decide(
            ToolPolicy policy, String tool, String arguments, CallRates rates) {
        Optional<JsonValue> given = Optional.empty();
        if (!arguments.equals("-")) {
            try {
                byte[] bytes = arguments.getBytes(StandardCharsets.UTF_8);
                given = Optional.of(JsonText.value(bytes, JsonLimits.FRAME).root());
            } catch (JsonException e) {
                return Optional.empty();
            }
        }
        return Optional.of(policy.decide(ToolName.parse(tool).orElseThrow(), given, rates));
    }

    static ToolPolicy policy(String text) throws PolicyException {
        return ToolPolicy.ofFile(text.getBytes(StandardCharsets.UTF_8), "p.json");
    }

    /** Only the tool knows whether a text is a path: no value may step out of what it begins with. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "octo/           | octo/repo                     | true",
                "octo/           | octo/a..b/c                   | true",
                "octo/           | octo/../../etc                | false",
                "octo/           | octo/a/..                     | false",
                "octo/           | octo/%2e%2E/etc               | false",
                "octo/           | octo/%252e%252e%252fetc       | false",
                "octo/           | octo/..\\etc                  | false",
                "octo/a          | octo/a/../b                   | false",
                "https://h/pub/  | https://h/pub/x?y=1           | true",
                "https://h/pub/  | https://h/pub/../private      | false",
                "https://h/pub/  | https://h/pub/..;/private     | false",
                "octo/           | octo/.\u0009./etc             | false",
                "octo/           | octo/%2\u0009e%2e/etc         | false",
                "octo/           | octo/%c0%ae%c0%ae/etc         | false",
                "octo/           | octo/..%09/etc                | false",
                "octo/           | octo/..%23/etc                | false",
                "octo/           | octo/\uff0e\uff0e/etc          | false",
                "octo/           | octo/\u2025/etc               | false",
                "octo/           | octo/\u00e9.\u2026/etc        | true",
                "file:///data/p/ | file:///data/p/x              | true",
                "file:///data/p/ | file:///data/p/../../etc      | false",
            })
    void aPrefixIsNotSteppedOutOf(String prefix, String value, boolean isAllowed) throws Exception {
        ToolPolicy policy = ToolPolicy.ofOptions(List.of("f.read"), List.of("f.read:a=" + prefix));
        byte[] json =
                new JsonWriter().beginObject().member("a", value).endObject().toBytes();
        Decision decision = policy.decide(
                ToolName.parse("f.read").orElseThrow(),
                Optional.of(JsonText.value(json, JsonLimits.FRAME).root()),
                new CallRates(() -> 0));

        assertThat(decision instanceof Decision.Allowed).isEqualTo(isAllowed);
    }

    @Test
    void aFileUrlThatOnlyBeginsSoIsRefused() {
        assertThatThrownBy(() -> ToolPolicy.ofOptions(
                        List.of("f.read"), List.of("f.read:a=file:///data/public")))
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining("only begins so");
    }
}
