package glove.session;

import glove.wire.WireWord;
import glove.wire.WordClass;

import java.util.Locale;

/** What a record of the session store did. */
enum SessionOperation implements WireWord {
    CREATE(SessionState.CREATED, Kind.EITHER),
    RESERVE_START(SessionState.PREPARING, Kind.EITHER),
    MARK_STARTING(SessionState.STARTING, Kind.LOCAL),
    MARK_RUNNING(SessionState.RUNNING, Kind.LOCAL),
    MARK_STOPPING(SessionState.STOPPING, Kind.LOCAL),
    MARK_EXITED(SessionState.EXITED, Kind.LOCAL),
    MARK_REFINEMENT_EXITED(SessionState.EXITED, Kind.LOCAL),
    MARK_FAILED(SessionState.FAILED, Kind.LOCAL),
    MARK_MANAGED_STARTING(SessionState.STARTING, Kind.MANAGED),
    MARK_MANAGED_RUNNING(SessionState.RUNNING, Kind.MANAGED),
    MARK_MANAGED_STOPPING(SessionState.STOPPING, Kind.MANAGED),
    MARK_MANAGED_EXITED(SessionState.EXITED, Kind.MANAGED),
    MARK_MANAGED_FAILED(SessionState.FAILED, Kind.MANAGED);

    /** By what a session is held. */
    enum Kind {
        /** Nothing holds it yet. */
        EITHER,
        /** Processes of this machine. */
        LOCAL,
        /** Another runtime's instance. */
        MANAGED
    }

    static final WordClass<SessionOperation> WORDS = WordClass.of(values());

    private final SessionState after;
    private final Kind kind;

    SessionOperation(SessionState after, Kind kind) {
        this.after = after;
        this.kind = kind;
    }

    @Override
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    SessionState after() {
        return after;
    }

    Kind kind() {
        return kind;
    }

    boolean isManaged() {
        return kind == Kind.MANAGED;
    }

    /** The same for a session that is held so: the two differ in what identifies it. */
    SessionOperation of(Resources resources) {
        if (!(resources instanceof Resources.Managed)) {
            return this;
        }
        return switch (this) {
            case MARK_STARTING -> MARK_MANAGED_STARTING;
            case MARK_RUNNING -> MARK_MANAGED_RUNNING;
            case MARK_STOPPING -> MARK_MANAGED_STOPPING;
            case MARK_EXITED -> MARK_MANAGED_EXITED;
            case MARK_FAILED -> MARK_MANAGED_FAILED;
            case CREATE,
                    RESERVE_START,
                    MARK_REFINEMENT_EXITED,
                    MARK_MANAGED_STARTING,
                    MARK_MANAGED_RUNNING,
                    MARK_MANAGED_STOPPING,
                    MARK_MANAGED_EXITED,
                    MARK_MANAGED_FAILED -> this;
        };
    }
}
