package glove.policy;

/** Foreign text in sentences: one line, printable ASCII, not too long. Stateless. */
final class Shown {
    private static final int CHARS_MAX = 120;
    private static final String DOTS = "...";

    private Shown() {}

    /** Between quotes; what is not printable as its escape, so that look-alikes show. */
    static String quoted(String text) {
        StringBuilder shown = new StringBuilder("'");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (shown.length() > CHARS_MAX) {
                return shown.append(DOTS).append('\'').toString();
            }
            if (c >= ' ' && c < 0x7f) {
                shown.append(c);
            } else {
                String hex = "000" + Integer.toHexString(c);
                shown.append("\\u").append(hex, hex.length() - 4, hex.length());
            }
        }
        return shown.append('\'').toString();
    }
}
