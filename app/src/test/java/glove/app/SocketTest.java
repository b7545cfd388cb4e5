package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One Unix socket of the host, let in by name. */
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class SocketTest {
    /** Sends its second argument, ends, and prints the answer. */
    private static final String CLIENT = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX)
            s.connect(sys.argv[1])
            s.sendall(b'x' * int(sys.argv[2]))
            s.shutdown(socket.SHUT_WR)
            print(s.makefile().read())
            """;

    /** Tells each client its user and how many bytes it sent. */
    private static final String SERVER = """
            import os, socket, struct, sys, threading
            s = socket.socket(socket.AF_UNIX)
            s.bind(sys.argv[1])
            os.chmod(sys.argv[1], 0o666)
            s.listen(64)
            print('.', flush=True)
            def answer(c):
                uid = struct.unpack('iii', c.getsockopt(1, 17, 12))[1]
                sent = len(c.makefile('rb').read())
                print(sent, flush=True)
                c.sendall(b'peer %d sent %d' % (uid, sent))
                c.close()
            while True:
                threading.Thread(target=answer, args=(s.accept()[0],)).start()
            """;

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final WorkRoom room;
    private final List<Process> servers = new ArrayList<>();

    SocketTest(Identity identity) throws IOException, InterruptedException {
        Lanes.require("e2e", WorkRoom.isInstalled("python3"), "python3 is missing");
        room = WorkRoom.of(identity);
    }

    @AfterEach
    void leave() throws IOException, InterruptedException {
        for (Process server : servers) {
            server.destroyForcibly().waitFor();
        }
        room.close();
    }

    private Path serve(Path socket) throws IOException {
        Process server =
                Command.of("/usr/bin/python3", "-c", SERVER, socket.toString()).start();
        servers.add(server);
        server.getInputStream().read(); // a byte once it listens
        return socket;
    }

    private Command.Result connect(List<String> options, Path socket, int bytes)
            throws IOException, InterruptedException {
        String[] client = {
            "/usr/bin/python3", "-c", CLIENT, socket.toString(), Integer.toString(bytes)
        };
        return room.exec(options, client).run();
    }

    private String caller() throws Exception {
        return room.outside("id -u").strip();
    }

    @Test
    void theServiceSeesTheCallerAndEveryByteAndBothEnds() throws Exception {
        Path socket = serve(room.path().resolve("service"));

        Command.Result result = connect(List.of("--socket", socket.toString()), socket, 3_000_000);

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out()).isEqualTo("peer " + caller() + " sent 3000000\n");
    }

    @Test
    void whatIsSentRightBeforeTheEndArrives() throws Exception {
        Path socket = serve(room.path().resolve("service"));
        String hasty = """
                import os, socket, sys
                s = socket.socket(socket.AF_UNIX)
                s.connect(sys.argv[1])
                s.sendall(b'x' * 150000)
                os._exit(0)
                """;

        Command.Result result = room.exec(
                        List.of("--socket", socket.toString()),
                        "/usr/bin/python3",
                        "-c",
                        hasty,
                        socket.toString())
                .run();

        assertThat(result.status()).as("%s", result).isZero();
        BufferedReader said = servers.get(0).inputReader();
        String told = assertTimeoutPreemptively(PATIENCE, () -> {
            said.readLine(); // what is left of its first line
            return said.readLine();
        });
        assertThat(told).isEqualTo("150000");
    }

    @Test
    void aSocketInAWritableGrantIsReachedThroughTheRelayToo() throws Exception {
        Path socket = serve(room.work().resolve("service"));

        Command.Result result = connect(List.of("--socket", socket.toString()), socket, 5);

        assertThat(result.out()).isEqualTo("peer " + caller() + " sent 5\n");
    }

    @Test
    void onlyTheNamedSocketIsThere() throws Exception {
        Path socket = serve(room.path().resolve("service"));
        Path other = serve(room.path().resolve("other"));

        Command.Result result = connect(List.of("--socket", socket.toString()), other, 5);

        assertThat(result.err()).contains("FileNotFoundError");
    }

    @Test
    void theAgentsVariableIsPassedWhenItNamesTheSocket() throws Exception {
        Path socket = serve(room.path().resolve("agent"));
        Command command = room.exec(
                List.of("--socket", socket.toString()), "sh", "-c", "echo \"[$SSH_AUTH_SOCK]\"");

        assertThat(command.with("SSH_AUTH_SOCK", socket.toString()).run().out())
                .isEqualTo("[" + socket + "]\n");
        assertThat(command.with("SSH_AUTH_SOCK", "/elsewhere").run().out()).isEqualTo("[]\n");
    }

    @Test
    void sixtyFourConnectionsAtOnceAndMoreOneAfterTheOther() throws Exception {
        Path socket = serve(room.path().resolve("service"));
        String many = CLIENT.replace("s = socket", "import threading\ndef one():\n  s = socket")
                        .replace("\ns.", "\n  s.")
                        .replace("\nprint", "\n  print")
                + "\nt = [threading.Thread(target=one) for i in range(200)]\n"
                + "[x.start() for x in t]; [x.join() for x in t]\n";
        String[] words = {"/usr/bin/python3", "-c", many, socket.toString(), "10"};

        Command.Result result =
                room.exec(List.of("--socket", socket.toString()), words).run();

        assertThat(result.out().split("sent 10", -1)).as("%s", result).hasSize(201);
    }

    @Test
    void aLinkInsideAGrantIsNotFollowedOutOfIt() throws Exception {
        serve(room.path().resolve("service.sock"));
        room.outside("ln -s ../service.sock work/planted");

        Command.Result result =
                room.exec(List.of("--socket", room.work() + "/planted"), "true").run();

        assertThat(result.status()).as("%s", result).isEqualTo(2);
        assertThat(result.err())
                .contains(
                        "by a link inside the granted '" + room.work() + "'",
                        "Try: --socket '" + room.path() + "/service.sock'");
    }

    @Test
    void whatIsNoSocketIsRefused() throws Exception {
        room.outside("touch file");
        List<List<String>> bad = List.of(
                List.of(room.path().resolve("file").toString(), "is not a Unix socket"),
                List.of(room.path().resolve("missing").toString(), "ENOENT"),
                List.of("/dev/null", "is not a Unix socket"));
        for (List<String> one : bad) {
            Command.Result result =
                    room.exec(List.of("--socket", one.get(0)), "true").run();

            assertThat(result.status()).isEqualTo(2);
            assertThat(result.err()).contains(one.get(1)).contains("Try: ");
        }
    }
}
