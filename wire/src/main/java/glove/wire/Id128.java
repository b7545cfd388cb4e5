package glove.wire;

import java.util.Optional;

/**
 * An identifier: 1 to {@value #BYTES_MAX} bytes of letters, digits and {@code _ . : -}. Immutable.
 *
 * @param text as it is written
 */
public record Id128(String text) implements Comparable<Id128> {
    /** How long one may be. */
    public static final int BYTES_MAX = 128;

    /** How formats write it. */
    public static final ValueClass<Id128> CLASS = new ValueClass<>() {
        @Override
        public Optional<Id128> parse(String text) {
            return is(text) ? Optional.of(new Id128(text)) : Optional.empty();
        }

        @Override
        public String words() {
            return "1 to " + BYTES_MAX + " letters, digits and '_', '.', ':', '-'";
        }

        @Override
        public Id128 standIn() {
            return new Id128("-");
        }
    };

    /** Refuses what is none: bytes from outside come through {@link #CLASS}. */
    public Id128 {
        if (!is(text)) {
            throw new IllegalArgumentException("no identifier: " + Ascii.shown(text, BYTES_MAX));
        }
    }

    /** Whether a text is one. */
    public static boolean is(String text) {
        return Ascii.isName(text, BYTES_MAX, "_.:-");
    }

    /** By bytes. */
    @Override
    public int compareTo(Id128 other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
