package glove.egress;

import java.util.List;

/** Where decisions are recorded. Used by the thread of the proxy only. */
public interface EgressAudit {
    /**
     * Records events in order. When it returns they are durable: only then does what they allow
     * begin.
     *
     * @throws EgressAuditException when they are not; the proxy then closes everything
     */
    void record(List<EgressEvent> events) throws EgressAuditException;
}
