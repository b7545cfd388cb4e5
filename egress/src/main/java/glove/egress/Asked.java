package glove.egress;

/**
 * What has to be known of a request once its head is sent on: a thousand connections wait for
 * answers, and none keeps its head. Immutable.
 */
final class Asked {
    private final Destination destination;
    private final BodyFraming framing;
    private final boolean connect;
    private final boolean forHead;
    private final boolean repeatable;
    private final boolean old;
    private final boolean keepsAlive;
    private final boolean upgrades;
    private final boolean expectsContinue;

    Asked(RequestHead head) {
        String method = head.method();
        this.destination = head.destination();
        this.framing = head.framing();
        this.connect = head.isConnect();
        this.forHead = method.equals("HEAD");
        this.repeatable = !framing.hasBody() && isIdempotent(method);
        this.old = head.isOld();
        this.keepsAlive = head.keepsAlive();
        this.upgrades = head.upgrades();
        this.expectsContinue = head.expectsContinue();
    }

    /** Those of RFC 9110 §9.2.2. */
    private static boolean isIdempotent(String method) {
        return method.equals("GET")
                || method.equals("HEAD")
                || method.equals("OPTIONS")
                || method.equals("TRACE")
                || method.equals("PUT")
                || method.equals("DELETE");
    }

    Destination destination() {
        return destination;
    }

    /** Of the request's body. */
    BodyFraming framing() {
        return framing;
    }

    boolean isConnect() {
        return connect;
    }

    /** Whether the answer has no body, whatever its head says. */
    boolean isForHead() {
        return forHead;
    }

    /** Whether making it twice is as good as once, and its head is all of it. */
    boolean isRepeatable() {
        return repeatable;
    }

    /** Whether the client speaks HTTP/1.0. */
    boolean isOld() {
        return old;
    }

    /** Whether another request may follow on the client's connection. */
    boolean keepsAlive() {
        return keepsAlive;
    }

    /** Whether it asks to speak websocket from the answer on. */
    boolean upgrades() {
        return upgrades;
    }

    /** Whether the client may wait for {@code 100 Continue} before it sends the body. */
    boolean expectsContinue() {
        return expectsContinue;
    }
}
