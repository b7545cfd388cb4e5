package glove.gateway;

/**
 * Who opened the gateway and starts the programs behind it. Called within {@link Gateway#turn} and
 * other calls of the gateway, on its thread; must not call it back before that has returned.
 */
public interface GatewayOwner {
    /** Of {@link #upstreamEnded}: it is not started again. */
    long NEVER = -1;

    /** Something the operator should know, in one sentence. Printable. */
    void report(String sentence);

    /** A line an upstream wrote to its standard error: bounded and printable. */
    void diagnostics(String upstream, String line);

    /**
     * An upstream is gone or was given up, and its channel is closed: end its processes. Then
     * start it again, unless told not to, and call {@link Gateway#connect}; or {@link
     * Gateway#failed}.
     *
     * @param waitMillis before it is started again; {@link #NEVER}
     */
    void upstreamEnded(String upstream, String reason, long waitMillis);

    /** An agent has gone, or its session was ended; its channel is closed. */
    void agentEnded(int agent, String reason);
}
