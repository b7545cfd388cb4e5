package glove.wire;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Text of 1 to so many bytes of UTF-8 without control characters of ASCII. Immutable.
 *
 * @param bytesMax how long one may be
 */
public record Token(int bytesMax) implements ValueClass<String> {
    /** At least one byte may be written. */
    public Token {
        if (bytesMax < 1) {
            throw new IllegalArgumentException("a bound that lets nothing through");
        }
    }

    @Override
    public Optional<String> parse(String text) {
        boolean plain = !text.isEmpty() && text.length() <= bytesMax;
        for (int i = 0; plain && i < text.length(); i++) {
            plain = text.charAt(i) >= ' ' && text.charAt(i) != 0x7f;
        }
        return plain && text.getBytes(StandardCharsets.UTF_8).length <= bytesMax
                ? Optional.of(text)
                : Optional.empty();
    }

    @Override
    public String words() {
        return "1 to " + bytesMax + " bytes without control characters";
    }

    @Override
    public String standIn() {
        return "-";
    }
}
