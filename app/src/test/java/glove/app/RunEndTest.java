package glove.app;

import static glove.app.ToolRoom.and;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * With the agent, or with Glove, every upstream ends, and whatever an upstream has left behind. The
 * servers here stay when their input ends, and each starts a daemon that is deaf to signals.
 */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class RunEndTest {
    /** Of two that have their servers' and their daemons' processes each, sleepers not counted. */
    private static final int PROCESSES = 4;

    private static final int PATIENCE_MINUTES = 4;

    private final ToolRoom room;

    RunEndTest(Identity identity) throws IOException, InterruptedException {
        this.room = new ToolRoom(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    /** One with the caller's rights, and one in a sandbox. */
    private List<String> upstreams() {
        List<String> both = and(room.upstream("h", "daemon"), room.upstream("c", "daemon"));
        String sandbox = "c:read=" + room.path() + "/server.py";
        return and(both, "--allow", "h.*", "--allow", "c.*", "--upstream-sandbox", sandbox);
    }

    private static Stream<ProcessHandle> processes(String words) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(words))
                        .isPresent());
    }

    /** What runs of the upstreams on this machine. */
    private long running() {
        return processes(" " + room.path().resolve("server.py") + " ")
                .filter(process -> process.info()
                        .command()
                        .filter(command -> command.matches(".*/(python3[.0-9]*|(da|ba)?sh)"))
                        .isPresent())
                .count();
    }

    /** A run whose agent has called both. */
    private Process run(String mark) throws IOException, InterruptedException {
        Process run =
                room.agent(upstreams(), "h__pid", "c__pid", "touch:" + mark).start();
        Path there = room.room().work().resolve(mark);
        ToolRoom.await("the run is on", () -> Files.exists(there));
        ToolRoom.await("both have their daemons", () -> running() == PROCESSES);
        return run;
    }

    @Test
    void aDeadAgentEndsAllUpstreamsAndWhatTheyLeftBehind() throws Exception {
        String mark = "on-" + room.path().getFileName().toString().replace(' ', '-');
        Process run = run(mark);
        ProcessHandle agent = processes("agent.py h__pid c__pid touch:" + mark)
                .filter(process -> process.info()
                        .command()
                        .filter(command -> command.contains("python3"))
                        .isPresent())
                .findAny()
                .orElseThrow();

        assertThat(agent.destroyForcibly()).isTrue();
        assertThat(run.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();

        assertThat(run.exitValue()).as("the agent's end").isEqualTo(128 + 9);
        // What a machine is too slow to end in half a second ends a moment after Glove.
        ToolRoom.await("nothing is left", () -> running() == 0);
    }

    @Test
    void aKilledGloveLeavesNoUpstreamNorWhatOneLeftBehind() throws Exception {
        Process run = run("on");

        run.destroyForcibly();

        assertThat(run.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
        ToolRoom.await("nothing is left", () -> running() == 0);
    }

    @Test
    void killedWhileUpstreamsStartItLeavesNoneEither() throws Exception {
        for (int delay = 100; delay <= 600; delay += 50) {
            Process run = room.agent(upstreams(), "touch:never").start();
            TimeUnit.MILLISECONDS.sleep(delay);
            if (delay == 600) {
                ToolRoom.await("control: some start", () -> running() > 0);
            }
            run.destroyForcibly();
            assertThat(run.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
            ToolRoom.await("nothing is left", () -> running() == 0);
        }
    }
}
