package glove.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

@Tag("unit")
final class JsonStringTest {
    private static String decoded(String json) {
        byte[] bytes = ("x\"" + json + "\"y").getBytes(StandardCharsets.UTF_8);
        return JsonString.decode(bytes, 1);
    }

    @Test
    void everyCharacterIsTheSameEscapedAndAsItIs() {
        HexFormat hex = HexFormat.of();
        for (int point = 0; point <= 0x10ffff; point += point < 0x11000 ? 1 : 0xfb) {
            if (point >= 0xd800 && point <= 0xdfff) {
                continue;
            }
            String character = Character.toString(point);
            StringBuilder escaped = new StringBuilder();
            for (int i = 0; i < character.length(); i++) {
                escaped.append("\\u").append(hex.toHexDigits(character.charAt(i)));
            }

            assertThat(decoded(escaped + "z")).as("U+%x", point).isEqualTo(character + "z");
            assertThat(decoded("\\\\" + escaped + "\\\"" + escaped))
                    .isEqualTo("\\" + character + "\"" + character);
            if (point > ' ' && point != '"' && point != '\\') {
                assertThat(decoded("\\n" + character)).isEqualTo("\n" + character);
            }
        }
    }

    @Test
    void theNamedEscapesStandForTheirCharacters() {
        assertThat(decoded("\\b\\f\\n\\r\\t\\/\\\"\\\\u0041")).isEqualTo("\b\f\n\r\t/\"\\u0041");
    }
}
