package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.ErrnoException;
import glove.sys.IpAddress;
import glove.sys.IpEndpoint;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;
import glove.sys.TransferBuffer;
import glove.sys.UnixPath;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** glove-connect inside a sandbox, with this test as the proxy outside. */
@Tag("privileged")
final class GuestConnectTest {
    private static final int MILLIS_MAX = 240_000;
    private static final IpEndpoint VOUCHED = new IpEndpoint(IpAddress.LOOPBACK_V4, 1080);
    private static final String GOOD = "HTTP/1.1 200 Connection established\r\n\r\n";
    private static final String GUEST = System.getProperty("glove.native") + "/guest";

    private final Linux linux = Linux.host();

    /** What the proxy does with a connection. */
    private interface Proxy {
        void serve(OwnedFd connection) throws ErrnoException;
    }

    private Profile profile(String script, List<IpEndpoint> listeners) throws Exception {
        Profile plain = TestProfiles.shell(linux, "PATH=$PATH:/run/glove/bin\n" + script);
        List<String> names = List.of(GuestPrograms.CONNECT, "glove-other");
        GuestPrograms programs =
                GuestPrograms.read(linux, UnixPath.of(GUEST), plain.grants(), names);
        return new Profile(
                plain.host(),
                plain.grants(),
                plain.home(),
                plain.directories(),
                plain.scratch(),
                plain.ids(),
                plain.program(),
                plain.argv(),
                plain.environment(),
                plain.workingDirectory(),
                plain.terminal(),
                plain.sockets(),
                plain.guards(),
                plain.watched(),
                plain.nesting(),
                Optional.of(Loopback.of(linux, listeners, false)),
                programs);
    }

    private Exit run(String script, Proxy proxy) throws Exception {
        try (Launcher launcher = TestProfiles.launcher(linux);
                RunningSandbox running = new Sandbox(linux, launcher)
                        .launch(profile(script, List.of(VOUCHED)), StandardStreams.inherited());
                OwnedFd listener = running.takeLoopbackListener(0).orElseThrow()) {
            await(listener, PollFd.POLLIN);
            try (OwnedFd connection = linux.accept(listener).orElseThrow()) {
                proxy.serve(connection);
                return running.await();
            }
        }
    }

    private Exit runAlone(String script) throws Exception {
        try (Launcher launcher = TestProfiles.launcher(linux);
                RunningSandbox running = new Sandbox(linux, launcher)
                        .launch(profile(script, List.of()), StandardStreams.inherited())) {
            return running.await();
        }
    }

    private void await(OwnedFd fd, int events) throws ErrnoException {
        int[] happened = linux.poll(List.of(new PollFd(fd, events)), MILLIS_MAX);
        assertThat(happened[0]).as("in time").isNotZero();
    }

    private String readHead(OwnedFd connection) throws ErrnoException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            await(connection, PollFd.POLLIN);
            byte[] more = linux.read(connection, 1000);
            assertThat(more).as("before the end of %s", head).isNotEmpty();
            head.append(new String(more, StandardCharsets.US_ASCII));
        }
        return head.toString();
    }

    private void write(OwnedFd connection, String text) throws ErrnoException {
        linux.writeFully(connection, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Until the end of its input, in blocks of its own size; then ends its output. */
    private void echo(OwnedFd connection) throws ErrnoException {
        TransferBuffer buffer = new TransferBuffer(linux, 50_000);
        for (; ; ) {
            await(connection, PollFd.POLLIN);
            if (buffer.fill(connection) == 0) {
                linux.endWriting(connection);
                return;
            }
            while (!buffer.isEmpty()) {
                await(connection, PollFd.POLLOUT);
                buffer.drain(connection);
            }
        }
    }

    @Test
    void bytesAndEndsPassBothWaysAndTheRequestIsExact() throws Exception {
        String script = """
                out=$(printf hello | glove-connect git.example.org 22) || exit 1
                [ "$out" = "SSH-2.0-early hello" ] && exit 7
                """;

        Exit exit = run(script, connection -> {
            assertThat(readHead(connection))
                    .isEqualTo("CONNECT git.example.org:22 HTTP/1.1\r\n"
                            + "Host: git.example.org:22\r\n\r\n");
            write(connection, GOOD + "SSH-2.0-early ");
            echo(connection);
        });

        assertThat(exit).isEqualTo(new Exit.Exited(7));
    }

    @Test
    void anAnswerInSingleBytesIsUnderstood() throws Exception {
        Exit exit = run("[ \"$(glove-connect a 1 </dev/null)\" = x ] && exit 7", connection -> {
            readHead(connection);
            for (String one : (GOOD + "x").split("", -1)) {
                linux.sendAtOnce(connection);
                write(connection, one);
            }
            echo(connection);
        });

        assertThat(exit).isEqualTo(new Exit.Exited(7));
    }

    @Test
    void tensOfMegabytesPassBothWaysAtOnce() throws Exception {
        String script = """
                [ $(head -c 20000000 /dev/zero | glove-connect a 1 | wc -c) = 20000000 ] && exit 7
                """;

        Exit exit = run(script, connection -> {
            readHead(connection);
            write(connection, GOOD);
            echo(connection);
        });

        assertThat(exit).isEqualTo(new Exit.Exited(7));
    }

    @Test
    void anIpv6AddressStandsInBrackets() throws Exception {
        run("glove-connect 2001:db8::1 443 </dev/null", connection -> {
            assertThat(readHead(connection)).contains("CONNECT [2001:db8::1]:443 HTTP/1.1\r\n");
            connection.close();
        });
    }

    @Test
    void aRefusalIsSaidInTheWordsOfTheProxy() throws Exception {
        String script = """
                said=$(glove-connect a.example 22 2>&1 </dev/null)
                [ $? = 1 ] && [ "$said" = "glove-connect: not allowed: try this" ] && exit 7
                """;

        Exit exit = run(script, connection -> {
            readHead(connection);
            write(connection, "HTTP/1.1 403 Forbidden\r\nContent-Length: 22\r\n\r\n");
            write(connection, "not allowed: try this\n");
            connection.close();
        });

        assertThat(exit).isEqualTo(new Exit.Exited(7));
    }

    @Test
    void whatIsNoProxyOrAnswersNothingIsToldFromOne() throws Exception {
        for (String answer : List.of("", "220 smtp.example\r\n\r\n", "x".repeat(70_000))) {
            Exit exit = run("glove-connect a 1 </dev/null 2>/dev/null; exit $?", connection -> {
                readHead(connection);
                write(connection, answer);
                connection.close();
            });

            assertThat(exit).as(answer).isEqualTo(new Exit.Exited(1));
        }
    }

    @Test
    void itEndsWhenNobodyReadsItsOutputAnyMore() throws Exception {
        String script = """
                mkfifo /tmp/open; exec 3<>/tmp/open
                glove-connect a 1 <&3 | true
                exit 7
                """;

        Exit exit = run(script, connection -> {
            readHead(connection);
            write(connection, GOOD);
            await(connection, PollFd.POLLIN);
        });

        assertThat(exit).isEqualTo(new Exit.Exited(7));
    }

    @Test
    void badArgumentsAreRefusedBeforeAnythingIsSent() throws Exception {
        Exit exit = runAlone("""
                refused() { glove-connect "$@" 2>/dev/null; [ $? = 2 ] || exit 1; }
                refused; refused a; refused a 1 2; refused "" 1; refused a ""; refused a 123456
                refused 'a b' 1; refused 'a/b' 1; refused a 2x; refused a '22 HTTP/1.1'
                refused "$(printf 'a\\r\\nX: y')" 22; refused a "$(printf '22\\r\\nX: y')"
                refused "$(printf '%254s' | tr ' ' a)" 22; refused 'a@b' 1; refused '[::1]' 1
                glove-other a 1 2>/dev/null; [ $? = 2 ] || exit 1
                exit 7
                """);

        assertThat(exit).isEqualTo(new Exit.Exited(7));
    }

    @Test
    void withoutAProxyItSaysSo() throws Exception {
        Exit exit = runAlone("""
                said=$(glove-connect a 1 2>&1)
                [ $? = 1 ] || exit 1
                case $said in *--egress-allow*) exit 7 ;; esac
                """);

        assertThat(exit).isEqualTo(new Exit.Exited(7));
    }

    @Test
    void theAgentCannotChangeIt() throws Exception {
        Exit exit = runAlone("""
                cd /run/glove/bin || exit 1
                (: >glove-connect) 2>/dev/null && exit 2
                rm -f glove-connect 2>/dev/null && exit 3
                (: >more) 2>/dev/null && exit 4
                chmod 777 glove-connect 2>/dev/null && exit 5
                [ -x glove-connect ] && exit 7
                """);

        assertThat(exit).isEqualTo(new Exit.Exited(7));
    }

    @Test
    void aGrantThatStandsInTheWayIsRefused() throws Exception {
        Identity any = Identity.of(linux.lstat(UnixPath.of("/run")));
        for (String path : List.of("/run/glove", "/run/glove/bin", "/run/glove/bin/file")) {
            Grant grant = new Grant(UnixPath.of(path), Access.READ, any, 0, 0, "--read");

            assertThatThrownBy(() ->
                            GuestPrograms.refuseInTheWay(List.of(grant), GuestPrograms.DIRECTORY))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("'" + path + "' is granted");
        }
        Grant beside = new Grant(UnixPath.of("/run/glover"), Access.READ, any, 0, 0, "--read");
        GuestPrograms.refuseInTheWay(List.of(beside), GuestPrograms.DIRECTORY);
    }
}
