package glove.app;

/** The completion script for zsh, an autoloaded function. Confined to one thread. */
final class ZshCompletion {
    private static final String BEGIN = """
            #compdef glove
            # Completes glove in zsh. Made by: glove completion zsh
            _glove_homes() {
                local -a homes=(${XDG_STATE_HOME:-$HOME/.local/state}/glove/homes/*(N:t))
                compadd -a homes
            }

            _glove() {
                local curcontext=$curcontext state line
                typeset -A opt_args
                if (( CURRENT == 2 )); then
                    local -a verbs=(
            """;

    private static final String VERB = """
                    )
                    _describe verb verbs
                    return
                fi
                # Behind '--' stands a command, completed as it would be alone.
                local -i at=${words[(i)--]}
                if (( at > 2 && at < CURRENT )); then
                    shift $at words
                    (( CURRENT -= at ))
                    _normal
                    return
                fi
                local verb=$words[2]
                shift words
                (( CURRENT-- ))
                case $verb in
            """;

    private static final String END = """
                esac
            }

            if [[ $funcstack[1] == _glove ]]; then
                _glove "$@"
            else
                compdef _glove glove
            fi
            """;

    private final StringBuilder out = new StringBuilder();

    /** The script. */
    String script() {
        out.append(BEGIN);
        for (HelpPage.Entry verb : Verbs.overview().words()) {
            String text = verb.name() + ":" + verb.text();
            out.append("            ").append(quoted(text)).append('\n');
        }
        out.append(VERB);
        for (HelpPage page : Verbs.pages()) {
            out.append("    ").append(page.verb()).append(")\n        _arguments -S");
            for (HelpPage.Option option : page.options()) {
                for (String name : option.names()) {
                    out.append(" \\\n            ").append(quoted(argument(option, name)));
                }
            }
            if (!page.words().isEmpty()) {
                out.append(" \\\n            ").append(quoted(words(page)));
            }
            out.append("\n        ;;\n");
        }
        return out.append(END).toString();
    }

    private static String argument(HelpPage.Option option, String name) {
        boolean valued = !option.value().isEmpty();
        return (option.repeatable() ? "*" : "") + name + (valued ? "=" : "")
                + "[" + escaped(option.text()) + "]"
                + (valued ? ":" + option.value() + ":" + action(ValueChoice.of(option)) : "");
    }

    private static String action(ValueChoice choice) {
        return switch (choice.kind()) {
            case FILES -> "_files";
            case COMMANDS -> "_command_names -e";
            case VARIABLES -> "_parameters -g \"*export*\"";
            case HOMES -> "_glove_homes";
            case WORDS -> "(" + String.join(" ", choice.words()) + ")";
            case NONE -> " ";
        };
    }

    private static String words(HelpPage page) {
        StringBuilder words = new StringBuilder("1:word:((");
        for (HelpPage.Entry word : page.words()) {
            words.append(word.name()).append("\\:\"").append(escaped(word.text()));
            words.append("\" ");
        }
        return words.append("))").toString();
    }

    /** In a description of _arguments these have a meaning. */
    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("[", "\\[")
                .replace("]", "\\]")
                .replace(":", "\\:")
                .replace("\"", "")
                .replace("$", "\\$")
                .replace("`", "");
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
