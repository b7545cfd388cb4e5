package glove.egress;

import java.nio.charset.StandardCharsets;

/** What the proxy itself answers to HTTP. Stateless. */
final class HttpAnswer {
    /** To CONNECT (RFC 9110 §9.3.6). */
    static final byte[] ESTABLISHED = bytes("HTTP/1.1 200 Connection Established\r\n\r\n");

    static final int FORBIDDEN = 403;
    static final int PROXY_AUTHENTICATION = 407;
    static final int REQUEST_TIMEOUT = 408;
    static final int BAD_GATEWAY = HttpCode.BAD_GATEWAY;
    static final int UNAVAILABLE = 503;

    private HttpAnswer() {}

    /**
     * A refusal that says why, and is the last answer on its connection.
     *
     * @param bodiless whether only the head is to be sent, as in answer to HEAD
     */
    static byte[] refusal(int status, String sentence, boolean bodiless) {
        byte[] body = bytes("glove: " + sentence + "\n");
        StringBuilder head = new StringBuilder("HTTP/1.1 ");
        head.append(status).append(' ').append(words(status)).append("\r\n");
        if (status == PROXY_AUTHENTICATION) {
            head.append("Proxy-Authenticate: Basic realm=\"glove\"\r\n");
        }
        head.append("Content-Type: text/plain; charset=utf-8\r\nContent-Length: ");
        head.append(body.length).append("\r\nConnection: close\r\n\r\n");
        byte[] start = bytes(head.toString());
        if (bodiless) {
            return start;
        }
        byte[] all = new byte[start.length + body.length];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(body, 0, all, start.length, body.length);
        return all;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String words(int status) {
        return switch (status) {
            case 400 -> "Bad Request";
            case FORBIDDEN -> "Forbidden";
            case PROXY_AUTHENTICATION -> "Proxy Authentication Required";
            case REQUEST_TIMEOUT -> "Request Timeout";
            case 417 -> "Expectation Failed";
            case 431 -> "Request Header Fields Too Large";
            case BAD_GATEWAY -> "Bad Gateway";
            case UNAVAILABLE -> "Service Unavailable";
            case 504 -> "Gateway Timeout";
            case 505 -> "HTTP Version Not Supported";
            default -> "Refused";
        };
    }
}
