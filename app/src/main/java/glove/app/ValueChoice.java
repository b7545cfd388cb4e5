package glove.app;

import glove.gateway.ToolSeparator;

import java.util.ArrayList;
import java.util.List;

/**
 * What a shell may offer as the value of an option.
 *
 * @param words the fixed ones; empty for other kinds
 */
record ValueChoice(Kind kind, List<String> words) {
    /** Where the words come from. */
    enum Kind {
        FILES,
        COMMANDS,
        VARIABLES,
        /** The homes that {@code --home} kept. */
        HOMES,
        WORDS,
        /** Nothing can be offered, as for a number. */
        NONE
    }

    /** Copies the words. */
    ValueChoice {
        words = List.copyOf(words);
    }

    /** By the name of the value, and of the option where that says too little. */
    static ValueChoice of(HelpPage.Option option) {
        return switch (option.longName()) {
            case "tool" -> plain(Kind.COMMANDS);
            case "env" -> plain(Kind.VARIABLES);
            case "home" -> plain(Kind.HOMES);
            case "tool-separator" -> new ValueChoice(Kind.WORDS, separators());
            case "cache" -> new ValueChoice(Kind.WORDS, CacheTools.names());
            default ->
                switch (option.value()) {
                    case "PATH", "FILE", "PATH|GLOB" -> plain(Kind.FILES);
                    default -> plain(Kind.NONE);
                };
        };
    }

    private static List<String> separators() {
        List<String> all = new ArrayList<>();
        for (ToolSeparator one : ToolSeparator.values()) {
            all.add(one.text());
        }
        return all;
    }

    private static ValueChoice plain(Kind kind) {
        return new ValueChoice(kind, List.of());
    }
}
