package glove.egress;

import java.util.List;

/** Something asked of egress that cannot be: what, why, and what to type instead. */
public final class EgressException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> hints;

    /**
     * A sentence and what to type.
     *
     * @param hints each complete in itself
     */
    public EgressException(String sentence, String... hints) {
        super(sentence);
        this.hints = List.of(hints);
    }

    /** What to type instead, each complete in itself. */
    public List<String> hints() {
        return hints;
    }
}
