package glove.policy;

import java.util.ArrayDeque;

/**
 * How large a pattern becomes when its counted repetitions are written out, guessed from its text
 * before it is compiled: compiling {@code ((a{1000}){1000}){1000}} would take all memory. Never
 * less than a tenth of the truth for a valid pattern. Stateless.
 */
final class RepetitionSize {
    private static final long CAP = 1L << 40;

    private RepetitionSize() {}

    static long of(String pattern) {
        ArrayDeque<Long> groups = new ArrayDeque<>();
        long sum = 0;
        long last = 0; // the atom a repetition would apply to; part of the sum
        int at = 0;
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            int next = at + 1;
            if (c == '\\') {
                next = escapeEnd(pattern, at);
                last = (long) next - at;
                sum += last;
            } else if (c == '[') {
                next = classEnd(pattern, at);
                last = 1;
                sum += last;
            } else if (c == '(') {
                groups.push(sum);
                sum = 0;
                last = 0;
            } else if (c == ')') {
                last = sum + 2;
                sum = last + (groups.isEmpty() ? 0 : groups.pop());
            } else if (c == '*' || c == '+' || c == '?') {
                last++; // a count behind it would apply to all of it
                sum++;
            } else if (c == '{' && count(pattern, at) > 0) {
                long repeated = Math.min(CAP, last * count(pattern, at));
                sum += repeated - last;
                last = repeated;
                next = pattern.indexOf('}', at) + 1;
            } else {
                last = 1;
                sum++;
            }
            sum = Math.min(sum, CAP);
            at = next;
        }
        return sum;
    }

    /** The greater number of {@code {n}}, {@code {n,}} or {@code {n,m}}; 0 for another brace. */
    private static long count(String pattern, int brace) {
        long greatest = 0;
        long number = 0;
        for (int i = brace + 1; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == ',' || c == '}') {
                greatest = Math.max(greatest, number);
                number = 0;
                if (c == '}') {
                    return greatest;
                }
            } else if (c >= '0' && c <= '9') {
                number = Math.min(CAP, number * 10 + (c - '0'));
            } else {
                return 0;
            }
        }
        return 0;
    }

    /** Behind an escape; quoted text between \Q and \E is one atom here. */
    private static int escapeEnd(String pattern, int at) {
        if (pattern.startsWith("\\Q", at)) {
            int end = pattern.indexOf("\\E", at + 2);
            return end < 0 ? pattern.length() : end + 2;
        }
        if (pattern.startsWith("\\x{", at)) {
            return pattern.indexOf('}', at) + 1 > 0 ? pattern.indexOf('}', at) + 1 : at + 3;
        }
        return Math.min(pattern.length(), at + 2);
    }

    private static int classEnd(String pattern, int open) {
        int at = open + 1;
        at += at < pattern.length() && pattern.charAt(at) == '^' ? 1 : 0;
        at += at < pattern.length() && pattern.charAt(at) == ']' ? 1 : 0;
        while (at < pattern.length() && pattern.charAt(at) != ']') {
            boolean named = pattern.startsWith("[:", at);
            int end = named ? pattern.indexOf(":]", at) : -1;
            at = end > 0 ? end + 2 : at + (pattern.charAt(at) == '\\' ? 2 : 1);
        }
        return Math.min(pattern.length(), at + 1);
    }
}
