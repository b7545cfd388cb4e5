package glove.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.testkit.Command;
import glove.testkit.Lanes;
import glove.wire.AbsolutePath;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Attacks on the daemon by what comes with a request, by requests that read as two, and by what was
 * put into its directories before it starts or while it runs. Each has its control. docs/attacks.md
 * lists them.
 */
@Tag("process")
@Timeout(900)
final class ControlAttackTest {
    private static final String UNAUTHORIZED =
            "\"error\":{\"code\":\"unauthorized\",\"message\":\"supervisor authentication failed\"}";
    private static final String NO_REQUEST = "invalid JSON-RPC request";
    private static final String NO_ENVELOPE = "invalid JSON-RPC envelope";

    /** Sends a frame with what may come beside it, and prints the whole answer. */
    private static final String CLIENT = """
            import array, os, socket, struct, sys
            text = sys.stdin.buffer.read()
            s = socket.socket(socket.AF_UNIX, getattr(socket, sys.argv[2]))
            s.settimeout(500)
            try:
                s.connect(sys.argv[1])
                fds = [os.open('/dev/null', os.O_RDONLY) for _ in range(int(sys.argv[3]))]
                frame = struct.pack('>I', len(text)) + text
                rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', fds))] if fds else []
                for piece in (frame[:3], frame[3:]):
                    s.sendmsg([piece], rights)
                if sys.argv[4] == 'deaf':
                    s.shutdown(socket.SHUT_RD)
                print(s.recv(1 << 16)[4:].decode())
            except OSError as e:
                print('errno', os.strerror(e.errno) if e.errno else e)
            """;

    private final Linux linux = Linux.host();

    @TempDir
    private Path directory;

    private ControlRoom room() throws Exception {
        return new ControlRoom(directory, ControlRoom.PATIENT);
    }

    private String send(ControlRoom room, String text, String kind, int fds, String how)
            throws Exception {
        Lanes.require("process", Files.exists(Path.of("/usr/bin/python3")), "no python3");
        String socket = room.directory().resolve("runtime/gloved.sock").toString();
        Path request = Files.writeString(directory.resolve("request"), text);
        Command.Result result = Command.of(
                        "sh",
                        "-c",
                        "exec \"$@\" <" + request,
                        "sh",
                        "python3",
                        "-c",
                        CLIENT,
                        socket,
                        kind,
                        Integer.toString(fds),
                        how)
                .run();
        assertThat(result.status()).as("%s", result).isZero();
        return result.out();
    }

    private static long openFiles() throws Exception {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }

    /** They would fill its table, or be taken for files of its own. */
    @Test
    void descriptorsThatComeWithARequestStayWithNobody() throws Exception {
        try (ControlRoom room = room()) {
            String health = room.request("health", "null");
            assertThat(send(room, health, "SOCK_STREAM", 0, "")).as("control").contains("ready");
            long before = openFiles();
            for (int i = 0; i < 5; i++) {
                assertThat(send(room, health, "SOCK_STREAM", 200, "")).contains("ready");
            }

            while (openFiles() >= before + 5) {
                TimeUnit.MILLISECONDS.sleep(1); // of the last the answer comes before the end
            }
        }
    }

    @Test
    void aSocketOfAnotherKindIsNotLetIn() throws Exception {
        try (ControlRoom room = room()) {
            String health = room.request("health", "null");
            for (String kind : List.of("SOCK_SEQPACKET", "SOCK_DGRAM")) {
                assertThat(send(room, health, kind, 0, ""))
                        .as(kind)
                        .isEqualTo("errno Protocol wrong type for socket\n");
            }
            assertThat(send(room, health, "SOCK_STREAM", 0, "")).as("control").contains("ready");
        }
    }

    @Test
    void aClientThatShutsItsEarsCostsItsOwnAnswer() throws Exception {
        try (ControlRoom room = room()) {
            for (int i = 0; i < 5; i++) {
                assertThat(send(room, room.request("health", "null"), "SOCK_STREAM", 0, "deaf"))
                        .doesNotContain("error");
            }
            assertThat(room.answer(room.request("health", "null"))).contains("ready");
        }
    }

    @Test
    void aMemberGivenTwiceIsNoRequestHoweverItIsWritten() throws Exception {
        try (ControlRoom room = room()) {
            String good = room.request("health", "null");
            for (String twice : List.of(
                    good.replace("\"method\"", "\"method\":\"capabilities\",\"meth\\u006fd\""),
                    good.replace("\"payload\"", "\"payload\":{},\"payl\\u006fad\""),
                    good.replace(
                            "\"bootstrap_secret\"",
                            "\"bootstrap_secret\":\"x\",\"bootstrap\\u005fsecret\""),
                    good.replace("\"id\"", "\"id\":\"req-2\",\"id\""),
                    good.replace("\"params\"", "\"params\":{},\"params\""),
                    good.replace("\"payload\"", "\"payload\":{},\"payload\""),
                    good.replace("\"method\"", "\"m\\u0065thod\""))) {
                assertThat(twice).isNotEqualTo(good);
                assertThat(room.exchange(twice)).as(twice).contains(NO_REQUEST);
            }
            assertThat(room.answer(good)).as("control").contains("ready");
        }
    }

    @Test
    void whatStandsBesideOneRequestInAFrameMakesItNone() throws Exception {
        try (ControlRoom room = room()) {
            String good = room.request("health", "null");
            for (String frame : List.of(
                    good + good,
                    good + "\u0000",
                    "\ufeff" + good,
                    "[" + good + "]",
                    good + "]",
                    "\u00a0" + good,
                    good + "//",
                    good.replace("null", "nul"),
                    good + ",")) {
                assertThat(room.exchange(frame)).as(frame).contains(NO_REQUEST);
            }
            assertThat(room.answer(" \t\r\n" + good + "\n")).as("control").contains("ready");
        }
    }

    @Test
    void methodsAreTakenAsTheyAreWritten() throws Exception {
        try (ControlRoom room = room()) {
            for (String method : List.of(
                    "Health", "HEALTH", "healt", "healthh", "health.", "rpc.health", "_health")) {
                assertThat(room.answer(room.request(method, "null")))
                        .as(method)
                        .contains("method_not_found");
            }
            for (String method : List.of("health ", "../health", "health\\u0000", "he\\u0430lth")) {
                assertThat(room.exchange(room.request(method, "null")))
                        .as(method)
                        .contains(NO_ENVELOPE);
            }
            assertThat(room.answer(room.request("h\\u0065alth", "null")))
                    .as("control")
                    .contains("ready");
        }
    }

    @Test
    void numbersThatRoundToAGoodOneAreNotThatOne() throws Exception {
        try (ControlRoom room = room()) {
            String plan = ControlRoom.plan();
            for (String[] change : new String[][] {
                {"\"policy_revision\":3", "\"policy_revision\":3.0000000000000000001"},
                {"\"policy_revision\":3", "\"policy_revision\":30e-1"},
                {"\"policy_revision\":3", "\"policy_revision\":18446744073709551619"},
                {"\"policy_revision\":3", "\"policy_revision\":4294967299"},
                {"\"ttl_secs\":60", "\"ttl_secs\":60.0"},
                {"\"ttl_secs\":60", "\"ttl_secs\":4294967356"},
                {"\"ttl_secs\":60", "\"ttl_secs\":-9007199254740932"},
                {"\"max_bytes\":0", "\"max_bytes\":-0"},
                {"\"pids\":1", "\"pids\":9007199254740993"},
                {"\"pids\":1", "\"pids\":\"1\""},
                {"\"expires_at_ms\":", "\"expires_at_ms\":9007199254740993,\"x\":"},
                {"\"expires_at_ms\":1", "\"expires_at_ms\":91"},
            }) {
                String wrong = plan.replace(change[0], change[1]);
                assertThat(wrong).isNotEqualTo(plan);
                assertThat(room.answer(room.request("validate_plan", wrong)))
                        .as(change[1])
                        .contains("invalid_plan");
            }
            assertThat(room.answer(room.request("validate_plan", plan)))
                    .as("control")
                    .contains("\"policy_revision\":3");
        }
    }

    @Test
    void aPlanThatSaysOneThingTwiceOrMoreThanPlansSayIsNone() throws Exception {
        try (ControlRoom room = room()) {
            String plan = ControlRoom.plan();
            for (String[] change : new String[][] {
                {"\"egress_policy_id\"", "\"egress_policy_id\":\"any\",\"egress\\u005fpolicy_id\""},
                {"\"path_grants\"", "\"path_grants\":[],\"path_gr\\u0061nts\""},
                {"\"alias\":\"w\"", "\"alias\":\"w\",\"host_path\":\"/etc\""},
                {"\"limits\":{", "\"limits\":{\"network_bytes\":1,"},
                {"\"schema_version\":1", "\"schema_version\":1,\"executable_path\":\"/bin/sh\""},
                {"\"alias\":\"w\"", "\"alias\":\"w/../../etc\""},
                {"\"alias\":\"w\"", "\"alias\":\"w\\u0000\""},
            }) {
                String wrong = plan.replace(change[0], change[1]);
                assertThat(wrong).isNotEqualTo(plan);
                assertThat(room.exchange(room.request(
                                "create_session", "k", ControlRoom.creation("s", wrong))))
                        .as(change[1])
                        .containsPattern("\"error\":\\{\"code\":\"invalid_(plan|request)\"");
            }
            assertThat(room.answer(room.request("session_status", "{\"session_id\":\"s\"}")))
                    .contains("session_not_found");
            assertThat(room.answer(
                            room.request("create_session", "k", ControlRoom.creation("s", plan))))
                    .as("control: none of them used the key or the name up")
                    .contains("\"state\":\"created\"");
        }
    }

    /** A key is the answer's, whatever method it is sent with. */
    @Test
    void aReplayedRequestDoesNothingTwiceAndItsKeyNothingElse() throws Exception {
        try (ControlRoom room = room()) {
            String request = room.request(
                    "create_session", "k-1", ControlRoom.creation("s-1", ControlRoom.plan()));
            String first = room.exchange(request);
            for (int i = 0; i < 3; i++) {
                assertThat(room.exchange(request)).isEqualTo(first);
            }
            assertThat(room.exchange(request.replace(room.secret(), "f".repeat(64))))
                    .as("nor does it answer who has not the secret any more")
                    .contains(UNAUTHORIZED);
            assertThat(room.answer(room.envelope(
                            "create_session",
                            1,
                            "\"idempotency_key\":\"k-1\",",
                            ControlRoom.creation("s-1", ControlRoom.plan()))))
                    .as("nor one that is late")
                    .contains("deadline_exceeded");
        }
    }

    @Test
    void noAnswerHoldsTheSecretOrWhatWasWrong() throws Exception {
        try (ControlRoom room = room()) {
            String secret = room.secret();
            String canary = "canary-5e1f";
            for (String request : List.of(
                    room.request("validate_plan", "{\"" + secret + "\":\"" + canary + "\"}"),
                    room.request(
                            "session_status", "{\"session_id\":\"" + canary + "/" + secret + "\"}"),
                    room.request(canary, "\"" + secret + "\""),
                    room.request("health", "{\"" + canary + "\":\"" + secret + "\"}"),
                    room.request("create_session", canary, "{\"plan\":\"" + secret + "\"}"),
                    room.request("health", "null").replace("\"2.0\"", "\"" + secret + "\""))) {
                assertThat(room.exchange(request))
                        .contains("\"error\"")
                        .doesNotContain(secret)
                        .doesNotContain(canary)
                        .doesNotContain(directory.toString());
            }
        }
    }

    private RuntimeDirectory runtime(Path place) throws Exception {
        return RuntimeDirectory.open(linux, new AbsolutePath(place.toString()));
    }

    private Path ownerOnly(String name) throws Exception {
        Path made = Files.createDirectory(directory.resolve(name));
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwx------"));
        return made;
    }

    /** Whoever could plant one would have the daemon write to, or read from, another file. */
    @Test
    void aLinkInTheRuntimeDirectoryIsNeverFollowed() throws Exception {
        Path place = ownerOnly("runtime");
        Path victim = Files.writeString(directory.resolve("victim"), "untouched");
        Files.setPosixFilePermissions(victim, PosixFilePermissions.fromString("rw-------"));
        Files.createSymbolicLink(place.resolve("gloved.lock"), victim);
        try (RuntimeDirectory runtime = runtime(place)) {
            assertThatThrownBy(runtime::lock).hasMessageContaining("the lock");
        }
        Files.delete(place.resolve("gloved.lock"));
        Files.createLink(place.resolve("gloved.lock"), victim);
        try (RuntimeDirectory runtime = runtime(place)) {
            assertThatThrownBy(runtime::lock).hasMessageContaining("one name");
        }
        Files.delete(place.resolve("gloved.lock"));
        Files.createSymbolicLink(place.resolve("bootstrap-secret"), victim);
        Files.createSymbolicLink(place.resolve("gloved.sock"), victim);
        try (RuntimeDirectory runtime = runtime(place)) {
            runtime.lock();
            assertThatThrownBy(runtime::removeStaleSocket).hasMessageContaining("no socket");
            Files.delete(place.resolve("gloved.sock"));
            try {
                runtime.rotateSecret();
                assertThat(place.resolve("bootstrap-secret")).isRegularFile();
            } catch (StartException e) {
                assertThat(e).hasMessageContaining("bootstrap-secret");
            }
        }
        assertThat(victim).hasContent("untouched");
        Files.delete(place.resolve("bootstrap-secret"));
        try (RuntimeDirectory runtime = runtime(place)) {
            runtime.lock();
            runtime.rotateSecret();
            assertThat(place.resolve("bootstrap-secret")).as("control").isRegularFile();
        }
    }

    @Test
    void aRuntimeDirectoryThatIsALinkIsNone() throws Exception {
        Path place = ownerOnly("real");
        Path link = Files.createSymbolicLink(directory.resolve("linked"), place);

        assertThatThrownBy(() -> runtime(link)).hasMessageContaining("cannot be opened");
        runtime(place).close(); // the control
    }

    /** The daemon's own socket is moved away, and another server takes its name. */
    @Test
    void aSocketPutInThePlaceOfTheDaemonsIsNotRemovedAtItsEnd() throws Exception {
        try (ControlRoom room = room()) {
            Path socket = directory.resolve("runtime/gloved.sock");
            Files.move(socket, directory.resolve("moved.sock"));
            try (ServerSocketChannel other =
                    ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                other.bind(UnixDomainSocketAddress.of(socket));
                room.signal();
                room.awaitEnd();

                assertThat(Files.exists(socket)).isTrue();
            }
        }
    }

    /** It would get the secret: clients look at who serves, and at the file. */
    @Test
    void aClientGivesItsSecretToNoFileThatOnlyHasTheName() throws Exception {
        Path place = ownerOnly("runtime");
        ControlClient client = new ControlClient(linux, UnixPath.of(place.toString()));
        Files.writeString(place.resolve("gloved.sock"), "");
        assertThatThrownBy(() -> client.ask("health")).hasMessageContaining("no socket of yours");
        Files.delete(place.resolve("gloved.sock"));
        try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(directory.resolve("elsewhere.sock")));
            Files.createSymbolicLink(
                    place.resolve("gloved.sock"), directory.resolve("elsewhere.sock"));
            assertThatThrownBy(() -> client.ask("health"))
                    .hasMessageContaining("no socket of yours");
            Files.delete(place.resolve("gloved.sock"));
            Files.move(directory.resolve("elsewhere.sock"), place.resolve("gloved.sock"));
            Path secret = Files.writeString(place.resolve("bootstrap-secret"), "0".repeat(64));
            Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
            assertThatThrownBy(() -> client.ask("health"))
                    .as("a secret others can read")
                    .hasMessageContaining("has the mode 644");
        }
    }

    /** A frame that promises more than comes, while its sender asks again beside it. */
    @Test
    void halfAFrameIsNotFinishedByAnotherClient() throws Exception {
        try (ControlRoom room = room();
                SocketChannel half = room.connect();
                SocketChannel rest = room.connect()) {
            ByteBuffer frame = ControlRoom.frame(room.request("health", "null"));
            half.write(frame.slice(0, 60));
            rest.write(frame.slice(60, frame.limit() - 60));
            rest.shutdownOutput();

            assertThat(ControlRoom.response(rest)).isEmpty();
            half.write(frame.slice(60, frame.limit() - 60));
            assertThat(ControlRoom.response(half).orElseThrow()).as("control").contains("ready");
        }
    }
}
