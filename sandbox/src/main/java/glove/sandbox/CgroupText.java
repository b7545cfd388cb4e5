package glove.sandbox;

import java.util.OptionalLong;

/** Reads the small text files of control groups (cgroups(7)). Stateless. */
final class CgroupText {
    private static final String UNIFIED = "0::";

    private CgroupText() {}

    /**
     * Where this process is in the version 2 hierarchy.
     *
     * @param text of /proc/self/cgroup
     * @return a path from the root of the cgroup namespace; empty when there is none, or when it
     *     lies outside the namespace, beginning with {@code /..}
     */
    static String place(String text) {
        int start = 0;
        while (start < text.length()) {
            int end = text.indexOf('\n', start);
            end = end < 0 ? text.length() : end;
            if (text.startsWith(UNIFIED, start)) {
                String place = text.substring(start + UNIFIED.length(), end);
                return place.startsWith("/") && !place.startsWith("/..") ? place : "";
            }
            start = end + 1;
        }
        return "";
    }

    /** Whether a word stands in a list of words that blanks or line ends divide. */
    static boolean hasWord(String words, String word) {
        int at = words.indexOf(word);
        while (at >= 0) {
            int end = at + word.length();
            if ((at == 0 || words.charAt(at - 1) <= ' ')
                    && (end == words.length() || words.charAt(end) <= ' ')) {
                return true;
            }
            at = words.indexOf(word, at + 1);
        }
        return false;
    }

    /** The number after a name that begins a line; empty when there is no such line. */
    static OptionalLong counter(String text, String name) {
        int start = 0;
        while (start < text.length()) {
            int end = text.indexOf('\n', start);
            end = end < 0 ? text.length() : end;
            int number = start + name.length() + 1;
            if (text.startsWith(name, start) && number < end && text.charAt(number - 1) == ' ') {
                return number(text, number, end);
            }
            start = end + 1;
        }
        return OptionalLong.empty();
    }

    /** A decimal number without sign that fits a long. */
    static OptionalLong number(String text, int start, int end) {
        long value = 0;
        for (int i = start; i < end; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
                return OptionalLong.empty();
            }
            value = 10 * value + digit;
        }
        return end > start ? OptionalLong.of(value) : OptionalLong.empty();
    }
}
