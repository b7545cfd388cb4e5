package glove.session.stage;

import glove.wire.WireWord;
import glove.wire.WordClass;

/** What became of a path. */
public enum ChangeKind implements WireWord {
    /** It was not there before. */
    CREATE("create"),

    /** Its content, mode or type is another. */
    MODIFY("modify"),

    /** It is a file that was elsewhere, with the same content. */
    RENAME("rename"),

    /** It is gone. */
    REMOVE("remove");

    /** How formats write it. */
    public static final WordClass<ChangeKind> CLASS = WordClass.of(values());

    private final String word;

    ChangeKind(String word) {
        this.word = word;
    }

    @Override
    public String word() {
        return word;
    }
}
