package glove.egress;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Where a package client says its packages are: an http or https URL of RFC 3986 whose host is one
 * host. Immutable.
 *
 * @param text all of it, as the client said it; printable ASCII
 * @param rule what reaches its host, as {@code --egress-allow} takes it
 * @param hasSecret whether it holds a name, a password, a query or a fragment: it is for no one
 *     else then
 */
public record RegistryUrl(String text, String rule, boolean hasSecret) {
    /** Of one answer; nobody is set up for more. */
    public static final int HOSTS_MAX = 64;

    private static final String HTTPS = "https://";
    private static final String HTTP = "http://";

    /** What stands around a URL in the words of clients: lists, parentheses, JSON. */
    private static final String AROUND = "\n\r\t ,|()\"";

    /** Beside letters and digits, what a URL may hold; commas and parentheses stand around it. */
    private static final String IN_URLS = "-._~:/?#[]@!$&'*+;=%";

    /**
     * Those in what a client said, of each host and port the first. Counts only what fills a line,
     * an element of a list, a string or parentheses: a link in the middle of a sentence is a help
     * text.
     *
     * @throws EgressException when there are more than {@value #HOSTS_MAX}
     */
    public static List<RegistryUrl> in(String said) throws EgressException {
        List<RegistryUrl> all = new ArrayList<>();
        Set<String> rules = new HashSet<>();
        int start = 0;
        for (int i = 0; i <= said.length(); i++) {
            if (i < said.length() && AROUND.indexOf(said.charAt(i)) < 0) {
                continue;
            }
            boolean inSentence = start > 0 && said.charAt(start - 1) == ' ' && !opens(said, start);
            String text = said.substring(start, i);
            String rule = inSentence ? "" : rule(text);
            if (!rule.isEmpty() && rules.add(rule)) {
                all.add(new RegistryUrl(text, rule, hasSecret(text)));
            }
            if (all.size() > HOSTS_MAX) {
                throw new EgressException(
                        "a package client names more than " + HOSTS_MAX + " hosts",
                        EgressRule.ALLOW + " HOST of the registry you mean");
            }
            start = i + 1;
        }
        return all;
    }

    /** Whether the blank before comes after a sign, as in {@code a, b}. */
    private static boolean opens(String said, int start) {
        return start < 2 || AROUND.indexOf(said.charAt(start - 2)) >= 0;
    }

    /** What reaches the host of a URL; empty when the text is none, or names no single host. */
    private static String rule(String text) {
        String scheme = text.startsWith(HTTPS) ? HTTPS : HTTP;
        if (!text.startsWith(scheme) || !isUrl(text)) {
            return "";
        }
        String authority = text.substring(scheme.length(), pathAt(text, scheme.length()));
        String host = authority.substring(authority.lastIndexOf('@') + 1);
        int colon = host.indexOf(':', host.indexOf(']') + 1);
        String name = colon < 0 ? host : host.substring(0, colon);
        boolean isPlain = isHost(name) && (colon < 0 || isPort(host.substring(colon + 1)));
        if (!isPlain) {
            return "";
        }
        return colon >= 0 || scheme.equals(HTTPS) ? host : host + ":80";
    }

    private static boolean isUrl(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isAlphanumeric(text.charAt(i)) && IN_URLS.indexOf(text.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
    }

    private static int pathAt(String text, int from) {
        int end = from;
        while (end < text.length() && "/?#".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    /** One name or address: a dot in front would mean a domain, a star anything. */
    private static boolean isHost(String name) {
        boolean isAddress = name.startsWith("[") && name.endsWith("]");
        boolean isPlain = !name.isEmpty() && name.charAt(0) != '.' && name.charAt(0) != '-';
        for (int i = 0; i < name.length() && isPlain && !isAddress; i++) {
            char c = name.charAt(i);
            isPlain = isAlphanumeric(c) || c == '.' || c == '-';
        }
        return isPlain;
    }

    private static boolean isPort(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty();
    }

    private static boolean isAlphanumeric(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    private static boolean hasSecret(String text) {
        int path = pathAt(text, text.indexOf("//") + 2);
        return text.lastIndexOf('@', path) >= 0 || text.indexOf('?') >= 0 || text.indexOf('#') >= 0;
    }
}
