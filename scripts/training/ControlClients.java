import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients of gloved, as controllers write them: a connection for each request. They ask it for a
 * little of everything, and for sessions and their status so often that the cache learns what is
 * worth compiling first. Arguments: the directory of a daemon, and how to name the sessions.
 */
public final class ControlClients {
    private static final int CLIENTS = 16;
    private static final int SESSIONS = 1_500;
    private static final int STATUSES = 1_000;

    /** Of 10 ms, for a daemon whose socket has its name, and does not listen yet. */
    private static final int TRIES = 6_000;

    private final Path directory;
    private final String secret;
    private final String plan;
    private volatile boolean refused; // set by any of the clients, which then all end

    private ControlClients(Path directory) throws IOException {
        this.directory = directory;
        this.secret = Files.readString(directory.resolve("runtime/bootstrap-secret")).strip();
        this.plan = Files.readString(directory.resolve("plan.json")).strip();
    }

    /** Asks, says what was not answered as it should, and ends with 1 then. */
    public static void main(String[] args) throws Exception {
        ControlClients clients = new ControlClients(Path.of(args[0]));
        for (int i = 0; i < TRIES && clients.isTooEarly(); i++) {
            LockSupport.parkNanos(10_000_000);
        }
        clients.create(args[1]);
        for (int i = 0; i < STATUSES; i++) {
            clients.ask("session_status", "", "{\"session_id\":\"" + args[1] + "-1\"}");
        }
        clients.ask("validate_plan", "", clients.plan);
        clients.ask("capabilities", "", "null");
        clients.ask("list_path_exposures", "", "null");
        clients.exchange("no_such_method", "", "null");
        if (clients.refused) {
            System.exit(1);
        }
    }

    private boolean isTooEarly() {
        return exchange("capabilities", "", "null").contains("ConnectException");
    }

    private void create(String name) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int k = next.getAndIncrement(); k < SESSIONS; k = next.getAndIncrement()) {
                    String id = name + "-" + k;
                    ask(
                            "create_session",
                            "\"idempotency_key\":\"" + id + "\",",
                            "{\"session_id\":\"" + id + "\",\"controller_plan_digest\":\""
                                    + "a".repeat(64) + "\",\"plan\":" + plan + "}");
                    if (refused) {
                        return;
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void ask(String method, String key, String payload) {
        String answer = exchange(method, key, payload);
        if (!answer.contains("\"result\"")) {
            System.out.println(answer);
            refused = true;
        }
    }

    private String exchange(String method, String key, String payload) {
        String text = "{\"jsonrpc\":\"2.0\",\"id\":\"trained\",\"method\":\"" + method
                + "\",\"params\":{\"schema_version\":1,\"bootstrap_secret\":\"" + secret
                + "\",\"deadline_ms\":" + (System.currentTimeMillis() + 60_000) + "," + key
                + "\"payload\":" + payload + "}}";
        byte[] request = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(4 + request.length);
        frame.putInt(request.length).put(request).flip();
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(
                    UnixDomainSocketAddress.of(directory.resolve("runtime/gloved.sock")));
            while (frame.hasRemaining()) {
                channel.write(frame);
            }
            ByteBuffer answer = ByteBuffer.allocate(1 << 16);
            while (answer.position() < 4 || answer.position() < 4 + answer.getInt(0)) {
                if (channel.read(answer) < 0) {
                    return "no answer";
                }
            }
            return new String(
                    answer.array(), 4, answer.position() - 4, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
