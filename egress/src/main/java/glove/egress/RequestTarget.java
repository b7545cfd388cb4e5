package glove.egress;

import java.util.Locale;

/**
 * What a request to a proxy is about: {@code host:port} of CONNECT, or {@code http://host/path} of
 * the other methods (RFC 9112 §3.2). Immutable.
 *
 * @param path what the server is asked for; empty for CONNECT
 */
record RequestTarget(Destination destination, String path) {
    static final int HTTP_PORT = 80;

    private static final String HTTP = "http://";
    private static final String HTTPS = "https://";

    static RequestTarget parse(String method, String text) throws MalformedException {
        if (method.equals("CONNECT")) {
            return new RequestTarget(Destination.parse(text), "");
        }
        String scheme =
                text.substring(0, Math.min(HTTPS.length(), text.length())).toLowerCase(Locale.ROOT);
        if (scheme.startsWith("/") || scheme.equals("*")) {
            throw malformed("this is a proxy: it takes http://HOST/PATH, and CONNECT HOST:PORT");
        }
        if (scheme.equals(HTTPS)) {
            throw malformed("an https:// address goes through this proxy by CONNECT HOST:PORT");
        }
        if (!scheme.startsWith(HTTP)) {
            throw malformed("this proxy knows http://HOST/PATH and CONNECT HOST:PORT only");
        }
        int end = HTTP.length();
        while (end < text.length() && "/?#".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        String authority = text.substring(HTTP.length(), end);
        if (authority.indexOf('@') >= 0) {
            throw malformed("user and password in an address are not taken");
        }
        if (text.indexOf('#') >= 0) {
            throw malformed("a fragment ('#') is not part of a request");
        }
        Destination destination = Destination.parse(authority, HTTP_PORT);
        return new RequestTarget(destination, path(method, text.substring(end)));
    }

    private static String path(String method, String rest) {
        if (rest.isEmpty()) {
            // The server itself is meant (RFC 9112 §3.2.4).
            return method.equals("OPTIONS") ? "*" : "/";
        }
        return rest.startsWith("?") ? "/" + rest : rest;
    }

    private static MalformedException malformed(String sentence) {
        return new MalformedException(HttpCode.BAD_REQUEST, sentence);
    }
}
