package glove.egress;

import glove.sys.IpAddress;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The head of one request to a proxy, HTTP/1.1 or 1.0, and the head to send on in its place. Read
 * so strictly that the server cannot take it for another request than the one decided about.
 * Immutable.
 */
final class RequestHead {
    /** Bytes of a whole head, the empty line included. */
    static final int BYTES_MAX = HeadFields.BYTES_MAX;

    private static final String CONNECT = "CONNECT";
    private static final String VERSION = "HTTP/1.";
    private static final String CLOSE = "close";
    private static final String HOST = "host";

    private final String method;
    private final RequestTarget target;
    private final boolean old;
    private final HeadFields fields;
    private final BodyFraming framing;
    private final boolean upgrades;

    private RequestHead(String method, RequestTarget target, boolean old, HeadFields fields)
            throws MalformedException {
        this.method = method;
        this.target = target;
        this.old = old;
        this.fields = fields;
        this.framing = BodyFraming.of(fields, BodyFraming.NONE);
        this.upgrades = !old
                && !framing.hasBody()
                && method.equals("GET")
                && fields.hasOption("upgrade")
                && fields.only("upgrade", "").equalsIgnoreCase("websocket");
    }

    /**
     * Finds the end of a head in a buffer that grows.
     *
     * @param from where it begins
     * @param scanned how far earlier calls were given bytes; {@code from} at first
     * @param to how far there are bytes now
     * @return behind the head; -1 when more has to come, which is at most {@link #BYTES_MAX}
     * @throws MalformedException as soon as it can be no head
     */
    static int end(byte[] bytes, int from, int scanned, int to) throws MalformedException {
        return HeadFields.end(bytes, from, scanned, to, HttpCode.BAD_REQUEST);
    }

    /**
     * Reads a whole head.
     *
     * @param to what {@link #end} found
     */
    static RequestHead parse(byte[] bytes, int from, int to) throws MalformedException {
        int lineEnd = from;
        while (bytes[lineEnd] != '\r') {
            lineEnd++;
        }
        int first = from;
        while (first < lineEnd && HeadFields.isToken(bytes[first])) {
            first++;
        }
        int second = first + 1;
        while (second < lineEnd && isOfTarget(bytes[second])) {
            second++;
        }
        boolean parted = first > from
                && second < lineEnd
                && second > first + 1
                && bytes[first] == ' '
                && bytes[second] == ' ';
        if (!parted) {
            throw malformed("the first line is not METHOD ADDRESS VERSION");
        }
        String method = HeadFields.text(bytes, from, first);
        boolean old = isOld(HeadFields.text(bytes, second + 1, lineEnd));
        RequestTarget target =
                RequestTarget.parse(method, HeadFields.text(bytes, first + 1, second));
        HeadFields fields = HeadFields.parse(bytes, lineEnd + 2, to, HttpCode.BAD_REQUEST);
        RequestHead head = new RequestHead(method, target, old, fields);
        head.checkHost();
        head.checkBody();
        return head;
    }

    private static boolean isOfTarget(byte b) {
        return b != ' ' && b != '\t' && HeadFields.isOfValue(b);
    }

    /** Whether it is HTTP/1.0; other versions than that and 1.1 are refused. */
    private static boolean isOld(String version) throws MalformedException {
        if (version.equals(VERSION + "1")) {
            return false;
        }
        if (version.equals(VERSION + "0")) {
            return true;
        }
        boolean known = version.length() == VERSION.length() + 1 && version.startsWith("HTTP/");
        throw known
                ? new MalformedException(
                        HttpCode.VERSION_NOT_SUPPORTED, "this proxy speaks HTTP/1.1 and 1.0 only")
                : malformed("the first line does not end with a version of HTTP");
    }

    /** Two names for one destination would let one pass where the other is meant. */
    private void checkHost() throws MalformedException {
        List<String> hosts = fields.values(HOST);
        boolean needed = !old && !isConnect();
        if (hosts.size() > 1 || (needed && hosts.isEmpty())) {
            throw malformed("the Host field has to be there once");
        }
        if (hosts.isEmpty()) {
            return;
        }
        // Programs leave out different ports in front of CONNECT, and nobody reads it there.
        int missing = isConnect() ? target.destination().port() : RequestTarget.HTTP_PORT;
        Optional<IpAddress> bare = IpAddress.parse(hosts.get(0));
        // An IPv6 address without brackets: curl, on a connection it uses again.
        Destination named = bare.isPresent()
                ? Destination.of(bare.get(), missing)
                : Destination.parse(hosts.get(0), missing);
        if (!named.equals(target.destination())) {
            throw malformed("the Host field names another host than the first line");
        }
    }

    private void checkBody() throws MalformedException {
        boolean chunked = framing.kind() == BodyFraming.Kind.CHUNKED;
        if (isConnect() && framing.hasBody()) {
            throw malformed("CONNECT has no body");
        }
        if (old && chunked) {
            throw malformed("HTTP/1.0 has no Transfer-Encoding");
        }
        String expectation = fields.only("expect", "");
        if (!expectation.isEmpty() && !expectation.equalsIgnoreCase("100-continue")) {
            throw new MalformedException(
                    HttpCode.EXPECTATION_FAILED, "the Expect field knows '100-continue' only");
        }
        fields.only("proxy-authorization", "");
    }

    private static MalformedException malformed(String sentence) {
        return new MalformedException(HttpCode.BAD_REQUEST, sentence);
    }

    boolean isConnect() {
        return method.equals(CONNECT);
    }

    String method() {
        return method;
    }

    /** Whether the client speaks HTTP/1.0. */
    boolean isOld() {
        return old;
    }

    Destination destination() {
        return target.destination();
    }

    /** Of the request's body. */
    BodyFraming framing() {
        return framing;
    }

    /** Whether it asks to speak websocket from the answer on. */
    boolean upgrades() {
        return upgrades;
    }

    /** Whether the client waits for {@code 100 Continue} before it sends the body. */
    boolean expectsContinue() {
        return !old && framing.hasBody() && fields.has("expect");
    }

    /** Whether another request may follow on the client's connection. */
    boolean keepsAlive() {
        for (String value : fields.values("proxy-connection")) {
            if (value.equalsIgnoreCase(CLOSE)) {
                return false;
            }
        }
        return !old && !isConnect() && !fields.hasOption(CLOSE);
    }

    /** What has to be known of it when it is sent. */
    Asked asked() {
        return new Asked(this);
    }

    /** The value of Proxy-Authorization, byte for byte. */
    Optional<byte[]> proxyAuthorization() {
        List<String> values = fields.values("proxy-authorization");
        return values.isEmpty()
                ? Optional.empty()
                : Optional.of(values.get(0).getBytes(StandardCharsets.ISO_8859_1));
    }

    /** What to send to the destination in place of this head; CONNECT has nothing to send. */
    byte[] upstream() {
        StringBuilder out = new StringBuilder();
        out.append(method).append(' ').append(target.path());
        out.append(' ').append(VERSION).append(old ? '0' : '1').append("\r\nHost: ");
        out.append(destination().authority(RequestTarget.HTTP_PORT)).append("\r\n");
        fields.copyTo(out, HOST);
        out.append(framing.field());
        if (upgrades) {
            out.append("Connection: Upgrade\r\nUpgrade: websocket\r\n");
        } else if (!keepsAlive()) {
            out.append("Connection: close\r\n");
        }
        return out.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
