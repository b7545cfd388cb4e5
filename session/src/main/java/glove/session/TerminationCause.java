package glove.session;

import glove.wire.WireWord;
import glove.wire.WordClass;

import java.util.Locale;

/** How a process ended, as receipts say it. */
public enum TerminationCause implements WireWord {
    /** By itself, with a code. */
    EXITED,
    /** By a signal. */
    SIGNALED,
    /** Of processor time. */
    CPU_TIME_LIMIT,
    /** Of memory. */
    MEMORY_LIMIT,
    /** Of processes. */
    PID_LIMIT,
    /** Of time. */
    WALL_TIME_LIMIT,
    /** Of files. */
    DISK_LIMIT,
    /** Of output. */
    TERMINAL_OUTPUT_LIMIT,
    /** The daemon could not go on with it. */
    SUPERVISOR_ERROR;

    /** How formats write them. */
    public static final WordClass<TerminationCause> WORDS = WordClass.of(values());

    @Override
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
