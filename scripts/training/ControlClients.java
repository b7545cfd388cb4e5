import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients of gloved, as controllers write them: a connection for each request. Arguments: "rates",
 * a directory of a daemon and how many sessions to create; "fill" and the directory, to create
 * large ones until the store is full; or "train" and the directory, to ask a little of everything.
 */
public final class ControlClients {
    private static final int CLIENTS = 16;
    private static final int STATUSES = 5_000;
    private static final int RECORD_BYTES = 2_000;

    private final Path directory;
    private final String secret;
    private final String plan;

    private ControlClients(Path directory, String planFile) throws IOException {
        this.directory = directory;
        this.secret = Files.readString(directory.resolve("runtime/bootstrap-secret")).strip();
        this.plan = Files.readString(directory.resolve(planFile)).strip();
    }

    /** Prints what it measures. */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[1]);
        if (args[0].equals("fill")) {
            ControlClients clients = new ControlClients(directory, "large.json");
            int made = clients.create("large", Integer.MAX_VALUE);
            System.out.println(made + " large sessions");
            return;
        }
        ControlClients clients = new ControlClients(directory, "plan.json");
        if (args[0].equals("train")) {
            clients.train();
            return;
        }
        int count = Integer.parseInt(args[2]);
        clients.create("warm", count / 8);
        for (int i = 0; i < 3; i++) {
            double raw = clients.rawSyncs();
            long start = System.nanoTime();
            int made = clients.create("s" + i, count / 4);
            double rate = made * 1e9 / (System.nanoTime() - start);
            System.out.printf(
                    "create_session, %d clients: %.0f/s; a sync of as many bytes: %.0f/s; ratio "
                            + "%.2f%n",
                    CLIENTS, rate, raw, rate / raw);
        }
        clients.status();
    }

    private void train() throws InterruptedException {
        create("trained", CLIENTS);
        exchange("session_status", "", "{\"session_id\":\"trained-1\"}");
        exchange("validate_plan", "", plan);
        exchange("capabilities", "", "null");
        exchange("list_path_exposures", "", "null");
        exchange("no_such_method", "", "null");
    }

    private int create(String name, int count) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        AtomicInteger made = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int k = next.getAndIncrement(); k < count; k = next.getAndIncrement()) {
                    String id = name + "-" + k;
                    String answer = exchange(
                            "create_session",
                            "\"idempotency_key\":\"" + id + "\",",
                            "{\"session_id\":\"" + id + "\",\"controller_plan_digest\":\""
                                    + "a".repeat(64) + "\",\"plan\":" + plan + "}");
                    if (!answer.contains("\"result\"")) {
                        System.out.println(answer);
                        return;
                    }
                    made.incrementAndGet();
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return made.get();
    }

    private void status() {
        long[] nanos = new long[STATUSES];
        for (int i = -STATUSES; i < STATUSES; i++) {
            long start = System.nanoTime();
            String answer = exchange("session_status", "", "{\"session_id\":\"warm-1\"}");
            if (i >= 0) {
                nanos[i] = System.nanoTime() - start;
            }
            if (!answer.contains("\"result\"")) {
                throw new IllegalStateException(answer);
            }
        }
        Arrays.sort(nanos);
        System.out.printf(
                "session_status, one client: p50 %.0f us, p99 %.0f us%n",
                nanos[STATUSES / 2] / 1e3, nanos[STATUSES * 99 / 100] / 1e3);
    }

    /** As many bytes as a record has, where the store is. */
    private double rawSyncs() throws IOException {
        Path file = directory.resolve("state/raw");
        try (FileChannel out = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            long start = System.nanoTime();
            int count = 0;
            while (System.nanoTime() - start < 1_000_000_000L) {
                out.write(ByteBuffer.allocate(RECORD_BYTES));
                out.force(false);
                count++;
            }
            return count * 1e9 / (System.nanoTime() - start);
        } finally {
            Files.delete(file);
        }
    }

    private String exchange(String method, String key, String payload) {
        String text = "{\"jsonrpc\":\"2.0\",\"id\":\"bench\",\"method\":\"" + method
                + "\",\"params\":{\"schema_version\":1,\"bootstrap_secret\":\"" + secret
                + "\",\"deadline_ms\":" + (System.currentTimeMillis() + 5000) + "," + key
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
