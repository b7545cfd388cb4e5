package glove.egress;

import java.util.Map;

/**
 * How much may go out of one run. Immutable.
 *
 * @param connections of clients at the same time; those beyond are closed at once
 * @param idleMillis of silence both ways end a connection; 0 for none
 * @param totalMillis end a connection in any case; 0 for none
 * @param bytesOutOfRun may be sent to all hosts together; {@link #UNLIMITED}
 * @param bytesOutOfHost may be sent to a host, by {@link Destination#host}; of a dot and a domain:
 *     to that and all below it together
 */
public record EgressLimits(
        int connections,
        long idleMillis,
        long totalMillis,
        long bytesOutOfRun,
        Map<String, Long> bytesOutOfHost) {
    /** Of bytes. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final int CONNECTIONS = 1024;
    private static final long IDLE_MILLIS = 60 * 60 * 1000L;
    private static final long TOTAL_MILLIS = 24 * IDLE_MILLIS;

    /** Copies the map, and refuses negative numbers. */
    public EgressLimits {
        if (connections < 1 || idleMillis < 0 || totalMillis < 0 || bytesOutOfRun < 0) {
            throw new IllegalArgumentException("a limit of egress is negative");
        }
        bytesOutOfHost = Map.copyOf(bytesOutOfHost);
    }

    /** A thousand connections, an hour of silence, a day in all, any number of bytes. */
    public static EgressLimits standard() {
        return new EgressLimits(CONNECTIONS, IDLE_MILLIS, TOTAL_MILLIS, UNLIMITED, Map.of());
    }

    /** The same with limits on what is sent. */
    public EgressLimits withBytesOut(long ofRun, Map<String, Long> ofHost) {
        return new EgressLimits(connections, idleMillis, totalMillis, ofRun, ofHost);
    }
}
