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

/** Killed at any moment, nothing of a run is left. Its processes are found by an odd number. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class KillTest {
    /**
     * {@code up}: waits until so many processes sleep; {@code down}: until none does, and no
     * launcher of this user is left.
     */
    private static final String WAITS = """
            id=$(id -u)
            sleeping() { ps -eo args= | grep -c '^sleep 4711[.]' || true; }
            launchers() { ps -u $id -o args= | grep -c '^glove-launcher' || true; }
            up() { for i in $(seq 1000); do [ "$(sleeping)" -ge $1 ] && return; sleep 0.05; done; echo none up; }
            gone() { for i in $(seq 1000); do [ "$(launchers)" -le "$1" ] && return; sleep 0.05; done; echo $(launchers) left; }
            down() { for i in $(seq 1000); do [ "$(sleeping)" = 0 ] && return; sleep 0.05; done; echo $(sleeping) left; }
            """;

    private final WorkRoom room;

    KillTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    @Test
    void killingGloveAtAnyMomentLeavesNothing() throws Exception {
        String out = room.outside(WAITS + """
                before=$(launchers)
                for delay in $(seq 0.000 0.006 0.12); do
                    "$GLOVE" exec -- sh -c 'setsid sleep 4711.5 & sleep 4711.5' 2>/dev/null &
                    sleep $delay; kill -KILL $! || true; wait $! 2>/dev/null || true
                done
                down
                gone $before; echo clean
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
    void killingAnyOfTheFourProcessesAtFiftyMomentsLeavesNothingButWhatTheAgentMade()
            throws Exception {
        String out = room.outside(WAITS + """
                export XDG_STATE_HOME=$PWD/state; RANDOM=4711; before=$(launchers)
                git init -q work; find work | sort > found; mounts=$(wc -l < /proc/self/mounts)
                # Not what the starter asks meanwhile, find: it is asked once more then, and goes on.
                child() { ps -o pid=,args= --ppid $1 | awk '$2 ~ /^(glove-launcher|sh)$/ { print $1; exit }'; }
                for i in $(seq 0 49); do
                    "$GLOVE" exec --workspace work --home kept -- \\
                        sh -c 'echo x >> made; setsid sleep 4711.5 & sleep 4711.5' 2>/dev/null &
                    glove=$!; sleep 0.0$((RANDOM % 10))$((RANDOM % 10)); victim=$glove
                    [ $((i % 2)) = 0 ] || up 1
                    for level in $(seq $((i / 2 % 4))); do
                        next=$(child $victim || true); victim=${next:-$victim}
                    done
                    kill -KILL $victim 2>/dev/null || kill -KILL $glove || true
                    wait $glove 2>/dev/null || true
                done
                down; gone $before; echo clean
                "$GLOVE" exec --home kept -- true && echo unlocked
                find work | grep -v '^work/made$' | sort | diff found - && echo untouched
                [ "$mounts" = "$(wc -l < /proc/self/mounts)" ] && echo unmounted
                """.replace("\\\\", "\\"));

        assertThat(out).isEqualTo("clean\nunlocked\nuntouched\nunmounted\n");
    }
}
