package glove.host;

import static org.assertj.core.api.Assertions.assertThat;

import glove.session.stage.RetainedStages;
import glove.sys.BorrowedFd;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Pipe;
import glove.wire.AbsolutePath;
import glove.wire.JsonProblems;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A daemon's parts and its server in a thread of this process, and clients as others write them:
 * blocking sockets of the JDK.
 */
final class ControlRoom implements AutoCloseable {
    static final String CONTROLLER = "a".repeat(64);
    static final String KEY_ID = "b97d6f8d2ae381761ea00f360c230cf75e8de5fdc6a8d25624a5c36b97f0d475";

    /** Of clients and servers here: whoever tests has other work to do as well. */
    static final long PATIENCE_MS = 600_000;

    /** For whom nothing is too slow. */
    static final ServerBounds PATIENT = new ServerBounds(
            ServerBounds.USUAL.connectionsMax(),
            ServerBounds.USUAL.heldBytesMax(),
            PATIENCE_MS,
            PATIENCE_MS,
            PATIENCE_MS,
            PATIENCE_MS);

    private static final String KEY =
            "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    private static final String ADAPTER =
            "bb8a487b80626fbb46b02272a968a127ed8867540382d4cf16ecf7c2ebd4ee1b";

    private final Linux linux = Linux.host();
    private final Path directory;
    private final DaemonParts parts;
    private final RuntimeDirectory runtime;
    private final Pipe signals;
    private final DaemonLog log;
    private final Crew crew;
    private final Thread thread;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final String secret;
    private volatile boolean stopped;

    ControlRoom(Path directory, ServerBounds bounds) throws Exception {
        this.directory = directory;
        prepare(directory);
        JsonProblems problems = JsonProblems.first();
        Optional<DaemonConfig> config =
                DaemonConfig.parse(Files.readAllBytes(directory.resolve("config.json")), problems);
        assertThat(problems.firstInWords()).isEmpty();
        log = new DaemonLog(linux, BorrowedFd.STDERR, false);
        parts = new DaemonParts(linux, config.orElseThrow(), log);
        parts.openPolicies();
        runtime = RuntimeDirectory.open(linux, new AbsolutePath(directory + "/runtime"));
        runtime.lock();
        parts.openStores();
        runtime.removeStaleSocket();
        BootstrapSecret shown = runtime.rotateSecret();
        secret = Files.readString(directory.resolve("runtime/bootstrap-secret")).strip();
        ControlSocket socket = runtime.bind();
        signals = linux.pipe();
        crew = Crew.start(linux, log, Crew.WORKERS, Crew.INSPECTORS);
        ControlProtocol protocol = new ControlProtocol(
                shown, parts.methods(RetainedStages.DESCRIPTORS_MAX), System::currentTimeMillis);
        ControlServer server = new ControlServer(
                linux,
                new ControlServer.Doors(socket, signals.read(), crew),
                protocol,
                bounds,
                log);
        thread = Thread.ofPlatform().name("server").start(() -> {
            try (server) {
                server.serve(() -> stopped = true);
            } catch (ErrnoException e) {
                failure.set(e);
            }
        });
        thread.setUncaughtExceptionHandler((dead, thrown) -> failure.set(thrown));
    }

    /** Files of a daemon with everything, as its owner makes them. */
    static void prepare(Path directory) throws IOException {
        for (String name : new String[] {"runtime", "state", "kept", "bundles"}) {
            if (!Files.exists(directory.resolve(name))) {
                Files.createDirectory(directory.resolve(name));
                Files.setPosixFilePermissions(
                        directory.resolve(name), PosixFilePermissions.fromString("rwx------"));
            }
        }
        Files.createDirectories(directory.resolve("projects/site"));
        write(directory.resolve("key"), KEY + "\n");
        write(directory.resolve("policy.json"), policy(directory));
        write(directory.resolve("exposures.json"), exposures(directory));
        write(directory.resolve("config.json"), config(directory));
    }

    static void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    static String config(Path directory) {
        return ("{'schema_version':1,'runtime_directory':'@/runtime','audit_key':'@/key',"
                        + "'receipt_journal':'@/state/receipts','session_policy':'@/policy.json',"
                        + "'session_store':'@/state/sessions','materialization_root':'@/kept',"
                        + "'library_bundle_root':'@/bundles','path_exposure_policy':'@/exposures.json',"
                        + "'path_exposure_journal':'@/state/exposures'}")
                .replace('\'', '"')
                .replace("@", directory.toString());
    }

    private static String policy(Path directory) {
        return ("{'schema_version':1,'revision':3,'max_plan_ttl_ms':7200000,'runtime_templates':["
                        + "{'runtime_template_id':'t','runtime_id':'r','adapter_command_digest':'"
                        + ADAPTER
                        + "','sandbox_backend':'linux_production','allowed_path_aliases':['w'],"
                        + "'allowed_projection_destinations':[],'launch':{'executable_path':'/usr/bin/true'}}],"
                        + "'path_aliases':[{'alias':'w','host_path':'@/projects/site','target_path':'/workspace',"
                        + "'max_ttl_secs':60,'access':[{'access':'read','materialization':'bind',"
                        + "'create_policy':'never','cleanup_policy':'retain','max_bytes':0}]}],"
                        + "'resource_profiles':[{'profile_id':'p','cpu_time_ms':1,'memory_bytes':1,'pids':1,"
                        + "'wall_time_ms':1,'disk_bytes':1,'terminal_output_bytes':1}],"
                        + "'egress_policy_ids':['no-network'],'tool_policy_ids':['none']}")
                .replace('\'', '"')
                .replace("@", directory.toString());
    }

    private static String exposures(Path directory) {
        return ("{'schema_version':1,'roots':[{'root_id':'projects','host_root':'@/projects',"
                        + "'allowed_modes':[{'access':'read','materialization':'bind','max_bytes':0,"
                        + "'cleanup_policy':'retain'}],'max_ttl_secs':7200,"
                        + "'allowed_runtime_template_ids':['t']}]}")
                .replace('\'', '"')
                .replace("@", directory.toString());
    }

    /** A plan the policy accepts for an hour. */
    static String plan() {
        return ("{'schema_version':1,'runtime_id':'r','runtime_template_id':'t',"
                        + "'adapter_command_digest':'" + ADAPTER + "',"
                        + "'sandbox_backend':'linux_production','egress_policy_id':'no-network',"
                        + "'tool_policy_id':'none','path_grants':[{'alias':'w','access':'read',"
                        + "'materialization':'bind','max_bytes':0,'ttl_secs':60,'cleanup_policy':'retain'}],"
                        + "'library_projections':[],'secret_handles':[],'limits':{'cpu_time_ms':1,"
                        + "'memory_bytes':1,'pids':1,'wall_time_ms':1,'disk_bytes':1,"
                        + "'terminal_output_bytes':1},'policy_revision':3,'expires_at_ms':"
                        + (System.currentTimeMillis() + 3_600_000) + "}")
                .replace('\'', '"');
    }

    static String creation(String session, String plan) {
        return "{\"session_id\":\"" + session + "\",\"controller_plan_digest\":\"" + CONTROLLER
                + "\",\"plan\":" + plan + "}";
    }

    Path directory() {
        return directory;
    }

    List<String> methods() {
        return parts.methods(RetainedStages.DESCRIPTORS_MAX).stream()
                .map(ControlMethod::name)
                .toList();
    }

    String secret() {
        return secret;
    }

    boolean hasStopped() {
        return stopped;
    }

    boolean isServing() {
        return thread.isAlive() && failure.get() == null;
    }

    /** A request without a key. */
    String request(String method, String payload) {
        return envelope(method, System.currentTimeMillis() + PATIENCE_MS, "", payload);
    }

    /** One with a key. */
    String request(String method, String key, String payload) {
        String member = "\"idempotency_key\":\"" + key + "\",";
        return envelope(method, System.currentTimeMillis() + PATIENCE_MS, member, payload);
    }

    String envelope(String method, long deadlineMs, String key, String payload) {
        return "{\"jsonrpc\":\"2.0\",\"id\":\"req-1\",\"method\":\"" + method
                + "\",\"params\":{\"schema_version\":1,\"bootstrap_secret\":\"" + secret
                + "\",\"deadline_ms\":" + deadlineMs + "," + key + "\"payload\":" + payload + "}}";
    }

    SocketChannel connect() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(directory.resolve("runtime/gloved.sock")));
        return channel;
    }

    /** A frame of a text. */
    static ByteBuffer frame(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.wrap(new JsonFrame(bytes).bytes());
    }

    /** What comes back: the content of a frame; empty when the daemon closed without one. */
    static Optional<String> response(SocketChannel channel) throws IOException {
        ByteBuffer length = ByteBuffer.allocate(4);
        if (!fill(channel, length)) {
            return Optional.empty();
        }
        ByteBuffer content = ByteBuffer.allocate(length.flip().getInt());
        assertThat(fill(channel, content)).as("a whole frame").isTrue();
        return Optional.of(new String(content.array(), StandardCharsets.UTF_8));
    }

    /** A reset is an end: the daemon does not read what nobody asked it to. */
    private static boolean fill(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            try {
                if (channel.read(buffer) < 0) {
                    return false;
                }
            } catch (IOException e) {
                return false;
            }
        }
        return true;
    }

    /** Sends a request on a connection of its own and gives back the response. */
    String exchange(String request) throws IOException {
        try (SocketChannel channel = connect()) {
            ByteBuffer frame = frame(request);
            while (frame.hasRemaining()) {
                channel.write(frame);
            }
            return response(channel).orElseThrow();
        }
    }

    /** The result or error of a request. */
    String answer(String request) throws IOException {
        String response = exchange(request);
        String head = "{\"jsonrpc\":\"2.0\",\"id\":\"req-1\",";
        assertThat(response).startsWith(head).endsWith("}");
        return response.substring(head.length(), response.length() - 1);
    }

    /** As a signal does. */
    void signal() {
        try {
            linux.write(signals.write(), new byte[] {15});
        } catch (ErrnoException e) {
            throw new AssertionError(e);
        }
    }

    void awaitEnd() {
        try {
            thread.join(PATIENCE_MS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(thread.isAlive()).as("the server ends").isFalse();
    }

    @Override
    public void close() {
        if (thread.isAlive()) {
            signal();
            signal();
        }
        awaitEnd();
        crew.close();
        parts.release();
        runtime.close();
        signals.close();
        log.close();
        assertThat(failure.get()).isNull();
    }
}
