package glove.gateway;

import java.util.Arrays;

/** Escapes of half a surrogate pair in JSON, which stand for no character. Stateless. */
final class HalfCharacters {
    private static final int ESCAPE = 6; // a backslash, a u and four digits

    private HalfCharacters() {}

    /** A copy in which each is the replacement character. */
    static byte[] replaced(byte[] json) {
        byte[] copy = json.clone();
        int at = 0;
        while (at < copy.length) {
            if (copy[at] != '\\') {
                at++;
            } else if (isHalf(copy, at, Character.MIN_HIGH_SURROGATE)
                    && isHalf(copy, at + ESCAPE, Character.MIN_LOW_SURROGATE)) {
                at += 2 * ESCAPE;
            } else if (isHalf(copy, at, Character.MIN_HIGH_SURROGATE)
                    || isHalf(copy, at, Character.MIN_LOW_SURROGATE)) {
                Arrays.fill(copy, at + 2, at + ESCAPE - 1, (byte) 'f');
                copy[at + ESCAPE - 1] = 'd';
                at += ESCAPE;
            } else {
                at += 2;
            }
        }
        return copy;
    }

    /** Whether an escape begins there that is of the 1,024 codes from one on. */
    private static boolean isHalf(byte[] json, int at, char first) {
        if (at + ESCAPE > json.length || json[at] != '\\' || json[at + 1] != 'u') {
            return false;
        }
        int code = 0;
        for (int i = at + 2; i < at + ESCAPE; i++) {
            int digit = Character.digit(json[i], 16);
            if (digit < 0) {
                return false;
            }
            code = code * 16 + digit;
        }
        return code >= first && code < first + 0x400;
    }
}
