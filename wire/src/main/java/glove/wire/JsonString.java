package glove.wire;

import java.nio.charset.StandardCharsets;

/** Strings of a text that was checked, in place. Stateless. */
final class JsonString {
    private JsonString() {}

    /** Behind the closing quote of the string whose opening quote is there. */
    static int end(byte[] bytes, int start) {
        int at = start + 1;
        while (bytes[at] != '"') {
            at += bytes[at] == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    /** What stands between the quotes. */
    static String decode(byte[] bytes, int start) {
        return decode(bytes, start + 1, end(bytes, start) - 1);
    }

    /** The same where it is known that the closing quote is at {@code to}. */
    static String decode(byte[] bytes, int from, int to) {
        int escape = escape(bytes, from, to);
        if (escape == to) {
            return new String(bytes, from, to - from, StandardCharsets.UTF_8);
        }
        // An escape is longer than what it stands for, in UTF-8 too.
        byte[] text = new byte[to - from];
        int length = escape - from;
        System.arraycopy(bytes, from, text, 0, length);
        int at = escape;
        while (at < to) {
            byte b = bytes[at];
            if (b != '\\') {
                text[length++] = b;
                at++;
            } else if (bytes[at + 1] != 'u') {
                text[length++] = named(bytes[at + 1]);
                at += 2;
            } else {
                int point = unit(bytes, at + 2);
                at += 6;
                if (point >= 0xd800 && point <= 0xdbff) { // the other half follows: it was checked
                    point = Character.toCodePoint((char) point, (char) unit(bytes, at + 2));
                    at += 6;
                }
                length = encode(point, text, length);
            }
        }
        return new String(text, 0, length, StandardCharsets.UTF_8);
    }

    private static byte named(byte escaped) {
        return switch (escaped) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> escaped;
        };
    }

    /** In UTF-8; where the next character goes. */
    private static int encode(int point, byte[] text, int start) {
        int at = start;
        if (point < 0x80) {
            text[at++] = (byte) point;
            return at;
        }
        int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
        int lead = (0xff00 >> (more + 1)) & 0xff;
        text[at++] = (byte) (lead | (point >> (6 * more)));
        for (int left = more - 1; left >= 0; left--) {
            text[at++] = (byte) (0x80 | ((point >> (6 * left)) & 0x3f));
        }
        return at;
    }

    /** Whether the string there is this one; mostly without decoding it. */
    static boolean is(byte[] bytes, int start, String text) {
        int at = start + 1;
        for (int i = 0; i < text.length(); i++) {
            byte b = bytes[at + i];
            if (b == '\\' || text.charAt(i) > 0x7f) {
                return decode(bytes, start).equals(text);
            }
            if (b == '"' || b != text.charAt(i)) {
                return false;
            }
        }
        return bytes[at + text.length()] == '"';
    }

    private static int escape(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != '\\') {
            at++;
        }
        return at;
    }

    private static int unit(byte[] bytes, int at) {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            unit = unit << 4 | Character.digit(bytes[at + i], 16);
        }
        return unit;
    }
}
