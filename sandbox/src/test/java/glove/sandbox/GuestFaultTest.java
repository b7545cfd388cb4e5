package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.FaultTable;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Each system call of glove-connect and of glove-mcp fails once, by strace(1): an interrupted one is
 * made again, and any other is told in one sentence. The program is compiled with another port and
 * another socket, where this test is the proxy and the gateway.
 */
@Tag("process")
@Timeout(900)
final class GuestFaultTest {
    private static final String STRACE = "/usr/bin/strace";
    private static final String SENT = "from inside\n";
    private static final String MESSAGE = "{\"id\":1}";
    private static final String ANSWER = "HTTP/1.1 200 Connection established\r\n\r\n";
    private static final int CALLS_MAX = 50;
    private static final long SECONDS_MAX = 240;

    private static final Map<String, List<String>> CALLS = new TreeMap<>(Map.ofEntries(
            Map.entry("socket", List.of("EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EACCES")),
            Map.entry("setsockopt", List.of("ENOMEM", "ENOSYS")),
            Map.entry("connect", List.of("ECONNREFUSED", "EACCES", "EAGAIN")),
            Map.entry("sendto", List.of("EPIPE", "ENOBUFS", "ENOMEM", "EAGAIN", "EINTR")),
            Map.entry("recvfrom", List.of("EINTR", "ECONNRESET", "ENOMEM", "EAGAIN")),
            Map.entry("poll", List.of("EINTR", "ENOMEM")),
            Map.entry("read", List.of("EINTR", "EIO", "EAGAIN")),
            Map.entry("write", List.of("EINTR", "EIO", "ENOSPC", "EAGAIN")),
            Map.entry("shutdown", List.of("ENOBUFS", "EIO")),
            Map.entry("close", List.of("EIO", "EINTR"))));

    /** Errors that change nothing, as the data arrives all the same, and why. */
    private static final Map<String, String> HARMLESS =
            Map.of("close", "the end of the program tells the same");

    @TempDir
    private Path directory;

    private final ServerSocket proxy;

    private final ServerSocketChannel gateway;

    GuestFaultTest() throws IOException {
        proxy = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        gateway = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    @BeforeEach
    void serve() throws IOException {
        gateway.bind(UnixDomainSocketAddress.of(directory.resolve("gateway")));
        for (Runnable service : List.<Runnable>of(this::serveAll, this::serveLines)) {
            Thread thread = new Thread(service, "service");
            thread.setDaemon(true);
            thread.start();
        }
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        gateway.close();
    }

    /** A gateway that sends whole lines back, and drops what has no end, as Glove's does. */
    private void serveLines() {
        while (gateway.isOpen()) {
            try (SocketChannel client = gateway.accept()) {
                InputStream in = Channels.newInputStream(client);
                ByteArrayOutputStream line = new ByteArrayOutputStream();
                for (int c = in.read(); c >= 0; c = in.read()) {
                    line.write(c);
                    if (c == '\n') {
                        client.write(ByteBuffer.wrap(line.toByteArray()));
                        line.reset();
                    }
                }
            } catch (IOException expected) {
                assertThat(expected).hasMessageNotContaining("Address"); // the client has gone
            }
        }
    }

    /** A proxy that sends back what it gets, until its end. */
    private void serveAll() {
        while (!proxy.isClosed()) {
            try (Socket client = proxy.accept()) {
                InputStream in = client.getInputStream();
                OutputStream out = client.getOutputStream();
                StringBuilder head = new StringBuilder();
                for (int c = in.read(); c >= 0; c = in.read()) {
                    head.append((char) c);
                    if (head.toString().endsWith("\r\n\r\n")) {
                        out.write(ANSWER.getBytes(StandardCharsets.US_ASCII));
                        in.transferTo(out);
                        break;
                    }
                }
            } catch (IOException expected) {
                assertThat(expected).hasMessageNotContaining("Address"); // the client has gone
            }
        }
    }

    /** What one call's failure did. */
    private record Attempt(
            String call, int nth, String error, int status, String out, String err, boolean hit) {
        boolean isRight(Path program) {
            boolean done = status == 0 && out.equals(SENT) && err.isEmpty();
            boolean told = status == 1
                    && err.startsWith(program.getFileName() + ": ")
                    && err.lines().count() == 1;
            boolean gone = status == 1
                    && err.isEmpty()
                    && List.of("EPIPE", "ECONNRESET").contains(error);
            boolean again = error.equals("EINTR") || error.equals("EAGAIN");
            if (error.equals("EINTR") || done) {
                return done && (again || HARMLESS.containsKey(call));
            }
            return told || gone;
        }
    }

    @Test
    void whicheverCallOfGloveConnectFailsItIsMadeAgainOrTold() throws Exception {
        Files.writeString(directory.resolve("in"), SENT);
        examine("glove-connect, by strace", "glove-connect", "host.test", "443");
    }

    /** The input has no end of line: its last piece gets one, whatever fails before. */
    @Test
    void whicheverCallOfGloveMcpFailsItIsMadeAgainOrTold() throws Exception {
        Files.writeString(directory.resolve("in"), SENT.stripTrailing());
        examine("glove-mcp, by strace", "glove-mcp");
    }

    @Test
    void aLastMessageWithoutTheEndOfALineIsSentAndNothingElseIsAdded() throws Exception {
        CProgram.requireCompiler("gcc");
        Path program = program("glove-mcp");
        for (String in : List.of("", MESSAGE, MESSAGE + "\n", MESSAGE + "\n" + MESSAGE, "\n")) {
            Files.writeString(directory.resolve("in"), in);
            String sent = in.isEmpty() || in.endsWith("\n") ? in : in + "\n";

            Result result = run(List.of(program.toString()));

            assertThat(result.out()).as("of '%s'", in).isEqualTo(sent);
            assertThat(result.status()).isZero();
        }
    }

    private void examine(String row, String name, String... words) throws Exception {
        Lanes.require("process", Files.isExecutable(Path.of(STRACE)), "strace is not installed");
        CProgram.requireCompiler("gcc");
        Path program = program(name);
        List<String> line = new ArrayList<>(List.of(program.toString()));
        line.addAll(List.of(words));
        assertThat(attempt(line, "read", 1000, "EIO"))
                .as("the control: nothing fails")
                .matches(one -> one.status() == 0 && one.out().equals(SENT) && !one.hit());

        List<Attempt> wrong = new ArrayList<>();
        int points = 0;
        for (Map.Entry<String, List<String>> call : CALLS.entrySet()) {
            for (String error : call.getValue()) {
                boolean hit = true;
                for (int nth = 1; hit && nth < CALLS_MAX; nth++) {
                    Attempt attempt = attempt(line, call.getKey(), nth, error);
                    hit = attempt.hit();
                    points += hit ? 1 : 0;
                    if (hit && !attempt.isRight(program)) {
                        wrong.add(attempt);
                    }
                }
            }
        }

        assertThat(wrong).isEmpty();
        FaultTable.require(row, CALLS.size(), points);
    }

    private Path program(String name) throws IOException, InterruptedException {
        Path source = Path.of(System.getProperty("glove.root"), "native/guest/guest.c");
        String text = Files.readString(source);
        String port = "#define PROXY_PORT 1080";
        String socket = "#define GATEWAY \"/run/glove/mcp.sock\"";
        assertThat(text).contains(port, socket);
        Path changed = directory.resolve("guest.c");
        String there = directory.resolve("gateway").toString();
        Files.writeString(
                changed,
                text.replace(port, "#define PROXY_PORT " + proxy.getLocalPort())
                        .replace(socket, "#define GATEWAY \"" + there + "\""));
        Path program = directory.resolve(name);
        // As it is shipped: without a loader, whose calls would be counted, too.
        CProgram.run(directory, "gcc", "-static", "-o", program.toString(), changed.toString());
        return program;
    }

    private Attempt attempt(List<String> program, String call, int nth, String error)
            throws IOException, InterruptedException {
        Path trace = directory.resolve("trace");
        List<String> line = new ArrayList<>(List.of(STRACE, "-qq", "-o", trace.toString()));
        line.addAll(List.of("-e", "trace=" + call, "-e"));
        line.add("inject=" + call + ":error=" + error + ":when=" + nth);
        line.addAll(program);
        Result result = run(line);
        boolean hit = Files.readString(trace).contains("(INJECTED)");
        return new Attempt(call, nth, error, result.status(), result.out(), result.err(), hit);
    }

    /** How a program ended. */
    private record Result(int status, String out, String err) {}

    private Result run(List<String> line) throws IOException, InterruptedException {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        Process process = new ProcessBuilder(line)
                .redirectInput(directory.resolve("in").toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        int status = ended ? process.exitValue() : -1;
        return new Result(status, Files.readString(out), Files.readString(err));
    }
}
