package glove.session;

import glove.wire.WireWord;
import glove.wire.WordClass;

import java.util.Locale;

/** Why a session failed. */
public enum FailureCode implements WireWord {
    /** Its authorisation ran out before it ran. */
    AUTHORIZATION_EXPIRED,
    /** It could not be launched. */
    LAUNCH_FAILED,
    /** The daemon could not go on with it. */
    SUPERVISOR_ERROR,
    /** After a restart there was no process of it. */
    RECOVERED_WITHOUT_PROCESS,
    /** After a restart its processes were ended. */
    RECOVERED_TERMINATED;

    /** How formats write them. */
    public static final WordClass<FailureCode> WORDS = WordClass.of(values());

    @Override
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether one that was running may have failed so. */
    boolean isOfRunning() {
        return this != AUTHORIZATION_EXPIRED && this != LAUNCH_FAILED;
    }
}
