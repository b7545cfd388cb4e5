package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * The command line of {@code glove exec}: what is refused and how, explained, passed and recorded.
 */
@Tag("e2e")
final class ExecTest {
    private static final Identity ME = Identity.available().getFirst();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            exec                                            | no '--' and command
            exec true                                       | 'true' stands before '--'
            exec --                                         | no command after '--'
            exec --bogus -- true                            | unknown option '--bogus'
            exec --workspace -- true                        | --workspace needs a value
            exec --workspace= -- true                       | --workspace has an empty value
            exec --read /nonexistent/x -- true              | --read '/nonexistent/x' does not exist
            exec --workspace / -- true                      | is the root of the host
            exec --read /proc -- true                       | is a kernel interface
            exec --read /dev/null -- true                   | is a kernel interface
            exec --read /run -- true                        | sockets of the host's services
            exec --workspace /usr --read /usr -- true       | both read-only and writable
            exec --workspace /tmp --workspace /usr -- true  | --workspace is given twice
            exec --env NOT_SET_ANYWHERE -- true             | is not set in your environment
            exec --env A=B -- true                          | --env takes a name
            exec --env 1A -- true                           | letters, digits and '_'
            exec --env HOME -- true                         | Glove sets this variable itself
            exec --setenv TMPDIR=/x -- true                 | Glove sets this variable itself
            exec --setenv GLOVE_LOCAL_SERVICE_DIR=/x -- true | Glove sets this variable itself
            exec --setenv X -- true                         | has no '='
            exec --setenv X=1 --setenv X=2 -- true          | already given another value
            exec --cwd /root/none -- true                   | --cwd '/root/none'
            exec --cwd /etc/ssl -- true                     | outside what the sandbox shows
            exec --cwd /usr/bin/env -- true                 | is not a directory
            exec --json -- true                             | --json goes with --explain
            exec --explain=yes -- true                      | --explain takes no value
            exec --tool no-such-tool -- true                | no such program in your PATH
            exec --audit-log /nonexistent/log -- true       | --audit-log '/nonexistent/log'
            frobnicate                                      | unknown verb 'frobnicate'
            """)
    void badInputIsOneClearLineAndStatus2(String line, String words) throws Exception {
        Command.Result result =
                GloveProgram.as(ME, List.of(line.strip().split(" +"))).run();

        assertThat(result.status()).as(result.err()).isEqualTo(2);
        assertThat(result.err()).contains(words);
        assertThat(result.err().lines().filter(l -> !l.startsWith("Try: "))).hasSize(1);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void everyHelpAndVersionIsOnStdoutWithStatus0() throws Exception {
        for (List<String> line : List.of(
                List.of("--help"),
                List.of("-h"),
                List.of("--version"),
                List.of("exec", "--help"))) {
            Command.Result result = GloveProgram.as(ME, line).run();

            assertThat(result.status()).isZero();
            assertThat(result.err()).isEmpty();
            assertThat(result.out().lines()).allMatch(l -> l.length() <= 80);
        }
        assertThat(GloveProgram.as(ME, List.of("exec", "--help")).run().out())
                .isEqualTo(ExecHelp.TEXT);
    }

    @Test
    void aProgramThatIsNotThereIs127AndOneThatCannotBeExecutedIs126() throws Exception {
        Path plain = Files.writeString(directory.resolve("plain"), "text");
        openTo(directory);

        assertThat(exec(List.of(), "no-such-program").status()).isEqualTo(127);
        assertThat(exec(List.of(), "/no/such/program").status()).isEqualTo(127);
        assertThat(exec(List.of("--workspace", directory.toString()), plain.toString())
                        .status())
                .isEqualTo(126);
    }

    @Test
    void aProgramOutsideTheSandboxIsNamedWithTheOptionThatGrantsIt() throws Exception {
        Path tool = script(directory.resolve("my-tool"), "echo tool ran");
        Command.Result refused = GloveProgram.exec(ME, List.of(), List.of("my-tool"))
                .with("PATH", directory + ":/usr/bin:/bin")
                .run();
        Command.Result granted = GloveProgram.exec(
                        ME, List.of("--tool", "my-tool"), List.of("my-tool"))
                .with("PATH", directory + ":/usr/bin:/bin")
                .run();

        assertThat(refused.status()).isEqualTo(127);
        assertThat(refused.err()).contains(tool.toString()).contains("Try: --tool my-tool");
        assertThat(granted.out()).isEqualTo("tool ran\n");
    }

    @Test
    void aToolOfAnInstallationComesWithItsLibraries() throws Exception {
        Path bin = Files.createDirectories(directory.resolve("app/bin"));
        Files.createDirectories(directory.resolve("app/lib"));
        Files.writeString(directory.resolve("app/lib/data"), "from lib\n");
        script(bin.resolve("launch"), "cat \"$(dirname \"$0\")/../lib/data\"");
        openTo(directory);

        Command.Result result = GloveProgram.exec(
                        ME, List.of("--tool", "launch"), List.of("launch"))
                .with("PATH", bin + ":/usr/bin:/bin")
                .run();

        assertThat(result.out()).as(result.err()).isEqualTo("from lib\n");
    }

    @Test
    void nothingOfTheCallersEnvironmentPassesButTheNamedAndTheTerminals() throws Exception {
        Command.Result result = GloveProgram.exec(
                        ME, List.of("--env", "PASSED", "--setenv", "SET=a=b"), List.of("env"))
                .with("SECRET", "s")
                .with("PASSED", "p")
                .with("LC_TIME", "C")
                .with("TERM", "xterm")
                .run();

        List<String> names =
                result.out().lines().map(l -> l.substring(0, l.indexOf('='))).toList();
        assertThat(result.out())
                .contains("PASSED=p\n")
                .contains("SET=a=b\n")
                .contains("LC_TIME=C\n");
        assertThat(names)
                .isSubsetOf(
                        "PASSED",
                        "SET",
                        "LC_TIME",
                        "TERM",
                        "PATH",
                        "HOME",
                        "TMPDIR",
                        "GLOVE_SANDBOXED",
                        "LANG",
                        "TZ",
                        "COLORTERM",
                        "LC_ALL",
                        "LC_CTYPE");
    }

    @Test
    void explainRunsNothingAndSaysWhatWouldBeVisible() throws Exception {
        Path marker = directory.resolve("marker");
        Command.Result text = exec(
                List.of("--workspace", directory.toString(), "--explain"),
                "touch",
                marker.toString());
        Command.Result json = exec(
                List.of("--workspace", directory.toString(), "--explain", "--json"),
                "touch",
                marker.toString());

        assertThat(text.out())
                .contains(directory.toString())
                .contains("denied")
                .contains("Nothing was run.");
        assertThat(json.out())
                .startsWith("{\"schema_version\":1,")
                .contains("\"access\":\"write\"")
                .endsWith("}\n");
        assertThat(marker).doesNotExist();
    }

    @Test
    void theAuditLogHoldsLaunchAndExitInOneChain() throws Exception {
        Path log = directory.resolve("audit.jsonl");
        exec(List.of("--audit-log", log.toString()), "sh", "-c", "exit 3");
        exec(List.of("--audit-log", log.toString()), "true");

        List<String> lines = Files.readAllLines(log);
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0))
                .startsWith("{\"action\":\"agent_launch\",\"tool\":\"sh\",\"arguments\":\"sha256:");
        assertThat(lines.get(1))
                .startsWith("{\"action\":\"agent_exit\",\"tool\":\"3\",")
                .contains("execution_error");
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i)).contains("\"sequence\":" + i + ",");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log)))
                .isEqualTo("rw-------");
    }

    @Test
    void anAuditLogInsideAGrantIsRefusedAndNotMade() throws Exception {
        Path log = directory.resolve("audit.jsonl");
        Command.Result result = exec(
                List.of("--read", directory.toString(), "--audit-log", log.toString()), "true");

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("lies inside a granted path");
        assertThat(log).doesNotExist();
    }

    @Test
    void anAuditLogThatCannotBeContinuedStopsTheRun() throws Exception {
        Path work = Files.createDirectories(directory.resolve("work"));
        Path ran = work.resolve("ran");
        Path log = Files.writeString(directory.resolve("torn.jsonl"), "{\"action\":");
        Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-------"));

        Command.Result result = exec(
                List.of("--write", work.toString(), "--audit-log", log.toString()),
                "touch",
                ran.toString());

        assertThat(result.status()).isEqualTo(125);
        assertThat(result.err()).contains("ends in the middle of a line");
        assertThat(ran).doesNotExist();
    }

    @Test
    void projectFilesAreNeverConfiguration() throws Exception {
        for (String name :
                List.of(".glove", "glove.json", ".gloverc", "glove.toml", ".glove/config.json")) {
            Path file = directory.resolve(name + (name.equals(".glove") ? "-file" : ""));
            Files.createDirectories(file.getParent());
            Files.writeString(file, "{\"read\":[\"/root\"],\"env\":[\"SECRET\"]}");
        }
        openTo(directory);

        Command.Result result = GloveProgram.exec(
                        ME,
                        List.of("--workspace", directory.toString()),
                        List.of("sh", "-c", "env; ls /root"))
                .with("SECRET", "s")
                .in(directory)
                .run();

        assertThat(result.out()).doesNotContain("SECRET");
        assertThat(result.status()).isNotZero();
    }

    /** With a /tmp of its own, as other tests have directories there; the tree may be in it. */
    @Test
    void nothingIsLeftInTheTemporaryDirectoryOrTheWorkspace() throws Exception {
        String script = "exec unshare " + (Identity.isRoot() ? "-m" : "-Urm") + """
                 sh -euc 'tree=${GLOVE%/*}
                exec 9<"$tree"; mount -t tmpfs none /tmp
                mkdir -p "$tree"; mount -c --bind /proc/self/fd/9 "$tree"; exec 9<&-
                mkdir tmp; export TMPDIR=$PWD/tmp; ls -A /tmp >before
                "$GLOVE" exec --workspace work -- sh -c "echo x >\\$TMPDIR/x"
                ls -A work tmp; ls -A /tmp | cmp - before && echo same'
                """;
        WorkRoom room = WorkRoom.of(ME);
        try {
            assertThat(room.outside(script)).isEqualTo("tmp:\n\nwork:\nsame\n");
        } finally {
            room.close();
        }
    }

    private Command.Result exec(List<String> options, String... command) throws Exception {
        return GloveProgram.exec(ME, options, List.of(command)).run();
    }

    private static Path script(Path path, String body) throws IOException {
        Files.writeString(path, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        openTo(path.resolveSibling("."));
        return path;
    }

    /** Temporary directories are owner-only; the agent of a root run is nobody's owner. */
    private static void openTo(Path path) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
