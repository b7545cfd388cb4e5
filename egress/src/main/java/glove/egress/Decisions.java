package glove.egress;

import glove.egress.EgressEvent.Protocol;
import glove.sys.ErrnoException;

import java.util.ArrayList;
import java.util.List;

/**
 * What is to be recorded, and what may happen once it is. Everything decided in a turn is recorded
 * by one call before any of it takes effect. Confined to the thread of the proxy.
 */
final class Decisions {
    /** From this refusal of a run on they are gathered, and so are failures. */
    static final int EACH = 1000;

    /** An end allows nothing, so it can wait for others: recording takes a disk its time. */
    static final long ENDS_WAIT = 100_000_000L;

    private static final int ENDS_MAX = 256;

    private final Hub hub;
    private final EgressAudit audit;
    private final Gathered refusals;
    private final Gathered failures;
    private final Gathered strangers;
    private final Gathered overflows;
    private final List<EgressEvent> ends = new ArrayList<>();
    private final Timed endsDue = new Timed() {
        @Override
        void overdue() {
            addEnds();
        }
    };
    private List<EgressEvent> events = new ArrayList<>();
    private List<Effect> effects = new ArrayList<>();
    private int refused;
    private int failed;

    Decisions(Hub hub, EgressAudit audit) {
        this.hub = hub;
        this.audit = audit;
        this.refusals = new Gathered(hub);
        this.failures = new Gathered(hub);
        this.strangers = new Gathered(hub);
        this.overflows = new Gathered(hub);
    }

    /** An event nothing waits for, to be recorded at once. */
    void add(EgressEvent event) {
        events.add(event);
    }

    /** What was allowed is over: recorded soon, with others. */
    void end(EgressEvent event) {
        if (ends.isEmpty()) {
            hub.deadlines.set(endsDue, hub.now() + ENDS_WAIT);
        }
        ends.add(event);
        if (ends.size() >= ENDS_MAX) {
            addEnds();
        }
    }

    private void addEnds() {
        hub.deadlines.remove(endsDue);
        events.addAll(ends);
        ends.clear();
    }

    /** An event, and what may happen once it is recorded. */
    void add(EgressEvent event, Effect effect) {
        events.add(event);
        effects.add(effect);
    }

    /** A refusal, and the answer to it. */
    void refuse(EgressEvent event, Effect effect) {
        if (++refused < EACH) {
            events.add(event);
        } else {
            refusals.add(event);
        }
        effects.add(effect);
    }

    /** What was allowed did not come about, and the answer to that. */
    void fail(EgressEvent event, Effect effect) {
        if (++failed < EACH) {
            events.add(event);
        } else {
            failures.add(event);
        }
        effects.add(effect);
    }

    /** A client that is not the agent's as far as it shows: where it wanted to go is its secret. */
    void refuseStranger(Protocol protocol, String reason) {
        strangers.add(EgressEvent.refused(protocol, "", reason));
    }

    /** One connection too many. */
    void refuseOverflow(String reason) {
        overflows.add(EgressEvent.refused(Protocol.NONE, "", reason));
    }

    boolean isEmpty() {
        return events.isEmpty() && effects.isEmpty();
    }

    /** Records all there is, and then lets it happen, until nothing is left. */
    void commit() throws EgressAuditException {
        while (!isEmpty()) {
            record();
            List<Effect> due = effects;
            effects = new ArrayList<>();
            for (Effect effect : due) {
                take(effect);
            }
        }
    }

    private void record() throws EgressAuditException {
        if (!events.isEmpty()) {
            List<EgressEvent> recorded = events;
            events = new ArrayList<>();
            audit.record(List.copyOf(recorded));
        }
    }

    private static void take(Effect effect) {
        Connection connection = effect.connection();
        if (connection.isClosed()) {
            return;
        }
        try {
            effect.take();
        } catch (ErrnoException e) {
            connection.broke(e);
        }
    }

    /** Records what is gathered, too; nothing takes effect any more. */
    void finish() throws EgressAuditException {
        effects.clear();
        addEnds();
        refusals.tell();
        failures.tell();
        strangers.tell();
        overflows.tell();
        record();
    }
}
