package glove.testkit;

import java.util.Random;

/**
 * Random data, the same each time: a test that fails by it fails for everybody, until it is mended.
 * Other data is tried with {@code ./check -Dglove.seed=N}; the seed is printed with every failure.
 */
public final class Seed {
    private static final long VALUE = Long.getLong("glove.seed", 1);

    private Seed() {}

    /** A generator for one case of a test. */
    public static Random random(int number) {
        return new Random(VALUE * 31 + number);
    }

    /** How to run the same again. */
    public static String words() {
        return "re-run: ./check -Dglove.seed=" + VALUE;
    }
}
