package glove.gateway;

import java.util.Locale;

/**
 * What can be said of the URI of a resource without asking anybody: by its characters alone.
 * Stateless.
 */
final class ResourceUris {
    private static final int LENGTH_MAX = 8 << 10;

    /** Where one part of a URI ends and the next begins. */
    private static final String SEPARATORS = "/?#:=&";

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
            if (c <= ' ' || c == 0x7f || c == '\\') {
                return false;
            }
        }
        String lower = uri.toLowerCase(Locale.ROOT);
        if (lower.contains("%2e") || lower.contains("%2f") || lower.contains("%5c")) {
            return false;
        }
        if (lower.contains("%00") || hasStepUp(uri.substring(colon + 1))) {
            return false;
        }
        return !hasUser(uri, colon + 1);
    }

    private static boolean hasStepUp(String path) {
        int from = 0;
        while (from <= path.length()) {
            int to = from;
            while (to < path.length() && "/?#".indexOf(path.charAt(to)) < 0) {
                to++;
            }
            String step = path.substring(from, to);
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

    /** Whether it is the prefix, or begins with it and a new part begins there. */
    static boolean isUnder(String uri, String prefix) {
        if (!uri.startsWith(prefix) || prefix.isEmpty()) {
            return false;
        }
        return uri.length() == prefix.length()
                || SEPARATORS.indexOf(prefix.charAt(prefix.length() - 1)) >= 0
                || SEPARATORS.indexOf(uri.charAt(prefix.length())) >= 0;
    }

    /**
     * Whether a URI may have come from a template (RFC 6570). Each expression stands for any
     * characters; a plain one for some without a slash.
     */
    static boolean fits(String uri, String template, Budget budget) {
        return fits(uri, 0, template, 0, budget);
    }

    /** How often the templates of one upstream may be tried: beyond that, they fit nothing. */
    static final class Budget {
        private int left = 50_000;

        private boolean take() {
            left--;
            return left >= 0;
        }
    }

    private static boolean fits(String uri, int at, String template, int from, Budget budget) {
        int brace = template.indexOf('{', from);
        String fixed = template.substring(from, brace < 0 ? template.length() : brace);
        if (!uri.startsWith(fixed, at)) {
            return false;
        }
        int behind = at + fixed.length();
        if (brace < 0) {
            return behind == uri.length();
        }
        int end = template.indexOf('}', brace);
        if (end < 0) {
            return false;
        }
        boolean plain = brace + 1 < end && AgentNames.isPlain(template.charAt(brace + 1));
        for (int to = plain ? behind + 1 : behind; to <= uri.length(); to++) {
            if (plain && uri.charAt(to - 1) == '/') {
                return false;
            }
            if (!budget.take()) {
                return false;
            }
            if (fits(uri, to, template, end + 1, budget)) {
                return true;
            }
        }
        return false;
    }
}
