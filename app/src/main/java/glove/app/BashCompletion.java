package glove.app;

import java.util.List;

/** The completion script for bash 4.4 or newer. Confined to one thread. */
final class BashCompletion {
    private static final String BEGIN = """
            # Completes glove in bash 4.4 or newer. Made by: glove completion bash
            _glove_offer() {
                mapfile -t COMPREPLY < <(compgen "$@")
            }

            _glove_files() {
                compopt -o filenames 2>/dev/null
                _glove_offer -f -- "$1"
            }

            _glove_homes() {
                command ls -- "${XDG_STATE_HOME:-$HOME/.local/state}/glove/homes" 2>/dev/null
            }

            _glove() {
                local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
                local verb=${COMP_WORDS[1]} words= i
                COMPREPLY=()
                # Behind '--' stands a command, completed as it would be alone.
                for ((i = 2; i < COMP_CWORD; i++)); do
                    [[ ${COMP_WORDS[i]} == -- ]] || continue
                    if declare -F _command_offset >/dev/null; then
                        _command_offset $((i + 1))
                    elif ((COMP_CWORD == i + 1)); then
                        _glove_offer -c -- "$cur"
                    else
                        _glove_files "$cur"
                    fi
                    return
                done
                if ((COMP_CWORD == 1)); then
            """;

    private static final String VALUES = """
                    return
                fi
                # --option=value is three words to bash.
                if [[ $cur == = ]]; then
                    cur=
                elif [[ $prev == = ]]; then
                    prev=${COMP_WORDS[COMP_CWORD - 2]}
                fi
                case $verb,$prev in
            """;

    private static final String END = """
                esac
                _glove_offer -W "$words" -- "$cur"
            }

            complete -F _glove glove
            """;

    private final StringBuilder out = new StringBuilder();

    /** The script. */
    String script() {
        HelpPage overview = Verbs.overview();
        List<HelpPage> pages = Verbs.pages();
        out.append(BEGIN).append("        _glove_offer -W '");
        appendWords(overview);
        out.append("' -- \"$cur\"\n").append(VALUES);
        for (HelpPage page : pages) {
            for (HelpPage.Option option : page.options()) {
                if (!option.value().isEmpty()) {
                    addValue(page.verb(), option);
                }
            }
        }
        out.append("    esac\n    case $verb in\n");
        for (HelpPage page : pages) {
            out.append("    ").append(page.verb()).append(") words='");
            appendWords(page);
            out.append("' ;;\n");
        }
        return out.append(END).toString();
    }

    private void addValue(String verb, HelpPage.Option option) {
        ValueChoice choice = ValueChoice.of(option);
        String offer = switch (choice.kind()) {
            case FILES -> "_glove_files \"$cur\"";
            case COMMANDS -> "_glove_offer -c -- \"$cur\"";
            case VARIABLES -> "_glove_offer -e -- \"$cur\"";
            case HOMES -> "_glove_offer -W \"$(_glove_homes)\" -- \"$cur\"";
            case WORDS -> "_glove_offer -W '" + String.join(" ", choice.words()) + "' -- \"$cur\"";
            case NONE -> ":";
        };
        out.append("    ");
        for (String name : option.names()) {
            out.append(out.charAt(out.length() - 1) == ' ' ? "" : " | ");
            out.append(verb).append(',').append(name);
        }
        out.append(") ").append(offer).append("; return ;;\n");
    }

    private void appendWords(HelpPage page) {
        String between = "";
        for (HelpPage.Entry word : page.words()) {
            out.append(between).append(word.name());
            between = " ";
        }
        for (HelpPage.Option option : page.options()) {
            for (String name : option.names()) {
                out.append(between).append(name);
                between = " ";
            }
        }
        if (page.verb().equals("exec") || page.verb().equals("run")) {
            out.append(between).append("--");
        }
    }
}
