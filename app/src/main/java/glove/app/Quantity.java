package glove.app;

import glove.sandbox.Limits;
import glove.sandbox.Refusal;
import glove.sys.UnixPath;

/**
 * Reads the sizes, times and numbers of the limit options. Each is a whole number above zero that
 * fits; what is not is refused with an example. Stateless.
 */
final class Quantity {
    private static final int KIB_SHIFT = 10;
    private static final long MILLIS = 1000;

    private Quantity() {}

    /** Bytes, or with K, M, G or T multiples of 1024. */
    static long size(String option, byte[] value) throws Refusal {
        int last = value.length == 0 ? 0 : value[value.length - 1];
        int shift = switch (last) {
            case 'K', 'k' -> KIB_SHIFT;
            case 'M', 'm' -> 2 * KIB_SHIFT;
            case 'G', 'g' -> 3 * KIB_SHIFT;
            case 'T', 't' -> 4 * KIB_SHIFT;
            default -> 0;
        };
        return read(option, value, shift == 0 ? 0 : 1, 1L << shift, "4G, 512M, 100K, or bytes");
    }

    /** In milliseconds; seconds, or with m or h minutes or hours. */
    static long time(String option, byte[] value) throws Refusal {
        int last = value.length == 0 ? 0 : value[value.length - 1];
        long unit = switch (last) {
            case 'm' -> 60 * MILLIS;
            case 'h' -> 3600 * MILLIS;
            default -> MILLIS;
        };
        int suffix = last == 's' || last == 'm' || last == 'h' ? 1 : 0;
        return read(option, value, suffix, unit, "90s, 10m, 2h, or seconds");
    }

    /** How many. */
    static long count(String option, byte[] value) throws Refusal {
        return read(option, value, 0, 1, "64");
    }

    private static long read(String option, byte[] value, int suffix, long unit, String example)
            throws Refusal {
        int end = value.length - suffix;
        long number = 0;
        for (int i = 0; i < end; i++) {
            int digit = value[i] - '0';
            if (digit < 0 || digit > 9) {
                throw refusal(option, value, "is not an amount", example);
            }
            // The largest number stands for no limit.
            if (number > (Limits.NONE - 1 - digit) / 10) {
                throw refusal(option, value, "is too large", example);
            }
            number = 10 * number + digit;
        }
        if (end == 0) {
            throw refusal(option, value, "is not an amount", example);
        }
        if (number == 0) {
            throw refusal(option, value, "allows nothing at all", example);
        }
        if (number > (Limits.NONE - 1) / unit) {
            throw refusal(option, value, "is too large", example);
        }
        return number * unit;
    }

    private static Refusal refusal(String option, byte[] value, String why, String example) {
        return new Refusal(
                option + " '" + UnixPath.of(value) + "' " + why + "; it takes " + example,
                option + " " + firstOf(example));
    }

    private static String firstOf(String examples) {
        int comma = examples.indexOf(',');
        return comma < 0 ? examples : examples.substring(0, comma);
    }
}
