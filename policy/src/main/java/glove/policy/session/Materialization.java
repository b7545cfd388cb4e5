package glove.policy.session;

import glove.wire.WireWord;
import glove.wire.WordClass;

/** How a source gets into a session. */
public enum Materialization implements WireWord {
    /** It is mounted. */
    BIND("bind", 0),

    /** A copy of one moment. */
    SNAPSHOT("snapshot", 1),

    /** A worktree of its repository; reserved. */
    GIT_WORKTREE("git_worktree", 2),

    /** A copy. */
    COPY("copy", 3);

    /** How formats write it. */
    public static final WordClass<Materialization> CLASS = WordClass.of(values());

    private final String word;
    private final int code;

    Materialization(String word, int code) {
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
}
