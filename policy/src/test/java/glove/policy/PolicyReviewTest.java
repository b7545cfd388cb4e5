package glove.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

@Tag("unit")
final class PolicyReviewTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"required\":true,\"type\":\"number\",\"under\":\"/a\"",
                "\"required\":true,\"type\":\"string\",\"in\":[1,2]",
                "\"required\":true,\"equals\":\"b\",\"prefix\":\"a\"",
                "\"required\":true,\"in\":[\"/b\",\"/c\"],\"under\":\"/a\"",
                "\"required\":true,\"in\":[1,5],\"range\":{\"min\":6}",
                "\"required\":true,\"prefix\":\"abc\",\"max_len\":2",
                "\"required\":true,\"max_items\":1,\"max_len\":1",
            })
    void aRuleThatCanNeverMatchIsTold(String demand) throws PolicyException {
        assertThat(warnings(
                        "{\"tool\":\"a.b\",\"arguments\":[{\"pointer\":\"/x\"," + demand + "}]}"))
                .containsExactly(
                        "/rules/0 of 'p.json': it can never allow a call: no value of '/x' would do");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"pointer\":\"/x\",\"absent\":true},{\"pointer\":\"/x\",\"required\":true}",
                "{\"pointer\":\"\",\"absent\":true},{\"pointer\":\"/x\",\"required\":true}",
                "{\"pointer\":\"/o\",\"required\":true,\"type\":\"string\"},{\"pointer\":\"/o/x\",\"required\":true}",
                "{\"pointer\":\"/o\",\"required\":true,\"keys_only\":[\"y\"]},"
                        + "{\"pointer\":\"/o/x\",\"required\":true}",
                "{\"pointer\":\"/x\",\"required\":true,\"equals\":1},"
                        + "{\"pointer\":\"/x\",\"required\":true,\"equals\":2}",
            })
    void argumentsThatExcludeEachOtherAreTold(String arguments) throws PolicyException {
        assertThat(warnings("{\"tool\":\"a.b\",\"arguments\":[" + arguments
                        + "],\"other_arguments\":\"allow\"}"))
                .isNotEmpty()
                .allMatch(line -> line.contains("it can never allow a call: no value of "));
    }

    @Test
    void whatCouldMatchIsNotTold() throws PolicyException {
        assertThat(warnings("{\"tool\":\"a.b\",\"arguments\":["
                        + "{\"pointer\":\"/o\",\"required\":true,\"type\":[\"object\",\"string\"],"
                        + "\"keys_only\":[\"x\"]},"
                        + "{\"pointer\":\"/o/x\",\"required\":true,\"in\":[1,\"/a\"],\"under\":\"/a\"},"
                        + "{\"pointer\":\"/p\",\"required\":true,\"prefix\":[\"abc\",\"a\"],\"max_len\":2},"
                        + "{\"pointer\":\"/q\",\"absent\":true}]}"))
                .isEmpty();
    }

    @Test
    void anOptionalArgumentThatCanOnlyBeMissingIsTold() throws PolicyException {
        assertThat(warnings(
                        "{\"tool\":\"a.b\",\"arguments\":[{\"pointer\":\"/x\",\"required\":false,"
                                + "\"type\":\"null\",\"max_len\":1}]}"))
                .containsExactly(
                        "/rules/0 of 'p.json': '/x' may only be left out: no value of it would do");
    }

    @Test
    void rulesWithoutEffectAreTold() throws PolicyException {
        String any = "{\"tool\":\"a.b\"}";
        String none = "{\"tool\":\"a.b\",\"arguments\":[]}";

        assertThat(warnings(none + "," + any))
                .containsExactly(
                        "/rules/0 of 'p.json': it has no effect: /rules/1 of 'p.json' allows every call of"
                                + " the same");
        assertThat(warnings(any + "," + none)).singleElement().asString().startsWith("/rules/1 ");
        assertThat(warnings(any + "," + any)).singleElement().asString().startsWith("/rules/1 ");
        assertThat(warnings(none + ",{\"tool\":\"a.*\"}"))
                .containsExactly(
                        "/rules/1 of 'p.json': it does not apply to 'a.b', which /rules/0 of 'p.json' is about");
        assertThat(warnings(none + ",{\"tool\":\"b.*\"},{\"tool\":\"a.c\"}")).isEmpty();
    }

    @Test
    void whatLetsMoreThroughThanItSeemsIsTold() throws PolicyException {
        assertThat(warnings(
                        "{\"tool\":\"a.b\",\"arguments\":[{\"pointer\":\"/x\",\"required\":true,"
                                + "\"prefix\":\"/a\"},"
                                + "{\"pointer\":\"/y\",\"required\":true,\"under\":\"/\"},"
                                + "{\"pointer\":\"\",\"required\":true}]}"))
                .hasSize(3)
                .anyMatch(line -> line.contains("'under' does not"))
                .anyMatch(line -> line.contains("every absolute path"))
                .anyMatch(line -> line.contains("means all arguments"));
        assertThat(warnings("{\"tool\":\"a.re\u0430d\"}"))
                .singleElement()
                .asString()
                .contains("'re\\u0430d'");
        assertThat(warnings("{\"tool\":\"a.b\",\"argument_bytes_max\":1}"))
                .singleElement()
                .asString()
                .contains("can never allow");
        assertThat(warnings("")).containsExactly("no tool is allowed");
    }

    @Test
    void aRuleIsDescribedInALine() throws PolicyException {
        ToolPolicy policy =
                policy("{\"tool\":\"a.b\",\"arguments\":[{\"pointer\":\"/p\",\"required\":true,"
                        + "\"type\":\"string\",\"under\":[\"/a\",\"/b\"]},"
                        + "{\"pointer\":\"/q\",\"required\":false,\"in\":[1,\"x\"]},"
                        + "{\"pointer\":\"/r\",\"absent\":true}],\"rate\":{\"calls\":1,\"seconds\":2},"
                        + "\"argument_bytes_max\":3,\"result_bytes_max\":4},{\"tool\":\"c.*\"},"
                        + "{\"tool\":\"d.e\",\"arguments\":[]}");

        List<String> lines = policy.rules().stream().map(PolicyReview::describe).toList();

        assertThat(lines)
                .containsExactly(
                        "'a.b': '/p' required, of type string, under /a or /b; '/q' optional, '1' or '\"x\"';"
                                + " '/r' absent; no others; 1 call in 2 s; at most 3 bytes in; at most 4 bytes out",
                        "'c.*': any arguments",
                        "'d.e': no arguments");
    }

    private static List<String> warnings(String rules) throws PolicyException {
        return PolicyReview.warnings(policy(rules));
    }

    private static ToolPolicy policy(String rules) throws PolicyException {
        return ToolPolicyTest.policy("{\"version\":1,\"rules\":[" + rules + "]}");
    }
}
