package glove.egress;

import org.jspecify.annotations.Nullable;

/** Events of one kind of which there are too many: at most one a second. Confined to one thread. */
final class Gathered extends Timed {
    private static final long SECOND = 1_000_000_000L;

    private final Hub hub;
    private @Nullable EgressEvent last; // null when all are told
    private int count;
    private boolean quiet;

    Gathered(Hub hub) {
        this.hub = hub;
    }

    /** One more: at once when there was none for a second. */
    void add(EgressEvent event) {
        last = event;
        count++;
        if (!quiet) {
            tell();
        }
    }

    /** Adds what is gathered to what is recorded next. */
    void tell() {
        quiet = last != null;
        if (last != null) {
            hub.decisions.add(last.times(count));
            last = null;
            count = 0;
            hub.deadlines.set(this, hub.now() + SECOND);
        }
    }

    @Override
    void overdue() {
        tell();
    }
}
