package glove.policy.session;

import glove.wire.WireWord;
import glove.wire.WordClass;

/** Which of two skills an evaluation runs with. */
public enum Variant implements WireWord {
    /** The one there is. */
    BASE("base"),

    /** The proposed one. */
    CANDIDATE("candidate");

    /** How formats write it. */
    public static final WordClass<Variant> CLASS = WordClass.of(values());

    private final String word;

    Variant(String word) {
        this.word = word;
    }

    @Override
    public String word() {
        return word;
    }
}
