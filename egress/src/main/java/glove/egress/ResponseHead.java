package glove.egress;

import java.nio.charset.StandardCharsets;

/**
 * The head of one answer of a server, and the head to send to the client in its place. Read as
 * strictly as {@link RequestHead}: a server, too, could make the client see another answer than
 * the one that was asked for. Immutable.
 */
final class ResponseHead {
    private static final int STATUS_AT = 9;
    private static final int STATUS_END = 12;
    private static final int SWITCHING = 101;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final int PROXY_AUTHENTICATION = 407;

    private final int status;
    private final String reason;
    private final HeadFields fields;
    private final Asked request;
    private final BodyFraming framing;
    private final boolean persistent;

    private ResponseHead(int status, String reason, boolean old, HeadFields fields, Asked request)
            throws MalformedException {
        this.status = status;
        this.reason = reason;
        this.fields = fields;
        this.request = request;
        BodyFraming said = BodyFraming.of(fields, BodyFraming.UNTIL_CLOSE);
        if (said.kind() == BodyFraming.Kind.CHUNKED && (old || request.isOld())) {
            throw fields.malformed("the server answered HTTP/1.0 with a Transfer-Encoding");
        }
        this.framing = isBodiless() ? BodyFraming.NONE : said;
        this.persistent = !old && !fields.hasOption("close");
    }

    private boolean isBodiless() {
        return status < 200
                || status == NO_CONTENT
                || status == NOT_MODIFIED
                || request.isForHead();
    }

    /** {@link RequestHead#end} for the head of an answer. */
    static int end(byte[] bytes, int from, int scanned, int to) throws MalformedException {
        return HeadFields.end(bytes, from, scanned, to, HttpCode.BAD_GATEWAY);
    }

    /**
     * Reads a whole head.
     *
     * @param to what {@link #end} found
     * @param request what is being answered; not CONNECT
     * @throws MalformedException when it is no answer to that request
     */
    static ResponseHead parse(byte[] bytes, int from, int to, RequestHead request)
            throws MalformedException {
        return parse(bytes, from, to, request.asked());
    }

    static ResponseHead parse(byte[] bytes, int from, int to, Asked request)
            throws MalformedException {
        int lineEnd = from;
        while (bytes[lineEnd] != '\r') {
            lineEnd++;
        }
        String line = HeadFields.text(bytes, from, lineEnd);
        boolean old = line.startsWith("HTTP/1.0 ");
        int status = line.length() < STATUS_END ? -1 : status(line);
        boolean ends = line.length() == STATUS_END
                || (line.length() > STATUS_END && line.charAt(STATUS_END) == ' ');
        for (int i = from; i < lineEnd; i++) {
            ends &= HeadFields.isOfValue(bytes[i]);
        }
        if (status < 100 || !ends || !(old || line.startsWith("HTTP/1.1 "))) {
            throw malformed("the server's answer does not begin as HTTP/1.1 does");
        }
        String reason = line.length() > STATUS_END ? line.substring(STATUS_END + 1) : "";
        HeadFields fields = HeadFields.parse(bytes, lineEnd + 2, to, HttpCode.BAD_GATEWAY);
        ResponseHead head = new ResponseHead(status, reason, old, fields, request);
        head.check();
        return head;
    }

    private static int status(String line) {
        int status = 0;
        for (int i = STATUS_AT; i < STATUS_END; i++) {
            int digit = line.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            status = 10 * status + digit;
        }
        return status;
    }

    private void check() throws MalformedException {
        if (status == SWITCHING && !request.upgrades()) {
            throw malformed("the server changes the protocol, which nobody asked for");
        }
        if (status == SWITCHING && !fields.only("upgrade", "").equalsIgnoreCase("websocket")) {
            throw malformed("the server changes to another protocol than was asked for");
        }
        if (isInterim() && request.isOld()) {
            throw malformed("the server answered HTTP/1.0 with an interim answer");
        }
        if (status == PROXY_AUTHENTICATION) {
            // The client would send the credential of this proxy once more, or show it to somebody.
            throw malformed("the server asks for the credential of the proxy");
        }
    }

    private static MalformedException malformed(String sentence) {
        return new MalformedException(HttpCode.BAD_GATEWAY, sentence);
    }

    int status() {
        return status;
    }

    /** Whether the answer proper is still to come; this one is sent on too. */
    boolean isInterim() {
        return status < 200 && status != SWITCHING;
    }

    /** Whether both speak another protocol from here on. */
    boolean isSwitch() {
        return status == SWITCHING;
    }

    /** Of the answer's body. */
    BodyFraming framing() {
        return framing;
    }

    /** Whether the server's connection can be used for another request after the body. */
    boolean keepsUpstream() {
        return persistent && request.keepsAlive() && framing.kind() != BodyFraming.Kind.UNTIL_CLOSE;
    }

    /** Whether the client's connection can be used for another request after the body. */
    boolean keepsClient() {
        return request.keepsAlive() && framing.kind() != BodyFraming.Kind.UNTIL_CLOSE;
    }

    /** What to send to the client in place of this head. */
    byte[] downstream() {
        return downstream(false);
    }

    /**
     * The same.
     *
     * @param last whether it has to say that the connection ends, which may be for other reasons
     */
    byte[] downstream(boolean last) {
        StringBuilder out = new StringBuilder("HTTP/1.1 ").append(status).append(' ');
        out.append(reason).append("\r\n");
        fields.copyTo(out, "");
        out.append(framing.field());
        boolean described = status == NOT_MODIFIED || request.isForHead();
        if (described && status >= 200) {
            for (String length : fields.values(BodyFraming.CONTENT_LENGTH)) {
                out.append("Content-Length: ").append(length).append("\r\n");
            }
        }
        if (isSwitch()) {
            out.append("Connection: Upgrade\r\nUpgrade: websocket\r\n");
        } else if (!isInterim() && (last || !keepsClient())) {
            out.append("Connection: close\r\n");
        }
        return out.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
