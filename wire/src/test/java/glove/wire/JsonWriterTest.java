package glove.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

@Tag("unit")
final class JsonWriterTest {
    @Test
    void writesMembersInTheOrderTheyAreGiven() {
        String json = new JsonWriter()
                .beginObject()
                .member("z", "a")
                .member("a", -1)
                .member("t", true)
                .name("list")
                .beginArray()
                .value(1)
                .beginObject()
                .endObject()
                .value("x")
                .endArray()
                .endObject()
                .toJson();

        assertThat(json).isEqualTo("{\"z\":\"a\",\"a\":-1,\"t\":true,\"list\":[1,{},\"x\"]}");
    }

    @Test
    void putsCheckedTextInAsItIs() throws JsonException {
        byte[] sent = "{\"a\":[-0.0, 1E2]}".getBytes(StandardCharsets.UTF_8);
        JsonValue value = JsonText.value(sent, JsonLimits.FRAME).root();

        JsonWriter json = new JsonWriter().beginArray().value(value).nullValue().value(value);

        assertThat(new String(json.endArray().toBytes(), StandardCharsets.UTF_8))
                .isEqualTo("[{\"a\":[-0.0, 1E2]},null,{\"a\":[-0.0, 1E2]}]");
    }

    @Test
    void escapesQuotesBackslashesAndTheNamedControls() {
        assertThat(string("\"\\\n\r\t")).isEqualTo("\"\\\"\\\\\\n\\r\\t\"");
    }

    @Test
    void leavesNoControlCharacterInTheOutput() {
        for (char c = 0; c < 0xa0; c++) {
            String json = string(String.valueOf(c));

            assertThat(json.chars()).as("U+%04x", (int) c).allMatch(out -> out >= ' ' && out < 127);
        }
        assertThat(string("\0\u001f\u007f\u009b")).isEqualTo("\"\\u0000\\u001f\\u007f\\u009b\"");
    }

    @Test
    void keepsPairsAndReplacesLoneSurrogates() {
        assertThat(string("\ud83e\udde4é")).isEqualTo("\"\ud83e\udde4é\"");
        assertThat(string("a\ud83e")).isEqualTo("\"a\ufffd\"");
        assertThat(string("\udde4\ud83e")).isEqualTo("\"\ufffd\ufffd\"");
    }

    @Test
    void escapesNamesToo() {
        String json =
                new JsonWriter().beginObject().member("a\"b", 1).endObject().toJson();

        assertThat(json).isEqualTo("{\"a\\\"b\":1}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"value in object", "name in array", "two names", "two documents", "bad end"})
    void refusesWhatWouldNotBeJson(String misuse) {
        JsonWriter writer = new JsonWriter();

        assertThatIllegalStateException().isThrownBy(() -> {
            switch (misuse) {
                case "value in object" -> writer.beginObject().value(1);
                case "name in array" -> writer.beginArray().name("a");
                case "two names" -> writer.beginObject().name("a").name("b");
                case "two documents" -> writer.value(1).value(2);
                default -> writer.beginObject().endArray();
            }
        });
    }

    @Test
    void refusesToGiveAnUnfinishedDocument() {
        assertThatIllegalStateException().isThrownBy(() -> new JsonWriter().toJson());
        assertThatIllegalStateException()
                .isThrownBy(() -> new JsonWriter().beginArray().toJson());
        assertThatIllegalStateException()
                .isThrownBy(() -> new JsonWriter().beginObject().name("a").endObject());
    }

    @Test
    void nestsToALimit() {
        JsonWriter writer = new JsonWriter();
        for (int i = 0; i < 64; i++) {
            writer.beginArray();
        }

        assertThatIllegalStateException().isThrownBy(writer::beginArray);
    }

    private static String string(String text) {
        return new JsonWriter().value(text).toJson();
    }
}
