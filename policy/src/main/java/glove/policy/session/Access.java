package glove.policy.session;

import glove.wire.WireWord;
import glove.wire.WordClass;

/** What a session may do with a path. */
public enum Access implements WireWord {
    /** Reading. */
    READ("read", 0),

    /** Writing to a copy that is gone after the session. */
    EPHEMERAL_WRITE("ephemeral_write", 1),

    /** Writing to a copy that is kept for inspection. */
    RETAINED_WRITE("retained_write", 2),

    /** Writing to the source itself: can be written in plans and policies, and never starts. */
    DIRECT_WRITE("direct_write", 3);

    /** How formats write it. */
    public static final WordClass<Access> CLASS = WordClass.of(values());

    private final String word;
    private final int code;

    Access(String word, int code) {
        this.word = word;
        this.code = code;
    }

    @Override
    public String word() {
        return word;
    }

    /** As digests of exposures write it (sheet 10, 1.4). */
    public int code() {
        return code;
    }

    /** Whether what is written goes to a copy, which has a quota. */
    public boolean isCopied() {
        return this == EPHEMERAL_WRITE || this == RETAINED_WRITE;
    }
}
