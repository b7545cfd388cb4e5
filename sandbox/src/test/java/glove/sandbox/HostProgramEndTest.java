package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Children;
import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.MarkedProcesses;
import glove.testkit.Seed;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** However a run ends, no process of a host program's tree stays, daemons included. */
@Tag("process")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class HostProgramEndTest {
    /** What takes longer was not ended by what it was asked with. */
    private static final long MILLIS_MAX = 100_000;

    private final Identity identity;
    private final HostProgramRunner runner;
    private final MarkedProcesses marked = new MarkedProcesses();

    HostProgramEndTest(Identity identity) throws IOException, InterruptedException {
        this.identity = identity;
        this.runner = new HostProgramRunner(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        runner.close();
    }

    private static void kill(String signal, String pid) throws IOException, InterruptedException {
        assertThat(Command.of("kill", "-" + signal, pid).run().status()).isZero();
    }

    private static int await(Process process) throws InterruptedException {
        assertThat(process.waitFor(HostProgramRunner.PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
        return process.exitValue();
    }

    /** A JVM with the tree of daemons, ready. */
    private Process start(String after) throws IOException {
        Process process = runner.command(
                        "env=PATH=/usr/bin:/bin", "--", "sh", "-c", marked.tree() + after)
                .start();
        BufferedReader out = process.inputReader();
        assertThat(out.readLine()).isEqualTo("ready");
        return process;
    }

    @Test
    void killingTheJvmEndsTheWholeTree() throws Exception {
        Process process = start("wait; sleep 1000");
        marked.await(3);

        kill("KILL", Long.toString(process.pid()));

        assertThat(await(process)).isEqualTo(137);
        marked.await(0);
    }

    @Test
    void killingTheJvmAtTwelveMomentsOfALaunchLeavesNothing() throws Exception {
        String script = "setsid sleep MARK & exec sleep MARK".replace("MARK", marked.marker());
        for (int i = 0; i < 12; i++) {
            Process process = runner.command("--", "sh", "-c", script).start();
            // Most of it is the start of the JVM; the last moments lie in the launch and behind it.
            boolean ended =
                    process.waitFor(100 + Seed.random(i).nextInt(300), TimeUnit.MILLISECONDS);

            assertThat(ended).isFalse();
            kill("KILL", Long.toString(process.pid()));

            assertThat(await(process)).isEqualTo(137);
        }
        marked.await(0);
    }

    /** The control: what the tests above end does not end by itself. */
    @Test
    void theSameDaemonsOutliveAnOrdinaryParent() throws Exception {
        // Not all of tree(): ps sees the whole machine here.
        String script = "setsid sleep " + marked.marker() + " < /dev/null > /dev/null 2>&1 &";
        Command.Result result = new Command(identity.command(List.of("sh", "-c", script))).run();

        assertThat(result.status()).isZero();
        marked.await(1);
        for (String pid : marked.list()) {
            kill("KILL", pid);
        }
        marked.await(0);
    }

    @Test
    void theTreeEndsWithTheProgram() throws Exception {
        Process process = start("exit 5");

        assertThat(process.inputReader().readLine()).isEqualTo("Exited[code=5]");
        assertThat(marked.list()).isEmpty();
        assertThat(await(process)).isZero();
    }

    @Test
    void killingTheWaiterOrProcessOneEndsTheWholeTreeAndIsToldAsSuch() throws Exception {
        for (int level = 1; level <= 2; level++) {
            Process process = start("wait; sleep 1000");
            String victim = child(Long.toString(process.pid()));
            victim = level == 2 ? child(victim) : victim;

            kill("KILL", victim);

            assertThat(process.inputReader().readLine())
                    .isEqualTo("failed: upstream 'files': was killed from outside");
            marked.await(0);
            await(process);
        }
    }

    private static String child(String pid) throws IOException {
        return String.join(" ", Children.of(pid));
    }

    private String ended(String script, String... options)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("env=PATH=/usr/bin:/bin", "end=ready"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "sh", "-c", script));
        return runner.command(words.toArray(new String[0])).run().out();
    }

    private static long millis(String out) {
        String last = out.strip();
        last = last.substring(last.lastIndexOf("ended in ") + "ended in ".length());
        return Long.parseLong(last.substring(0, last.indexOf(' ')));
    }

    @Test
    void anOrderlyEndIsTheEndOfItsInputFirst() throws Exception {
        String out = ended(
                marked.tree() + "cat; echo cleaned up > cleaned; exit 0", "input=" + MILLIS_MAX);

        assertThat(runner.room().resolve("cleaned")).hasContent("cleaned up");
        assertThat(millis(out)).isLessThan(MILLIS_MAX);
        assertThat(marked.list()).isEmpty();
    }

    @Test
    void thenItIsSigtermToTheWholeTree() throws Exception {
        String out = ended("""
                (trap 'echo child > child; exit' TERM; echo > up; while :; do sleep 0.05; done) &
                while [ ! -e up ]; do :; done
                trap 'wait; echo parent > parent; exit' TERM
                echo ready; while :; do sleep 0.05; done
                """, "sigterm=" + MILLIS_MAX);

        assertThat(runner.room().resolve("child")).hasContent("child");
        assertThat(runner.room().resolve("parent")).hasContent("parent");
        assertThat(millis(out)).isLessThan(MILLIS_MAX);
    }

    @Test
    void whoIgnoresBothIsKilledWithinTwoSeconds() throws Exception {
        String out = ended("trap '' TERM HUP INT\n" + marked.tree() + "while :; do sleep "
                + marked.marker() + "; done");
        long most = OrderlyEnd.INPUT_END_MILLIS
                + OrderlyEnd.SIGTERM_MILLIS
                + RunningProgram.CLOSE_MILLIS;

        assertThat(millis(out)).isGreaterThan(1200);
        assertThat(most).isLessThanOrEqualTo(2000);
        assertThat(marked.list()).isEmpty();
    }
}
