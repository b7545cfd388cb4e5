package glove.gateway;

/**
 * One thing to be recorded. Immutable.
 *
 * @param kind what happened
 * @param agent which, counted from 1; 0 when none was concerned
 * @param call joins a {@link Kind#CALLED} to how it ended, counted from 1; 0 for all else
 * @param subject what it was about
 * @param payload what went over, and how long it took
 * @param rule that allowed it, or came closest; empty when none did
 * @param reason a sentence, why it was refused or failed; empty otherwise
 * @param times how many equal ones of a turn it stands for
 */
public record GatewayEvent(
        Kind kind,
        int agent,
        long call,
        Subject subject,
        Payload payload,
        String rule,
        String reason,
        int times) {
    /** What happened. */
    public enum Kind {
        /** An agent's session has begun. */
        INITIALIZED,
        /** An agent was given a list. */
        LISTED,
        /** An upstream is about to be asked; recorded before it is. */
        CALLED,
        /** It has answered. */
        ANSWERED,
        /** It has answered with an error, or will not. */
        FAILED,
        /** The agent does not want the answer any more, or is gone. */
        CANCELLED,
        /** An agent asked for what it may not have, or for what there is not. */
        DENIED,
        /** A frame or message that is not passed on: malformed, unknown, out of order. */
        REFUSED,
        /** An upstream is about to ask an agent. */
        ASKED,
        /** An agent's session is over. */
        LEFT,
        /** An upstream serves. */
        UPSTREAM_READY,
        /** An upstream is gone. */
        UPSTREAM_ENDED,
        /** A definition was pinned. */
        PINNED,
        /** A definition is not the pinned one, or is new, and stays hidden. */
        WITHHELD
    }

    /**
     * What it is about.
     *
     * @param method of the protocol; empty when there is none
     * @param upstream by name; empty when there is none
     * @param name of the tool or prompt as rules write it without the upstream, or a URI
     */
    public record Subject(String method, String upstream, String name) {
        static final Subject NONE = new Subject("", "", "");
    }

    /**
     * What went over.
     *
     * @param digest SHA-256 of the arguments as they were sent; empty when there were none
     * @param arguments themselves, when they are to be recorded
     * @param bytesOut of the request
     * @param bytesIn of its answer
     * @param nanos from one to the other
     */
    public record Payload(
            String digest, String arguments, long bytesOut, long bytesIn, long nanos) {
        static final Payload NONE = new Payload("", "", 0, 0, 0);
    }

    /** Whether it is the same but for how often. */
    boolean isLike(GatewayEvent other) {
        return kind == other.kind
                && agent == other.agent
                && call == other.call
                && subject.method().equals(other.subject.method())
                && subject.upstream().equals(other.subject.upstream())
                && subject.name().equals(other.subject.name())
                && payload.digest().equals(other.payload.digest())
                && payload.arguments().equals(other.payload.arguments())
                && rule.equals(other.rule)
                && reason.equals(other.reason);
    }

    /** Whether equal ones may stand as one: where each has no number of its own. */
    boolean isCounted() {
        return kind == Kind.DENIED || kind == Kind.REFUSED || kind == Kind.LISTED;
    }

    static GatewayEvent of(Kind kind, int agent, Subject subject) {
        return new GatewayEvent(kind, agent, 0, subject, Payload.NONE, "", "", 1);
    }

    GatewayEvent ofCall(long number, Payload moved) {
        return new GatewayEvent(kind, agent, number, subject, moved, rule, reason, times);
    }

    GatewayEvent because(String why) {
        return new GatewayEvent(kind, agent, call, subject, payload, rule, why, times);
    }

    GatewayEvent by(String which) {
        return new GatewayEvent(kind, agent, call, subject, payload, which, reason, times);
    }

    GatewayEvent times(int count) {
        return new GatewayEvent(kind, agent, call, subject, payload, rule, reason, count);
    }
}
