package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A host program runs as it would without Glove, and says clearly when it cannot. */
@Tag("process")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class HostProgramTest {
    private final Identity identity;
    private final HostProgramRunner runner;

    HostProgramTest(Identity identity) throws IOException, InterruptedException {
        this.identity = identity;
        this.runner = new HostProgramRunner(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        runner.close();
    }

    private Path script(String name, String text) throws IOException {
        Path file = Files.writeString(runner.room().resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private String out(String... words) throws IOException, InterruptedException {
        return runner.command(words).run().out();
    }

    @Test
    void theEnvironmentIsExactlyWhatWasGiven() throws Exception {
        String out = out("env=B=two words", "env=A=", "--", "env");

        assertThat(out).isEqualTo("B=two words\nA=\nExited[code=0]\n");
    }

    @Test
    void theArgumentsArriveAsTheyWereGiven() throws Exception {
        String out = out("--", "sh", "-c", "printf '<%s>' \"$0\" \"$@\"", "a b", "", "$c");

        assertThat(out).isEqualTo("<a b><><$c>Exited[code=0]\n");
    }

    @Test
    void itStartsWhereItWasTold() throws Exception {
        assertThat(out("--", "pwd")).isEqualTo(runner.room() + "\nExited[code=0]\n");
    }

    @Test
    void exitStatusAndSignalAreToldExactly() throws Exception {
        assertThat(runner.prints("exit 7")).isEqualTo("Exited[code=7]\n");
        assertThat(runner.prints("kill -SEGV $$")).isEqualTo("Signaled[signal=11]\n");
        assertThat(runner.prints("kill -KILL $$")).isEqualTo("Signaled[signal=9]\n");
    }

    @Test
    void whatItPrintsLastIsReadWhole() throws Exception {
        assertThat(runner.prints("head -c 60000 /dev/zero | tr '\\0' x"))
                .isEqualTo("x".repeat(60000) + "Exited[code=0]\n");
    }

    @Test
    void procShowsItsOwnProcessesUnderTheNumbersItKnowsThemBy() throws Exception {
        String out = runner.prints("""
                read -r pid rest < /proc/self/stat; [ -d /proc/$pid ] && echo self
                [ "$(cut -d ' ' -f 1 /proc/$$/stat)" = $$ ] && echo same
                ps -e -o args= > list; cut -d ' ' -f 1 list
                """);

        assertThat(out).isEqualTo("self\nsame\nglove-launcher\nsh\nps\nExited[code=0]\n");
    }

    @Test
    void nothingIsForbiddenAndNoDescriptorOrSignalSettingIsInherited() throws Exception {
        String out = runner.prints("""
                grep -E '^(SigBlk|SigIgn|NoNewPrivs|Seccomp):' /proc/self/status
                ls /proc/$$/fd
                ps -o sid= -p $$ | tr -d ' '
                """);

        assertThat(out).isEqualTo("""
                SigBlk:\t0000000000000000
                SigIgn:\t0000000000000000
                NoNewPrivs:\t0
                Seccomp:\t0
                0
                1
                2
                2
                Exited[code=0]
                """);
    }

    @Test
    void itHasTheCapabilitiesOfTheCaller() throws Exception {
        String mine = new Command(identity.command(List.of("grep", "CapEff", "/proc/self/status")))
                .run()
                .out();

        assertThat(runner.prints("grep CapEff /proc/self/status"))
                .isEqualTo(mine + "Exited[code=0]\n");
    }

    @Test
    void itHasTheCallersLimitOfOpenFilesEvenIfGloveRaisedItsOwn() throws Exception {
        String out = runner.command(
                        List.of("prlimit", "--nofile=300:1000"),
                        "--",
                        "sh",
                        "-c",
                        "ulimit -Sn; ulimit -Hn")
                .run()
                .out();

        assertThat(out).isEqualTo("300\n1000\nExited[code=0]\n");
    }

    @Test
    void whatItWritesBelongsToTheCaller() throws Exception {
        String out = runner.prints("umask 022; echo text > made; mkdir dir; stat -c %u:%g made");

        Path made = runner.room().resolve("made");
        String owner =
                Files.getAttribute(made, "unix:uid") + ":" + Files.getAttribute(made, "unix:gid");
        assertThat(out).isEqualTo(owner + "\nExited[code=0]\n");
        assertThat(owner).isEqualTo(idOfCaller());
        assertThat(Files.readString(made)).isEqualTo("text\n");
    }

    private String idOfCaller() throws IOException, InterruptedException {
        return new Command(identity.command(List.of("sh", "-c", "echo $(id -u):$(id -g)")))
                .run()
                .out()
                .strip();
    }

    @Test
    void itsMountsFollowTheHostsAndTheHostSeesNoneOfThem() throws Exception {
        List<String> before = Files.readAllLines(Path.of("/proc/self/mountinfo"));

        String out = runner.prints(
                "grep -c ' shared:' /proc/self/mountinfo; grep -c ' /proc ' /proc/self/mountinfo");

        assertThat(out).startsWith("0\n");
        assertThat(Files.readAllLines(Path.of("/proc/self/mountinfo"))).isEqualTo(before);
    }

    @Test
    void scriptsRunByTheirInterpreter() throws Exception {
        script("script", "#!/bin/sh -e\necho \"$0\" \"$1\"\n");

        assertThat(out("--", "./script", "x"))
                .isEqualTo(runner.room() + "/./script x\nExited[code=0]\n");
    }

    @Test
    void aProgramOfPathMayBeALinkToAScript() throws Exception {
        script("real", "#!/bin/sh\necho run as ${0##*/}\n");
        Files.createSymbolicLink(runner.room().resolve("tool"), Path.of("real"));

        assertThat(out("path=" + runner.room(), "--", "tool"))
                .isEqualTo("run as tool\nExited[code=0]\n");
    }

    @Test
    void aProgramThatIsNowhereIsRefusedByTheNameOfItsUpstream() throws Exception {
        assertThat(out("--", "no-such-tool"))
                .isEqualTo("refused 127: upstream 'files': 'no-such-tool' is not in PATH"
                        + " | [install it, or give its path]\n");
        assertThat(out("--", "./nowhere"))
                .startsWith("refused 127: upstream 'files': './nowhere': ENOENT");
    }

    @Test
    void aFileThatIsNotExecutableIsRefused() throws Exception {
        Files.writeString(runner.room().resolve("plain"), "text");

        String expected = "refused 126: upstream 'files': '%s' is not an executable file"
                + " | [chmod +x '" + runner.room() + "/plain', or name its interpreter]\n";
        assertThat(out("--", "./plain")).isEqualTo(expected.formatted("./plain"));
        assertThat(out("path=" + runner.room(), "--", "plain"))
                .isEqualTo(expected.formatted("plain"));
    }

    @Test
    void aScriptWithoutItsInterpreterIsRefused() throws Exception {
        Path script = script("script", "#!/no/such/interpreter\n");

        assertThat(out("--", "./script"))
                .isEqualTo("refused 127: upstream 'files': the interpreter '/no/such/interpreter'"
                        + " of '" + script + "' does not exist"
                        + " | [install it, or correct the #! line]\n");
    }

    @Test
    void aFileTheKernelCannotExecuteFailsWithItsErrno() throws Exception {
        Path file = script("garbage", "\0\1\2 no program\n");

        assertThat(out("--", "./garbage"))
                .isEqualTo("failed: upstream 'files': cannot set up program '" + runner.room()
                        + "/./garbage': ENOEXEC (not an executable of this machine)\n");
        assertThat(file).exists();
    }

    @Test
    void aWorkingDirectoryThatIsNoneIsRefused() throws Exception {
        assertThat(out("cwd=/no/where", "--", "pwd"))
                .startsWith("refused 2: upstream 'files': its working directory '/no/where': "
                        + "ENOENT");
        assertThat(out("cwd=/etc/passwd", "--", "pwd"))
                .startsWith("refused 2: upstream 'files': its working directory '/etc/passwd' is "
                        + "no directory");
    }

    @Test
    void aHostThatRefusesUserNamespacesIsToldWhichSettingDoes() throws Exception {
        String forbid = "echo 0 > /proc/sys/user/max_user_namespaces; "
                + "exec setpriv --inh-caps=-all --bounding-set=-all \"$0\" \"$@\"";

        Command.Result result = runner.command(
                        List.of("unshare", "-Ur", "sh", "-c", forbid), "--", "true")
                .run();

        assertThat(result.out())
                .isEqualTo(
                        "failed: upstream 'files': cannot make a user namespace: ENOSPC (no space"
                                + " left, or a limit reached);"
                                + " sysctl -w user.max_user_namespaces=10000 allows them\n");
    }
}
