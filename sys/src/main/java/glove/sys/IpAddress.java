package glove.sys;

import java.util.Arrays;
import java.util.Optional;

/**
 * An IPv4 or IPv6 address, never a name. Immutable. Written as the RFCs say (RFC 1123 §2.1, RFC
 * 5952); scope ids have no place in it.
 */
public final class IpAddress {
    private static final int V4_BYTES = 4;
    private static final int V6_BYTES = 16;
    private static final int GROUPS = 8;
    private static final int TEXT_MAX = 45;

    /** 127.0.0.1. */
    public static final IpAddress LOOPBACK_V4 = of(new byte[] {127, 0, 0, 1});

    /** ::1. */
    public static final IpAddress LOOPBACK_V6 =
            of(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});

    private final byte[] bytes;

    private IpAddress(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * From network order.
     *
     * @param bytes 4 or 16; copied
     */
    public static IpAddress of(byte[] bytes) {
        if (bytes.length != V4_BYTES && bytes.length != V6_BYTES) {
            throw new IllegalArgumentException("an address has 4 or 16 bytes");
        }
        return new IpAddress(bytes.clone());
    }

    /**
     * A literal in its usual form: four decimal numbers without leading zeros, or RFC 4291 §2.2
     * without brackets and scope. Empty for all else, also for what inet_aton(3) would take.
     */
    public static Optional<IpAddress> parse(String text) {
        if (text.length() > TEXT_MAX) {
            return Optional.empty();
        }
        byte[] bytes = text.indexOf(':') < 0 ? parseV4(text, 0) : parseV6(text);
        return bytes.length == 0 ? Optional.empty() : Optional.of(new IpAddress(bytes));
    }

    private static byte[] parseV4(String text, int from) {
        byte[] bytes = new byte[V4_BYTES];
        int at = from;
        for (int i = 0; i < V4_BYTES; i++) {
            int start = at;
            int value = 0;
            while (at < text.length() && at - start < 3 && isDigit(text.charAt(at))) {
                value = value * 10 + text.charAt(at) - '0';
                at++;
            }
            boolean leadingZero = at - start > 1 && text.charAt(start) == '0';
            boolean ends = i == V4_BYTES - 1
                    ? at == text.length()
                    : at < text.length() && text.charAt(at) == '.';
            if (at == start || leadingZero || value > 255 || !ends) {
                return new byte[0];
            }
            bytes[i] = (byte) value;
            at++;
        }
        return bytes;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static byte[] parseV6(String text) {
        byte[] none = new byte[0];
        byte[] bytes = new byte[V6_BYTES];
        int filled = 0;
        int gap = -1; // where the zeros of "::" belong
        int at = 0;
        if (text.startsWith("::")) {
            gap = 0;
            at = 2;
        }
        while (at < text.length()) {
            int end = at;
            while (end < text.length()
                    && Character.digit(text.charAt(end), 16) >= 0
                    && text.charAt(end) < 128) {
                end++;
            }
            if (end < text.length() && text.charAt(end) == '.') {
                byte[] tail = parseV4(text, at);
                if (tail.length == 0 || filled > V6_BYTES - V4_BYTES) {
                    return none;
                }
                System.arraycopy(tail, 0, bytes, filled, V4_BYTES);
                filled += V4_BYTES;
                break;
            }
            if (end == at || end - at > 4 || filled == V6_BYTES) {
                return none;
            }
            int group = Integer.parseInt(text, at, end, 16);
            bytes[filled++] = (byte) (group >> 8);
            bytes[filled++] = (byte) group;
            if (end == text.length()) {
                break;
            }
            if (text.charAt(end) != ':' || end + 1 == text.length()) {
                return none;
            }
            at = end + 1;
            if (text.charAt(at) == ':') {
                if (gap >= 0) {
                    return none;
                }
                gap = filled;
                at++;
            }
        }
        return spread(bytes, filled, gap);
    }

    /** Moves what stands behind the gap to the end. */
    private static byte[] spread(byte[] bytes, int filled, int gap) {
        if (gap < 0 ? filled != V6_BYTES : filled >= V6_BYTES) {
            return new byte[0];
        }
        if (gap >= 0) {
            int behind = filled - gap;
            System.arraycopy(bytes, gap, bytes, V6_BYTES - behind, behind);
            Arrays.fill(bytes, gap, V6_BYTES - behind, (byte) 0);
        }
        return bytes;
    }

    public boolean isV4() {
        return bytes.length == V4_BYTES;
    }

    /** 4 or 16, in network order; a copy. */
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IpAddress address && Arrays.equals(bytes, address.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Without brackets. */
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        if (isV4()) {
            for (byte b : bytes) {
                out.append(out.isEmpty() ? "" : ".").append(b & 0xff);
            }
            return out.toString();
        }
        int gap = longestZeros();
        int end = gap < 0 ? -1 : gap + zerosAt(gap);
        for (int i = 0; i < GROUPS; i++) {
            if (i == gap) {
                out.append("::");
                i = end - 1;
                continue;
            }
            if (i > 0 && i != end) {
                out.append(':');
            }
            out.append(Integer.toHexString(group(i)));
        }
        return out.toString();
    }

    private int group(int i) {
        return (bytes[2 * i] & 0xff) << 8 | (bytes[2 * i + 1] & 0xff);
    }

    private int zerosAt(int group) {
        int end = group;
        while (end < GROUPS && group(end) == 0) {
            end++;
        }
        return end - group;
    }

    /** The first of the longest runs of at least two groups of zeros, or -1. */
    private int longestZeros() {
        int best = -1;
        int length = 1;
        for (int i = 0; i < GROUPS; i++) {
            int zeros = zerosAt(i);
            if (zeros > length) {
                best = i;
                length = zeros;
            }
        }
        return best;
    }
}
