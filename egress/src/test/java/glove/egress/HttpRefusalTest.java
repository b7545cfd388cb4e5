package glove.egress;

import static glove.egress.PlainHttp.OK;
import static glove.egress.PlainHttp.PLACE;
import static glove.egress.PlainHttp.get;
import static glove.egress.PlainHttp.world;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;
import glove.sys.FdLeaks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;

/** What is no proper HTTP, comes too late or is too much, from either side. */
@Tag("process")
class HttpRefusalTest {
    @BeforeEach
    void watch() {
        FdLeaks.watch();
    }

    @AfterEach
    void nothingStaysOpen() {
        FdLeaks.assertNone();
    }

    @Test
    void aServerThatSaysNothingIsABadGateway() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(get("one.test", "/"));
            Peer there = world.accept(server);
            world.awaitText(there, "GET / ");
            there.close();

            world.awaitText(client, "HTTP/1.1 502 ");
        }
    }

    @Test
    void aServerThatTalksNonsenseIsABadGateway() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(get("one.test", "/"));
            Peer there = world.accept(server);
            world.awaitText(there, "GET / ");
            there.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n");

            world.awaitText(client, "HTTP/1.1 502 ");
            world.awaitOver(there);
            assertThat(client.text()).doesNotContain("200 OK");
        }
    }

    private static void refuses(String request, String status) throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(request);

            world.awaitText(client, "\r\n\r\n");
            world.awaitOver(client);

            assertThat(client.text())
                    .startsWith("HTTP/1.1 " + status + " ")
                    .contains("Connection: close\r\n")
                    .contains("Content-Length: ");
            assertThat(world.isUntouched(server)).isTrue();
            assertThat(world.event(Kind.REFUSED).destination()).isEmpty();
        }
    }

    @Test
    void whatTwoProgramsCouldReadDifferentlyIsRefused() throws Exception {
        String line = "POST http://one.test/ HTTP/1.1\r\n";
        refuses(line + "Host: two.test\r\nContent-Length: 0\r\n\r\n", "400");
        refuses(
                line + "Host: one.test\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
                "400");
        refuses(line + "Host: one.test\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n", "400");
        refuses(line + "Host: one.test\nContent-Length: 0\n\n", "400");
        String named = line + "Host: one.test\r\nContent-Length: 0\r\n";
        refuses(named + "Content_Length: 3\r\n\r\n", "400");
        refuses(named + "TRANSFER_encoding: chunked\r\n\r\n", "400");
        refuses("GET / HTTP/1.1\r\nHost: one.test\r\n\r\n", "400");
        refuses("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505");
        refuses("\u0016\u0003\u0001\u0000\u0005hello", "400");
    }

    @Test
    void aHeadThatIsTooLongIsRefused() throws Exception {
        refuses(
                "GET http://one.test/ HTTP/1.1\r\nHost: one.test\r\nX: " + "y".repeat(17_000),
                "431");
    }

    @Test
    void aChunkThatIsNoneIsNotPassedOn() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send("POST http://one.test/ HTTP/1.1\r\nHost: one.test\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n");
            Peer there = world.accept(server);

            world.awaitOver(client);
            world.awaitOver(there);

            assertThat(there.text()).endsWith("\r\n\r\n");
            assertThat(there.resetBy())
                    .as("not an end the server might believe")
                    .isNotZero();
        }
    }

    @Test
    void aHeadThatComesTooSlowlyIsATimeout() throws Exception {
        try (ProxyWorld world = world()) {
            Peer client = world.vouchedClient();
            world.until("it is there", () -> world.proxy().connections() == 1);
            String head = get("one.test", "/");
            for (int i = 0; i < 29; i++) {
                client.send(head.substring(i, i + 1));
                world.awaitEvent();
                world.turn();
                world.pass(1_000);
            }
            assertThat(client.isOver()).isFalse();

            world.pass(1_000);

            world.awaitText(client, "HTTP/1.1 408 ");
        }
    }

    @Test
    void aClientThatEndsWithinAHeadIsLetGoAtOnce() throws Exception {
        try (ProxyWorld world = world()) {
            Peer client = world.vouchedClient();
            client.send("GET http://one.test/ HTTP/1.1\r\nHost: one").endWriting();
            world.awaitOver(client);
            assertThat(client.text()).isEmpty();

            Peer socks = world.vouchedClient();
            socks.send("\u0005\u0002\u0000").endWriting();
            world.awaitOver(socks);
            assertThat(socks.text()).isEmpty();
            assertThat(world.proxy().connections()).isZero();
        }
    }

    @Test
    void anAnswerWhoseFieldsAreNearlyThoseThatEndItIsABadGateway() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(get("one.test", "/"));
            Peer there = world.accept(server);
            world.awaitText(there, "GET / ");

            there.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer_Encoding: chunked\r\n\r\n");

            world.awaitText(client, "HTTP/1.1 502 ");
        }
    }

    @Test
    void aServerThatEndsWithinAHeadIsABadGateway() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(get("one.test", "/"));
            Peer there = world.accept(server);
            world.awaitText(there, "GET / ");
            there.send("HTTP/1.1 200 OK\r\nContent-");
            there.close();

            world.awaitText(client, "HTTP/1.1 502 ");
        }
    }

    @Test
    void aClientThatSaysNothingIsLetGo() throws Exception {
        try (ProxyWorld world = world()) {
            Peer client = world.vouchedClient();
            world.until("it is there", () -> world.proxy().connections() == 1);

            world.pass(30_000);

            world.until("the end", client::isEnded);
            assertThat(client.text()).isEmpty();
            assertThat(world.events).isEmpty();
        }
    }

    @Test
    void theLimitOfBytesCountsHeadsToo() throws Exception {
        EgressLimits limits = EgressLimits.standard()
                .withBytesOut(EgressLimits.UNLIMITED, Map.of("one.test", 120L));
        try (ProxyWorld world = world(limits)) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(get("one.test", "/" + "x".repeat(60)));
            Peer there = world.accept(server);
            world.awaitText(there, "\r\n\r\n");
            there.send(OK);
            world.awaitText(client, "\r\n\r\nok");

            client.send(get("one.test", "/2"));

            world.awaitText(client, "HTTP/1.1 403 ");
            assertThat(world.event(Kind.REFUSED).reason()).contains("limit of 120 bytes");
        }
    }
}
