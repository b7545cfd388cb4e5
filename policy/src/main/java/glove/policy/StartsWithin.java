package glove.policy;

import glove.wire.JsonKind;
import glove.wire.JsonValue;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What {@code --allow-arg} means by a text that is no path: a string that begins with it and does
 * not step out of it again. Whether {@code a/../b} is a path, only the tool knows.
 *
 * @param prefix not empty
 */
record StartsWithin(String prefix) implements Constraint {
    /** How a step up, or what parts steps, can be written (RFC 3986 2.1). */
    private static final List<String[]> ESCAPES = List.of(
            new String[] {"%2e", "."},
            new String[] {"%2f", "/"},
            new String[] {"%5c", "/"},
            new String[] {"\\", "/"});

    @Override
    public boolean holds(JsonValue value) {
        if (!value.is(JsonKind.STRING) || !value.string().startsWith(prefix)) {
            return false;
        }
        // From the last slash of the prefix on: "octo/.." is a step out, too.
        int from = prefix.lastIndexOf('/') + 1;
        return !hasStepUp(plain(value.string().substring(from)));
    }

    /** Escapes may be escaped. */
    private static String plain(String text) {
        String plain = text;
        for (int i = 0; i <= 2; i++) {
            plain = plain.replace("%25", "%");
        }
        plain = plain.toLowerCase(Locale.ROOT);
        for (String[] escape : ESCAPES) {
            plain = plain.replace(escape[0], escape[1]);
        }
        return plain;
    }

    private static boolean hasStepUp(String text) {
        for (String step : text.split("[/?#;:,\\s]", -1)) {
            if (step.equals("..")) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Set<JsonKind> kinds() {
        return Set.of(JsonKind.STRING);
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
