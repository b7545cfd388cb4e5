package glove.egress;

/**
 * One thing to be recorded: a decision, or how what was allowed ended. Immutable.
 *
 * @param destination {@code host:port}; empty when the client was not authenticated
 * @param address those that may be dialled, or the one that was, {@code address:port}; empty
 *     before there is one
 * @param rule the option that allowed it; empty when none did
 * @param reason a sentence: why it was refused, failed or was cut off; empty for an ordinary end
 * @param bytesOut sent to the destination so far
 * @param bytesIn received from it so far
 * @param nanos since the decision
 * @param times how many equal in kind it stands for: above 1 when there were too many to record
 *     each, and the other parts are those of the last
 */
public record EgressEvent(
        Kind kind,
        Protocol protocol,
        String destination,
        String address,
        String rule,
        String reason,
        long bytesOut,
        long bytesIn,
        long nanos,
        int times) {
    /** What happened. */
    public enum Kind {
        /**
         * A name a client chose below a domain that is allowed is about to be resolved: recorded
         * before anybody is asked, because the question itself leaves.
         */
        ASKED,
        /** It may pass; recorded before anything is sent. */
        ALLOWED,
        /** It may not: by the rules, by a limit, or because the client is not the agent's. */
        REFUSED,
        /** It might have passed, but the destination could not be reached. */
        FAILED,
        /** What was allowed is over. */
        ENDED
    }

    /** How the client asked. */
    public enum Protocol {
        /** Not known yet. */
        NONE,
        /** CONNECT of HTTP. */
        CONNECT,
        /** A request of plain HTTP. */
        HTTP,
        SOCKS5,
        /** A connection to the listener of one granted local service. */
        DIRECT
    }

    /** A name is about to be asked for. */
    static EgressEvent asked(Protocol protocol, String destination, String rule) {
        return new EgressEvent(Kind.ASKED, protocol, destination, "", rule, "", 0, 0, 0, 1);
    }

    /** A refusal. */
    static EgressEvent refused(Protocol protocol, String destination, String reason) {
        return new EgressEvent(Kind.REFUSED, protocol, destination, "", "", reason, 0, 0, 0, 1);
    }

    /** The same event standing for several. */
    EgressEvent times(int count) {
        return new EgressEvent(
                kind,
                protocol,
                destination,
                address,
                rule,
                reason,
                bytesOut,
                bytesIn,
                nanos,
                count);
    }
}
