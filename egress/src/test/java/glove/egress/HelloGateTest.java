package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;
import glove.sys.FdLeaks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** What a client sends first through a tunnel has to be for the host it was allowed for. */
@Tag("process")
class HelloGateTest {
    private static final String PLACE = "93.184.216.34";

    private static ProxyWorld world(String... allow) throws Exception {
        return new ProxyWorld(List.of(allow), List.of());
    }

    @BeforeEach
    void watch() {
        FdLeaks.watch();
    }

    @AfterEach
    void nothingStaysOpen() {
        FdLeaks.assertNone();
    }

    @Test
    void anAddressNeedsNoServerName() throws Exception {
        try (ProxyWorld world = world(PLACE + ":443")) {
            ProxyWorld.Server server = world.server(PLACE, 443);
            Peer client = world.tunnel(PLACE + ":443");
            Peer there = world.accept(server);

            client.send("no TLS at all");

            world.awaitText(there, "no TLS at all");
        }
    }

    @Test
    void theHandshakeMayComeInPieces() throws Exception {
        try (ProxyWorld world = world("web.test")) {
            world.name("web.test", PLACE);
            ProxyWorld.Server server = world.server(PLACE, 443);
            Peer client = world.tunnel("web.test:443");
            Peer there = world.accept(server);
            byte[] hello = HelloBytes.to("WEB.test.");

            for (byte b : hello) {
                assertThat(there.count())
                        .as("nothing passes before it is known")
                        .isZero();
                client.send(new byte[] {b});
                world.settle();
            }

            world.until("it arrives", () -> there.count() == hello.length);
            there.send(HelloBytes.record(HelloBytes.serverHello(new byte[32])));
            client.send("more");
            world.awaitText(there, "more");
        }
    }

    private void refusesHello(byte[] sent, String reason) throws Exception {
        try (ProxyWorld world = world("web.test")) {
            world.name("web.test", PLACE);
            ProxyWorld.Server server = world.server(PLACE, 443);
            Peer client = world.tunnel("web.test:443");
            Peer there = world.accept(server);

            client.send(sent);
            world.awaitOver(client);
            world.awaitOver(there);

            assertThat(there.count()).as("bytes the server gets").isZero();
            assertThat(client.bytes()).containsExactly(0x15, 3, 3, 0, 2, 2, 112);
            assertThat(world.event(Kind.REFUSED).reason()).contains(reason);
            assertThat(world.event(Kind.REFUSED).destination()).isEqualTo("web.test:443");
            assertThat(world.events(Kind.ENDED)).isEmpty();
        }
    }

    @Test
    void aHandshakeForAnotherServerIsRefused() throws Exception {
        refusesHello(HelloBytes.to("other.test"), "the TLS handshake is for 'other.test'");
    }

    @Test
    void aHandshakeThatNamesNoServerIsRefused() throws Exception {
        refusesHello(HelloBytes.to(""), "names no server");
    }

    @Test
    void whatIsNoTlsIsRefusedOnItsPort() throws Exception {
        refusesHello("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII), "no TLS");
    }

    @Test
    void aMalformedHandshakeIsRefused() throws Exception {
        refusesHello(new byte[] {22, 3, 1, 0, 5, 2, 0, 0, 1, 0}, "malformed");
    }

    @Test
    void aHandshakeForAnotherServerIsRefusedOnOtherPortsToo() throws Exception {
        try (ProxyWorld world = world("web.test:8443")) {
            world.name("web.test", PLACE);
            ProxyWorld.Server server = world.server(PLACE, 8443);
            Peer client = world.tunnel("web.test:8443");
            Peer there = world.accept(server);

            client.send(HelloBytes.to("other.test"));
            world.awaitOver(client);

            assertThat(there.count()).isZero();
            assertThat(world.event(Kind.REFUSED).reason()).contains("other.test");
        }
    }

    @Test
    void otherProtocolsPassOnOtherPorts() throws Exception {
        try (ProxyWorld world = world("git.test:22")) {
            world.name("git.test", PLACE);
            ProxyWorld.Server server = world.server(PLACE, 22);
            Peer client = world.tunnel("git.test:22");
            Peer there = world.accept(server);

            there.send("SSH-2.0-server\r\n");
            world.awaitText(client, "SSH-2.0-server");
            client.send("SSH-2.0-client\r\n");

            world.awaitText(there, "SSH-2.0-client");
        }
    }

    @Test
    void aHandshakeThatEndsHalfwayIsRefused() throws Exception {
        try (ProxyWorld world = world("web.test")) {
            world.name("web.test", PLACE);
            ProxyWorld.Server server = world.server(PLACE, 443);
            Peer client = world.tunnel("web.test:443");
            Peer there = world.accept(server);
            client.send(Arrays.copyOf(HelloBytes.to("web.test"), 20)).endWriting();

            world.awaitOver(there);

            assertThat(there.count()).isZero();
            assertThat(world.event(Kind.REFUSED).reason()).contains("malformed");
        }
    }

    @Test
    void theServerMaySpeakBeforeTheHandshake() throws Exception {
        try (ProxyWorld world = world("web.test")) {
            world.name("web.test", PLACE);
            ProxyWorld.Server server = world.server(PLACE, 443);
            Peer client = world.tunnel("web.test:443");

            world.accept(server).send("early");

            world.awaitText(client, "early");
        }
    }

    @Test
    void noHandshakeWithinTenSecondsIsRefused() throws Exception {
        try (ProxyWorld world = world("web.test")) {
            world.name("web.test", PLACE);
            world.server(PLACE, 443);
            Peer client = world.tunnel("web.test:443");
            client.send(new byte[] {22, 3});
            world.settle();

            world.pass(9_999);
            assertThat(world.events(Kind.REFUSED)).isEmpty();
            world.pass(1);

            world.awaitOver(client);
            assertThat(world.event(Kind.REFUSED).reason()).contains("in time");
        }
    }
}
