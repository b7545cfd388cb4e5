package glove.app;

import java.util.List;

/** {@code glove completion SHELL}: prints a script that completes Glove's command line. */
final class CompletionVerb {
    static final String HELP = """
            usage: glove completion bash|zsh|fish

            Prints a script that makes the shell complete verbs, options and their values,
            and behind '--' the command as always. Made from the help texts.

              bash        source <(glove completion bash), in ~/.bashrc
              zsh         glove completion zsh > DIRECTORY/_glove, one of your $fpath
              fish        glove completion fish > ~/.config/fish/completions/glove.fish

              -h, --help  this text

            example: glove completion fish > ~/.config/fish/completions/glove.fish
            """;

    private static final int EXIT_USAGE = 2;

    private CompletionVerb() {}

    /** Exit status: 0, 1 when not all could be written, 2 for a bad command line. */
    static int run(List<String> words) {
        String word = words.size() == 1 ? words.get(0) : "";
        return switch (word) {
            case "-h", "--help" -> Output.print(HELP);
            case "bash" -> Output.print(new BashCompletion().script());
            case "zsh" -> Output.print(new ZshCompletion().script());
            case "fish" -> Output.print(new FishCompletion().script());
            default -> {
                Notices notices = new Notices("completion");
                notices.say("one of bash, zsh and fish is wanted");
                notices.suggest("glove completion --help");
                yield EXIT_USAGE;
            }
        };
    }
}
