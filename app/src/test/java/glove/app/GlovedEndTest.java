package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;

/** The real daemon serves and ends whatever its surroundings do. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class GlovedEndTest {
    /** A daemon that hangs is not asked to end. */
    private static final String SETUP = GlovedScript.SETUP + """
            trap '[ -z "$daemon" ] || kill -KILL $daemon 2> end || true' EXIT
            serves() { "$GLOVE" exposure list "$CONFIG" > list 2> problem; }
            await() {
                for i in $(seq 600); do
                    ! serves || return 0
                    kill -0 $daemon || return 1
                    sleep 0.1
                done
                return 1
            }
            """;

    private final WorkRoom room;
    private final Identity identity;

    GlovedEndTest(Identity identity) throws IOException, InterruptedException {
        this.identity = identity;
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(String script) throws IOException, InterruptedException {
        return room.shell(SETUP + script).run();
    }

    @Test
    void aStderrNobodyReadsStopsNeitherItsWorkNorItsEnd() throws Exception {
        Command.Result told = run("""
                mkfifo unread; sleep 600 < unread & reader=$!
                "${GLOVE}d" --config "$PWD/config.json" 2> unread & daemon=$!
                await
                python3 - "$PWD/runtime" <<END
                import json, socket, struct, sys, time
                secret = open(sys.argv[1] + "/bootstrap-secret").read().strip()
                def ask(method, payload, **more):
                    params = dict(schema_version=1, bootstrap_secret=secret,
                        deadline_ms=int(time.time() * 1000) + 60000, payload=payload, **more)
                    request = json.dumps(dict(jsonrpc="2.0", id="r", method=method, params=params))
                    c = socket.socket(socket.AF_UNIX); c.connect(sys.argv[1] + "/gloved.sock")
                    c.sendall(struct.pack(">I", len(request)) + request.encode())
                    return c.makefile("rb").read()
                wrong = dict(exposure_id="x", root_id="none", host_path="/" + "x" * 900,
                    display_label="x", allowed_modes=[dict(access="read", materialization="bind",
                    max_bytes=0, cleanup_policy="retain")], ttl_secs=1,
                    allowed_runtime_template_ids=["codex-safe"])
                for i in range(1200):
                    answer = ask("create_path_exposure", wrong, idempotency_key="k" + str(i))
                    assert b"path_exposure_rejected" in answer, answer
                assert b"ready" in ask("health", None)
                END
                kill -TERM $daemon; wait $daemon && echo ended; daemon=
                kill $reader""");
        assumeThat(WorkRoom.isInstalled("python3")).as("no python3").isTrue();

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out()).isEqualTo("ended\n");
    }

    @Test
    void whoAskedWhileItStoodStillIsAnsweredWhenItGoesOn() throws Exception {
        Command.Result told = run("""
                "${GLOVE}d" --config "$PWD/config.json" 2> log & daemon=$!
                await
                kill -STOP $daemon
                "$GLOVE" exposure list "$CONFIG" && echo answered & client=$!
                sleep 2; kill -CONT $daemon
                wait $client; kill -TERM $daemon; wait $daemon && echo ended; daemon=""");

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out()).isEqualTo("answered\nended\n");
    }

    @Test
    void aSignalAtAnyMomentOfItsStartEndsItAndAnotherOneStarts() throws Exception {
        Command.Result told = run("""
                for wait in 0.02 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.5; do
                    "${GLOVE}d" --config "$PWD/config.json" 2>> log & daemon=$!
                    sleep $wait; kill -TERM $daemon
                    status=0; wait $daemon || status=$?
                    [ $status = 0 ] || [ $status = 143 ] || echo "status $status after $wait"
                done
                "${GLOVE}d" --config "$PWD/config.json" 2>> log & daemon=$!
                await; kill -TERM $daemon; wait $daemon && echo ended; daemon=""");

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out()).isEqualTo("ended\n");
    }

    /**
     * A JVM alone has about 15 threads, all of the daemon's together are more than 30. Counted in a
     * user namespace of its own: others of this user come and go.
     */
    @Test
    void withoutThreadsForItsWorkItDoesNotStartAndSaysSo() throws Exception {
        assumeThat(identity == Identity.ROOT).as("root has no such limit").isFalse();
        Command.Result told = run("""
                limited() {
                    exec unshare -Ur prlimit --nproc=$1 "${GLOVE}d" --config "$PWD/config.json" 2> log
                }
                for count in 20 22 24; do
                    status=0; (limited $count) || status=$?
                    echo "$status"; grep -o 'ulimit -u' log || cat log
                done
                limited 200 & daemon=$!
                until grep -q ready log; do kill -0 $daemon; sleep 0.05; done
                kill -TERM $daemon; wait $daemon && echo ended; daemon=""");

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out()).isEqualTo("1\nulimit -u\n".repeat(3) + "ended\n");
    }
}
