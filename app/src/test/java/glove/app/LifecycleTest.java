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
import java.util.List;

/** However it ends, nothing of a run is left. Sleeping processes are found by their odd number. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class LifecycleTest {
    /**
     * {@code up}: waits until so many processes sleep; {@code down}: until none does, and no
     * launcher of this user is left.
     */
    private static final String WAITS = """
            id=$(id -u)
            sleeping() { ps -eo args= | grep -c '^sleep 4711[.]' || true; }
            launchers() { ps -o pid= -u $id -C glove-launcher | wc -l; }
            up() { for i in $(seq 200); do [ "$(sleeping)" -ge $1 ] && return; sleep 0.05; done; echo none up; }
            down() { for i in $(seq 200); do [ "$(sleeping)" = 0 ] && return; sleep 0.05; done; echo $(sleeping) left; }
            """;

    private final WorkRoom room;

    LifecycleTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    @Test
    void aSignalToGloveEndsEverythingInside() throws Exception {
        for (String signal : List.of("TERM 143", "INT 130", "HUP 129", "QUIT 131", "USR1 138")) {
            String[] words = signal.split(" ");
            // Job control, or the shell would have the job ignore SIGINT and SIGQUIT.
            String out = room.outside(WAITS + """
                    set -m
                    "$GLOVE" exec -- sh -c 'sleep 4711.5 & setsid sleep 4711.5 & exec sleep 4711.5' &
                    up 3; kill -%s $!; wait $! || echo $?; down
                    """.formatted(words[0]));

            assertThat(out).as(signal).isEqualTo(words[1] + "\n");
        }
    }

    @Test
    void anAgentThatIgnoresTheEndIsKilledAfterItsGrace() throws Exception {
        String out = room.outside(WAITS + """
                "$GLOVE" exec -- sh -c 'trap "" TERM; sleep 4711.5 & while :; do sleep 4711.5; done' &
                up 2; kill -TERM $!; wait $! || echo $?; down
                """);

        assertThat(out).isEqualTo("137\n");
    }

    @Test
    void aSignalAnAgentHandlesIsItsOwn() throws Exception {
        String out = room.outside(WAITS + """
                "$GLOVE" exec -- sh -c 'trap "echo handled; exit 3" TERM; sleep 4711.5 & wait' &
                up 1; kill -TERM $!; wait $! || echo $?; down
                """);

        assertThat(out).isEqualTo("handled\n3\n");
    }

    @Test
    void whatTheAgentLeavesRunningEndsWithIt() throws Exception {
        String out = room.outside(WAITS + """
                "$GLOVE" exec -- sh -c 'setsid sh -c "setsid sleep 4711.5 & sleep 4711.5" & sleep 0.3; exit 7' \\
                    || echo $?
                down
                """);

        assertThat(out).isEqualTo("7\n");
    }

    @Test
    void killingGloveAtAnyMomentLeavesNothing() throws Exception {
        String out = room.outside(WAITS + """
                before=$(launchers)
                for delay in $(seq 0.000 0.006 0.12); do
                    "$GLOVE" exec -- sh -c 'setsid sleep 4711.5 & sleep 4711.5' 2>/dev/null &
                    sleep $delay; kill -KILL $!; wait $! 2>/dev/null || true
                done
                down
                for i in $(seq 100); do [ "$(launchers)" -le "$before" ] && break; sleep 0.05; done
                [ "$(launchers)" -le "$before" ] && echo clean
                """);

        assertThat(out).isEqualTo("clean\n");
    }

    @Test
    void killingTheLauncherEndsTheRunAndIsTold() throws Exception {
        Command.Result result = room.shell(WAITS + """
                "$GLOVE" exec -- sleep 4711.5 &
                up 1; kill -KILL $(ps -o pid= --ppid $!); wait $! || echo $?; down
                """).run();

        assertThat(result.out()).as(result.err()).isEqualTo("125\n");
        assertThat(result.err()).contains("killed from outside");
    }

    @Test
    void orphansAreReaped() throws Exception {
        String out = room.prints("""
                for i in $(seq 50); do (sh -c 'true &' &); done; sleep 0.5
                ps -eo stat= | grep -c Z || true
                """);

        assertThat(out).isEqualTo("0\n");
    }
}
