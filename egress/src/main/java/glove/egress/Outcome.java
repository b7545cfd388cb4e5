package glove.egress;

/** Why a client gets no connection, in the numbers of the protocols it may speak. */
enum Outcome {
    NOT_ALLOWED(403, 2),
    UNRESOLVED(502, 4),
    UNREACHABLE(502, 4),
    REFUSED_THERE(502, 5),
    TIMED_OUT(504, 6),
    OUT_OF_RESOURCES(503, 1);

    private final int status;
    private final int reply;

    Outcome(int status, int reply) {
        this.status = status;
        this.reply = reply;
    }

    /** Of HTTP. */
    int status() {
        return status;
    }

    /** Of SOCKS5 (RFC 1928 §6). */
    int reply() {
        return reply;
    }
}
