package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.MarkedProcesses;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** However a run ends, nothing of it stays: no process, no core file. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class EndTest {
    private final WorkRoom room;

    EndTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final MarkedProcesses marked = new MarkedProcesses();

    /**
     * Three of the marked: an orphan, one with its own session that ignores signals, a child. The last
     * has nothing before it in the foreground, for which bash would wait and pass over a SIGINT.
     */
    private Process startTree() throws IOException, InterruptedException {
        return startTree("");
    }

    private Process startTree(String before) throws IOException, InterruptedException {
        Process process = room.bash(List.of(), before + """
                        (sleep MARK &); (trap '' TERM INT HUP; exec setsid sleep MARK) & sleep MARK &
                        for i in 1 2 3 4 5; do wait || true; done; sleep 600
                        """.replace("MARK", marked.marker()))
                .start();
        marked.await(3);
        return process;
    }

    private static void signal(Process process, String name)
            throws IOException, InterruptedException {
        assertThat(Command.of("kill", "-" + name, Long.toString(process.pid()))
                        .run()
                        .status())
                .isZero();
    }

    private static int await(Process process) throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void sigtermEndsTheWholeTree() throws Exception {
        Process process = startTree();

        signal(process, "TERM");

        assertThat(await(process)).isEqualTo(143);
        marked.await(0);
    }

    @Test
    void sigintEndsTheWholeTree() throws Exception {
        Process process = startTree();

        signal(process, "INT");

        assertThat(await(process)).isEqualTo(130);
        marked.await(0);
    }

    @Test
    void sighupEndsTheWholeTree() throws Exception {
        Process process = startTree();

        signal(process, "HUP");

        assertThat(await(process)).isEqualTo(129);
        marked.await(0);
    }

    @Test
    void anAgentThatIgnoresSignalsIsKilledAfterAGrace() throws Exception {
        Process process = startTree("trap '' TERM\n");

        signal(process, "TERM");

        assertThat(await(process)).isEqualTo(137);
        marked.await(0);
    }

    @Test
    void killingGloveEndsTheWholeTree() throws Exception {
        Process process = startTree();

        signal(process, "KILL");

        assertThat(await(process)).isEqualTo(137);
        marked.await(0);
    }

    @Test
    void anAgentMayHandleTheSignalItself() throws Exception {
        Process process = startTree("trap 'echo cleaned up; exit 7' TERM\n");

        signal(process, "TERM");

        assertThat(await(process)).isEqualTo(7);
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("cleaned up\n");
        marked.await(0);
    }

    @Test
    void otherSignalsReachTheAgent() throws Exception {
        Process process = startTree("trap 'echo usr1' USR1; trap 'exit 3' QUIT\n");

        signal(process, "USR1");
        assertThat(process.getInputStream().readNBytes(5))
                .isEqualTo("usr1\n".getBytes(StandardCharsets.US_ASCII));
        signal(process, "QUIT");

        assertThat(await(process)).isEqualTo(3);
        marked.await(0);
    }

    @Test
    void daemonsEndWithTheAgent() throws Exception {
        String out = room.prints("nohup setsid sleep " + marked.marker()
                + " >/dev/null 2>&1 < /dev/null & sleep 0.2; echo end");

        assertThat(out).isEqualTo("end\n");
        marked.await(0);
    }

    @Test
    void aDaemonThatHoldsTheOutputDoesNotHoldTheCaller() throws Exception {
        String out = room.outside(
                "\"$GLOVE\" exec -- sh -c 'setsid sleep " + marked.marker() + " & echo end' | cat");

        assertThat(out).isEqualTo("end\n");
        marked.await(0);
    }

    @Test
    void orphansAreReaped() throws Exception {
        String out = room.prints("""
                for i in $(seq 50); do (sleep 0.05 &); done
                left() { grep -l -e '^State:.Z' -e '^Name:.sleep' /proc/[0-9]*/status 2>/dev/null | wc -l || true; }
                while [ "$(left)" != 0 ]; do sleep 0.05; done; echo none
                """);

        assertThat(out).isEqualTo("none\n");
    }

    @Test
    void aCrashWritesNoCoreFile() throws Exception {
        Command.Result result = room.exec(
                        List.of(), "sh", "-c", "ulimit -c unlimited; kill -SEGV $$")
                .run();

        assertThat(result.status()).isEqualTo(139);
        assertThat(room.outside("ls -A work")).isEmpty();
    }

    @Test
    void timeoutAroundGloveWorks() throws Exception {
        String out = room.outside("timeout 1 \"$GLOVE\" exec -- sleep " + marked.marker()
                + " || echo $?; timeout -s KILL 1 \"$GLOVE\" exec -- sleep " + marked.marker()
                + " || echo $?");

        assertThat(out).isEqualTo("124\n137\n");
        marked.await(0);
    }

    @Test
    void nohupAroundGloveIsKept() throws Exception {
        Process process = room.shell("exec nohup \"$GLOVE\" exec -- sh -c 'sleep " + marked.marker()
                        + " & read x; echo still here' 2>/dev/null")
                .start();
        marked.await(1);

        signal(process, "HUP");
        process.getOutputStream().close();

        assertThat(await(process)).isZero();
        marked.await(0);
    }

    @Test
    void manyRunsAtOnceDoNotDisturbEachOther() throws Exception {
        String out = room.outside("for i in $(seq 8); do \"$GLOVE\" exec --workspace work -- sh -c"
                + " \"echo $i > f$i; sleep 0.2; cat f$i\" & done; wait");

        assertThat(out.lines().sorted().toList())
                .containsExactly("1", "2", "3", "4", "5", "6", "7", "8");
    }
}
