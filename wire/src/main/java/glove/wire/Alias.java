package glove.wire;

import java.util.Optional;

/**
 * The name a policy gives to a path: 1 to {@value #BYTES_MAX} bytes of letters, digits and {@code _
 * . -}. Immutable.
 *
 * @param text as it is written
 */
public record Alias(String text) implements Comparable<Alias> {
    /** How long one may be. */
    public static final int BYTES_MAX = 128;

    /** How formats write it. */
    public static final ValueClass<Alias> CLASS = new ValueClass<>() {
        @Override
        public Optional<Alias> parse(String text) {
            return is(text) ? Optional.of(new Alias(text)) : Optional.empty();
        }

        @Override
        public String words() {
            return "1 to " + BYTES_MAX + " letters, digits and '_', '.', '-'";
        }

        @Override
        public Alias standIn() {
            return new Alias("-");
        }
    };

    /** Refuses what is none: bytes from outside come through {@link #CLASS}. */
    public Alias {
        if (!is(text)) {
            throw new IllegalArgumentException("no alias: " + Ascii.shown(text, BYTES_MAX));
        }
    }

    /** Whether a text is one. */
    public static boolean is(String text) {
        return Ascii.isName(text, BYTES_MAX, "_.-");
    }

    /** By bytes. */
    @Override
    public int compareTo(Alias other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
