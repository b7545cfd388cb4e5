package glove.app;

/**
 * Words of others so that a terminal shows them and obeys none, and a person sees all there is:
 * what is invisible or changes direction stands there as an escape. Stateless.
 */
final class TerminalText {
    private static final char[] HEX = "0123456789abcdef".toCharArray();
    private static final int BMP_LAST = 0xffff;
    private static final int BMP_DIGITS = 4;
    private static final int FULL_DIGITS = 8;
    private static final int DIGIT_BITS = 4;

    /** Letters and marks that show nothing: fillers, selectors of variants, empty Braille. */
    private static final int[][] INVISIBLE = {
        {0x034f, 0x034f},
        {0x115f, 0x1160},
        {0x17b4, 0x17b5},
        {0x180b, 0x180f},
        {0x2800, 0x2800},
        {0x3164, 0x3164},
        {0xfe00, 0xfe0f},
        {0xffa0, 0xffa0},
        {0xe0000, 0xe0fff},
    };

    private TerminalText() {}

    /** As it is but for what may not be shown. */
    static String of(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); ) {
            int letter = text.codePointAt(i);
            append(out, letter);
            i += Character.charCount(letter);
        }
        return out.toString();
    }

    /** In double quotes; a backslash or quote of its own has a backslash in front. */
    static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); ) {
            int letter = text.codePointAt(i);
            if (letter == '"' || letter == '\\') {
                out.append('\\').append((char) letter);
            } else {
                append(out, letter);
            }
            i += Character.charCount(letter);
        }
        return out.append('"').toString();
    }

    /** A JSON document that says the same: what may not be shown stands there as an escape. */
    static String json(String document) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < document.length(); ) {
            int letter = document.codePointAt(i);
            int units = Character.charCount(letter);
            if (letter < ' ' || isShown(letter)) {
                out.appendCodePoint(letter); // in JSON controls stand between values only
            } else {
                for (int unit = i; unit < i + units; unit++) {
                    escape(out, document.charAt(unit));
                }
            }
            i += units;
        }
        return out.toString();
    }

    private static void append(StringBuilder out, int letter) {
        switch (letter) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                if (isShown(letter)) {
                    out.appendCodePoint(letter);
                } else {
                    escape(out, letter);
                }
            }
        }
    }

    private static void escape(StringBuilder out, int letter) {
        boolean small = letter <= BMP_LAST;
        out.append(small ? "\\u" : "\\U");
        for (int i = (small ? BMP_DIGITS : FULL_DIGITS) - 1; i >= 0; i--) {
            out.append(HEX[(letter >> (i * DIGIT_BITS)) & 15]);
        }
    }

    private static boolean isShown(int letter) {
        if (letter >= ' ' && letter < 0x7f) {
            return true;
        }
        for (int[] range : INVISIBLE) {
            if (letter >= range[0] && letter <= range[1]) {
                return false;
            }
        }
        return switch (Character.getType(letter)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }
}
