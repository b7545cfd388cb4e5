package glove.app;

/** The completion script for fish 3.4 or newer. Confined to one thread. */
final class FishCompletion {
    private static final String BEGIN = """
            # Completes glove in fish. Made by: glove completion fish
            function __glove_verb
                set -l words (commandline -opc)
                test (count $words) -ge 2; and echo $words[2]
            end

            function __glove_in
                contains -- -- (commandline -opc); and return 1
                test "$argv[1]" = (__glove_verb | string collect --allow-empty)
            end

            function __glove_behind
                contains -- -- (commandline -opc)
            end

            function __glove_homes
                set -l state $XDG_STATE_HOME
                test -n "$state"; or set state $HOME/.local/state
                command ls $state/glove/homes 2>/dev/null
            end

            # Behind '--' stands a command, completed as it would be alone.
            function __glove_command
                set -l words (commandline -opc)
                set -l at (contains -i -- -- $words)
                set -e words[1..$at]
                complete -C (string join ' ' -- (string escape -- $words) (commandline -ct))
            end

            complete -c glove -f
            complete -c glove -n __glove_behind -a '(__glove_command)'
            """;

    private final StringBuilder out = new StringBuilder();

    /** The script. */
    String script() {
        out.append(BEGIN);
        for (HelpPage.Entry verb : Verbs.overview().words()) {
            add("'not __glove_verb'", "-a " + verb.name(), verb.text());
        }
        for (HelpPage page : Verbs.pages()) {
            String condition = "'__glove_in " + page.verb() + "'";
            for (HelpPage.Entry word : page.words()) {
                add(condition, "-a " + word.name(), word.text());
            }
            for (HelpPage.Option option : page.options()) {
                String letter = option.letter();
                add(
                        condition,
                        (letter.isEmpty() ? "" : "-s " + letter + " ") + "-l " + option.longName()
                                + value(option),
                        option.text());
            }
        }
        return out.toString();
    }

    private void add(String condition, String what, String text) {
        out.append("complete -c glove -n ").append(condition).append(' ').append(what);
        out.append(" -d '").append(text.replace("\\", "\\\\").replace("'", "\\'"));
        out.append("'\n");
    }

    private static String value(HelpPage.Option option) {
        if (option.value().isEmpty()) {
            return "";
        }
        ValueChoice choice = ValueChoice.of(option);
        return switch (choice.kind()) {
            case FILES -> " -r -F";
            case COMMANDS -> " -x -a '(__fish_complete_command)'";
            case VARIABLES -> " -x -a '(set -xn)'";
            case HOMES -> " -x -a '(__glove_homes)'";
            case WORDS -> " -x -a '" + String.join(" ", choice.words()) + "'";
            case NONE -> " -x";
        };
    }
}
