package glove.wire;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A path in the one form that formats take: {@code /name} once or more, no name empty, {@code .} or
 * {@code ..}, no NUL, no slash at the end; the root itself is none. Text only: nothing is looked
 * up. Immutable.
 *
 * @param text as it is written
 */
public record AbsolutePath(String text) implements Comparable<AbsolutePath> {
    /** PATH_MAX of the kernel, less the NUL that ends it. */
    public static final int BYTES_MAX = 4095;

    /** How formats write it. */
    public static final ValueClass<AbsolutePath> CLASS = new ValueClass<>() {
        @Override
        public Optional<AbsolutePath> parse(String text) {
            return is(text) ? Optional.of(new AbsolutePath(text)) : Optional.empty();
        }

        @Override
        public String words() {
            return "an absolute path such as /srv/data: no '//', '.', '..' or slash at its end";
        }

        @Override
        public AbsolutePath standIn() {
            return new AbsolutePath("/-");
        }
    };

    /** Refuses what is none: bytes from outside come through {@link #CLASS}. */
    public AbsolutePath {
        if (!is(text)) {
            throw new IllegalArgumentException("no canonical path: " + Ascii.shown(text, 200));
        }
    }

    /** Whether a text is one. */
    public static boolean is(String text) {
        if (text.isEmpty() || text.charAt(0) != '/' || text.indexOf('\0') >= 0) {
            return false;
        }
        int at = 0;
        while (at < text.length()) {
            int slash = text.indexOf('/', at + 1);
            int end = slash < 0 ? text.length() : slash;
            int length = end - at - 1;
            boolean dots = length <= 2 && text.startsWith("..".substring(0, length), at + 1);
            if (dots) { // an empty name is no dots at all
                return false;
            }
            at = end;
        }
        return text.getBytes(StandardCharsets.UTF_8).length <= BYTES_MAX;
    }

    /** Whether this is that directory or leads to something below it, by whole names. */
    public boolean isWithin(AbsolutePath directory) {
        int length = directory.text.length();
        return text.startsWith(directory.text)
                && (text.length() == length || text.charAt(length) == '/');
    }

    /** Whether one of them is within the other. */
    public boolean overlaps(AbsolutePath other) {
        return isWithin(other) || other.isWithin(this);
    }

    /** By UTF-16 units; equal order with bytes for ASCII. */
    @Override
    public int compareTo(AbsolutePath other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
