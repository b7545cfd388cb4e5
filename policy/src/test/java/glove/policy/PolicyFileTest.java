package glove.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.wire.JsonException;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

@Tag("unit")
final class PolicyFileTest {
    private static final Path ROOT = Path.of(System.getProperty("glove.root"));

    @Test
    void theReaderAndThePublishedSchemaSayTheSameOfEachFileOfTheTable()
            throws IOException, JsonException {
        SchemaCheck schema = schema();
        List<String> wrong = new ArrayList<>();
        int files = 0;

        for (String line : Tables.lines("files.txt")) {
            String[] parts = line.split("\t", -1);
            String reader = reader(parts[1]);
            boolean taken = reader.isEmpty();
            boolean accepted = schema.accepts(json(parts[1]));
            if (taken != parts[0].equals("OK") || accepted == parts[0].equals("REFUSED")) {
                wrong.add(line + " reader: " + reader + ", schema accepts: " + accepted);
            } else if (!taken && !reader.contains(parts[2])) {
                wrong.add(line + " said: " + reader);
            }
            files++;
        }

        assertThat(wrong).isEmpty();
        assertThat(files).isGreaterThan(70);
    }

    @Test
    void whatIsNoStrictJsonIsRefusedWithItsLine() {
        refused(
                "{\n\"version\":1,\n\"rules\":[]\n}x",
                "'p.json', line 4: it is not strict JSON: something behind");
        refused(
                "{\"version\":1,\n\"version\":1,\"rules\":[]}",
                "line 2: it is not strict JSON: Duplicate");
        refused("// mine\n{}", "line 1");
        refused("", "nothing at byte 0");
        refused("{\"version\":1,\"rules\":[],}", "line 1");
        refused(" ".repeat((1 << 20) + 1), "more than 1048576");
    }

    @Test
    void messagesHoldNothingThatATerminalObeys() {
        refused(
                "{\"version\":1,\"rules\":[],\"\\u001b[2J\\u202e\":1}",
                "unknown key '\\u001b[2J\\u202e'");
    }

    @Test
    void anErrorSaysWhichKeysThereAre() {
        assertThatThrownBy(() -> ToolPolicyTest.policy(
                        "{\"version\":1,\"rules\":[{\"tool\":\"a.b\",\"rates\":1}]}"))
                .isInstanceOfSatisfying(PolicyException.class, e -> {
                    assertThat(e).hasMessage("'p.json' at /rules/0: unknown key 'rates'");
                    assertThat(e.hints())
                            .containsExactly(
                                    "keys here are tool, comment, arguments, other_arguments, rate,"
                                            + " argument_bytes_max, result_bytes_max");
                });
    }

    @Test
    void theExamplesOfTheDocumentationAreTaken()
            throws IOException, JsonException, PolicyException {
        String text = Files.readString(ROOT.resolve("docs/tool-policy.md"));
        SchemaCheck schema = schema();
        int examples = 0;

        for (int at = text.indexOf("```json\n"); at >= 0; at = text.indexOf("```json\n", at + 1)) {
            String example = text.substring(at + 8, text.indexOf("```\n", at + 8));
            ToolPolicy policy = ToolPolicyTest.policy(example);
            assertThat(PolicyReview.warnings(policy)).isEmpty();
            assertThat(schema.accepts(json(example))).isTrue();
            examples++;
        }

        assertThat(examples).isPositive();
    }

    private static void refused(String file, String what) {
        assertThat(reader(file)).contains(what).matches("[ -~]+");
    }

    /** What the reader says; empty when it takes the file. */
    private static String reader(String file) {
        try {
            ToolPolicyTest.policy(file);
            return "";
        } catch (PolicyException e) {
            return e.getMessage();
        }
    }

    private static SchemaCheck schema() throws IOException, JsonException {
        return new SchemaCheck(
                json(Files.readString(ROOT.resolve("docs/schemas/tool-policy.schema.json"))));
    }

    private static JsonValue json(String text) throws JsonException {
        return JsonText.value(text.getBytes(StandardCharsets.UTF_8), JsonLimits.FILE)
                .root();
    }
}
