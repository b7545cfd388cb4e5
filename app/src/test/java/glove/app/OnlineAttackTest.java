package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Every attack of {@link Attacks} once more, by an agent that has a way out: it may make TCP sockets
 * over a loopback interface, where Glove listens, and nothing else is answered otherwise than in
 * {@link AttackTest}, which shows that each attack works outside.
 */
@Tag("e2e")
final class OnlineAttackTest {
    /** TCP exists; nothing of the host's is behind it, and Glove's own ports are taken. */
    private static final Map<String, String> OTHERWISE = Map.of(
            "inet_connect", "ECONNREFUSED",
            "inet_fast_open", "ECONNREFUSED",
            "read_run", "OK", // its own, with Glove's programs
            "inet6_socket", "OK",
            "inet_high_bits", "OK",
            "listen_on_entry", "EADDRINUSE",
            "listen_on_entry_everywhere", "EADDRINUSE",
            "listen_on_entry_both_families", "EADDRINUSE",
            "listen_on_entry_mapped", "EADDRINUSE");

    /** What the root of a namespace of its own gets in the network namespace it did not make. */
    private static final Map<String, String> AS_NESTED_ROOT = Map.of(
            "inet_mark", "EPERM",
            "inet_transparent", "EPERM",
            "inet_repair", "EPERM",
            "ioctl_lo_down", "EPERM",
            "netlink_lo_down", "ENOSYS",
            "sysctl_net", "EACCES",
            "socket_other_families", "EPERM",
            "socket_other_protocols", "EPERM",
            "listen_on_entry", "EADDRINUSE",
            "inet_connect", "ECONNREFUSED");

    @TempDir
    private static Path directory;

    private static final AttackRanges RANGES = new AttackRanges();

    @BeforeAll
    static void attackEverything() throws IOException, InterruptedException {
        RANGES.open(directory);
        RANGES.attackInside(AttackRange.Setting.ONLINE);
    }

    @AfterAll
    static void close() throws IOException, InterruptedException {
        RANGES.close();
    }

    @Test
    void whatIsAnsweredOtherwiseIsAnAttack() {
        List<String> names = Attacks.ALL.stream().map(Attacks.Attack::name).toList();

        assertThat(names).containsAll(OTHERWISE.keySet());
    }

    @TestFactory
    Stream<DynamicContainer> theWayOutOpensNothingElse() {
        return RANGES.areAnswered(OTHERWISE);
    }

    @Test
    void theRootOfAnotherUserNamespaceHasNoPowerOverTheNetwork() throws Exception {
        for (AttackRange range : RANGES.all()) {
            Map<String, String> results = range.attack(AttackRange.Setting.ONLINE_NESTED);

            assertThat(results).as("as %s", range.identity()).containsAllEntriesOf(AS_NESTED_ROOT);
        }
    }

    private static Command.Result run(Identity identity, List<String> options, List<String> command)
            throws IOException, InterruptedException {
        Path state = directory.resolve(identity.name()).resolve("state");
        return GloveProgram.exec(identity, options, command)
                .with("XDG_STATE_HOME", state.toString())
                .run();
    }

    private static final String CONNECT = """
            import errno, os, socket, sys
            try:
                socket.create_connection((sys.argv[1], int(sys.argv[2])), 5).close()
                print('OK')
            except OSError as e:
                print(errno.errorcode[e.errno])
            """;

    /** A server of this machine on its address in a network, not on loopback. */
    @Test
    void thereIsNoRouteToAnotherAddressOfThisMachine() throws Exception {
        InetAddress own = otherAddress();
        try (ServerSocket server = new ServerSocket(0, 50, own)) {
            String port = Integer.toString(server.getLocalPort());
            List<String> client =
                    List.of("/usr/bin/python3", "-c", CONNECT, own.getHostAddress(), port);
            List<String> online = List.of("--egress-allow", "allowed.example");
            for (Identity identity : Identity.available()) {
                Command.Result outside = new Command(identity.command(client)).run();
                Command.Result inside = run(identity, online, client);

                assertThat(outside.out()).as("control: %s", outside).isEqualTo("OK\n");
                String expected = own.isLoopbackAddress() ? "ECONNREFUSED\n" : "ENETUNREACH\n";
                assertThat(inside.out()).as("%s", inside).isEqualTo(expected);
            }
        }
    }

    /** One of a network interface, or where there is none another of loopback. */
    private static InetAddress otherAddress() throws IOException {
        for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
            for (InetAddress address : each.inetAddresses().toList()) {
                if (address instanceof Inet4Address && !address.isLoopbackAddress()) {
                    return address;
                }
            }
        }
        return InetAddress.getByName("127.0.0.2");
    }

    /** A forged message would need a channel: there are the three streams and nothing else. */
    @Test
    void theAgentHoldsNoDescriptorButItsThreeStreams() throws Exception {
        String list = "import os\nprint(sorted(int(n) for n in os.listdir('/proc/self/fd')))";
        // A port that nobody else is given meanwhile, and Glove can listen on.
        try (Socket held = new Socket()) {
            held.setReuseAddress(true);
            held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String port = held.getLocalPort() + ":8080";
            List<String> options = List.of("--egress-allow", "allowed.example", "--publish", port);
            for (Identity identity : Identity.available()) {
                Command.Result result =
                        run(identity, options, List.of("/usr/bin/python3", "-c", list));

                // The fourth is the directory that is being listed.
                assertThat(result.out()).as("%s", result).isEqualTo("[0, 1, 2, 3]\n");
            }
        }
    }

    @Test
    void whatStandsInRunIsGlovesProgramForClientsAndNothingElse() throws Exception {
        for (Identity identity : Identity.available()) {
            List<String> find = List.of("find", "/run", "-printf", "%m %p\\n");
            Command.Result result =
                    run(identity, List.of("--egress-allow", "allowed.example"), find);

            assertThat(result.out())
                    .isEqualTo("755 /run\n755 /run/glove\n755 /run/glove/bin\n"
                            + "755 /run/glove/bin/glove-connect\n");
        }
    }

    @Test
    void offlineTheInterfaceIsDownAndOnlineItHasItsTwoAddressesAndNoRouteBeyond() throws Exception {
        List<String> look = List.of(
                "sh",
                "-c",
                "wc -l </proc/net/if_inet6; tail -n +2 /proc/net/route; ls /sys 2>&1; "
                        + "tail -n +3 /proc/net/dev | cut -d: -f1");
        for (Identity identity : Identity.available()) {
            String offline = run(identity, List.of(), look).out();
            String online = run(identity, List.of("--loopback"), look).out();

            assertThat(offline).startsWith("0\n").endsWith("    lo\n");
            assertThat(online)
                    .contains("    lo\n")
                    .doesNotContain("eth")
                    .doesNotContain("00000000");
        }
    }
}
