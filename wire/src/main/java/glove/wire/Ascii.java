package glove.wire;

/** What characters a text is made of. Stateless. */
final class Ascii {
    private Ascii() {}

    static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    /** Whether it has 1 to {@code most} characters: letters, digits and those of a list. */
    static boolean isName(String text, int most, String others) {
        if (text.isEmpty() || text.length() > most) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isLetterOrDigit(c) && others.indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    /** For messages: printable ASCII only, and not too much of it. */
    static String shown(String text, int most) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < text.length() && i < most; i++) {
            char c = text.charAt(i);
            shown.append(c >= ' ' && c < 0x7f ? c : '?');
        }
        return text.length() > most ? shown.append("...").toString() : shown.toString();
    }
}
