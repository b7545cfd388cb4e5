package glove.gateway;

import java.util.List;

/** Where what happens is recorded. Used by the gateway's thread only. */
@FunctionalInterface
public interface GatewayAudit {
    /**
     * Records the events of one turn in order. When it returns they are durable: only then does
     * anything leave that they allow or tell of.
     *
     * @throws GatewayAuditException when they are not; the gateway then closes everything
     */
    void record(List<GatewayEvent> events) throws GatewayAuditException;

    /** What was recorded has taken effect: what can be done before the next is done now. */
    default void settle() {}
}
