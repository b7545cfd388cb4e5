package glove.wire;

/**
 * Numbers of 64 bits without sign, as the formats have them. They are held in a {@code long} of the
 * same bits: everything from 2^63 on looks negative to Java, so they are compared and printed here
 * and nowhere else. Stateless.
 */
public final class U64 {
    /** The largest one. */
    public static final long MAX = -1;

    private static final int DIGITS_MAX = 20;

    private U64() {}

    /** As {@link Long#compare}. */
    public static int compare(long a, long b) {
        return Long.compareUnsigned(a, b);
    }

    /** Whether the first is smaller. */
    public static boolean isLess(long a, long b) {
        return Long.compareUnsigned(a, b) < 0;
    }

    /** The larger one. */
    public static long max(long a, long b) {
        return isLess(a, b) ? b : a;
    }

    /** Whether their sum is more than {@link #MAX}. */
    public static boolean sumOverflows(long a, long b) {
        return isLess(a + b, a);
    }

    /** In decimal digits. */
    public static String text(long value) {
        return Long.toUnsignedString(value);
    }

    /** Whether a text is decimal digits without a needless zero, and not more than {@link #MAX}. */
    public static boolean isText(String text) {
        boolean plain = !text.isEmpty() && text.length() <= DIGITS_MAX;
        for (int i = 0; plain && i < text.length(); i++) {
            plain = text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        if (!plain || (text.charAt(0) == '0' && text.length() > 1)) {
            return false;
        }
        return text.length() < DIGITS_MAX || text.compareTo(text(MAX)) <= 0;
    }

    /** What such a text says. */
    public static long parse(String text) {
        if (!isText(text)) {
            throw new IllegalArgumentException("no number of 64 bits without sign: " + text);
        }
        return Long.parseUnsignedLong(text);
    }
}
