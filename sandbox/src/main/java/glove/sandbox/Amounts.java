package glove.sandbox;

/** Sizes and times for people, written as the options take them. Stateless. */
public final class Amounts {
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final long EXACT_BELOW = 10 * KIB;

    private Amounts() {}

    /** {@code 4G}, {@code 512M}, {@code 100K} where that is exact, else bytes. */
    public static String size(long bytes) {
        if (bytes > 0 && bytes % GIB == 0) {
            return bytes / GIB + "G";
        }
        if (bytes > 0 && bytes % MIB == 0) {
            return bytes / MIB + "M";
        }
        if (bytes > 0 && bytes % KIB == 0) {
            return bytes / KIB + "K";
        }
        return bytes + " bytes";
    }

    /** To the nearest unit below, for what was measured. */
    public static String roughly(long bytes) {
        if (bytes < EXACT_BELOW) {
            return bytes + " bytes";
        }
        return bytes < 10 * MIB ? bytes / KIB + "K" : bytes / MIB + "M";
    }

    /** {@code 2h}, {@code 10m}, {@code 90s} where that is exact, else seconds with a point. */
    public static String time(long millis) {
        long seconds = millis / 1000;
        long rest = millis % 1000;
        if (rest != 0) {
            return seconds + "." + (rest < 100 ? "0" : "") + (rest < 10 ? "0" : "") + rest + "s";
        }
        if (seconds > 0 && seconds % 3600 == 0) {
            return seconds / 3600 + "h";
        }
        if (seconds > 0 && seconds % 60 == 0) {
            return seconds / 60 + "m";
        }
        return seconds + "s";
    }
}
