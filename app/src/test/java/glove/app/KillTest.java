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
import java.nio.file.Files;

/** Killed at any moment, nothing of a run is left. Its processes are found by an odd number. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class KillTest {
    /**
     * {@code up}: waits until so many processes sleep; {@code down}: until none does, and no
     * launcher is left in this session, which is the script's own: others run Glove, too.
     */
    private static final String WAITS = """
            set -euo pipefail; export NAP=4711.$$
            sleeping() { ps -eo args= | grep -c "^sleep $NAP\\$" || true; }
            launchers() { ps -s $$ -o args= | grep -c '^glove-launcher' || true; }
            up() { for i in $(seq 2000); do [ "$(sleeping)" -ge $1 ] && return; sleep 0.05; done; echo none up; }
            down() {
                for i in $(seq 2000); do [ "$(sleeping) $(launchers)" = "0 0" ] && return; sleep 0.05; done
                echo "$(sleeping) and $(launchers) left"
            }
            """;

    private final WorkRoom room;

    KillTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command script(String script) throws IOException {
        Files.writeString(room.path().resolve("script"), WAITS + script);
        return room.shell("exec setsid -w bash script");
    }

    @Test
    void killingGloveAtAnyMomentLeavesNothing() throws Exception {
        Command.Result result = script("""
                for delay in $(seq 0.000 0.006 0.12); do
                    "$GLOVE" exec -- sh -c "setsid sleep $NAP & sleep $NAP" 2>/dev/null &
                    sleep $delay; kill -KILL $! || true; wait $! 2>/dev/null || true
                done
                down; echo clean
                """).run();

        assertThat(result.out()).as("%s", result).isEqualTo("clean\n");
    }

    @Test
    void killingTheLauncherEndsTheRunAndIsTold() throws Exception {
        Command.Result result = script("""
                "$GLOVE" exec -- sleep $NAP &
                up 1; kill -KILL $(ps -o pid= --ppid $!); wait $! || echo $?; down
                """).run();

        assertThat(result.out()).as(result.err()).isEqualTo("125\n");
        assertThat(result.err()).contains("killed from outside");
    }

    @Test
    void killingAnyOfTheFourProcessesAtFiftyMomentsLeavesNothingButWhatTheAgentMade()
            throws Exception {
        Command.Result result = script("""
                export XDG_STATE_HOME=$PWD/state; RANDOM=4711
                git init -q work; find work | sort > found; mounts=$(wc -l < /proc/self/mounts)
                # Not what the starter asks meanwhile, find: it is asked once more then, and goes on.
                child() { ps -o pid=,args= --ppid $1 | awk '$2 ~ /^(glove-launcher|sh)$/ { print $1; exit }'; }
                for i in $(seq 0 49); do
                    "$GLOVE" exec --workspace work --home kept -- \\
                        sh -c "echo x >> made; setsid sleep $NAP & sleep $NAP" 2>/dev/null &
                    glove=$!; sleep 0.0$((RANDOM % 10))$((RANDOM % 10)); victim=$glove
                    [ $((i % 2)) = 0 ] || up 1
                    for level in $(seq $((i / 2 % 4))); do
                        next=$(child $victim || true); victim=${next:-$victim}
                    done
                    kill -KILL $victim 2>/dev/null || kill -KILL $glove || true
                    # Hit early, it may be a helper's that had done its work: then the run goes on.
                    while [ $((i % 2)) = 0 ] && kill -0 $glove 2>/dev/null; do
                        [ "$(sleeping)" = 0 ] || kill -KILL $glove || true
                        sleep 0.05
                    done
                    wait $glove 2>/dev/null || true
                done
                down; echo clean
                "$GLOVE" exec --home kept -- true && echo unlocked
                find work | grep -v '^work/made$' | sort | diff found - && echo untouched
                [ "$mounts" = "$(wc -l < /proc/self/mounts)" ] && echo unmounted
                """.replace("\\\\", "\\")).run();

        assertThat(result.out())
                .as("%s", result)
                .isEqualTo("clean\nunlocked\nuntouched\nunmounted\n");
    }
}
