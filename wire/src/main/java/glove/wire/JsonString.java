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

    private static String decode(byte[] bytes, int from, int to) {
        int escape = escape(bytes, from, to);
        if (escape == to) {
            return new String(bytes, from, to - from, StandardCharsets.UTF_8);
        }
        StringBuilder text = new StringBuilder(to - from);
        int plain = from;
        while (escape < to) {
            text.append(new String(bytes, plain, escape - plain, StandardCharsets.UTF_8));
            plain = escape + 2;
            switch (bytes[escape + 1]) {
                case 'u' -> {
                    text.append((char) unit(bytes, escape + 2));
                    plain = escape + 6;
                }
                case 'b' -> text.append('\b');
                case 'f' -> text.append('\f');
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case 't' -> text.append('\t');
                default -> text.append((char) bytes[escape + 1]);
            }
            escape = escape(bytes, plain, to);
        }
        text.append(new String(bytes, plain, to - plain, StandardCharsets.UTF_8));
        return text.toString();
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
