package glove.sandbox;

import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A pattern of {@code --hide} over bytes: {@code *} and {@code ?} match within a name, {@code
 * [a-z]} and {@code [!a-z]} one byte of a name, {@code **} as a whole name any number of names, a
 * backslash takes the next byte as it is. Without a slash it is about names at any depth; with
 * one it counts from a granted directory; one that begins with a slash is a whole path. A slash
 * at the end means directories only. No negation. Immutable.
 */
final class Glob {
    private static final byte[] ANY_NAMES = {'*', '*'};

    private final UnixPath text;
    private final byte[][] segments;
    private final boolean directoriesOnly;
    private final boolean absolute;
    private final boolean anyDepth;

    private Glob(UnixPath text, byte[][] segments, boolean anyDepth, boolean directoriesOnly) {
        this.anyDepth = anyDepth;
        this.text = text;
        this.segments = segments;
        this.directoriesOnly = directoriesOnly;
        this.absolute = text.isAbsolute();
    }

    /** Whether a text has any of the special characters at all. */
    static boolean isGlob(UnixPath text) {
        for (byte b : text.bytes()) {
            if (b == '*' || b == '?' || b == '[') {
                return true;
            }
        }
        return false;
    }

    /** Reads a pattern; one that could never match is refused, not dropped. */
    static Glob of(UnixPath text) throws Refusal {
        byte[] bytes = text.bytes();
        List<byte[]> segments = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= bytes.length; i++) {
            if (i == bytes.length || bytes[i] == '/') {
                byte[] segment = Arrays.copyOfRange(bytes, start, i);
                boolean here = segment.length == 1 && segment[0] == '.';
                if (segment.length > 0 && !here) {
                    check(text, segment);
                    segments.add(segment);
                }
                start = i + 1;
            }
        }
        if (segments.isEmpty()) {
            throw new Refusal("--hide '" + text + "' names nothing", "--hide '*.pem'");
        }
        boolean directoriesOnly = bytes[bytes.length - 1] == '/';
        boolean anyDepth = true;
        for (int i = 0; i + 1 < bytes.length; i++) {
            anyDepth &= bytes[i] != '/';
        }
        if (anyDepth) {
            segments.addFirst(ANY_NAMES);
        }
        return new Glob(text, segments.toArray(new byte[0][]), anyDepth, directoriesOnly);
    }

    private static void check(UnixPath text, byte[] segment) throws Refusal {
        if (segment.length == 2 && segment[0] == '.' && segment[1] == '.') {
            throw new Refusal(
                    "--hide '" + text + "': '..' in a pattern", "write the whole path instead");
        }
        for (int i = 0; i < segment.length; i++) {
            if (segment[i] == '\\') {
                i++;
                if (i == segment.length) {
                    throw new Refusal(
                            "--hide '" + text + "': a backslash before nothing", "--hide '*.pem'");
                }
            } else if (segment[i] == '[') {
                i = classEnd(segment, i);
                if (i < 0) {
                    throw new Refusal(
                            "--hide '" + text + "': '[' without ']'",
                            "put a backslash in front of a bracket that means itself");
                }
            }
        }
    }

    /** Index of the bracket that closes a class; one that stands first is a member. */
    private static int classEnd(byte[] segment, int open) {
        int i = open + 1;
        if (i < segment.length && (segment[i] == '!' || segment[i] == '^')) {
            i++;
        }
        for (int first = i; i < segment.length; i++) {
            if (segment[i] == ']' && i > first) {
                return i;
            }
        }
        return -1;
    }

    UnixPath text() {
        return text;
    }

    /** The byte every name that matches ends with; negative when that may be any. */
    int lastByte() {
        byte[] last = segments[segments.length - 1];
        byte end = last[last.length - 1];
        boolean escaped = last.length > 1 && last[last.length - 2] == '\\';
        boolean any = escaped || end == '*' || end == '?' || end == ']';
        return any ? -1 : end & 0xff;
    }

    /** Whether only a name's own bytes count, not where it stands. */
    boolean isAnyDepth() {
        return anyDepth;
    }

    boolean isAbsolute() {
        return absolute;
    }

    /** Whether a name matches, for patterns of {@link #isAnyDepth}. */
    boolean matchesName(byte[] name, int from, int to, boolean directory) {
        return (directory || !directoriesOnly) && matches(segments[1], name, from, to);
    }

    /** Whether a path between two indices matches, names parted by single slashes. */
    boolean matchesPath(byte[] path, int from, int to, boolean directory) {
        if (directoriesOnly && !directory) {
            return false;
        }
        int segment = 0;
        int at = from;
        int retrySegment = -1;
        int retryAt = from;
        while (at <= to) {
            int end = nameEnd(path, at, to);
            if (segment < segments.length && isAnyNames(segments[segment])) {
                if (segment == segments.length - 1) {
                    return true; // at least this name is left
                }
                retrySegment = ++segment;
                retryAt = at;
            } else if (segment < segments.length && matches(segments[segment], path, at, end)) {
                segment++;
                at = end + 1;
            } else if (retrySegment >= 0) {
                segment = retrySegment;
                retryAt = nameEnd(path, retryAt, to) + 1;
                at = retryAt;
            } else {
                return false;
            }
        }
        return segment == segments.length;
    }

    private static boolean isAnyNames(byte[] segment) {
        return segment.length == 2 && segment[0] == '*' && segment[1] == '*';
    }

    private static int nameEnd(byte[] path, int at, int to) {
        int end = at;
        while (end < to && path[end] != '/') {
            end++;
        }
        return end;
    }

    /** One name; after a mismatch only the last star is tried again, which is enough. */
    private static boolean matches(byte[] pattern, byte[] name, int from, int to) {
        int p = 0;
        int at = from;
        int retryPattern = -1;
        int retryAt = from;
        while (at < to) {
            if (p < pattern.length && pattern[p] == '*') {
                retryPattern = ++p;
                retryAt = at;
                if (p == pattern.length) {
                    return true;
                }
                continue;
            }
            int next = p < pattern.length ? matchOne(pattern, p, name[at]) : -1;
            if (next >= 0) {
                p = next;
                at++;
            } else if (retryPattern >= 0) {
                p = retryPattern;
                at = ++retryAt;
            } else {
                return false;
            }
        }
        while (p < pattern.length && pattern[p] == '*') {
            p++;
        }
        return p == pattern.length;
    }

    /** Index behind the element at {@code p} when it matches the byte, else -1. */
    private static int matchOne(byte[] pattern, int p, byte b) {
        if (pattern[p] == '?') {
            return p + 1;
        }
        if (pattern[p] == '\\') {
            return pattern[p + 1] == b ? p + 2 : -1;
        }
        if (pattern[p] != '[') {
            return pattern[p] == b ? p + 1 : -1;
        }
        int end = classEnd(pattern, p);
        int i = p + 1;
        boolean negated = pattern[i] == '!' || pattern[i] == '^';
        if (negated) {
            i++;
        }
        boolean found = false;
        while (i < end) {
            int low = pattern[i] & 0xff;
            boolean range = i + 2 < end && pattern[i + 1] == '-';
            int high = range ? pattern[i + 2] & 0xff : low;
            found |= (b & 0xff) >= low && (b & 0xff) <= high;
            i += range ? 3 : 1;
        }
        return found != negated ? end + 1 : -1;
    }
}
