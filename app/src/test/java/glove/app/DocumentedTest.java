package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the documents tell a newcomer to type, typed in a new home directory. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class DocumentedTest {
    private static final Path ROOT = Path.of(System.getProperty("glove.root"));
    private static final String NEWCOMER = """
            mkdir -p home bin; export HOME="$PWD/home"
            unset XDG_CONFIG_HOME XDG_STATE_HOME
            ln -s "$GLOVE" glove; ln -s "$GLOVE" bin/glove; ln -s "${GLOVE}d" bin/gloved
            PATH="$PWD/bin:$PATH"
            """;

    private final WorkRoom room;

    DocumentedTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    /** The blocks of a language in a section, in order. */
    private static List<String> blocks(String file, String section, String language)
            throws IOException {
        List<String> found = new ArrayList<>();
        boolean inside = false;
        StringBuilder block = new StringBuilder();
        boolean open = false;
        for (String line : Files.readAllLines(ROOT.resolve(file))) {
            if (open && line.equals("```")) {
                found.add(block.toString());
                open = false;
            } else if (open) {
                block.append(line).append('\n');
            } else if (line.startsWith("#")) {
                inside = line.equals(section);
            } else if (inside && line.equals("```" + language)) {
                open = true;
                block.setLength(0);
            }
        }
        return found;
    }

    @Test
    void theDemoOfTheReadmePrintsWhatItShows() throws Exception {
        assumeThat(WorkRoom.isInstalled("curl")).as("curl is installed").isTrue();
        List<String> shown = blocks("README.md", "# Glove", "console");
        assertThat(shown).hasSize(1);
        StringBuilder script = new StringBuilder("set +e; exec 2>&1\n");
        StringBuilder expected = new StringBuilder();
        for (String line : shown.get(0).lines().toList()) {
            boolean typed = line.startsWith("$ ");
            (typed ? script : expected).append(typed ? line.substring(2) : line).append('\n');
        }

        Command.Result told = room.shell(NEWCOMER + script).run();

        assertThat(told.out()).as("%s", told).isEqualTo(expected.toString());
    }

    @Test
    void theDaemonOfTheExampleServesFromNothing() throws Exception {
        List<String> typed = blocks("docs/gloved.md", "## From nothing", "sh");
        assertThat(typed).hasSize(2);

        Command.Result exposed =
                room.shell(NEWCOMER + typed.get(0) + typed.get(1)).run();

        assertThat(exposed.status()).as("%s", exposed).isZero();
        assertThat(exposed.out().lines().filter(line -> line.startsWith("site generation=1 ")))
                .as("as init and as list tell it: %s", exposed)
                .hasSize(2);
        assertThat(exposed.err())
                .contains(
                        "gloved: ready", "glove session: there are no sessions", "gloved: stopped")
                .doesNotContain("error");
    }
}
