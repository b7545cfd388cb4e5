package glove.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

@Tag("unit")
final class CanonicalJsonTest {
    private static final HexFormat HEX = HexFormat.of();

    /** Where ours differs: a control character without a short escape is written as an escape. */
    private static boolean isBareControl(String text) {
        return text.chars().anyMatch(c -> c < ' ' && "\b\f\n\r\t".indexOf(c) < 0);
    }

    @Test
    void everyStringIsWrittenAsOtherImplementationsWriteIt() throws Exception {
        int same = 0;
        int escaped = 0;
        for (JsonValue one : Vectors.cases("canonical_json_strings.json")) {
            String name = Vectors.string(one, "name");
            byte[] raw = HEX.parseHex(Vectors.string(one, "string_hex"));
            byte[] expected = HEX.parseHex(Vectors.string(one, "encoded_string_hex"));
            String text;
            try {
                text = StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(raw))
                        .toString();
            } catch (CharacterCodingException e) {
                continue; // no text of ours can hold it
            }

            byte[] written = JsonWriter.canonical().value(text).toBytes();

            if (isBareControl(text)) {
                assertThat(new String(written, StandardCharsets.UTF_8)).contains("\\u00");
                escaped++;
            } else {
                assertThat(written).as(name).isEqualTo(expected);
                same++;
            }
            assertThat(JsonText.value(written, JsonLimits.FRAME).root().string())
                    .as(name)
                    .isEqualTo(text);
        }
        assertThat(same).isGreaterThan(70);
        assertThat(escaped).isGreaterThan(10);
    }

    @Test
    void numbersWithoutSignArePlainDecimal() {
        JsonWriter json = JsonWriter.canonical().beginObject();
        json.unsigned("none", 0).unsigned("most", U64.MAX).member("i", -1).member("b", true);

        assertThat(json.name("a").beginArray().endArray().endObject().toJson())
                .isEqualTo(
                        "{\"none\":0,\"most\":18446744073709551615,\"i\":-1,\"b\":true,\"a\":[]}");
    }

    @Test
    void halfASurrogatePairIsRefusedAndNotReplaced() {
        for (String half : new String[] {"\ud800", "a\udc00b", "\udc00\ud800"}) {
            assertThatThrownBy(() -> JsonWriter.canonical().value(half))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(JsonWriter.canonical().value("\ud83d\ude00").toJson())
                .isEqualTo("\"\ud83d\ude00\"");
    }
}
