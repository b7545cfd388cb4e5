package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Lanes;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The generated completions in the shells themselves, and the manual in groff. */
@Tag("process")
final class CompletionTest {
    @TempDir
    private Path directory = Path.of("/nonexistent");

    private static void requireInstalled(String lane, String program) {
        Lanes.require(lane, WorkRoom.isInstalled(program), program + " is not installed");
    }

    private Path script(String text) throws IOException {
        Path home = Files.createDirectories(directory.resolve("state/glove/homes/dev"));
        assertThat(home).isDirectory();
        Files.createDirectories(directory.resolve("a directory"));
        Files.writeString(directory.resolve("alone"), "");
        return Files.writeString(directory.resolve("script"), text);
    }

    private Command.Result run(String... words) throws IOException, InterruptedException {
        return Command.of(words)
                .with("XDG_STATE_HOME", directory.resolve("state").toString())
                .with("HOME", directory.toString())
                .in(directory)
                .run();
    }

    /** What bash would offer for the last word, each in a line. */
    private List<String> offered(String... words) throws IOException, InterruptedException {
        Path script = script(new BashCompletion().script());
        List<String> line = new ArrayList<>(List.of(
                "bash",
                "--norc",
                "-c",
                "source \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _glove;"
                        + " printf '%s\\n' \"${COMPREPLY[@]}\"",
                script.toString()));
        line.addAll(List.of(words));
        Command.Result result = run(line.toArray(new String[0]));
        assertThat(result.err()).isEmpty();
        return result.out().lines().distinct().toList();
    }

    @Test
    void bashCompletesVerbsAndOptions() throws Exception {
        assertThat(offered("glove", "")).contains("exec", "home", "completion", "man", "--version");
        assertThat(offered("glove", "exe")).containsExactly("exec");
        assertThat(offered("glove", "exec", "--wor")).containsExactly("--workspace");
        assertThat(offered("glove", "exec", "--read", "x", "--wri")).containsExactly("--write");
        assertThat(offered("glove", "home", "rem")).containsExactly("remove");
        assertThat(offered("glove", "completion", "")).contains("bash", "zsh", "fish");
    }

    @Test
    void bashCompletesValues() throws Exception {
        assertThat(offered("glove", "exec", "--read", "a")).contains("a directory", "alone");
        assertThat(offered("glove", "exec", "--read", "=", "al")).containsExactly("alone");
        assertThat(offered("glove", "exec", "--write", "=")).contains("alone");
        assertThat(offered("glove", "exec", "--tool", "unam")).contains("uname");
        assertThat(offered("glove", "exec", "--cache", "ma")).containsExactly("maven");
        assertThat(offered("glove", "exec", "--env", "XDG_STATE_")).contains("XDG_STATE_HOME");
        assertThat(offered("glove", "exec", "--home", "")).containsExactly("dev");
        assertThat(offered("glove", "exec", "--memory", "")).containsExactly("");
    }

    @Test
    void behindTwoDashesBashCompletesTheCommand() throws Exception {
        assertThat(offered("glove", "exec", "--", "unam")).contains("uname");
        assertThat(offered("glove", "exec", "--read", "x", "--", "ls", "al"))
                .containsExactly("alone");
        assertThat(offered("glove", "exec", "--", "ls", "--wor")).doesNotContain("--workspace");
    }

    @Test
    void zshTakesTheScript() throws Exception {
        requireInstalled("zsh", "zsh");
        Path script = script(new ZshCompletion().script());

        Command.Result checked = run("zsh", "-f", "-n", script.toString());
        Command.Result loaded = run(
                "zsh",
                "-f",
                "-c",
                "autoload -Uz compinit; compinit -u -D; source \"$0\"; print $_comps[glove]",
                script.toString());

        assertThat(checked.status()).as("%s", checked).isZero();
        assertThat(checked.err()).isEmpty();
        assertThat(loaded.out()).as("%s", loaded).isEqualTo("_glove\n");
    }

    @Test
    void fishCompletes() throws Exception {
        requireInstalled("fish", "fish");
        Path script = script(new FishCompletion().script());

        assertThat(fish(script, "glove ex")).startsWith("exec\t");
        assertThat(fish(script, "glove exec --wor")).startsWith("--workspace\t");
        assertThat(fish(script, "glove exec --cache mav")).startsWith("maven");
        assertThat(fish(script, "glove exec --read al")).startsWith("alone");
        assertThat(fish(script, "glove exec --read x -- ls al")).startsWith("alone");
        assertThat(fish(script, "glove exec --read x -- ls --wor")).doesNotContain("--workspace");
    }

    private String fish(Path script, String line) throws IOException, InterruptedException {
        Command.Result result = run(
                "fish",
                "--no-config",
                "-c",
                "source $argv[1]; complete -C $argv[2]",
                script.toString(),
                line);
        assertThat(result.status()).as("%s", result).isZero();
        return result.out();
    }

    @Test
    void groffSetsTheManualWithoutAWarning() throws Exception {
        requireInstalled("groff", "groff");
        Path page = script(ManPage.page());

        Command.Result checked = run("groff", "-ww", "-man", "-Tutf8", "-z", page.toString());
        Command.Result text = run("groff", "-man", "-Tascii", "-P-c", page.toString());

        assertThat(checked.status()).isZero();
        assertThat(checked.err()).isEmpty();
        String plain = text.out().replaceAll(".\b", "");
        for (HelpPage verb : Verbs.pages()) {
            for (HelpPage.Option option : verb.options()) {
                assertThat(plain).contains("--" + option.longName());
            }
            assertThat(plain).contains(verb.examples());
        }
        assertThat(plain).contains("124 wall");
    }
}
