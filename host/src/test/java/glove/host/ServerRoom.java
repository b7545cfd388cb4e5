package glove.host;

import glove.sys.BorrowedFd;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Pipe;
import glove.wire.AbsolutePath;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** A server alone, in a thread of this process, with methods, a kernel and a clock of a test's. */
final class ServerRoom implements AutoCloseable {
    private static final String SECRET = "d".repeat(64);

    private final Path socket;
    private final RuntimeDirectory runtime;
    private final DaemonLog log;
    private final Crew crew;
    private final Pipe signals;
    private final Thread thread;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** What a test puts in the place of what is there otherwise. */
    record Parts(
            Linux linux,
            List<ControlMethod> methods,
            LongSupplier clock,
            ServerBounds bounds,
            int workers) {
        static Parts of(ControlMethod... methods) {
            return new Parts(
                    Linux.host(), List.of(methods), () -> 1, ControlRoom.PATIENT, Crew.WORKERS);
        }

        Parts with(Linux kernel) {
            return new Parts(kernel, methods, clock, bounds, workers);
        }

        Parts with(LongSupplier time) {
            return new Parts(linux, methods, time, bounds, workers);
        }

        Parts with(ServerBounds other) {
            return new Parts(linux, methods, clock, other, workers);
        }
    }

    /** The thread is named "server". */
    ServerRoom(Path directory, Parts parts) throws Exception {
        Linux linux = parts.linux();
        Path place = directory.resolve("runtime");
        if (!Files.exists(place)) {
            Files.createDirectory(place);
            Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwx------"));
        }
        socket = place.resolve(RuntimeDirectory.SOCKET);
        log = new DaemonLog(Linux.host(), BorrowedFd.STDERR, false);
        runtime = RuntimeDirectory.open(Linux.host(), new AbsolutePath(place.toString()));
        signals = Linux.host().pipe();
        crew = Crew.start(linux, log, parts.workers(), Crew.INSPECTORS);
        ControlServer server = new ControlServer(
                linux,
                new ControlServer.Doors(runtime.bind(), signals.read(), crew),
                new ControlProtocol(new BootstrapSecret(SECRET), parts.methods(), parts.clock()),
                parts.bounds(),
                log);
        thread = Thread.ofPlatform().name("server").start(() -> {
            try (server) {
                server.serve(() -> {});
            } catch (ErrnoException e) {
                failure.set(e);
            }
        });
        thread.setUncaughtExceptionHandler((dead, thrown) -> failure.set(thrown));
    }

    static String request(String method) {
        return request(method, "null");
    }

    static String request(String method, String payload) {
        return "{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"method\":\"" + method
                + "\",\"params\":{\"schema_version\":1,\"bootstrap_secret\":\"" + SECRET
                + "\",\"deadline_ms\":9,\"payload\":" + payload + "}}";
    }

    /** One that is in time for ever. */
    static String timeless(String method) {
        return request(method).replace("\"deadline_ms\":9,", "\"deadline_ms\":99,");
    }

    SocketChannel connect() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        return channel;
    }

    /** Connects and sends a frame, or as much of it as is taken before the server closes. */
    SocketChannel send(String request) throws IOException {
        SocketChannel channel = connect();
        write(channel, ControlRoom.frame(request));
        return channel;
    }

    /** As much as is taken before the server closes. */
    static void write(SocketChannel channel, ByteBuffer bytes) {
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            return; // who reads learns the same
        }
    }

    /** The response; empty when the server closed without one. */
    Optional<String> ask(String request) throws IOException {
        try (SocketChannel channel = send(request)) {
            return ControlRoom.response(channel);
        }
    }

    boolean isServing() {
        return thread.isAlive() && failure.get() == null;
    }

    /** Threads of the server by the beginning of their names. */
    static boolean isIn(String name) {
        return Thread.currentThread().getName().startsWith(name);
    }

    void signal() throws ErrnoException {
        Linux.host().write(signals.write(), new byte[] {15});
    }

    /** Whether it ends in so many milliseconds. */
    boolean ends(long millis) {
        try {
            return thread.join(Duration.ofMillis(millis));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() throws ErrnoException {
        signal();
        signal();
        boolean ended = ends(ControlRoom.PATIENT.stopMillis());
        crew.close();
        log.close();
        runtime.close();
        if (!ended || failure.get() != null) {
            throw new AssertionError("the server does not end in order", failure.get());
        }
    }
}
