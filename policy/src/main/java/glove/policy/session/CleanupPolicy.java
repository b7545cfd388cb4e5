package glove.policy.session;

import glove.wire.WireWord;
import glove.wire.WordClass;

/** What becomes of it after a session. */
public enum CleanupPolicy implements WireWord {
    /** It stays. */
    RETAIN("retain", 0),

    /** It is removed. */
    REMOVE("remove", 1);

    /** How formats write it. */
    public static final WordClass<CleanupPolicy> CLASS = WordClass.of(values());

    private final String word;
    private final int code;

    CleanupPolicy(String word, int code) {
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
