package glove.egress;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a package client says its packages are: an http or https URL (RFC 3986). Immutable.
 *
 * @param text all of it, as the client said it
 * @param rule what reaches its host, as {@code --egress-allow} takes it
 * @param hasSecret whether it holds a name or password: it is for no one else then
 */
public record RegistryUrl(String text, String rule, boolean hasSecret) {
    private static final String HTTPS = "https://";
    private static final String HTTP = "http://";

    /** What stands around a URL in the words of clients: lists, parentheses, JSON. */
    private static final String AROUND = "\n\r\t ,|()\"";

    /**
     * Those in what a client said. Counts only what fills a line, an element of a list, a string or
     * parentheses: a link in the middle of a sentence is a help text.
     */
    public static List<RegistryUrl> in(String said) {
        List<RegistryUrl> all = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= said.length(); i++) {
            if (i < said.length() && AROUND.indexOf(said.charAt(i)) < 0) {
                continue;
            }
            boolean inSentence = start > 0 && said.charAt(start - 1) == ' ' && !opens(said, start);
            if (!inSentence) {
                add(all, said.substring(start, i));
            }
            start = i + 1;
        }
        return all;
    }

    /** Whether the blank before comes after a sign, as in {@code a, b}. */
    private static boolean opens(String said, int start) {
        return start < 2 || AROUND.indexOf(said.charAt(start - 2)) >= 0;
    }

    private static void add(List<RegistryUrl> all, String text) {
        String scheme = text.startsWith(HTTPS) ? HTTPS : HTTP;
        if (!text.startsWith(scheme) || text.length() == scheme.length()) {
            return;
        }
        int end = scheme.length();
        while (end < text.length() && "/?#".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        String authority = text.substring(scheme.length(), end);
        int at = authority.lastIndexOf('@');
        String host = authority.substring(at + 1);
        boolean hasPort = host.indexOf(':', host.indexOf(']') + 1) >= 0;
        String rule = hasPort || scheme.equals(HTTPS) ? host : host + ":80";
        for (RegistryUrl earlier : all) {
            if (earlier.rule.equals(rule)) {
                return;
            }
        }
        all.add(new RegistryUrl(text, rule, at >= 0 || text.indexOf('?') >= 0));
    }
}
