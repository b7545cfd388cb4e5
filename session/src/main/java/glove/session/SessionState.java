package glove.session;

import glove.wire.WireWord;
import glove.wire.WordClass;

import java.util.Locale;

/** How far a session came. In this order; only the last two are ends, and created ones expire. */
public enum SessionState implements WireWord {
    /** Its plan was accepted. */
    CREATED,
    /** Its start was authorised; nothing of it exists yet. */
    PREPARING,
    /** What it runs in exists. */
    STARTING,
    /** Its process is known, and was let go only then. */
    RUNNING,
    /** Somebody wants it to end. */
    STOPPING,
    /** It ended, and a receipt says how. */
    EXITED,
    /** It ended without a receipt. */
    FAILED;

    /** How formats write them. */
    public static final WordClass<SessionState> WORDS = WordClass.of(values());

    @Override
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it has something on this machine, or may have. */
    public boolean isLive() {
        return this == STARTING || this == RUNNING || this == STOPPING;
    }

    /** Whether a session may go from here to there. */
    public boolean mayBecome(SessionState next) {
        return switch (next) {
            case CREATED -> false;
            case PREPARING -> this == CREATED;
            case STARTING -> this == PREPARING;
            case RUNNING -> this == STARTING;
            case STOPPING -> this == RUNNING;
            case EXITED -> this == RUNNING || this == STOPPING;
            case FAILED -> isLive();
        };
    }

    /** Whether this comes no earlier than that one. */
    boolean isFrom(SessionState first) {
        return compareTo(first) >= 0;
    }
}
