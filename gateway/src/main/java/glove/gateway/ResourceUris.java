package glove.gateway;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * What can be said of the URI of a resource without asking anybody: by its characters alone.
 * Stateless.
 */
final class ResourceUris {
    private static final int LENGTH_MAX = 8 << 10;

    /** More make a template that is tried in vain. */
    private static final int EXPRESSIONS_MAX = 64;

    private ResourceUris() {}

    static boolean isFile(String uri) {
        return uri.toLowerCase(Locale.ROOT).startsWith("file:");
    }

    /**
     * Whether it means what it looks like: it has a scheme, no space or control character, no user
     * before its host, no step up, and nothing of that kind in disguise.
     */
    static boolean isPlain(String uri) {
        int colon = uri.indexOf(':');
        if (uri.length() > LENGTH_MAX || colon < 1) {
            return false;
        }
        for (int i = 0; i < uri.length(); i++) {
            char c = uri.charAt(i);
            boolean isHidden =
                    Character.isISOControl(c) || Character.getType(c) == Character.FORMAT;
            if (c <= ' ' || c == '\\' || isHidden || (c == '%' && !isPlainEscape(uri, i))) {
                return false;
            }
        }
        return isUtf8(uri) && !hasStepUp(uri.substring(colon + 1)) && !hasUser(uri, colon + 1);
    }

    /**
     * Whether the escape there is one, and of a character that means itself: no dot, slash,
     * backslash, percent or control character.
     */
    private static boolean isPlainEscape(String uri, int at) {
        if (at + 2 >= uri.length()) {
            return false;
        }
        int high = Character.digit(uri.charAt(at + 1), 16);
        int low = Character.digit(uri.charAt(at + 2), 16);
        int code = high * 16 + low;
        boolean isDigits = high >= 0 && low >= 0;
        boolean isStep = code == '.' || code == '/' || code == '\\' || code == '%';
        return isDigits && code >= ' ' && code != 0x7f && !isStep;
    }

    /** Whether its escapes are UTF-8 (RFC 3629): no overlong form of anything. */
    private static boolean isUtf8(String uri) {
        byte[] bytes = new byte[uri.length()];
        int length = 0;
        for (int i = 0; i < uri.length(); i++) {
            boolean isEscape = uri.charAt(i) == '%';
            bytes[length++] =
                    isEscape ? (byte) Integer.parseInt(uri, i + 1, i + 3, 16) : (byte) 'x';
            i += isEscape ? 2 : 0;
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static boolean hasStepUp(String path) {
        int from = 0;
        while (from <= path.length()) {
            int to = from;
            while (to < path.length() && "/?#".indexOf(path.charAt(to)) < 0) {
                to++;
            }
            String step = path.substring(from, to);
            int parameters = step.indexOf(';'); // some servers leave them out
            step = parameters < 0 ? step : step.substring(0, parameters);
            if (step.equals("..") || step.equals(".")) {
                return true;
            }
            from = to + 1;
        }
        return false;
    }

    private static boolean hasUser(String uri, int from) {
        if (!uri.startsWith("//", from)) {
            return false;
        }
        for (int i = from + 2; i < uri.length() && "/?#".indexOf(uri.charAt(i)) < 0; i++) {
            if (uri.charAt(i) == '@') {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether it is the prefix, or lies below it: begins with it, and a new part begins there. A
     * part of a path begins at a slash; what a query says is not below anything. Of one with an
     * authority that must be the same, whole, unless the prefix ends before it.
     */
    static boolean isUnder(String uri, String prefix) {
        if (prefix.isEmpty() || !uri.startsWith(prefix)) {
            return false;
        }
        if (uri.length() == prefix.length()) {
            return true;
        }
        if (namesHost(prefix) && !authority(uri).equals(authority(prefix))) {
            return false;
        }
        char last = prefix.charAt(prefix.length() - 1);
        char next = uri.charAt(prefix.length());
        if (isFile(prefix)) {
            return last == '/' || next == '/';
        }
        if (prefix.indexOf('#') >= 0) {
            return last == '#';
        }
        if (prefix.indexOf('?') >= 0) {
            return last == '?' || next == '#';
        }
        return last == '/' || next == '/' || next == '?' || next == '#';
    }

    /** Whether whatever begins so is {@link #isUnder} a prefix, whatever follows. */
    static boolean isAllUnder(String start, String prefix) {
        if (!start.startsWith(prefix) || (namesHost(prefix) && isHostOpen(start))) {
            return false;
        }
        boolean isLonger = start.length() > prefix.length();
        // The first bytes behind the prefix decide; none stands for one that begins no new part.
        return isUnder(isLonger ? start : start + 'x', prefix);
    }

    /** Whether what follows may still say something of the authority, or that there is one. */
    private static boolean isHostOpen(String start) {
        String rest = start.substring(start.indexOf(':'));
        return rest.equals(":/") || rest.equals(authority(start));
    }

    /** Schemes whose authority is a host that is asked. */
    private static boolean namesHost(String uri) {
        String lower = uri.toLowerCase(Locale.ROOT);
        return lower.startsWith("http:") || lower.startsWith("https:") || isFile(uri);
    }

    /** From the colon to the end of the host and port; a colon alone where there is none. */
    private static String authority(String uri) {
        int colon = uri.indexOf(':');
        if (!uri.startsWith("//", colon + 1)) {
            return ":";
        }
        int end = colon + 3;
        while (end < uri.length() && "/?#".indexOf(uri.charAt(end)) < 0) {
            end++;
        }
        return uri.substring(colon, end);
    }

    /**
     * Whether a URI may have come from a template (RFC 6570). Each expression stands for any
     * characters; a plain one for some without a slash.
     */
    static boolean fits(String uri, String template, Budget budget) {
        if (!budget.take(uri.length() + 1L)) {
            return false;
        }
        boolean[] reached = new boolean[uri.length() + 1]; // up to where what is read may reach
        reached[0] = true;
        int from = 0;
        for (int expressions = 0; expressions <= EXPRESSIONS_MAX; expressions++) {
            int brace = template.indexOf('{', from);
            int end = brace < 0 ? template.length() : brace;
            if (!literal(uri, reached, template.substring(from, end), budget)) {
                return false;
            }
            if (brace < 0) {
                return reached[uri.length()];
            }
            int close = template.indexOf('}', brace);
            if (close < 0 || !budget.take(uri.length() + 1L)) {
                return false;
            }
            expression(uri, reached, AgentNames.isPlain(template.charAt(brace + 1)));
            from = close + 1;
        }
        return false;
    }

    /** How long the templates of one upstream may be tried: beyond that, they fit nothing. */
    static final class Budget {
        private static final long ALL = 200_000; // characters looked at, some milliseconds

        private long left;

        /** The share of one of so many upstreams. */
        Budget(int upstreams) {
            left = ALL / Math.max(1, upstreams);
        }

        private boolean take(long characters) {
            left -= characters;
            return left >= 0;
        }
    }

    /** Goes over fixed text from each place; whether time was left for it. */
    private static boolean literal(String uri, boolean[] reached, String fixed, Budget budget) {
        if (fixed.isEmpty()) {
            return true;
        }
        for (int at = uri.length(); at >= 0; at--) {
            if (reached[at]) {
                if (!budget.take(fixed.length())) {
                    return false;
                }
                reached[at] = false;
                if (uri.startsWith(fixed, at)) {
                    reached[at + fixed.length()] = true; // behind: not looked at again
                }
            }
        }
        return true;
    }

    /** Goes over any characters from each place, or at least one and no slash. */
    private static void expression(String uri, boolean[] reached, boolean isPlain) {
        boolean open = false; // some place before this one reaches it
        for (int at = 0; at < reached.length; at++) {
            boolean before = reached[at];
            reached[at] = open || (before && !isPlain);
            open |= before;
            if (isPlain && at < uri.length() && uri.charAt(at) == '/') {
                open = false;
            }
        }
    }
}
