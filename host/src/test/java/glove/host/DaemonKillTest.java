package glove.host;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.testkit.Seed;
import glove.wire.Id128;
import glove.wire.JsonException;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The real daemon, killed at any moment, loses nothing it has answered. */
@Tag("e2e")
@Timeout(900)
final class DaemonKillTest {
    private static final int ROUNDS = 3;
    private static final int CLIENTS = 4;

    @TempDir
    private Path directory;

    private Process start(Path log) throws Exception {
        Path program = Path.of(System.getProperty("glove.root"), "gloved");
        Path socket = directory.resolve("runtime/gloved.sock");
        Files.deleteIfExists(log);
        ProcessBuilder builder =
                new ProcessBuilder(program.toString(), "--config", directory + "/config.json");
        Process process =
                builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
        while (!Files.readString(log).contains("gloved: ready")) {
            assertThat(process.isAlive() && System.nanoTime() < end)
                    .as("it starts: %s", Files.readString(log))
                    .isTrue();
            process.waitFor(5, TimeUnit.MILLISECONDS);
        }
        assertThat(socket).exists();
        return process;
    }

    private ControlClient client() {
        UnixPath runtime = UnixPath.of(directory + "/runtime");
        return new ControlClient(Linux.host(), runtime, ControlRoom.PATIENCE_MS);
    }

    private JsonValue plan() throws JsonException {
        byte[] plan = ControlRoom.plan().getBytes(StandardCharsets.UTF_8);
        return JsonText.value(plan, JsonLimits.FILE).root();
    }

    /** Creates sessions until the daemon is gone; those it answered for, with what it said. */
    private void create(String name, JsonValue plan, Map<String, String> answered) {
        ControlClient client = client();
        for (int i = 0; ; i++) {
            String id = name + "-" + i;
            try {
                JsonValue made = client.change(
                        "create_session",
                        new Id128("k-" + id),
                        out -> out.beginObject()
                                .member("session_id", id)
                                .member("controller_plan_digest", ControlRoom.CONTROLLER)
                                .name("plan")
                                .value(plan)
                                .endObject());
                answered.put(id, made.toJson());
            } catch (ClientException e) {
                assertThat(e.kind()).as(e.getMessage()).isNotEqualTo(ClientException.Kind.REFUSED);
                return;
            }
        }
    }

    /** A machine with other work to do may take its time for the first. */
    private static void awaitMore(Map<String, String> answered, int before)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
        while (answered.size() <= before && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @Test
    void whatWasAnsweredIsThereAfterAKillAtAnyMoment() throws Exception {
        ControlRoom.prepare(directory);
        Random random = Seed.random(0);
        Map<String, String> answered = new ConcurrentHashMap<>();
        JsonValue plan = plan();
        for (int round = 0; round < ROUNDS; round++) {
            Process daemon = start(directory.resolve("log"));
            int before = answered.size();
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String name = "s-" + round + "-" + i;
                clients.add(Thread.ofPlatform().start(() -> create(name, plan, answered)));
            }
            awaitMore(answered, before);
            daemon.waitFor(random.nextInt(200), TimeUnit.MILLISECONDS);
            daemon.destroyForcibly();
            for (Thread client : clients) {
                client.join();
            }
            assertThat(daemon.waitFor()).isEqualTo(137);
            assertThat(answered).as("the control: it worked").hasSizeGreaterThan(before);
        }
        Process daemon = start(directory.resolve("log"));
        ControlClient client = client();
        for (Map.Entry<String, String> one : answered.entrySet()) {
            JsonValue told = client.ask(
                    "session_status",
                    out -> out.beginObject().member("session_id", one.getKey()).endObject());
            assertThat(told.toJson()).isEqualTo(one.getValue());
        }
        daemon.destroy();
        assertThat(daemon.waitFor()).isZero();
        assertThat(directory.resolve("runtime/gloved.sock")).doesNotExist();
    }
}
