package glove.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

@Tag("unit")
final class JsonPointerTest {
    /** The document of RFC 6901, section 5, with some more. */
    private static final String DOCUMENT =
            "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3,"
                    + "\"g|h\":4,\"i\\\\j\":5,\"k\\\"l\":6,\" \":7,\"m~n\":8,\"01\":9,\"-\":10,\"~1\":11,"
                    + "\"o\":{\"0\":12,\"\":{\"\":13}},\"n\":[[14,[15]]]}";

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "/foo/0;\"bar\"",
                "/foo/1;\"baz\"",
                "/;0",
                "/a~1b;1",
                "/c%d;2",
                "/e^f;3",
                "/g|h;4",
                "/i\\j;5",
                "/k\"l;6",
                "/ ;7",
                "/m~0n;8",
                "/01;9",
                "/-;10",
                "/~01;11",
                "/o/0;12",
                "/o//;13",
                "/n/0/0;14",
                "/n/0/1/0;15",
                "/foo;[\"bar\",\"baz\"]"
            })
    void leadsToTheValue(String pointer, String expected) throws JsonException {
        assertThat(find(pointer)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/Foo",
                "/foo/2",
                "/foo/-",
                "/foo/00",
                "/foo/01",
                "/foo/+1",
                "/foo/-1",
                "/foo/1e0",
                "/foo/",
                "/foo/0/0",
                "/foo/4294967296",
                "/foo/99999999999999999999",
                "/foo/\u0661",
                "/o/00",
                "//",
                "/a",
                "/n/1"
            })
    void leadsNowhere(String pointer) throws JsonException {
        assertThat(find(pointer)).isEqualTo("nowhere");
    }

    @ParameterizedTest
    @ValueSource(strings = {"foo", "#/foo", "~", "/~", "/~2", "/a~", "/~~", " /foo", "/foo/~a"})
    void isNoPointer(String text) {
        assertThat(JsonPointer.parse(text)).isEmpty();
    }

    @Test
    void theEmptyOneIsTheValueItself() throws JsonException {
        assertThat(find("")).isEqualTo(DOCUMENT);
    }

    @Test
    void aMembersPointerIsWrittenEscaped() {
        JsonPointer pointer = JsonPointer.ofMember("~a/b");

        assertThat(pointer).hasToString("/~0a~1b");
        assertThat(JsonPointer.parse(pointer.toString())).contains(pointer);
        assertThat(pointer.steps()).containsExactly("~a/b");
    }

    private static String find(String pointer) throws JsonException {
        byte[] bytes = DOCUMENT.getBytes(StandardCharsets.UTF_8);
        JsonValue root = JsonText.value(bytes, JsonLimits.FRAME).root();
        return JsonPointer.parse(pointer)
                .orElseThrow()
                .find(root)
                .map(JsonValue::toJson)
                .orElse("nowhere");
    }
}
