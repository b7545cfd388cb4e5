package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;
import glove.testkit.MarkedProcesses;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;

/** What happens to protected and hidden names while an agent runs. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class GuardWatchTest {
    private static final int CANNOT_LAUNCH = 125;

    private final WorkRoom room;

    GuardWatchTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @BeforeEach
    void requireGit() {
        Lanes.require("e2e", WorkRoom.isInstalled("git"), "git is not installed");
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result host(String script) throws IOException, InterruptedException {
        return room.shell(script).run();
    }

    @Test
    void aProtectedNameMadeDuringTheRunIsToldAtOnceAndAtTheEnd() throws Exception {
        Command.Result result = host("""
                "$GLOVE" exec --workspace work -- sh -c 'mkdir -p d/e; touch d/e/.envrc
                    while ! test -e go; do sleep 0.05; done' 2> err & p=$!
                while ! grep -qs "d/e/.envrc' was created" err; do sleep 0.05; done
                echo told at once; touch work/go; wait $p; echo $?; tail -n 1 err
                """);

        assertThat(result.out())
                .isEqualTo("told at once\n0\nglove exec:   '" + room.work() + "/d/e/.envrc'\n");
    }

    @Test
    void aNewRepositorysSettingsAndHooksAreToldButNotItsSamples() throws Exception {
        Command.Result result = room.bash(
                        List.of(),
                        "git init -q n; mkdir -p n/.git/hooks; touch n/.git/hooks/x.sample"
                                + " n/.git/hooks/pre-commit; git init -q --bare b")
                .run();

        assertThat(result.err())
                .contains("'" + room.work() + "/n/.git/hooks/pre-commit'")
                .contains("'" + room.work() + "/n/.git/config'")
                .contains("'" + room.work() + "/b/config'")
                .doesNotContain("sample");
    }

    @Test
    void aNameToProtectThatIsMissingIsWatchedFor() throws Exception {
        Command.Result result = room.bash(
                        List.of("--protect", room.work() + "/Makefile.local"),
                        "touch Makefile.local other")
                .run();

        assertThat(result.err()).contains("/Makefile.local'").doesNotContain("other");
    }

    @Test
    void aLiftedNameIsNotTold() throws Exception {
        Command.Result result = room.bash(
                        List.of("--no-protect", room.work() + "/.envrc"), "touch .envrc")
                .run();

        assertThat(result.err()).isEmpty();
    }

    @Test
    void whatLeadsGitElsewhereIsToldHoweverItComes() throws Exception {
        List<String> ways = List.of(
                "mkdir a; echo 'gitdir: ../x' > a/.git",
                "mkdir b; ln -s ../x b/.git",
                "mkdir c; echo 'gitdir: ../x' > c/file; mv c/file c/.git",
                "mkdir -p d/x/hooks; touch d/x/hooks/pre-commit d/x/HEAD; mv d/x d/.git");
        for (String way : ways) {
            Command.Result result = room.bash(List.of(), way).run();

            assertThat(result.err()).as(way).contains("/.git");
        }
    }

    @Test
    void aDirectoryThatIsClosedDuringTheRunEndsNothingAndHidesNothing() throws Exception {
        Command.Result result = room.bash(
                        List.of(),
                        "mkdir -m 000 x; sleep 0.3; chmod 700 x; touch x/.envrc; echo went on")
                .run();

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.err()).contains("/x/.envrc'");
    }

    @Test
    void renamingABigTreeToAndFroDelaysNothing() throws Exception {
        String script = "mkdir -p big/{1..40}/{1..40}; for i in $(seq 300); do mv big big2;"
                + " mv big2 big; done; touch .envrc; sleep 200";

        Command.Result result = room.bash(List.of("--strict-protect"), script).run();

        assertThat(result.status()).isEqualTo(CANNOT_LAUNCH);
    }

    @Test
    void aProtectedFileWithAnotherNameIsTold() throws Exception {
        room.outside("echo x > work/.envrc; ln work/.envrc work/notes");

        assertThat(room.bash(List.of(), "true").run().err())
                .contains("/.envrc' is protected, but it has 2 names");
    }

    @Test
    void strictProtectEndsTheRun() throws Exception {
        Command.Result result = room.bash(List.of("--strict-protect"), "touch .bashrc; sleep 200")
                .run();

        assertThat(result.status()).isEqualTo(CANNOT_LAUNCH);
        assertThat(result.err())
                .contains(".bashrc' was created, and --strict-protect ends the run");
    }

    /**
     * For a moment the agent may read the new content, see docs/adr/0006: it waits until it cannot,
     * for ever without the repair.
     */
    @Test
    void filesTheHostReplacesAreGuardedAgain() throws Exception {
        Command.Result result = host("""
                cd work; git init -q .; echo secret > .env; cd ..
                "$GLOVE" exec --workspace work --hide work/.env -- sh -c '
                    echo ready > ready; while ! test -e go; do sleep 0.02; done
                    while test -e .env || test -w .git/config; do sleep 0.02; done
                    cat .env; echo pwned >> .git/config; echo end' > out 2> err & p=$!
                while ! test -e work/ready; do sleep 0.02; done
                for i in $(seq 60); do
                    echo secret$i > work/t; mv work/t work/.env
                    git -C work config user.name n$i
                done
                rm work/.env; echo again > work/.env
                touch work/go; wait $p; cat out; grep -c pwned work/.git/config || true
                grep -c secret out || true
                """);

        assertThat(result.out()).as("%s", result).isEqualTo("end\n0\n0\n");
        assertThat(room.outside("cat err; git -C work config user.name"))
                .contains("No such file or directory")
                .contains("Read-only file system")
                .contains("n60");
    }

    @Test
    void aRepositoryTheHostMakesAnewIsGuardedAgain() throws Exception {
        Command.Result result = host("""
                cd work; git init -q .; cd ..
                "$GLOVE" exec --workspace work -- sh -c '
                    echo ready > ready; while ! test -e go; do sleep 0.02; done
                    while test -w .git/config || test -w .git/hooks; do sleep 0.02; done
                    echo pwned >> .git/config; echo x > .git/hooks/pre-commit' 2> err & p=$!
                while ! test -e work/ready; do sleep 0.02; done
                rm -rf work/.git; git init -q work; mkdir -p work/.git/hooks
                touch work/go; wait $p || echo failed; grep -c pwned work/.git/config || true
                ls work/.git/hooks | grep -v sample || true
                """);

        assertThat(result.out()).as("%s", result).isEqualTo("failed\n0\n");
    }

    @Test
    void nothingIsLeftAfterEverythingWasKilled() throws Exception {
        String out = room.outside("""
                cd work; git init -q .; cd ..; find work -printf '%p %i\\n' | sort > before
                "$GLOVE" exec --workspace work --hide '*.x' -- sleep MARK & p=$!
                while ! pgrep -fx 'sleep MARK' > /dev/null; do sleep 0.05; done
                kill -9 $p; wait $p || true
                while pgrep -fx 'sleep MARK' > /dev/null; do sleep 0.05; done
                find work -printf '%p %i\\n' | sort | diff before - && echo same
                git -C work config user.name x && echo writable
                """.replace("MARK", new MarkedProcesses().marker()));

        assertThat(out).isEqualTo("same\nwritable\n");
    }
}
