package glove.session.receipt;

import glove.wire.WireWord;
import glove.wire.WordClass;

/** What held a session to a limit of processor time, memory or processes. */
public enum Holder implements WireWord {
    /** A control group: all processes together, by the kernel. */
    CGROUP_V2("cgroup_v2"),

    /** Limits of each process. */
    RLIMIT("rlimit");

    /** How formats write it. */
    public static final WordClass<Holder> CLASS = WordClass.of(values());

    private final String word;

    Holder(String word) {
        this.word = word;
    }

    @Override
    public String word() {
        return word;
    }
}
