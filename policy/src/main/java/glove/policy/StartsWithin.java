package glove.policy;

import java.text.Normalizer;

/**
 * What {@code --allow-arg} means by a text that is no path: a string that begins with it and does
 * not step out of it again. Whether {@code a/../b} is a path, only the tool knows.
 *
 * @param prefix not empty
 */
record StartsWithin(String prefix) implements OnStrings {
    /** Escapes may be escaped. */
    private static final int ROUNDS = 3;

    @Override
    public boolean allows(String text) {
        if (!text.startsWith(prefix)) {
            return false;
        }
        // From the last slash of the prefix on: "octo/.." is a step out, too.
        int from = prefix.lastIndexOf('/') + 1;
        return !hasStepUp(plain(text.substring(from)));
    }

    /**
     * As the most generous reader might see it: escapes taken for what they stand for, wide and
     * overlong forms too, and without characters that URL parsers leave out.
     */
    private static String plain(String text) {
        String plain = text;
        for (int i = 0; i < ROUNDS; i++) {
            plain = decoded(visible(plain));
        }
        plain = plain.replace("\u00c0\u00ae", ".").replace("\u00e0\u0080\u00ae", ".");
        plain = Normalizer.normalize(plain, Normalizer.Form.NFKC);
        return visible(plain);
    }

    private static String visible(String text) {
        StringBuilder seen = new StringBuilder();
        text.codePoints()
                .filter(c -> c == 0x80 || !Character.isISOControl(c))
                .filter(c -> !Character.isWhitespace(c))
                .filter(c -> Character.getType(c) != Character.FORMAT)
                .forEach(seen::appendCodePoint);
        return seen.toString();
    }

    /** Percent escapes as the characters of their bytes. */
    private static String decoded(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
            if (text.charAt(i) == '%' && high >= 0 && low >= 0) {
                out.append((char) (high * 16 + low));
                i += 2;
            } else {
                out.append(text.charAt(i));
            }
        }
        return out.toString();
    }

    private static boolean hasStepUp(String text) {
        for (String step : text.split("[/\\\\?#;:,]", -1)) {
            if (step.equals("..")) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String rule() {
        return "a string that begins with " + Shown.quoted(prefix) + ", without steps up by '..'";
    }

    @Override
    public String advice() {
        return "a string that begins as is allowed";
    }
}
