package glove.session.exposure;

import glove.wire.WireWord;
import glove.wire.WordClass;

/** How an exposure stands. */
public enum ExposureState implements WireWord {
    /** It may be granted. */
    ACTIVE("active"),

    /** It was taken back, or what was exposed is not there any more. */
    REVOKED("revoked"),

    /** Its time is over. */
    EXPIRED("expired");

    /** How formats write it. */
    public static final WordClass<ExposureState> CLASS = WordClass.of(values());

    private final String word;

    ExposureState(String word) {
        this.word = word;
    }

    @Override
    public String word() {
        return word;
    }
}
