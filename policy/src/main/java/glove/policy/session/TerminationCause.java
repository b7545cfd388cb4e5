package glove.policy.session;

import glove.wire.WireWord;
import glove.wire.WordClass;

/** Why a session ended (sheet 40, 2). */
public enum TerminationCause implements WireWord {
    /** By itself, with a status. */
    EXITED("exited"),

    /** By a signal. */
    SIGNALED("signaled"),

    /** It used its time of processors. */
    CPU_TIME_LIMIT("cpu_time_limit"),

    /** It wanted more memory than it had. */
    MEMORY_LIMIT("memory_limit"),

    /** It wanted more processes than it had. */
    PID_LIMIT("pid_limit"),

    /** Its time was over. */
    WALL_TIME_LIMIT("wall_time_limit"),

    /** It wrote more than its quota. */
    DISK_LIMIT("disk_limit"),

    /** It printed more than it may. */
    TERMINAL_OUTPUT_LIMIT("terminal_output_limit"),

    /** What held it failed. */
    SUPERVISOR_ERROR("supervisor_error");

    /** How formats write it. */
    public static final WordClass<TerminationCause> CLASS = WordClass.of(values());

    private final String word;

    TerminationCause(String word) {
        this.word = word;
    }

    @Override
    public String word() {
        return word;
    }
}
