package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;

/** Homes that are kept from run to run, and {@code glove home}. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class HomeTest {
    private static final String SETTING = """
            export XDG_STATE_HOME=$PWD/state HOME=$PWD/caller
            mkdir -p caller
            homes=state/glove/homes
            keep() { "$GLOVE" exec --home dev "$@"; }
            """;

    private final WorkRoom room;

    HomeTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private String prints(String script) throws IOException, InterruptedException {
        return room.outside(SETTING + script);
    }

    private Command.Result run(String script) throws IOException, InterruptedException {
        return room.shell(SETTING + script).run();
    }

    @Test
    void noUmaskClosesWhatIsMadeToItsOwner() throws Exception {
        String out = prints("""
                (umask 777; keep -- sh -c 'echo one > ~/kept'
                    "$GLOVE" exec --egress-allow registry.test -- true; mkdir control)
                keep -- cat kept
                stat -c %a state/glove $homes $homes/dev $homes/dev/kept $homes/.dev.lock
                stat -c %a state/glove/audit state/glove/audit/audit.jsonl control
                """);

        assertThat(out).isEqualTo("one\n700\n700\n700\n600\n600\n700\n600\n0\n");
    }

    @Test
    void aKeptHomeHasWhatAnEarlierRunLeft() throws Exception {
        String out = prints("""
                keep -- sh -c 'echo one > ~/kept; mkdir ~/d; stat -c %U . kept d; echo "$HOME"'
                keep -- sh -c 'cat kept; echo two >> kept'
                cat $homes/dev/kept; stat -c %u $homes/dev/kept; id -u
                stat -c %a state/glove $homes $homes/dev $homes/.dev.lock
                """);

        assertThat(out)
                .startsWith("agent\nagent\nagent\n/home/agent\none\none\ntwo\n")
                .endsWith("700\n700\n700\n600\n");
        assertThat(out.lines().skip(7).limit(2).distinct()).hasSize(1);
    }

    @Test
    void withoutAnOptionTheHomeIsFresh() throws Exception {
        String out = prints("""
                "$GLOVE" exec -- sh -c 'touch ~/x'
                "$GLOVE" exec -- sh -c 'test ! -e ~/x && echo fresh'
                test ! -e state && echo nothing
                """);

        assertThat(out).isEqualTo("fresh\nnothing\n");
    }

    @Test
    void homesOfDifferentNamesAreDifferent() throws Exception {
        assertThat(prints("keep -- touch x; \"$GLOVE\" exec --home other.1 -- ls; echo end"))
                .isEqualTo("end\n");
    }

    @Test
    void aSecondRunIsRefusedAndToldByWhomUntilTheFirstEnds() throws Exception {
        Command.Result result = run("""
                mkfifo go
                keep -- sh -c 'echo running; read x' < go > said & exec 3> go
                until grep -q running said 2>/dev/null; do :; done
                keep -- true && exit 9
                "$GLOVE" exec --home dev --home-shared -- true && exit 9
                "$GLOVE" home remove dev && exit 9
                "$GLOVE" home list | cut -f1,4 | sed 's/[0-9]\\+/PID/'
                exec 3>&-; wait
                keep -- echo afterwards
                "$GLOVE" home list --json
                """);

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out())
                .contains("dev\tin use by PID\n", "afterwards\n", "\"in_use\":false");
        assertThat(result.err()).contains("home 'dev' is in use by process ");
    }

    @Test
    void sharingRunsHaveItAtTheSameTimeAndOneAloneWaits() throws Exception {
        Command.Result result = run("""
                mkfifo go
                keep --home-shared -- sh -c 'echo running; read x; cat ~/second' < go > said &
                exec 3> go
                until grep -q running said 2>/dev/null; do :; done
                keep --home-shared -- sh -c 'echo there > ~/second'
                keep -- true && exit 9
                exec 3>&-; wait; cat said
                """);

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out()).isEqualTo("running\nthere\n");
    }

    @Test
    void theLockIsFreeAgainHoweverGloveDies() throws Exception {
        Command.Result result = run("""
                mkfifo go
                "$GLOVE" exec --home dev -- sh -c 'echo running; read x' < go > said & glove=$!
                exec 3> go
                until grep -q running said 2>/dev/null; do :; done
                kill -9 $glove; wait $glove || true
                keep -- echo free
                """);

        assertThat(result.out()).as("%s", result).isEqualTo("free\n");
    }

    @Test
    void aHomeThatTheAgentWouldSeeTwiceIsRefused() throws Exception {
        assertThat(run("keep --write . -- true").err()).contains("lies in a granted path");
        assertThat(run("test ! -e $homes/dev && keep -- mkdir d; keep --read $homes/dev/d -- true")
                        .err())
                .contains("holds the granted '");
        assertThat(run("keep --audit-log $homes/dev/log -- true").err())
                .contains("inside a granted path");
    }

    @Test
    void namesThatAreNoNamesAreRefused() throws Exception {
        for (String name : new String[] {"..", ".dev.lock", "a/b", "x y", "", "n".repeat(65)}) {
            Command.Result result = run("\"$GLOVE\" exec --home='" + name + "' -- true");

            assertThat(result.status()).as("%s: %s", name, result).isEqualTo(2);
        }
        assertThat(run("\"$GLOVE\" exec --home " + "n".repeat(64) + " -- true").status())
                .isZero();
    }

    @Test
    void aStateDirectoryThatIsNotTheCallersOwnIsRefused() throws Exception {
        assertThat(run("mkdir -p real state; ln -s ../real state/glove; keep -- true")
                        .err())
                .contains("is a link, or no directory");
        assertThat(run("mkdir -p state2/glove; chmod 777 state2/glove;"
                                + " XDG_STATE_HOME=$PWD/state2 keep -- true")
                        .err())
                .contains("can be written by others");
        assertThat(run("XDG_STATE_HOME=relative keep -- true").err()).contains("absolute path");
        assertThat(run("XDG_STATE_HOME= HOME=/ keep -- true").err()).contains("absolute path");
        assertThat(run("unset HOME; keep -- true").err()).contains("HOME is not set");
        assertThat(room.outside("ls real")).isEmpty();
    }

    @Test
    void explainingMakesNoHome() throws Exception {
        String out = prints("keep --explain -- true; test ! -e state && echo nothing");

        assertThat(out).contains("to be kept as 'dev', new").endsWith("nothing\n");
        assertThat(prints("keep -- true; keep --explain -- true"))
                .contains("kept in " + room.path() + "/state/glove/homes/dev");
    }

    @Test
    void removingTakesClosedDeepAndLinkedTreesAndNothingElse() throws Exception {
        room.outside("mkdir caller; echo precious > caller/file; chmod 444 caller/file");
        String made = """
                keep -- sh -c 'mkdir -p a/b; touch a/b/f; ln -s /etc l; chmod 0 a/b a
                    ln -s ../../../../caller out; mkfifo p; python3 - <<END
                import os
                for i in range(2500): os.mkdir("d"); os.chdir("d")
                os.chmod(".", 0)
                END'
                """;

        String out = prints(made + """
                "$GLOVE" home remove dev; ls -A $homes; cat caller/file
                keep -- sh -c 'ls; echo new'
                """);

        assertThat(out)
                .startsWith("removed '" + room.path() + "/state/glove/homes/dev', 25")
                .endsWith("\nprecious\nnew\n");
    }

    @Test
    void withoutAnyHomeAListIsEmptyAndSaysSo() throws Exception {
        Command.Result told = run("rm -rf state; \"$GLOVE\" home list");

        assertThat(told.out()).as("%s", told).isEmpty();
        assertThat(told.err())
                .isEqualTo(
                        "glove home: there are no homes yet: glove exec --home NAME makes one\n");
        assertThat(told.status()).isZero();
    }

    @Test
    void aFullDiskIsNamedAsOne() throws Exception {
        assumeTrue(room.identity() == Identity.ORDINARY, "root needs no namespace");
        Command.Result told = run("""
                mkdir state; unshare -Urm sh -c 'mount -t tmpfs -o size=64k,mode=700 t state
                    head -c 100k /dev/zero 2>/dev/null >state/fill
                    XDG_STATE_HOME=$PWD/state; export XDG_STATE_HOME
                    exec "$GLOVE" exec --home dev -- true'""");

        assertThat(told.status()).as("%s", told).isEqualTo(125);
        assertThat(told.err())
                .contains("--home 'dev'", "ENOSPC", "is full (df tells)")
                .doesNotContain("fs.mount-max");
    }

    @Test
    void anInterruptedRemovalIsFinishedByTheNext() throws Exception {
        String out = prints("""
                keep -- touch x; mv $homes/dev $homes/.dev.removed
                "$GLOVE" home list
                "$GLOVE" home remove dev > /dev/null; ls -A $homes; echo end
                """);

        assertThat(out).isEqualTo("end\n");
    }

    @Test
    void removingWhatIsNotThereFails() throws Exception {
        Command.Result result = run("keep -- true; \"$GLOVE\" home remove nix dev");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("there is no home 'nix'");
        assertThat(room.outside("ls -A state/glove/homes")).isEmpty();
        assertThat(run("\"$GLOVE\" home remove ..").status()).isEqualTo(2);
        assertThat(run("\"$GLOVE\" home").status()).isEqualTo(2);
        assertThat(run("\"$GLOVE\" home --help").out()).startsWith("usage: glove home list");
    }

    @Test
    void manyRunsOfOneHomeNeverHaveItTogether() throws Exception {
        Command.Result result = run("""
                for i in $(seq 6); do
                    keep -- sh -c 'mkdir held || echo together; rmdir held' &
                done
                wait
                """);

        assertThat(result.out()).as("%s", result).isEmpty();
    }
}
