package glove.sandbox;

/** A limit that can end a run, and the exit status that says so. */
public enum Limit {
    WALL(124, "--wall", "wall time"),
    MEMORY(123, "--memory", "memory"),
    CPU_TIME(122, "--cpu-time", "processor time"),
    PROCESSES(121, "--pids", "processes"),
    OUTPUT(120, "--output", "output");

    private final int exitStatus;
    private final String option;
    private final String words;

    Limit(int exitStatus, String option, String words) {
        this.exitStatus = exitStatus;
        this.option = option;
        this.words = words;
    }

    /** Of a run that this limit ended. */
    public int exitStatus() {
        return exitStatus;
    }

    /** Sets it. */
    public String option() {
        return option;
    }

    /** Its name for people. */
    public String words() {
        return words;
    }
}
