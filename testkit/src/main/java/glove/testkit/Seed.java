package glove.testkit;

import java.util.Random;

/** Random data that can be made again: the seed is printed with every failure. */
public final class Seed {
    private static final long VALUE = Long.getLong("glove.seed", System.nanoTime());

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
