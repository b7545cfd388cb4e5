package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What --workspace, --read and --write show, and how. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class GrantsTest {
    private final WorkRoom room;

    GrantsTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(List<String> options, String script)
            throws IOException, InterruptedException {
        return room.bash(options, script).run();
    }

    @Test
    void aReadGrantIsReadableOnly() throws Exception {
        room.outside("mkdir d; echo text > d/f");

        Command.Result result =
                run(List.of("--read", room.path() + "/d"), "cat ../d/f; echo x > ../d/f");

        assertThat(result.out()).isEqualTo("text\n");
        assertThat(result.err()).contains("Read-only file system");
        assertThat(room.outside("cat d/f")).isEqualTo("text\n");
    }

    @Test
    void aFileCanBeGrantedAlone() throws Exception {
        room.outside("mkdir d; echo r > d/r; echo w > d/w; echo hidden > d/h");

        String out = room.prints(
                List.of("--read", room.path() + "/d/r", "--write", room.path() + "/d/w"),
                "cat ../d/r; echo more >> ../d/w; ls ../d | tr '\\n' ' '");

        assertThat(out).isEqualTo("r\nr w ");
        assertThat(room.outside("cat d/w")).isEqualTo("w\nmore\n");
    }

    @Test
    void theNarrowerGrantDecides() throws Exception {
        room.outside("mkdir -p a/b/c; echo x > a/b/f");

        Command.Result result = run(
                List.of(
                        "--write",
                        room.path() + "/a",
                        "--read",
                        room.path() + "/a/b",
                        "--write",
                        room.path() + "/a/b/c"),
                "cd ../a; echo 1 > one; echo 2 > b/c/two; cat b/f;"
                        + " echo no > b/f || echo refused; mkdir b/d || echo too");

        assertThat(result.out()).isEqualTo("x\nrefused\ntoo\n");
        assertThat(room.outside("cat a/one a/b/c/two a/b/f")).isEqualTo("1\n2\nx\n");
    }

    @Test
    void whatLiesBesideAGrantIsAbsent() throws Exception {
        room.outside("mkdir d secret; echo x > secret/f; ln -s ../secret/f d/link");

        String out = room.prints(
                List.of("--read", room.path() + "/d"),
                "ls ..; cat ../d/link 2>&1 || test ! -e ../secret");

        assertThat(out).startsWith("d\nwork\n").contains("No such file or directory");
    }

    @Test
    void oddNamesCanBeGranted() throws Exception {
        String script = "n=$PWD/$'sp ace\\nline\\xff=,:\"'; mkdir \"$n\"; echo odd > \"$n/f\";"
                + " \"$GLOVE\" exec --workspace \"$n\" -- cat f;"
                + " \"$GLOVE\" exec --write=\"$n/f\" -- cat \"$n/f\";"
                + " cd \"$n\"; \"$GLOVE\" exec --workspace . --"
                + " sh -c 'test \"$PWD\" = \"$1\" && echo there' x \"$n\"";

        assertThat(room.outside(script)).isEqualTo("odd\nodd\nthere\n");
    }

    @Test
    void aLinkedWorkspaceIsShownWhereItReallyIs() throws Exception {
        String out = room.outside(
                "mkdir real; ln -s real link; echo x > real/f;"
                        + " \"$GLOVE\" exec --workspace link -- sh -c 'pwd; cat f; echo y > g'; cat real/g");

        assertThat(out).isEqualTo(room.path() + "/real\nx\ny\n");
    }

    @Test
    void relativeAndTrailingSlashPathsAreTheSame() throws Exception {
        String out = room.outside("mkdir d; echo x > d/f; cd work;"
                + " \"$GLOVE\" exec --workspace ./ --read ../d/ -- cat ../d/f;"
                + " \"$GLOVE\" exec --workspace=. --read=../d/../d -- cat ../d/f");

        assertThat(out).isEqualTo("x\nx\n");
    }

    @Test
    void aDirectoryBelowTheTemporaryDirectoryCanBeGranted() throws Exception {
        WorkRoom temporary = WorkRoom.below(Path.of("/tmp"), room.identity());
        try {
            String out = temporary.prints("echo mine > f; echo $TMPDIR; ls -A \"$TMPDIR\"");

            assertThat(out).isEqualTo("/tmp\n" + temporary.path().getFileName() + "\n");
            assertThat(temporary.outside("cat work/f")).isEqualTo("mine\n");
        } finally {
            temporary.close();
        }
    }

    @Test
    void theTemporaryDirectoryItselfCanBeGranted() throws Exception {
        // One of its own, in namespaces, as the same user: whatever else lies in the machine's.
        String script = """
                id=$(id -u) group=$(id -g); cd /
                unshare -Urm sh -c 'mount -t tmpfs -o mode=1777 none /tmp && exec "$@"' sh \\
                    unshare -U --map-user=$id --map-group=$group sh -c '
                        "$GLOVE" exec --write /tmp -- sh -c "echo \\$TMPDIR
                            echo shared >/tmp/granted; mktemp -d >/dev/null; touch \\$TMPDIR/x"
                        cat /tmp/granted; ls -A /tmp'""";

        Command.Result result = room.shell(script).run();

        assertThat(result.out()).as("%s", result).isEqualTo("/run/agent/tmp\nshared\ngranted\n");
    }

    @Test
    void theStartingDirectoryCanBeChosen() throws Exception {
        room.outside("mkdir -p work/sub d");

        assertThat(room.prints(List.of("--cwd", room.work() + "/sub"), "pwd"))
                .isEqualTo(room.work() + "/sub\n");
        assertThat(room.prints(
                        List.of("--read", room.path() + "/d", "--cwd", room.path() + "/d"), "pwd"))
                .isEqualTo(room.path() + "/d\n");
    }

    @Test
    void filesMadeInsideAreTheCallers() throws Exception {
        String out = room.prints(
                "touch f; mkdir d; ln -s f l; chmod 640 f; stat -c %U:%G f d l; chown agent: f");

        assertThat(out).isEqualTo("agent:agent\nagent:agent\nagent:agent\n");
        assertThat(room.outside("stat -c %u:%a work/f; id -u").lines().toList())
                .satisfies(lines -> assertThat(lines.get(0)).isEqualTo(lines.get(1) + ":640"));
    }

    @Test
    void nothingIsLeftBesideTheGrantsOnDisk() throws Exception {
        room.outside("mkdir -p d/e; echo x > f");

        room.prints(List.of("--read", room.path() + "/d/e", "--write", room.path() + "/f"), "true");

        assertThat(room.outside("find . | sort")).isEqualTo(".\n./d\n./d/e\n./f\n./work\n");
    }

    @Test
    void theCallersHomeAndVariablesAreNotInside() throws Exception {
        String out = room.shell(
                        "SECRET=1 OTHER=2 \"$GLOVE\" exec --env OTHER --setenv THIRD=3 -- env")
                .run()
                .out();

        assertThat(out)
                .contains("OTHER=2\nTHIRD=3\n")
                .contains("HOME=/home/agent\n")
                .doesNotContain("SECRET");
    }

    @Test
    void aThousandGrantsWork() throws Exception {
        String out = room.outside(
                "mkdir g; cd g; for i in $(seq 1000); do echo $i > $i; args+=(--read $i); done;"
                        + " \"$GLOVE\" exec \"${args[@]}\" --"
                        + " sh -c 'cd \"$0\"; ls | wc -l; cat 777' \"$PWD\"");

        assertThat(out).isEqualTo("1000\n777\n");
    }
}
