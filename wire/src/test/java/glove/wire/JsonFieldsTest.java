package glove.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

@Tag("unit")
final class JsonFieldsTest {
    private static JsonFields fields(String json, JsonProblems problems) throws JsonException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return JsonFields.of(JsonText.value(bytes, JsonLimits.FILE).root(), problems);
    }

    /** The problems that reading a document in some way has. */
    private static List<String> problems(String json, Consumer<JsonFields> reading)
            throws JsonException {
        JsonProblems problems = JsonProblems.all(100);
        JsonFields fields = fields(json, problems);
        reading.accept(fields);
        fields.end();
        List<String> words = new ArrayList<>();
        problems.list().forEach(problem -> words.add(problem.toString()));
        return words;
    }

    @Test
    void everyTypeIsReadInAnyOrder() throws Exception {
        JsonProblems problems = JsonProblems.first();
        JsonFields fields = fields(
                "{\"o\":{\"x\":1},\"s\":\"a\\\"b\",\"u8\":255,\"u16\":65535,\"u32\":4294967295,"
                        + "\"u64\":18446744073709551615,\"i32\":-2147483648,"
                        + "\"i64\":-9223372036854775808,\"b\":true,\"id\":\"a:b\","
                        + "\"list\":[\"x\",\"y\"],\"objects\":[{\"n\":1},{\"n\":2}],\"null\":null}",
                problems);

        assertThat(fields.u64("u64")).isEqualTo(U64.MAX);
        assertThat(fields.u8("u8")).isEqualTo(255);
        assertThat(fields.u16("u16")).isEqualTo(65535);
        assertThat(fields.u32("u32")).isEqualTo(4294967295L);
        assertThat(fields.i32("i32")).isEqualTo(Integer.MIN_VALUE);
        assertThat(fields.i64("i64")).isEqualTo(Long.MIN_VALUE);
        assertThat(fields.bool("b")).isTrue();
        assertThat(fields.string("s")).isEqualTo("a\"b");
        assertThat(fields.value("id", Id128.CLASS)).isEqualTo(new Id128("a:b"));
        assertThat(fields.strings("list", 2)).containsExactly("x", "y");
        assertThat(fields.object("o").u8("x")).isEqualTo(1);
        int sum = 0;
        for (JsonFields object : fields.objects("objects", 2)) {
            sum += object.u8("n");
            object.end();
        }
        assertThat(sum).isEqualTo(3);
        assertThat(fields.optionalString("null")).isEmpty();
        assertThat(fields.optionalString("nowhere")).isEmpty();
        assertThat(fields.optionalI32("i32")).hasValue(Integer.MIN_VALUE);
        fields.end();
        assertThat(problems.list()).isEmpty();
    }

    @Test
    void aNumberMustFitAndBePlain() throws Exception {
        for (String bad : List.of(
                "256",
                "-1",
                "-0",
                "1.0",
                "1e1",
                "1E1",
                "\"1\"",
                "null",
                "true",
                "99999999999999999999999")) {
            assertThat(problems("{\"n\":" + bad + "}", fields -> fields.u8("n")))
                    .as(bad)
                    .singleElement()
                    .asString()
                    .startsWith("'/n' is ")
                    .endsWith(": write a whole number from 0 to 255");
        }
        for (String bad : List.of(
                "2147483648",
                "-2147483649",
                "-0",
                "1.5",
                "18446744073709551615",
                "-18446744073709551615",
                "-9223372036854775808")) {
            assertThat(problems("{\"n\":" + bad + "}", fields -> fields.i32("n")))
                    .as(bad)
                    .hasSize(1);
        }
        for (String bad : List.of("9223372036854775808", "-9223372036854775809")) {
            assertThat(problems("{\"n\":" + bad + "}", fields -> fields.i64("n")))
                    .as(bad)
                    .hasSize(1);
        }
        assertThat(problems("{\"n\":18446744073709551616}", fields -> fields.u64("n")))
                .hasSize(1);
    }

    @Test
    void allProblemsAreFoundTogetherEachWithItsPlace() throws Exception {
        List<String> found = problems(
                "{\"acess\":\"read\",\"grants\":[{\"alias\":\"a b\"},3,{\"alias\":\"c\",\"x/y~\":1}],"
                        + "\"rules\":[\"a\",1],\"more\":null}",
                fields -> {
                    fields.string("access");
                    for (JsonFields grant : fields.objects("grants", 3)) {
                        grant.value("alias", Alias.CLASS);
                        grant.end();
                    }
                    fields.values("rules", 4, Id128.CLASS);
                    fields.bool("more");
                });

        assertThat(found)
                .containsExactly(
                        "'/access' is missing: write a string",
                        "'/grants/1' is a number: write an object {...}",
                        "'/grants/0/alias' is 'a b': write 1 to 128 letters, digits and '_', '.', '-'",
                        "'/grants/2/x~1y~0' is unknown: leave it out",
                        "'/rules/1' is a number: write 1 to 128 letters, digits and '_', '.', ':', '-'",
                        "'/more' is null: write true or false",
                        "'/acess' is unknown: did you mean 'access'?");
    }

    @Test
    void whoWantsTheFirstProblemOnlyGetsThat() throws Exception {
        JsonProblems problems = JsonProblems.first();
        JsonFields fields = fields("{}", problems);
        fields.u8("a");
        fields.u8("b");

        assertThat(problems.firstInWords())
                .isEqualTo("'/a' is missing: write a whole number from 0 to 255");
        assertThat(problems.left()).isEqualTo(1);
    }

    @Test
    void problemsAreOneLineWhateverANameHolds() throws Exception {
        String name = "\\u001b[2J\\n\u00e9" + "x".repeat(300);
        assertThat(problems("{\"" + name + "\":1}", fields -> {}))
                .singleElement()
                .asString()
                .startsWith("'/?[2J??xxx")
                .matches("\\p{Print}{100,500}");
    }

    @Test
    void aListHasABound() throws Exception {
        assertThat(problems("{\"l\":[\"a\",\"b\",\"c\"]}", fields -> fields.strings("l", 2)))
                .containsExactly("'/l' has 3 elements: write at most 2");
    }

    @Test
    void aNameWrittenWithEscapesIsRefusedEvenWhenItIsKnown() throws Exception {
        assertThat(problems("{\"\\u0069d\":1}", fields -> fields.u8("id")))
                .containsExactly("'/id' has a name with escapes: write the name itself");
    }

    /** Of a document that somebody else wrote, shown at a terminal. */
    @Test
    void aNameThatWouldChangeATerminalIsNotShownAsItIs() throws Exception {
        for (String name :
                new String[] {"\\u001b]0;x\\u0007", "\u202e", "\u00e9", "a".repeat(900)}) {
            assertThat(problems("{\"" + name + "\":1}", fields -> {}))
                    .singleElement()
                    .asString()
                    .matches("\\p{Print}{1,500}")
                    .startsWith("'/");
        }
    }

    @Test
    void whatIsNoObjectIsOneProblem() throws Exception {
        assertThat(problems("[1]", fields -> {
                    fields.u8("id");
                    fields.object("o").string("s");
                    fields.strings("l", 1);
                }))
                .containsExactly("the document is an array: write an object {...}");
    }

    @Test
    void missingMembersHaveDefaultsOnlyForWhoSaysSo() throws Exception {
        Consumer<JsonFields> reading = fields -> {
            assertThat(fields.u16Or("port", 443)).isEqualTo(443);
            assertThat(fields.u64("n")).isZero();
            assertThat(fields.strings("l", 1)).isEmpty();
            assertThat(fields.string("s")).isEmpty();
            assertThat(fields.object("o").bool("b")).isFalse();
        };

        assertThat(problems("{}", fields -> reading.accept(fields.missingIsDefault())))
                .isEmpty();
        assertThat(problems("{}", reading)).hasSize(4);
        assertThat(problems("{}", fields -> fields.missingIsDefault().value("id", Id128.CLASS)))
                .singleElement()
                .asString()
                .startsWith("'/id' is missing");
        assertThat(problems("{\"port\":null}", fields -> fields.u16Or("port", 443)))
                .hasSize(1);
        assertThat(problems("{\"s\":null}", fields -> fields.missingIsDefault().string("s")))
                .hasSize(1);
    }

    @Test
    void aTableIsReadByItsNames() throws Exception {
        JsonProblems problems = JsonProblems.first();
        JsonFields table = fields("{\"b\":2,\"a\":-1}", problems);
        long sum = 0;
        for (String name : table.names()) {
            sum += table.i64(name);
        }
        table.end();

        assertThat(sum).isEqualTo(1);
        assertThat(problems.isEmpty()).isTrue();
    }
}
