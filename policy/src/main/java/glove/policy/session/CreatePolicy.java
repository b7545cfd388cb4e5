package glove.policy.session;

import glove.wire.WireWord;
import glove.wire.WordClass;

/** What is made where a source does not exist inside. */
public enum CreatePolicy implements WireWord {
    /** Nothing: it exists. */
    NEVER("never"),

    /** An empty directory. */
    EMPTY_DIRECTORY("empty_directory"),

    /** A worktree. */
    GIT_WORKTREE("git_worktree");

    /** How formats write it. */
    public static final WordClass<CreatePolicy> CLASS = WordClass.of(values());

    private final String word;

    CreatePolicy(String word) {
        this.word = word;
    }

    @Override
    public String word() {
        return word;
    }
}
