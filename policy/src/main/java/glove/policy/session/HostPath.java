package glove.policy.session;

import glove.wire.AbsolutePath;
import glove.wire.ValueClass;

import java.util.Optional;

/**
 * A path as the owner wrote it, which digests and journals keep: other than in an {@link
 * AbsolutePath}, slashes may stand in a row or at the end. Immutable.
 *
 * @param text as it is written
 * @param path where it leads
 */
public record HostPath(String text, AbsolutePath path) {
    /** How formats write it. */
    public static final ValueClass<HostPath> CLASS = new ValueClass<>() {
        @Override
        public Optional<HostPath> parse(String text) {
            return HostPath.parse(text);
        }

        @Override
        public String words() {
            return AbsolutePath.CLASS.words();
        }

        @Override
        public HostPath standIn() {
            AbsolutePath path = AbsolutePath.CLASS.standIn();
            return new HostPath(path.text(), path);
        }
    };

    /** Reads one; empty when it is none. */
    public static Optional<HostPath> parse(String text) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            boolean again =
                    text.charAt(i) == '/' && (i + 1 == text.length() || text.charAt(i + 1) == '/');
            if (!again) {
                path.append(text.charAt(i));
            }
        }
        String plain = path.toString();
        return Bytes.length(text) <= AbsolutePath.BYTES_MAX && AbsolutePath.is(plain)
                ? Optional.of(new HostPath(text, new AbsolutePath(plain)))
                : Optional.empty();
    }

    /** A path between quotes in a sentence: one line of printable ASCII, the rest as escapes. */
    public static String quoted(AbsolutePath path) {
        StringBuilder shown = new StringBuilder("'");
        for (int i = 0; i < path.text().length(); i++) {
            char c = path.text().charAt(i);
            if (c >= ' ' && c < 0x7f) {
                shown.append(c);
            } else {
                String hex = "000" + Integer.toHexString(c);
                shown.append("\\u").append(hex, hex.length() - 4, hex.length());
            }
        }
        return shown.append('\'').toString();
    }

    /** Whether a slash stands at its end. */
    public boolean endsWithSlash() {
        return text.endsWith("/");
    }

    @Override
    public String toString() {
        return text;
    }
}
