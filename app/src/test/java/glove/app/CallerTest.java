package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What callers hand to {@code glove exec} without meaning to, and what an agent makes of it. */
@Tag("e2e")
final class CallerTest {
    @TempDir
    private Path directory;

    static List<Identity> identities() {
        return Identity.available();
    }

    @ParameterizedTest
    @MethodSource("identities")
    void aStreamTheCallerClosedFailsInsideAndIsNoFileOfTheJvm(Identity identity) throws Exception {
        String look =
                "said=$(for i in 0 1 2; do readlink /proc/$$/fd/$i; done); echo \"$said\" > said; "
                        + "(read x; echo out; echo err >&2; cat) 2>/dev/null; true";
        for (String closed : List.of("<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-")) {
            Path said = work(identity).resolve("said");
            Files.deleteIfExists(said);

            shell(identity, "exec \"$0\" exec --workspace . -- sh -c '" + look + "' " + closed);

            List<String> streams = Files.readAllLines(said);
            assertThat(streams).as(closed).hasSize(3);
            assertThat(streams)
                    .as(closed)
                    .allMatch(s -> s.startsWith("pipe:") || s.equals("/dev/null"));
        }
    }

    @ParameterizedTest
    @MethodSource("identities")
    void writingToAClosedStreamFailsAsItDoesOutside(Identity identity) throws Exception {
        Command.Result result =
                shell(identity, "exec \"$0\" exec -- sh -c 'echo x 2>/dev/null || exit 9' >&-");

        assertThat(result.status()).as(result.err()).isEqualTo(9);
    }

    @ParameterizedTest
    @MethodSource("identities")
    void noSocketOfTheJvmStandsInTmpForTheAgentToLoadCodeThrough(Identity identity)
            throws Exception {
        List<String> words = List.of("exec", "--", "sh", "-c", "echo up; cat");
        Process process = GloveProgram.as(identity, words).start();
        try {
            byte[] up = process.getInputStream().readNBytes(3);

            assertThat(new String(up, StandardCharsets.US_ASCII)).isEqualTo("up\n");
            assertThat(Path.of("/tmp/.java_pid" + process.pid())).doesNotExist();
            assertThat(new String(
                            Files.readAllBytes(Path.of("/proc/" + process.pid() + "/net/unix")),
                            StandardCharsets.UTF_8))
                    .doesNotContain("/tmp/.java_pid" + process.pid());
        } finally {
            process.getOutputStream().close();
            process.waitFor(60, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @MethodSource("identities")
    void aRemovedWorkingDirectoryIsOneLineAndStatus125(Identity identity) throws Exception {
        Command.Result result = shell(
                identity, "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" exec -- true");

        assertThat(result.status()).isEqualTo(125);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("the working directory no longer exists");
    }

    @ParameterizedTest
    @MethodSource("identities")
    void aDirectoryAsStandardStreamIsRefused(Identity identity) throws Exception {
        Command.Result result =
                shell(identity, "exec \"$0\" exec -- chmod 777 /proc/self/fd/0/target < .");

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("standard input is a directory");
    }

    @ParameterizedTest
    @MethodSource("identities")
    void aProtectedFileAsStandardInputIsRefusedAndThroughAPipeIsNot(Identity identity)
            throws Exception {
        shell(identity, "mkdir ro && echo kept > ro/file");
        String glove = "\"$0\" exec --workspace . --read ro -- ";

        Command.Result refused =
                shell(identity, glove + "sh -c 'echo broken > /proc/self/fd/0' < ro/file");
        Command.Result piped = shell(identity, "cat ro/file | " + glove + "cat");

        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("read-only grant inside a writable one");
        assertThat(Files.readString(work(identity).resolve("ro/file"))).isEqualTo("kept\n");
        assertThat(piped.out()).isEqualTo("kept\n");
    }

    @ParameterizedTest
    @MethodSource("identities")
    void noDirectoryAboveANestedReadOnlyGrantCanBeReplaced(Identity identity) throws Exception {
        shell(identity, "mkdir -p a/b/ro w/x && echo kept > a/b/ro/file");

        // The writable grant in between changes nothing: what lies above it is writable as well.
        Command.Result result = shell(
                identity,
                "exec \"$0\" exec --workspace . --write a/b --read a/b/ro -- "
                        + "sh -c 'mv a moved; mv a/b a/moved; touch a/new a/b/new; ls a a/b'");

        assertThat(result.err()).contains("'moved': Device or resource busy");
        assertThat(result.err()).contains("'a/moved'");
        assertThat(result.out()).isEqualTo("a:\nb\nnew\n\na/b:\nnew\nro\n");
        assertThat(Files.readString(work(identity).resolve("a/b/ro/file"))).isEqualTo("kept\n");
    }

    @ParameterizedTest
    @MethodSource("identities")
    void aFloodOfOrphansKeepsNobodyFromEndingTheRun(Identity identity) throws Exception {
        Path storm = directory.resolve("storm.c");
        Files.writeString(storm, STORM);
        Path program = work(identity).resolve("storm");
        assertThat(Command.of("gcc", "-O2", "-o", program.toString(), storm.toString())
                        .run()
                        .status())
                .isZero();

        // timeout sends SIGTERM, which the storm ignores; Glove kills after its grace.
        Command.Result result =
                shell(identity, "timeout -k 200 1 \"$0\" exec --workspace . -- ./storm");

        // 124: it ended after SIGTERM; 137: timeout had to kill it.
        assertThat(result.status()).as(result.err()).isEqualTo(124);
    }

    /** Eight sessions that leave orphans behind as fast as they can. */
    private static final String STORM = """
            #define _GNU_SOURCE
            #include <signal.h>
            #include <sys/wait.h>
            #include <unistd.h>
            int main(void) {
                signal(SIGTERM, SIG_IGN);
                for (int i = 0; i < 8; i++) {
                    if (fork() != 0) continue;
                    setsid();
                    for (;;) {
                        pid_t pid = vfork();
                        if (pid == 0) {
                            for (int j = 0; j < 40; j++) if (vfork() == 0) _exit(0);
                            _exit(0);
                        }
                        if (pid > 0) waitpid(pid, 0, 0);
                    }
                }
                for (;;) pause();
            }
            """;

    private Path work(Identity identity) throws Exception {
        Path work = directory.resolve(identity.name());
        if (!Files.exists(work)) {
            Files.createDirectory(work);
            Command.of("chmod", "755", directory.toString()).run();
            if (Identity.isRoot()) {
                Command.of("chown", identity.owner(), work.toString()).run();
            }
        }
        return work;
    }

    /** In the identity's own directory; {@code $0} is the script glove. */
    private Command.Result shell(Identity identity, String line) throws Exception {
        List<String> words =
                new ArrayList<>(List.of("sh", "-c", line, GloveProgram.script(identity)));
        return new Command(identity.command(words)).in(work(identity)).run();
    }

    @ParameterizedTest
    @MethodSource("identities")
    void inTheBackgroundOfATerminalNothingThatIsTypedReachesTheAgent(Identity identity)
            throws Exception {
        String script = "set -m; \"$0\" exec -- bash -c 'read -t 2 x; echo \"[$x]\"' & wait $!";
        Command command = new Command(identity.command(List.of(
                "bash",
                "-c",
                script,
                GloveProgram.as(identity, List.of()).words().getLast())));

        Command.Result result = command.onTerminal()
                .reading("typed\n".getBytes(StandardCharsets.UTF_8))
                .run();

        assertThat(result.out()).contains("[]").doesNotContain("[typed]");
    }

    @ParameterizedTest
    @MethodSource("identities")
    void whatCannotBePrintedIsAFailure(Identity identity) throws Exception {
        for (String verb :
                List.of("--help", "--version", "exec --help", "exec --explain -- true")) {
            assertThat(shell(identity, "\"$0\" " + verb + " >/dev/full").status())
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("identities")
    void aGrantOfTheDirectoryAroundSystemFilesShowsTheHosts(Identity identity) throws Exception {
        Command.Result result = shell(
                identity,
                "\"$0\" exec --read /etc -- sh -c 'ls /etc/passwd; ls /etc | wc -l';"
                        + " ls /etc/passwd; ls /etc | wc -l");

        String[] counts = result.out().split("\\s+");
        assertThat(counts).as(result.err()).hasSize(4);
        assertThat(counts[0] + counts[1]).isEqualTo(counts[2] + counts[3]);
    }
}
