package glove.policy;

import java.util.Locale;
import java.util.Optional;

/**
 * An http or https URL, read so narrowly that whoever reads it later finds the same host: printable
 * ASCII without backslash, two slashes, no user name, no escape in the host, names of letters,
 * digits, {@code -} and {@code _}, IPv4 in four decimal parts, IPv6 in brackets. Immutable.
 *
 * @param host lower case
 * @param portWritten whether the port was not left to the scheme
 * @param isWhole whether nothing stands behind the host and the port
 */
record WebAddress(boolean secure, String host, int port, boolean portWritten, boolean isWhole) {
    private static final int URL_CHARS_MAX = 8192;
    private static final int HOST_CHARS_MAX = 253;
    private static final int LABEL_CHARS_MAX = 63;
    private static final int PORT_MAX = 65_535;

    static Optional<WebAddress> parse(String url) {
        if (url.length() > URL_CHARS_MAX || !isPlain(url)) {
            return Optional.empty();
        }
        boolean secure = url.regionMatches(true, 0, "https://", 0, 8);
        if (!secure && !url.regionMatches(true, 0, "http://", 0, 7)) {
            return Optional.empty();
        }
        int start = secure ? 8 : 7;
        int end = start;
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        String authority = url.substring(start, end);
        int behindHost = authority.startsWith("[") ? authority.indexOf(']') + 1 : 0;
        int colon = authority.indexOf(':', behindHost);
        String host = colon < 0 ? authority : authority.substring(0, colon);
        String lower = host.toLowerCase(Locale.ROOT);
        int port = colon < 0 ? (secure ? 443 : 80) : port(authority.substring(colon + 1));
        if (port < 0 || !isHost(lower)) {
            return Optional.empty();
        }
        return Optional.of(new WebAddress(secure, lower, port, colon >= 0, end == url.length()));
    }

    private static boolean isPlain(String url) {
        for (int i = 0; i < url.length(); i++) {
            char c = url.charAt(i);
            if (c <= ' ' || c >= 0x7f || c == '\\') {
                return false;
            }
        }
        return true;
    }

    /** Negative when it is none. */
    private static int port(String digits) {
        boolean plain = !digits.isEmpty() && digits.length() <= 5 && digits.charAt(0) != '0';
        for (int i = 0; i < digits.length(); i++) {
            plain &= digits.charAt(i) >= '0' && digits.charAt(i) <= '9';
        }
        int port = plain ? Integer.parseInt(digits) : -1;
        return port <= PORT_MAX ? port : -1;
    }

    private static boolean isHost(String host) {
        if (host.startsWith("[")) {
            return isSixInBrackets(host);
        }
        if (host.isEmpty() || host.length() > HOST_CHARS_MAX) {
            return false;
        }
        int start = 0;
        String label = "";
        for (int i = 0; i <= host.length(); i++) {
            if (i == host.length() || host.charAt(i) == '.') {
                label = host.substring(start, i);
                if (label.isEmpty() || label.length() > LABEL_CHARS_MAX) {
                    return false;
                }
                start = i + 1;
            } else if (!isOfLabel(host.charAt(i))) {
                return false;
            }
        }
        // Readers take a host for an IPv4 address when its last part is a number.
        return !isNumber(label) || isFour(host);
    }

    private static boolean isOfLabel(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }

    private static boolean isNumber(String label) {
        boolean digits = true;
        for (int i = 0; i < label.length(); i++) {
            digits &= label.charAt(i) >= '0' && label.charAt(i) <= '9';
        }
        return digits || label.startsWith("0x");
    }

    private static boolean isFour(String host) {
        int parts = 0;
        int start = 0;
        for (int i = 0; i <= host.length(); i++) {
            if (i == host.length() || host.charAt(i) == '.') {
                String part = host.substring(start, i);
                boolean plain = part.equals("0") || port(part) >= 0;
                if (!plain || part.length() > 3 || Integer.parseInt(part) > 255) {
                    return false;
                }
                parts++;
                start = i + 1;
            }
        }
        return parts == 4;
    }

    /** Only its letters: one that is no address, or is written in another way, equals no rule. */
    private static boolean isSixInBrackets(String host) {
        for (int i = 1; i < host.length() - 1; i++) {
            char c = host.charAt(i);
            if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == ':')) {
                return false;
            }
        }
        return host.length() > 3 && host.endsWith("]");
    }

    int defaultPort() {
        return secure ? 443 : 80;
    }

    /** Whether the host is an address. */
    boolean isNumeric() {
        return host.startsWith("[") || isNumber(host.substring(host.lastIndexOf('.') + 1));
    }
}
