package glove.sys;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A path as the kernel sees it: bytes without NUL, of any encoding. Lexical only, no I/O.
 * Immutable; equal when the bytes are.
 */
public final class UnixPath implements Comparable<UnixPath> {
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    /** No name at all: with a descriptor, the descriptor itself. */
    static final UnixPath EMPTY = new UnixPath(new byte[0]);

    private final byte[] bytes;

    private UnixPath(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A path of text. */
    public static UnixPath of(String text) {
        return checked(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A path of bytes, which are copied. */
    public static UnixPath of(byte[] bytes) {
        return checked(bytes.clone());
    }

    private static UnixPath checked(byte[] bytes) {
        for (byte b : bytes) {
            if (b == 0) {
                throw new Bug("a path holds no NUL");
            }
        }
        return new UnixPath(bytes);
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Length in bytes. */
    public int length() {
        return bytes.length;
    }

    void copyTo(ByteBuffer buffer) {
        buffer.put(bytes).put((byte) 0);
    }

    public boolean isAbsolute() {
        return bytes.length > 0 && bytes[0] == '/';
    }

    /** Whether it names a place rather than something to look up in PATH. */
    public boolean hasSlash() {
        return lastSlash(bytes.length) >= 0;
    }

    /** The other path seen from here: itself when absolute; this one when the other is empty. */
    public UnixPath resolve(UnixPath other) {
        if (other.isAbsolute() || bytes.length == 0) {
            return other;
        }
        if (other.bytes.length == 0) {
            return this;
        }
        boolean slash = bytes[bytes.length - 1] == '/';
        byte[] joined = Arrays.copyOf(bytes, bytes.length + (slash ? 0 : 1) + other.bytes.length);
        if (!slash) {
            joined[bytes.length] = '/';
        }
        System.arraycopy(
                other.bytes, 0, joined, joined.length - other.bytes.length, other.bytes.length);
        return new UnixPath(joined);
    }

    /** {@link #resolve(UnixPath)} with text. */
    public UnixPath resolve(String other) {
        return resolve(of(other));
    }

    /**
     * All but the last name; {@code /} is its own parent, a bare name's is empty. Slashes at the
     * end or in a row count as one before a name, as in dirname(1).
     */
    public UnixPath parent() {
        int slash = lastSlash(nameEnd());
        int end = withoutSlashes(slash + 1);
        return end == 0 && isAbsolute()
                ? new UnixPath(new byte[] {'/'})
                : new UnixPath(Arrays.copyOf(bytes, end));
    }

    /** The last name, without slashes after it; that of {@code /} is empty. */
    public UnixPath name() {
        int end = nameEnd();
        return new UnixPath(Arrays.copyOfRange(bytes, lastSlash(end) + 1, end));
    }

    private int nameEnd() {
        return withoutSlashes(bytes.length);
    }

    private int withoutSlashes(int end) {
        int at = end;
        while (at > 0 && bytes[at - 1] == '/') {
            at--;
        }
        return at;
    }

    private int lastSlash(int end) {
        for (int i = end - 1; i >= 0; i--) {
            if (bytes[i] == '/') {
                return i;
            }
        }
        return -1;
    }

    /** Without the leading slash: for calls that start at the descriptor of a root. */
    public UnixPath relativeToRoot() {
        if (!isAbsolute()) {
            return this;
        }
        return bytes.length == 1
                ? new UnixPath(new byte[] {'.'})
                : new UnixPath(Arrays.copyOfRange(bytes, 1, bytes.length));
    }

    /** Whether it is surely absolute and in the form of {@link #normalize}. */
    public boolean isNormal() {
        if (!isAbsolute() || (bytes.length > 1 && bytes[bytes.length - 1] == '/')) {
            return false;
        }
        for (int i = 0; i + 1 < bytes.length; i++) {
            if (bytes[i] == '/' && (bytes[i + 1] == '/' || bytes[i + 1] == '.')) {
                return false; // a hidden name is taken for a dot: no harm, only slower
            }
        }
        return true;
    }

    /** Without {@code .}, {@code ..} and double slashes, as text alone: links are not followed. */
    public UnixPath normalize() {
        List<byte[]> names = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= bytes.length; i++) {
            if (i == bytes.length || bytes[i] == '/') {
                push(names, Arrays.copyOfRange(bytes, start, i));
                start = i + 1;
            }
        }
        UnixPath result = new UnixPath(isAbsolute() ? new byte[] {'/'} : new byte[0]);
        for (byte[] name : names) {
            result = result.resolve(new UnixPath(name));
        }
        return result;
    }

    private void push(List<byte[]> names, byte[] name) {
        boolean empty = name.length == 0 || (name.length == 1 && name[0] == '.');
        if (empty) {
            return;
        }
        boolean up = isUp(name);
        if (up && !names.isEmpty() && !isUp(names.getLast())) {
            names.removeLast();
        } else if (!up || !isAbsolute()) {
            names.add(name);
        }
    }

    private static boolean isUp(byte[] name) {
        return name.length == 2 && name[0] == '.' && name[1] == '.';
    }

    /**
     * Whether it is the other path or lies below it, name by name. Slashes at the other's end do
     * not count; below the empty path are the relative ones.
     */
    public boolean startsWith(UnixPath other) {
        if (isAbsolute() != other.isAbsolute()) {
            return false;
        }
        int end = other.nameEnd();
        if (end > bytes.length || !Arrays.equals(bytes, 0, end, other.bytes, 0, end)) {
            return false;
        }
        return end == 0 || end == bytes.length || bytes[end] == '/';
    }

    @Override
    public int compareTo(UnixPath other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UnixPath path && Arrays.equals(bytes, path.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /**
     * For people: text, where it is UTF-8 without control characters; other bytes as {@code \xNN},
     * a backslash as two.
     */
    @Override
    public String toString() {
        boolean plain = true;
        for (byte b : bytes) {
            plain &= b >= ' ' && b != 0x7f && b != '\\';
        }
        return plain ? new String(bytes, StandardCharsets.ISO_8859_1) : escaped();
    }

    private String escaped() {
        StringBuilder out = new StringBuilder();
        int i = 0;
        while (i < bytes.length) {
            int width = characterWidth(i);
            if (width == 0) {
                out.append("\\x").append(HEX[bytes[i] >> 4 & 15]).append(HEX[bytes[i] & 15]);
                i++;
            } else if (bytes[i] == '\\') {
                out.append("\\\\");
                i++;
            } else {
                out.append(new String(bytes, i, width, StandardCharsets.UTF_8));
                i += width;
            }
        }
        return out.toString();
    }

    /** Bytes of the printable UTF-8 character at {@code at}; 0 when there is none. */
    private int characterWidth(int at) {
        int first = bytes[at] & 0xff;
        if (first < 0x80) {
            return first < ' ' || first == 0x7f ? 0 : 1;
        }
        int width = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
        if (at + width > bytes.length) {
            return 0;
        }
        try {
            CharSequence text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, at, width));
            int point = Character.codePointAt(text, 0);
            return isShown(point) ? width : 0;
        } catch (CharacterCodingException e) {
            return 0;
        }
    }

    /** Not what would break a line or turn the direction of the text around it. */
    private static boolean isShown(int point) {
        int type = Character.getType(point);
        return !Character.isISOControl(point)
                && type != Character.FORMAT
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }
}
