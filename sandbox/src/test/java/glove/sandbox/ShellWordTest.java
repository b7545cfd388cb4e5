package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.UnixPath;
import glove.testkit.Command;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

@Tag("process")
final class ShellWordTest {
    /** A command or an option with a name between quotes that nobody looked through. */
    private static final Pattern UNQUOTED =
            Pattern.compile("\"((sudo|chmod|chown|ls|mkdir|cat|cp|mv|rm|setcap) [^\"]*"
                    + "|--(read|write|tool) )'\" \\+");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "it's",
                "''",
                "$(touch x)",
                "`id`",
                "a\nb",
                "\033[2J'\\",
                "-rf",
                "a b*?",
                "\\'\n",
                ""
            })
    void aShellReadsItAsTheSameWord(String name) throws Exception {
        Command.Result result =
                Command.of("bash", "-c", "printf %s " + ShellWord.of(name)).run();

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out()).isEqualTo(name);
    }

    @Test
    void quotesAloneDoNot() throws Exception {
        Command.Result result =
                Command.of("bash", "-c", "printf %s 'a'$(echo x)'b'").run();

        assertThat(result.out()).isEqualTo("axb");
    }

    @Test
    void noControlReachesTheTerminal() {
        assertThat(ShellWord.of("a\n\033[2J")).isEqualTo("$'a\\012\\033[2J'");
    }

    @Test
    void anOperandIsNoOption() {
        assertThat(ShellWord.operand(UnixPath.of("-rf"))).isEqualTo("'./-rf'");
        assertThat(ShellWord.operand(UnixPath.of("/-rf"))).isEqualTo("'/-rf'");
    }

    @Test
    void noHintPutsANameBetweenQuotesItself() throws IOException {
        Path tree = Path.of("..");
        int sources = 0;
        for (String module : List.of("sandbox", "app", "egress", "gateway", "host", "session")) {
            try (Stream<Path> files = Files.walk(tree.resolve(module).resolve("src/main/java"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    sources++;
                    for (String line : Files.readAllLines(file)) {
                        String text = line.strip();
                        assertThat(startsAHint(text)).as("%s: %s", file, text).isFalse();
                    }
                }
            }
        }
        assertThat(sources).isGreaterThan(300);
        assertThat(startsAHint("\"chmod 700 '\" + path + \"'\");")).isTrue();
    }

    private static boolean startsAHint(String line) {
        return UNQUOTED.matcher(line).find();
    }
}
