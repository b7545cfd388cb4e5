package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code --publish} and {@code --loopback} on the command line, as each identity. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class PublishTest {
    /** Answers one connection with what it was sent and more, and ends at once. */
    private static final String SERVER = """
            import socket
            s = socket.socket()
            s.bind(('127.0.0.1', 8080)); s.listen()
            print('listens', flush=True)
            c = s.accept()[0]
            c.sendall(b'inside got ' + c.makefile('rb').readline() + b'.' * 300000)
            """;

    private final WorkRoom room;

    PublishTest(Identity identity) throws IOException, InterruptedException {
        Lanes.require("e2e", WorkRoom.isInstalled("python3"), "python3 is missing");
        room = WorkRoom.of(identity);
    }

    @AfterEach
    void leave() throws IOException, InterruptedException {
        room.close();
    }

    /** A port that nobody else is given until it is closed, and Glove can listen on. */
    static Socket port() throws IOException {
        Socket bound = new Socket();
        bound.setReuseAddress(true);
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return bound;
    }

    @Test
    void aServerInsideAnswersAClientOutside() throws Exception {
        try (Socket held = port()) {
            answers(held.getLocalPort());
        }
    }

    private void answers(int port) throws Exception {
        Process run = room.exec(
                        List.of("--publish", port + ":8080"), "/usr/bin/python3", "-c", SERVER)
                .start();
        try (var out = run.inputReader(StandardCharsets.UTF_8)) {
            assertThat(out.readLine()).isEqualTo("listens");

            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                client.setSoTimeout(120_000);
                client.getOutputStream().write("hello\n".getBytes(StandardCharsets.US_ASCII));
                byte[] answer = client.getInputStream().readAllBytes();
                assertThat(new String(answer, StandardCharsets.US_ASCII))
                        .hasSize(300_017)
                        .startsWith("inside got hello\n");
            }

            assertThat(run.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(run.exitValue()).isZero();
        } finally {
            run.destroyForcibly();
        }
    }

    @Test
    void moreLocalServicesThanThereCanBeAreRefused() throws Exception {
        List<String> options = new ArrayList<>();
        for (int port = 5000; port < 5255; port++) {
            options.addAll(List.of("--egress-allow-private", "127.0.0.1:" + port));
        }

        Command.Result result = room.exec(options, "true").run();

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("127.0.0.1:5254: one run can have 256 listeners");
    }

    @Test
    void theRunsOwnWayOutIsNotPublished() throws Exception {
        List<String> own = List.of("9000:3128", "1080", "9000:5000");
        for (String ports : own) {
            List<String> options = List.of(
                    "--egress-allow-private", "127.0.0.1:5000", "--publish", ports, "--explain");

            Command.Result result = room.exec(options, "true").run();
            Command.Result offline =
                    room.exec(List.of("--publish", ports, "--explain"), "true").run();

            assertThat(result.status()).as(result.toString()).isEqualTo(2);
            assertThat(result.out()).isEmpty();
            assertThat(result.err()).contains("--publish", "is Glove's own", ":8080");
            assertThat(offline.status()).as(offline.toString()).isZero();
        }
    }

    @Test
    void aPortSomebodyHasIsRefusedBeforeAnythingRuns() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String publish = taken.getLocalPort() + ":8080";

            Command.Result result = room.exec(List.of("--publish", publish), "sh", "-c", "echo ran")
                    .run();

            assertThat(result.status()).isEqualTo(2);
            assertThat(result.out()).isEmpty();
            assertThat(result.err())
                    .contains("--publish " + publish + ": cannot listen on 127.0.0.1:")
                    .contains("EADDRINUSE")
                    .contains("Try: --publish ");
        }
    }

    @Test
    void loopbackAloneLetsTheAgentListenAndConnectAndNothingElseIn() throws Exception {
        String both = """
                import socket
                for family, address in ((socket.AF_INET, '127.0.0.1'), (socket.AF_INET6, '::1')):
                    s = socket.socket(family)
                    s.bind((address, 3128)); s.listen()
                    socket.create_connection((address, 3128)).close()
                try:
                    socket.create_connection(('192.0.2.1', 80), 5)
                except OSError as e:
                    print(e.strerror)
                """;

        Command.Result result =
                room.exec(List.of("--loopback"), "/usr/bin/python3", "-c", both).run();

        assertThat(result.out()).as("%s", result).isEqualTo("Network is unreachable\n");
    }

    @Test
    void offlineThereIsNoSocketToListenOn() throws Exception {
        String listen = "import socket\nsocket.socket()";

        Command.Result result =
                room.exec(List.of(), "/usr/bin/python3", "-c", listen).run();

        assertThat(result.err()).contains("PermissionError: [Errno 1]");
    }
}
