package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;
import glove.egress.EgressEvent.Protocol;
import glove.sys.Errno;
import glove.sys.FdLeaks;
import glove.sys.IpEndpoint;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** The ways in: with the run's credential, vouched for, by SOCKS5, and straight to a service. */
@Tag("process")
class EntryTest {
    private static final String PLACE = "93.184.216.34";
    private static final String CONNECT =
            "CONNECT " + PLACE + ":7000 HTTP/1.1\r\nHost: " + PLACE + ":7000\r\n";

    @BeforeEach
    void watch() {
        FdLeaks.watch();
    }

    @AfterEach
    void nothingStaysOpen() {
        FdLeaks.assertNone();
    }

    private static ProxyWorld world() throws Exception {
        return new ProxyWorld(List.of(PLACE + ":7000", "web.test:7000"), List.of());
    }

    @Test
    void theCredentialOpensTheAuthenticatedEntry() throws Exception {
        try (ProxyWorld world = world()) {
            world.server(PLACE, 7000);
            Peer client = world.client();
            client.send(CONNECT + "Proxy-Authorization: " + world.basic() + "\r\n\r\n");

            world.awaitText(client, "HTTP/1.1 200 ");
        }
    }

    @Test
    void withoutTheCredentialNothingIsDecidedAndNoDestinationRecorded() throws Exception {
        try (ProxyWorld world = world()) {
            for (String field : List.of("", "Proxy-Authorization: Basic Z2xvdmU6eA==\r\n")) {
                Peer client = world.client();
                client.send(CONNECT + field + "\r\n");
                world.awaitOver(client);
                assertThat(client.text())
                        .startsWith("HTTP/1.1 407 ")
                        .contains("Proxy-Authenticate: Basic realm=\"glove\"\r\n");
            }

            assertThat(world.dialled).isEmpty();
            assertThat(world.event(Kind.REFUSED).destination()).isEmpty();
            world.pass(1_000);
            assertThat(world.events(Kind.REFUSED)).as("one a second").hasSize(2);
        }
    }

    @Test
    void afterAHundredWrongCredentialsThereAreNoAnswers() throws Exception {
        try (ProxyWorld world = world()) {
            for (int i = 0; i < 100; i++) {
                Peer client = world.client();
                client.send(CONNECT + "Proxy-Authorization: Basic Z2xvdmU6eA==\r\n\r\n");
                world.awaitText(client, "HTTP/1.1 407 ");
                client.close();
            }
            Peer client = world.client();
            client.send(CONNECT + "Proxy-Authorization: Basic Z2xvdmU6eA==\r\n\r\n");
            world.awaitOver(client);
            assertThat(client.text()).isEmpty();

            Peer asking = world.client();
            asking.send(CONNECT + "\r\n");
            world.awaitText(asking, "HTTP/1.1 407 ");
            world.server(PLACE, 7000);
            Peer right = world.client();
            right.send(CONNECT + "Proxy-Authorization: " + world.basic() + "\r\n\r\n");
            world.awaitText(right, "HTTP/1.1 200 ");
        }
    }

    @Test
    void credentialsThatDifferInOnePlaceAreWrong() throws Exception {
        try (ProxyWorld world = world()) {
            String right = world.credential.password();
            assertThat(world.credential.matches(login("glove", right))).isTrue();
            for (String wrong : List.of(
                    "",
                    right.substring(1),
                    right + "0",
                    "g" + right.substring(1),
                    right.toUpperCase(Locale.ROOT) + "A")) {
                assertThat(world.credential.matches(login("glove", wrong)))
                        .as(wrong)
                        .isFalse();
            }
            assertThat(world.credential.matches(login("Glove", right))).isFalse();
            assertThat(world.credential.toString()).doesNotContain(right);
            assertThat(world.credential.proxyUrl("127.0.0.1", 3128))
                    .isEqualTo("http://glove:" + right + "@127.0.0.1:3128");
        }
    }

    private static Socks5.Login login(String user, String password) throws MalformedException {
        String text = "\u0001" + (char) user.length() + user + (char) password.length() + password;
        byte[] sent = text.getBytes(StandardCharsets.ISO_8859_1);
        return Socks5.login(sent, 0, sent.length).orElseThrow();
    }

    private static String socksName(String name, int port) {
        return "\u0005\u0001\u0000\u0003" + (char) name.length() + name + (char) (port >> 8)
                + (char) (port & 0xff);
    }

    @Test
    void socksPassesByNameWithoutAuthenticationWhereItIsVouchedFor() throws Exception {
        try (ProxyWorld world = world()) {
            world.name("web.test", PLACE);
            ProxyWorld.Server server = world.server(PLACE, 7000);
            Peer client = world.vouchedClient();
            client.send("\u0005\u0001\u0000");
            world.until("the choice", () -> client.count() == 2);
            client.send(socksName("web.test", 7000) + "early");
            Peer there = world.accept(server);
            world.awaitText(there, "early");

            assertThat(client.bytes()).containsExactly(5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0);
            there.send("hi");
            world.awaitText(client, "hi");
            assertThat(world.event(Kind.ALLOWED).protocol()).isEqualTo(Protocol.SOCKS5);
        }
    }

    @Test
    void socksTakesTheCredentialByteByByte() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 7000);
            Peer client = world.client();
            String password = world.credential.password();
            String all = "\u0005\u0002\u0000\u0002\u0001\u0005glove" + (char) password.length()
                    + password + "\u0005\u0001\u0000\u0001" + "]\u00b8\u00d8\"\u001bX";
            for (int i = 0; i < all.length(); i++) {
                client.send(all.substring(i, i + 1));
                world.settle();
            }
            world.accept(server);
            world.until("all answers", () -> client.count() == 14);

            assertThat(client.bytes()).startsWith(5, 2, 1, 0, 5, 0);
        }
    }

    @Test
    void socksWithoutOrWithAWrongCredentialIsRefused() throws Exception {
        try (ProxyWorld world = world()) {
            Peer none = world.client();
            none.send("\u0005\u0001\u0000");
            world.awaitOver(none);
            assertThat(none.bytes()).containsExactly(5, 0xff);

            Peer wrong = world.client();
            wrong.send("\u0005\u0001\u0002\u0001\u0005glove\u0001x");
            world.awaitOver(wrong);
            assertThat(wrong.bytes()).containsExactly(5, 2, 1, 1);
            assertThat(world.event(Kind.REFUSED).destination()).isEmpty();
        }
    }

    @Test
    void socksTellsWhyThereIsNoConnection() throws Exception {
        try (ProxyWorld world = world()) {
            world.closed(PLACE, 7000);
            world.name("web.test", PLACE);
            assertThat(reply(world, socksName("other.test", 443)))
                    .as("not allowed")
                    .isEqualTo(2);
            assertThat(reply(world, socksName("web.test", 7000))).as("refused").isEqualTo(5);
            assertThat(reply(world, "\u0005\u0002\u0000\u0001abcd\u0000P"))
                    .as("BIND")
                    .isEqualTo(7);
            assertThat(world.events(Kind.REFUSED)).hasSize(2);
            assertThat(world.events(Kind.FAILED)).hasSize(1);
        }
    }

    private static int reply(ProxyWorld world, String request) throws Exception {
        Peer client = world.vouchedClient();
        client.send("\u0005\u0001\u0000" + request);
        world.awaitOver(client);
        assertThat(client.count()).isEqualTo(12);
        return client.bytes()[3];
    }

    @Test
    void aDirectEntryLeadsToItsServiceAndNowhereElse() throws Exception {
        try (ProxyWorld world = new ProxyWorld(List.of(), List.of("127.0.0.1:5432"))) {
            ProxyWorld.Server server = world.server("127.0.0.1", 5432);
            IpEndpoint entry = world.serve(Entry.direct(Destination.parse("127.0.0.1:5432")));
            Peer client = world.connect(entry);
            Peer there = world.accept(server);
            there.send("hello");
            world.awaitText(client, "hello");
            client.send("CONNECT other.test:443 HTTP/1.1\r\n\r\n");
            world.awaitText(there, "CONNECT other.test:443");
            client.endWriting();
            there.close();
            world.until("both are over", () -> world.proxy().connections() == 0);

            assertThat(world.event(Kind.ALLOWED).protocol()).isEqualTo(Protocol.DIRECT);
            assertThat(world.event(Kind.ENDED).bytesIn()).isEqualTo(5);
        }
    }

    @Test
    void aServiceThatIsDownResetsItsClient() throws Exception {
        try (ProxyWorld world = new ProxyWorld(List.of(), List.of("localhost:5432"))) {
            world.name("localhost", "127.0.0.1", "::1");
            world.closed("127.0.0.1", 5432);
            world.closed("::1", 5432);
            IpEndpoint entry = world.serve(Entry.direct(Destination.parse("localhost:5432")));
            Peer client = world.connect(entry);

            world.awaitOver(client);

            assertThat(client.resetBy()).isEqualTo(Errno.ECONNRESET);
            assertThat(world.event(Kind.FAILED).reason()).contains("ECONNREFUSED");
            assertThat(world.dialled).hasSize(2);
        }
    }
}
