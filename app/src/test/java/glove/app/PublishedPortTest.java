package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.sandbox.AgentHome;
import glove.sandbox.Exit;
import glove.sandbox.Grants;
import glove.sandbox.Guards;
import glove.sandbox.GuestPrograms;
import glove.sandbox.Host;
import glove.sandbox.Ids;
import glove.sandbox.Launcher;
import glove.sandbox.Loopback;
import glove.sandbox.Nesting;
import glove.sandbox.PrivateDirectories;
import glove.sandbox.Profile;
import glove.sandbox.ProgramLookup;
import glove.sandbox.Refusal;
import glove.sandbox.RunningSandbox;
import glove.sandbox.Sandbox;
import glove.sandbox.Scratch;
import glove.sandbox.StandardStreams;
import glove.sys.Call;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.testkit.Lanes;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A port inside, reached from this machine: a client thread here, the run on the test's thread. */
@Tag("e2e")
final class PublishedPortTest {
    private static final int INSIDE = 8080;

    /** Enough for 64 connections. */
    private static final int DESCRIPTORS = 192;

    private static final int MILLIS_MAX = 120_000;

    /** Echoes each connection in upper case once it has ended; "quit" ends the server. */
    private static final String SERVER = """
            import os, socket, threading
            s = socket.socket(socket.AF_INET6 if address == '::1' else socket.AF_INET)
            s.bind((address, 8080)); s.listen(200)
            def answer(c):
                data = b''
                while True:
                    more = c.recv(65536)
                    if not more:
                        break
                    data += more
                c.sendall(data.upper()); c.close()
                if data == b'quit':
                    os._exit(9)
            while True:
                threading.Thread(target=answer, args=(s.accept()[0],)).start()
            """;

    private static final String NOBODY = "import time\ntime.sleep(600)";

    private final Linux linux = Linux.host();
    private Linux publishing = linux;
    private Socket held = new Socket();
    private int hostPort;
    private @Nullable RunningSandbox sandbox;

    @BeforeEach
    void prepare() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("python3"), "python3 is missing");
        held = PublishTest.port();
        hostPort = held.getLocalPort();
    }

    @AfterEach
    void release() throws IOException {
        held.close();
    }

    private Profile profile(String script) throws Exception {
        Host host = Host.read(linux);
        Grants grants = Grants.of(linux, List.of());
        PrivateDirectories directories = PrivateDirectories.beside(grants);
        List<UnixPath> path = List.of(UnixPath.of("/usr/bin"));
        return new Profile(
                host,
                grants,
                AgentHome.FRESH,
                directories,
                new Scratch(64L << 20, 1000),
                Ids.ofThisProcess(linux, 0),
                new ProgramLookup(linux, host, grants)
                        .find(UnixPath.of("python3"), directories.home(), path, path),
                List.of(bytes("python3"), bytes("-c"), bytes(script)),
                List.of(bytes("PATH=/usr/bin:/bin")),
                directories.home(),
                Optional.empty(),
                List.of(),
                Guards.NONE,
                false,
                Nesting.NONE,
                Optional.of(Loopback.of(linux, List.of(), true)),
                GuestPrograms.NONE);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Runs a script with its port published while the client does its work; then ends the run. */
    private Exit run(String script, Callable<Boolean> client) throws Exception {
        UnixPath built = UnixPath.of(System.getProperty("glove.native") + "/launcher");
        ExecutorService threads = Executors.newSingleThreadExecutor();
        FdLeaks.watch();
        Exit exit;
        try (Launcher launcher = Launcher.open(linux, built);
                PublishedPort published = PublishedPort.of(publishing, hostPort, INSIDE);
                RunningSandbox running = new Sandbox(linux, launcher)
                        .launch(profile(script), StandardStreams.inherited())) {
            sandbox = running;
            RunLoop loop = new RunLoop(linux, running, new Notices("exec"));
            published.serve(running, DESCRIPTORS);
            loop.add(published);
            Future<Boolean> done = threads.submit(client);
            loop.add(new Until(done, loop));
            exit = loop.run();
            assertThat(done.get(MILLIS_MAX, TimeUnit.MILLISECONDS)).isTrue();
        } finally {
            threads.shutdownNow();
        }
        FdLeaks.assertNone();
        return exit;
    }

    /** Ends the run once the client is done; the server may have ended before. */
    private record Until(Future<Boolean> done, RunLoop loop) implements Attendant {
        @Override
        public List<glove.sys.PollFd> awaited() {
            return List.of();
        }

        @Override
        public long patience() {
            return 10;
        }

        @Override
        public void attend(int[] happened, int from) {
            if (done.isDone()) {
                loop.end(new Verdict(0, "done"));
            }
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), hostPort);
        socket.setSoTimeout(MILLIS_MAX);
        return socket;
    }

    private Socket connectOnceItListens() throws Exception {
        awaitServer();
        return connect();
    }

    /** The server may not listen yet; then the connection is closed, as of a closed port. */
    private void awaitServer() throws Exception {
        byte[] ping = bytes("ping");
        for (int i = 0; i < MILLIS_MAX / 20; i++) {
            try {
                if (talk(connect(), ping).length == ping.length) {
                    return;
                }
            } catch (SocketException e) {
                // It was closed before the ping came.
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new AssertionError("nothing came to listen");
    }

    private static byte[] talk(Socket socket, byte[] bytes) throws IOException {
        try (socket) {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            return in.readAllBytes();
        }
    }

    private Exit talkThrough(String address, int bytes) throws Exception {
        byte[] text = "a".repeat(bytes).getBytes(StandardCharsets.US_ASCII);
        String script = "address = '" + address + "'\n" + SERVER;
        return run(script, () -> {
            byte[] answer = talk(connectOnceItListens(), text);
            talk(connect(), bytes("quit"));
            return answer.length == bytes && answer[0] == 'A' && answer[bytes - 1] == 'A';
        });
    }

    @Test
    void everyByteAndBothEndsPassToWhatListensInside() throws Exception {
        talkThrough("127.0.0.1", 3_000_000);
    }

    @Test
    void whatListensOnIpv6OnlyIsReachedToo() throws Exception {
        talkThrough("::1", 10);
    }

    @Test
    void moreConnectionsThanAtOnceComeOneAfterTheOther() throws Exception {
        run("address = '127.0.0.1'\n" + SERVER, () -> {
            connectOnceItListens().close();
            List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < 70; i++) { // soon there is room for all of them
                sockets.add(connect());
            }
            int answered = 0;
            for (Socket socket : sockets) {
                answered += talk(socket, bytes("one")).length == 3 ? 1 : 0;
            }
            return answered == 70;
        });
    }

    @Test
    void manyWhoAreSilentMakeRoomForOneWhoIsNot() throws Exception {
        run("address = '127.0.0.1'\n" + SERVER, () -> {
            List<Socket> silent = new ArrayList<>();
            silent.add(connectOnceItListens());
            for (int i = 0; i < 80; i++) {
                silent.add(connect());
            }
            byte[] answer = talk(connect(), bytes("one"));
            int closed = 0;
            for (Socket socket : silent) {
                socket.setSoTimeout(1);
                closed += isClosed(socket) ? 1 : 0;
                socket.close();
            }
            return answer.length == 3 && closed > 0 && closed < 60;
        });
    }

    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            return true;
        }
    }

    @Test
    void wantOfDescriptorsIsWaitedOut() throws Exception {
        AtomicInteger left = new AtomicInteger(3);
        Syscalls kernel = Syscalls.host();
        publishing = new Linux(
                (call, x, y, z, u, v, w) -> call == Call.ACCEPT4 && left.getAndDecrement() > 0
                        ? -Errno.EMFILE
                        : kernel.call(call, x, y, z, u, v, w));
        run("address = '127.0.0.1'\n" + SERVER, () -> {
            connectOnceItListens().close();
            return talk(connect(), bytes("one")).length == 3;
        });

        assertThat(left).as("control: it was short of them").hasNegativeValue();
    }

    @Test
    void aPortInsideWhereNobodyListensIsAClosedPort() throws Exception {
        Exit exit = run(NOBODY, () -> {
            try (Socket socket = connect()) {
                return socket.getInputStream().read() < 0;
            } catch (SocketException e) {
                return e.toString().contains("reset");
            }
        });

        assertThat(exit).isInstanceOf(Exit.Signaled.class);
    }

    /** The run's thread hears of the end before it hears that the connection is made. */
    @Test
    void whoAnswersAtOnceAndEndsIsHeardWhole() throws Exception {
        AtomicBoolean last = new AtomicBoolean();
        Syscalls kernel = Syscalls.host();
        publishing = new Linux((call, x, y, z, u, v, w) -> {
            long result = kernel.call(call, x, y, z, u, v, w);
            if (call == Call.CONNECT && last.get()) {
                awaitEnd();
            }
            return result;
        });
        String server = """
                import os, socket
                s = socket.socket(); s.bind(('127.0.0.1', 8080)); s.listen()
                c = s.accept()[0]; c.sendall(c.recv(9)); c.close()
                s.accept()[0].sendall(b'all'); os._exit(0)
                """;
        run(server, () -> {
            awaitServer();
            last.set(true);
            return talk(connect(), bytes("")).length == 3;
        });
    }

    private void awaitEnd() {
        try {
            linux.poll(List.of(Objects.requireNonNull(sandbox).statusToRead()), MILLIS_MAX);
        } catch (ErrnoException e) {
            throw new IllegalStateException(e);
        }
    }

    /** -1 once the other side is gone, whether it said so or the kernel did. */
    private static int endOf(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read();
        } catch (SocketException e) {
            return -1;
        }
    }

    @Test
    void theEndOfTheRunEndsTheConnections() throws Exception {
        String server = "address = '127.0.0.1'\n" + SERVER;
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            List<Future<Integer>> waiting = new ArrayList<>();
            run(server, () -> {
                Socket idle = connectOnceItListens();
                waiting.add(threads.submit(() -> endOf(idle)));
                return true;
            });

            assertThat(waiting.get(0).get(MILLIS_MAX, TimeUnit.MILLISECONDS)).isNegative();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aTakenPortIsRefusedWithAnother() throws Exception {
        try (PublishedPort first = PublishedPort.of(linux, hostPort, INSIDE)) {
            first.awaited();
            Refusal refusal = catchThrowableOfType(
                    Refusal.class, () -> PublishedPort.of(linux, hostPort, INSIDE));

            assertThat(refusal.getMessage()).contains("EADDRINUSE").contains("127.0.0.1:");
            assertThat(refusal.hints()).containsExactly("--publish " + (hostPort + 1) + ":8080");
        }
    }
}
