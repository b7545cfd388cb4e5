package glove.policy;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * {@code matches}: a string the whole of which an RE2 pattern matches, in time linear in its
 * length. Both are bounded, so that the product is: a decision never takes longer than some tenths
 * of a second.
 */
record FullMatch(Pattern pattern) implements OnStrings {
    /** Longer strings do not match. */
    static final int TEXT_CHARS_MAX = 8192;

    static final int PATTERN_CHARS_MAX = 1024;

    /** Of the program RE2 makes of a pattern: repetitions multiply. */
    static final int STEPS_MAX = 2000;

    /**
     * Compiles one.
     *
     * @param where begins the message of a refusal
     */
    static FullMatch compile(String text, String where) throws PolicyException {
        if (text.length() > PATTERN_CHARS_MAX) {
            throw new PolicyException(where + "a pattern of " + text.length()
                    + " characters is too long, at most " + PATTERN_CHARS_MAX + " are taken");
        }
        String tooLarge = where + "the pattern " + Shown.quoted(text)
                + " repeats too much: written out it has more than " + STEPS_MAX + " steps";
        if (RepetitionSize.of(text) > STEPS_MAX) {
            throw new PolicyException(tooLarge, "bound the length by max_len instead");
        }
        try {
            Pattern pattern = Pattern.compile(text);
            if (pattern.programSize() > STEPS_MAX) {
                throw new PolicyException(tooLarge, "bound the length by max_len instead");
            }
            return new FullMatch(pattern);
        } catch (PatternSyntaxException e) {
            throw new PolicyException(
                    where + Shown.quoted(text) + " is no pattern of RE2: "
                            + Shown.quoted(String.valueOf(e.getDescription())),
                    "see https://github.com/google/re2/wiki/Syntax; there are no back-references"
                            + " and no look-around");
        }
    }

    @Override
    public boolean allows(String text) {
        return text.length() <= TEXT_CHARS_MAX && pattern.matches(text);
    }

    @Override
    public String rule() {
        return "a string that matches " + Shown.quoted(pattern.pattern());
    }

    @Override
    public String advice() {
        return "a string of the form that is allowed";
    }
}
