package glove.session.bundle;

import glove.wire.WireWord;
import glove.wire.WordClass;

/** What an entry of a bundle is. Others are refused: nobody knows what they would do. */
public enum BundleKind implements WireWord {
    /** Becomes a file of the harness. */
    SKILL("skill"),

    /** Stays in the bundle. */
    BEHAVIOR("behavior"),

    /** Stays in the bundle. */
    PROMPT("prompt"),

    /** Stays in the bundle. */
    TEMPLATE("template"),

    /** Stays in the bundle. */
    WORKFLOW("workflow");

    /** How formats write it. */
    public static final WordClass<BundleKind> CLASS = WordClass.of(values());

    private final String word;

    BundleKind(String word) {
        this.word = word;
    }

    @Override
    public String word() {
        return word;
    }
}
