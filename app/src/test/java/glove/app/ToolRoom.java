package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A {@link WorkRoom} with scripted MCP peers: {@code server.py} beside the workspace, {@code
 * agent.py} in it, and a state directory of its own. Confined to one thread.
 */
final class ToolRoom {
    private static final String PYTHON = "/usr/bin/python3";
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final WorkRoom room;

    ToolRoom(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
        copy("mcp_server.py", room.path().resolve("server.py"));
        copy("mcp_agent.py", room.work().resolve("agent.py"));
    }

    /** Copies a resource of the tests. */
    static void copy(String name, Path to) throws IOException {
        try (InputStream script = ToolRoom.class.getResourceAsStream(name)) {
            Files.copy(Objects.requireNonNull(script, name), to);
        }
    }

    WorkRoom room() {
        return room;
    }

    Path path() {
        return room.path();
    }

    void close() throws IOException, InterruptedException {
        room.close();
    }

    /** The words {@code --upstream NAME=...} for a scripted server. */
    List<String> upstream(String name, String mode) {
        return List.of(
                "--upstream",
                name + "=" + PYTHON + "," + path().resolve("server.py") + "," + name
                        + (mode.isEmpty() ? "" : "," + mode));
    }

    /** One that behaves, and all of whose tools are allowed. */
    List<String> open(String name) {
        return and(upstream(name, ""), "--allow", name + ".*");
    }

    static List<String> and(List<String> words, String... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of(more));
        return all;
    }

    static List<String> and(List<String> words, List<String> more) {
        return and(words, more.toArray(new String[0]));
    }

    /** {@code glove run} with the workspace and these options, and the scripted agent. */
    Command agent(List<String> options, String... steps) throws IOException {
        List<String> command = new ArrayList<>(List.of(PYTHON, "agent.py"));
        command.addAll(List.of(steps));
        return run(options, command);
    }

    /** The same with another agent. */
    Command run(List<String> options, List<String> agent) throws IOException {
        List<String> words =
                new ArrayList<>(List.of("run", "--workspace", room.work().toString()));
        words.addAll(options);
        words.add("--");
        words.addAll(agent);
        return GloveProgram.as(room.identity(), words)
                .in(path())
                .with("HOME", path().toString())
                .with("XDG_STATE_HOME", path().resolve("state").toString())
                .within(PATIENCE);
    }

    /** With an agent that stays until Glove has said so; what Glove said till then. */
    String runUntil(String said, List<String> options) throws IOException, InterruptedException {
        Process run = run(options, List.of("timeout", "240", "cat")).start();
        StringBuilder all = new StringBuilder();
        BufferedReader lines = run.errorReader();
        while (all.indexOf(said) < 0) {
            String line = lines.readLine();
            assertThat(line).as("'%s' in: %s", said, all).isNotNull();
            all.append(line).append('\n');
        }
        run.getOutputStream().close();
        assertThat(run.waitFor()).as("%s", all).isZero();
        return all.toString();
    }

    /** What a scripted agent prints; the run must succeed. */
    Command.Result succeeds(List<String> options, String... steps)
            throws IOException, InterruptedException {
        Command.Result result = agent(options, steps).run();
        assertThat(result.status()).as("%s", result).isZero();
        return result;
    }

    /** The audit log. */
    Path log() {
        return path().resolve("state/glove/audit/audit.jsonl");
    }

    /** Waits for something, a while. */
    static void await(String what, BooleanSupplier holds) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
