package glove.egress;

import static glove.egress.HelloBytes.ascii;
import static glove.egress.HelloBytes.join;
import static glove.egress.HelloBytes.number;
import static glove.egress.HelloBytes.vector;
import static glove.egress.PlainHttp.OK;
import static glove.egress.PlainHttp.OTHER;
import static glove.egress.PlainHttp.PLACE;
import static glove.egress.PlainHttp.get;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;
import glove.sys.FdLeaks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/**
 * Attacks on the way out that a client or a server tries with whole connections: what comes behind a
 * refusal, what is taken for something else on a kept connection, names that change their mind. Each
 * has its control, by which the bytes that are refused would have arrived. docs/attacks.md lists
 * them.
 */
@Tag("process")
final class ProxyAttackTest {
    private static final String SMUGGLED = get("one.test", "/smuggled");

    @BeforeEach
    void watch() {
        FdLeaks.watch();
    }

    @AfterEach
    void nothingStaysOpen() {
        FdLeaks.assertNone();
    }

    private static ProxyWorld world() throws Exception {
        ProxyWorld world = new ProxyWorld(
                List.of("one.test:80", "two.test:80", "one.test:443", "one.test:7000"), List.of());
        world.name("one.test", PLACE);
        world.name("two.test", OTHER);
        return world;
    }

    private static byte[] socks(int command, byte[] host) {
        return join(number(5, 1), number(command, 1), number(0, 1), host, number(7000, 2));
    }

    private static byte[] domain(String name) {
        return join(number(3, 1), vector(1, ascii(name)));
    }

    /** Sends bytes at once; what came back, and that nobody was dialled. */
    private static String refused(byte[] bytes) throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(bytes);
            world.awaitOver(client);
            world.settle();

            assertThat(world.dialled).isEmpty();
            assertThat(world.isUntouched(server)).isTrue();
            return client.text();
        }
    }

    /** The control of those: the same request alone arrives. */
    @Test
    void aRequestByItselfArrives() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            world.vouchedClient().send(SMUGGLED);

            world.awaitText(world.accept(server), "GET /smuggled ");
        }
    }

    @Test
    void whatFollowsARefusedConnectIsNoRequest() throws Exception {
        String connect = "CONNECT denied.test:443 HTTP/1.1\r\nHost: denied.test:443\r\n\r\n";

        assertThat(refused(ascii(connect + SMUGGLED)))
                .startsWith("HTTP/1.1 403 ")
                .doesNotContain(" 200 ");
    }

    @Test
    void whatFollowsARefusedRequestIsNoRequestEvenAsItsBody() throws Exception {
        String post = "POST http://denied.test/ HTTP/1.1\r\nHost: denied.test\r\nContent-Length: 0"
                + "\r\n\r\n";

        assertThat(refused(ascii(post + SMUGGLED))).startsWith("HTTP/1.1 403 ");
    }

    @Test
    void whatFollowsARefusedSocksRequestIsNothing() throws Exception {
        byte[] greeting = join(number(5, 1), vector(1, new byte[1]));
        byte[] request = socks(1, domain("denied.test"));

        assertThat(refused(join(greeting, request, ascii(SMUGGLED))))
                .startsWith("\u0005\u0000\u0005\u0002")
                .doesNotContain("HTTP");
    }

    @Test
    void socksNeitherBindsNorRelaysDatagrams() throws Exception {
        byte[] greeting = join(number(5, 1), vector(1, new byte[1]));
        for (int command : new int[] {2, 3, 0, 255}) {
            assertThat(refused(join(greeting, socks(command, domain("one.test")))))
                    .as("command %d", command)
                    .startsWith("\u0005\u0000\u0005\u0007");
        }
    }

    @Test
    void aNameWithAZeroOrAnotherInItIsNoNameOfSocks() throws Exception {
        byte[] greeting = join(number(5, 1), vector(1, new byte[1]));
        for (String name : List.of(
                "one.test\0",
                "one.test\0.denied.test",
                "one.test:7000",
                "one.test/",
                "[one.test]")) {
            assertThat(refused(join(greeting, socks(1, domain(name)))))
                    .as(name)
                    .startsWith("\u0005\u0000\u0005\u0001");
        }
    }

    @Test
    void aMarkOfByteOrderOrAnEmptyLineBeforeAHeadIsNone() throws Exception {
        for (String before : List.of("\u00ef\u00bb\u00bf", "\r\n", "\n", "\0", " ")) {
            assertThat(refused(ascii(before + SMUGGLED)))
                    .as("%s", ascii(before))
                    .startsWith("HTTP/1.1 400 ");
        }
    }

    /** TRACE gives back what arrived; the credential never does. */
    @Test
    void noServerHearsTheCredentialHoweverItIsCalled() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.client();
            client.send("TRACE http://one.test/ HTTP/1.1\r\nHost: one.test\r\nX-Own: kept\r\n"
                    + "PROXY-authorization: " + world.basic() + "\r\nMax-Forwards: 0\r\n\r\n");
            Peer there = world.accept(server);
            world.awaitText(there, "\r\n\r\n");

            assertThat(there.text())
                    .contains("X-Own: kept\r\n")
                    .doesNotContain(world.basic())
                    .doesNotContain(world.credential.password());
        }
    }

    @Test
    void theCredentialIsAskedForWithEachRequestOfAConnection() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.client();
            String paid = "GET http://one.test/1 HTTP/1.1\r\nHost: one.test\r\n"
                    + "Proxy-Authorization: " + world.basic() + "\r\n\r\n";
            client.send(paid);
            Peer there = world.accept(server);
            world.awaitText(there, "GET /1 ");
            there.send(OK);
            world.awaitText(client, "\r\n\r\nok");

            client.send(SMUGGLED);
            world.awaitText(client, "HTTP/1.1 407 ");

            assertThat(there.text()).doesNotContain("smuggled");
        }
    }

    /** A websocket that the server does not want: what follows is HTTP, and decided. */
    @Test
    void anUpgradeTheServerRefusedIsNoTunnel() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send("GET http://one.test/ws HTTP/1.1\r\nHost: one.test\r\n"
                    + "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
            Peer there = world.accept(server);
            world.awaitText(there, "Upgrade: websocket");
            there.send(OK);
            world.awaitText(client, "\r\n\r\nok");

            client.sendIfThere(get("denied.test", "/tunnelled"));
            world.awaitOver(client);

            assertThat(there.text()).doesNotContain("tunnelled");
            assertThat(client.text()).contains(" 403 ");
        }
    }

    @Test
    void nobodyTalksHttp2InTheClearOrAnotherProtocol() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send("GET http://one.test/ HTTP/1.1\r\nHost: one.test\r\nX-Own: kept\r\n"
                    + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c, websocket\r\n"
                    + "HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n");
            Peer there = world.accept(server);
            world.awaitText(there, "\r\n\r\n");

            assertThat(there.text())
                    .contains("X-Own: kept\r\n")
                    .doesNotContain("h2c")
                    .doesNotContain("HTTP2-Settings");
            there.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                    + "Upgrade: h2c\r\n\r\n");
            world.awaitText(client, "HTTP/1.1 502 ");
        }
    }

    /** A server merges what stands behind a body into the head, where it would frame the next. */
    @Test
    void fieldsBehindABodyAreNotThoseThatFrameMessages() throws Exception {
        for (String field :
                List.of("Content-Length: 500", "transfer-encoding: chunked", "Host: two.test")) {
            try (ProxyWorld world = world()) {
                ProxyWorld.Server server = world.server(PLACE, 80);
                Peer client = world.vouchedClient();
                client.send("POST http://one.test/ HTTP/1.1\r\nHost: one.test\r\n"
                        + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n" + field + "\r\n\r\n");
                Peer there = world.accept(server);
                world.awaitOver(client);
                world.awaitOver(there);

                assertThat(there.text()).as(field).doesNotContain(field);
            }
        }
    }

    /** The second answer would be given to the next request of the client's. */
    @Test
    void aBodyWhereThereIsNoneBelongsToNoRequest() throws Exception {
        for (String empty : List.of("204 No Content", "304 Not Modified")) {
            try (ProxyWorld world = world()) {
                ProxyWorld.Server server = world.server(PLACE, 80);
                Peer client = world.vouchedClient();
                client.send(get("one.test", "/1"));
                Peer first = world.accept(server);
                world.awaitText(first, "GET /1 ");
                String evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
                first.send("HTTP/1.1 " + empty + "\r\nContent-Length: " + evil.length() + "\r\n\r\n"
                        + evil);
                world.awaitText(client, empty);
                world.settle();

                client.send(get("one.test", "/2"));
                Peer second = world.accept(server);
                world.awaitText(second, "GET /2 ");
                second.send(OK);
                world.awaitText(client, "\r\n\r\nok");

                assertThat(client.text()).as(empty).doesNotContain("evil");
            }
        }
    }

    /** The server's end makes the proxy ask again, when the name has another address. */
    @Test
    void aNameThatTurnsPrivateBetweenTwoTriesIsNotDialledAgain() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            ProxyWorld.Server inner = world.server("10.0.0.7", 80);
            Peer client = world.vouchedClient();
            client.send(get("one.test", "/1"));
            Peer first = world.accept(server);
            world.awaitText(first, "GET /1 ");
            first.send(OK);
            world.awaitText(client, "\r\n\r\nok");

            synchronized (world) {
                world.names.remove("one.test");
            }
            world.name("one.test", "10.0.0.7");
            client.send(get("one.test", "/2"));
            world.awaitText(first, "GET /2 ");
            first.close();
            world.awaitOver(client);

            assertThat(client.text()).contains(" 403 ").contains("10.0.0.7");
            assertThat(world.isUntouched(inner)).isTrue();
        }
    }

    /** Each record of a hello may hold one byte, and each segment one byte of a record. */
    @Test
    void aHandshakeForAnotherServerIsSeenInTheSmallestPieces() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 443);
            Peer client = world.tunnel("one.test:443");
            Peer there = world.accept(server);
            byte[] message =
                    HelloBytes.message(HelloBytes.serverName(HelloBytes.entry(0, "two.test")));
            for (byte one : message) {
                byte[] record = HelloBytes.record(new byte[] {one});
                client.send(record);
                world.turn();
            }
            world.awaitOver(client);

            assertThat(there.count()).isZero();
            assertThat(world.event(Kind.REFUSED).reason()).contains("two.test");
        }
    }

    /** The name in the clear is the allowed one, and a second name hides in the key share. */
    @Test
    void aServerNameOfAnotherKindOrBesideTheRightOneIsRefused() throws Exception {
        byte[] right = HelloBytes.entry(0, "one.test");
        for (byte[] names : List.of(
                HelloBytes.serverName(right, HelloBytes.entry(0, "two.test")),
                HelloBytes.serverName(right, HelloBytes.entry(7, "two.test")),
                HelloBytes.serverName(HelloBytes.entry(0, "one.test\0two.test")),
                HelloBytes.serverName(HelloBytes.entry(0, "two.test#.one.test")))) {
            try (ProxyWorld world = world()) {
                ProxyWorld.Server server = world.server(PLACE, 443);
                Peer client = world.tunnel("one.test:443");
                Peer there = world.accept(server);
                client.send(HelloBytes.record(HelloBytes.message(names)));
                world.awaitOver(client);

                assertThat(there.count()).isZero();
            }
        }
    }

    @Test
    void addressesThatHoldAnotherAddressLeadNowhereInside() throws Exception {
        List<String> everything = List.of("0.0.0.0/0", "::/0");
        for (String address : List.of(
                "[::ffff:127.0.0.1]",
                "[::127.0.0.1]",
                "[64:ff9b::7f00:1]",
                "[64:ff9b:1::a00:1]",
                "[2002:7f00:1::]",
                "[2001:0:0:0:0:0:8080:fefe]",
                "[fec0::1]",
                "[::ffff:0:7f00:1]")) {
            try (ProxyWorld world = new ProxyWorld(everything, List.of())) {
                Peer client = world.vouchedClient();
                client.send("CONNECT " + address + ":443 HTTP/1.1\r\nHost: " + address
                        + ":443\r\n\r\n");
                world.awaitOver(client);

                assertThat(client.text()).as(address).startsWith("HTTP/1.1 403 ");
                assertThat(world.dialled).isEmpty();
            }
        }
        try (ProxyWorld world = new ProxyWorld(everything, List.of())) {
            world.server("2606:4700::1", 443);
            assertThat(world.tunnel("[2606:4700::1]:443").isOver())
                    .as("control")
                    .isFalse();
        }
    }

    @Test
    void aNameThatHoldsAnAddressOfTheMachineBehindATranslatorIsRefused() throws Exception {
        for (String address :
                List.of("64:ff9b::7f00:1", "2002:a00:1::1", "::ffff:169.254.169.254")) {
            try (ProxyWorld world = world()) {
                synchronized (world) {
                    world.names.remove("one.test");
                }
                world.name("one.test", address);
                Peer client = world.vouchedClient();
                client.send(get("one.test", "/"));
                world.awaitOver(client);

                assertThat(client.text()).as(address).startsWith("HTTP/1.1 403 ");
                assertThat(world.dialled).isEmpty();
            }
        }
    }
}
