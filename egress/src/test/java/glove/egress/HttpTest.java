package glove.egress;

import static glove.egress.PlainHttp.OK;
import static glove.egress.PlainHttp.OTHER;
import static glove.egress.PlainHttp.PLACE;
import static glove.egress.PlainHttp.get;
import static glove.egress.PlainHttp.world;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;
import glove.egress.EgressEvent.Protocol;
import glove.sys.FdLeaks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Plain HTTP through the proxy: every request decided, framing followed to the byte. */
@Tag("process")
class HttpTest {
    @BeforeEach
    void watch() {
        FdLeaks.watch();
    }

    @AfterEach
    void nothingStaysOpen() {
        FdLeaks.assertNone();
    }

    @Test
    void aRequestGoesOutInOriginFormAndItsAnswerComesBack() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send("GET http://one.test/a?b HTTP/1.1\r\nHost: one.test\r\nX: y\r\n"
                    + "Proxy-Connection: keep-alive\r\nProxy-Authorization: Basic eHg=\r\n\r\n");
            Peer there = world.accept(server);
            world.awaitText(there, "\r\n\r\n");

            assertThat(there.text())
                    .isEqualTo("GET /a?b HTTP/1.1\r\nHost: one.test\r\nX: y\r\n\r\n");
            there.send(OK);
            world.awaitText(client, "\r\n\r\nok");
            world.settle();

            assertThat(client.text()).startsWith("HTTP/1.1 200 OK\r\n");
            assertThat(client.isOver()).as("kept").isFalse();
            EgressEvent allowed = world.event(Kind.ALLOWED);
            assertThat(allowed.protocol()).isEqualTo(Protocol.HTTP);
            assertThat(allowed.destination()).isEqualTo("one.test:80");
            EgressEvent end = world.event(Kind.ENDED);
            assertThat(end.bytesOut()).isEqualTo(there.count());
            assertThat(end.bytesIn()).isEqualTo(client.count());
        }
    }

    @Test
    void eachRequestOfAConnectionIsDecided() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(get("one.test", "/1"));
            Peer there = world.accept(server);
            world.awaitText(there, "GET /1 ");
            there.send(OK);
            world.awaitText(client, "\r\n\r\nok");

            client.send(get("one.test", "/2"));
            world.awaitText(there, "GET /2 ");
            there.send(OK);
            world.until("two answers", () -> client.text().split("ok", -1).length == 3);
            client.send(get("three.test", "/3"));
            world.awaitOver(client);

            assertThat(client.text()).contains("HTTP/1.1 403 ").contains("three.test:80");
            assertThat(world.events(Kind.ALLOWED)).hasSize(2);
            assertThat(world.event(Kind.REFUSED).destination()).isEqualTo("three.test:80");
            assertThat(world.dialled).as("one connection for both").hasSize(1);
        }
    }

    @Test
    void theDestinationMayChangeFromRequestToRequest() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server one = world.server(PLACE, 80);
            ProxyWorld.Server two = world.server(OTHER, 80);
            Peer client = world.vouchedClient();
            client.send(get("one.test", "/1") + get("two.test", "/2"));
            Peer first = world.accept(one);
            world.awaitText(first, "GET /1 ");
            assertThat(world.isUntouched(two)).as("one after the other").isTrue();
            first.send(OK);
            Peer second = world.accept(two);
            world.awaitText(second, "GET /2 ");
            second.send("HTTP/1.1 204 No Content\r\n\r\n");

            world.awaitText(client, "204 No Content");

            assertThat(first.text()).doesNotContain("/2");
            world.until("the first is let go", first::isEnded);
            assertThat(world.events(Kind.ENDED)).hasSize(2);
        }
    }

    @Test
    void aBodyByLengthPassesAndWhatFollowsItIsTheNextRequest() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send("POST http://one.test/1 HTTP/1.1\r\nHost: one.test\r\nContent-Length: 5\r\n"
                    + "\r\nhello" + get("one.test", "/2"));
            Peer there = world.accept(server);
            world.awaitText(there, "hello");
            world.settle();
            assertThat(there.text()).endsWith("\r\n\r\nhello");

            there.send(OK);
            world.awaitText(there, "GET /2 ");
            there.send(OK);
            world.until("two answers", () -> client.text().split("ok", -1).length == 3);
            assertThat(world.events(Kind.ENDED)).hasSize(2);
        }
    }

    @Test
    void chunksPassAsTheyAreAndTheirEndIsFound() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            String chunks =
                    "5\r\nhello\r\n40000\r\n" + "x".repeat(0x40000) + "\r\n0\r\nT: 1\r\n\r\n";
            client.send("POST http://one.test/1 HTTP/1.1\r\nHost: one.test\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n");
            Peer there = world.accept(server);
            byte[] all = (chunks + get("one.test", "/2")).getBytes(StandardCharsets.US_ASCII);
            int sent = 0;
            while (sent < all.length) {
                sent += client.offer(Arrays.copyOfRange(all, sent, all.length));
                world.turn();
            }
            world.awaitText(there, "T: 1\r\n\r\n");
            world.settle();
            assertThat(there.text()).endsWith("\r\n\r\n" + chunks);

            there.send(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nyes\r\n0\r\n\r\n");
            world.awaitText(client, "3\r\nyes\r\n0\r\n\r\n");
            world.awaitText(there, "GET /2 ");
        }
    }

    @Test
    void headAnd304HaveNoBodyWhateverTheirHeadSays() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send("HEAD http://one.test/ HTTP/1.1\r\nHost: one.test\r\n\r\n");
            Peer there = world.accept(server);
            world.awaitText(there, "HEAD / ");
            there.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
            world.awaitText(client, "\r\n\r\n");

            client.send(get("one.test", "/2"));
            world.awaitText(there, "GET /2 ");
            there.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n");
            world.awaitText(client, "304 Not Modified");
            client.send(get("one.test", "/3"));
            world.awaitText(there, "GET /3 ");
        }
    }

    @Test
    void interimAnswersPassAndTheBodyFollowsThem() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send("POST http://one.test/ HTTP/1.1\r\nHost: one.test\r\nContent-Length: 4\r\n"
                    + "Expect: 100-continue\r\n\r\n");
            Peer there = world.accept(server);
            world.awaitText(there, "Expect: 100-continue\r\n");
            there.send("HTTP/1.1 100 Continue\r\n\r\n");
            world.awaitText(client, "HTTP/1.1 100 Continue\r\n");
            client.send("body");
            world.awaitText(there, "\r\n\r\nbody");
            there.send("HTTP/1.1 103 Early Hints\r\n\r\n" + OK);

            world.awaitText(client, "\r\n\r\nok");
            assertThat(client.text()).contains("103 Early Hints");
        }
    }

    @Test
    void anAnswerBeforeTheBodyEndsTheConnectionAfterIt() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send("POST http://one.test/ HTTP/1.1\r\nHost: one.test\r\n"
                    + "Content-Length: 1000\r\n\r\nsome");
            Peer there = world.accept(server);
            world.awaitText(there, "some");

            there.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n");

            world.awaitText(client, "413 Content Too Large");
            assertThat(client.text()).contains("Connection: close\r\n");
            client.send("x".repeat(995));
            world.awaitText(there, "some" + "x".repeat(995));
            assertThat(client.isOver()).as("as long as a byte is to come").isFalse();
            client.send("y");
            world.until("an end, no reset", client::isEnded);
            world.awaitOver(there);
            assertThat(there.text()).endsWith("xy");
            assertThat(world.event(Kind.ENDED).reason()).isEmpty();
        }
    }

    @Test
    void anAnswerUntilCloseEndsTheConnection() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(get("one.test", "/"));
            Peer there = world.accept(server);
            world.awaitText(there, "GET / ");
            there.send("HTTP/1.0 200 OK\r\n\r\nall of ").send("it");
            there.close();

            world.until("the end", client::isEnded);

            assertThat(client.text()).contains("Connection: close\r\n").endsWith("all of it");
        }
    }

    @Test
    void anAnswerThatIsCutIsAResetForTheClient() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(get("one.test", "/"));
            Peer there = world.accept(server);
            world.awaitText(there, "GET / ");
            there.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
            world.awaitText(client, "half");
            there.close();

            world.awaitOver(client);

            assertThat(client.resetBy()).isNotZero();
            assertThat(world.event(Kind.ENDED).reason()).contains("within an answer");
        }
    }

    @Test
    void aRequestOnAConnectionTheServerHadClosedIsMadeAgain() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(get("one.test", "/1"));
            Peer first = world.accept(server);
            world.awaitText(first, "GET /1 ");
            first.send(OK);
            world.awaitText(client, "\r\n\r\nok");

            client.send(get("one.test", "/2"));
            world.awaitText(first, "GET /2 ");
            first.close();
            Peer second = world.accept(server);
            world.awaitText(second, "GET /2 ");
            second.send(OK);

            world.until("two answers", () -> client.text().split("ok", -1).length == 3);
            assertThat(world.events(Kind.ALLOWED))
                    .as("the second try is decided, too")
                    .hasSize(3);
        }
    }

    @Test
    void aRequestWithBodyIsNotMadeAgain() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(get("one.test", "/1"));
            Peer first = world.accept(server);
            world.awaitText(first, "GET /1 ");
            first.send(OK);
            world.awaitText(client, "\r\n\r\nok");

            client.send("POST http://one.test/2 HTTP/1.1\r\nHost: one.test\r\n"
                    + "Content-Length: 1\r\n\r\nx");
            world.awaitText(first, "POST /2 ");
            first.close();

            world.awaitOver(client);
            assertThat(client.text()).as("no second answer").endsWith("\r\n\r\nok");
            assertThat(world.isUntouched(server)).isTrue();
        }
    }

    @Test
    void whatAServerSendsUnaskedBelongsToNoRequest() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(get("one.test", "/1"));
            Peer first = world.accept(server);
            world.awaitText(first, "GET /1 ");
            first.send(OK + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
            world.awaitText(client, "\r\n\r\nok");
            world.settle();

            client.send(get("one.test", "/2"));
            Peer second = world.accept(server);
            world.awaitText(second, "GET /2 ");
            second.send(OK);

            world.until("two answers", () -> client.text().split("ok", -1).length == 3);
            assertThat(client.text()).doesNotContain("evil");
        }
    }

    @Test
    void aWebsocketIsATunnelAfterItsAnswer() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send("GET http://one.test/ws HTTP/1.1\r\nHost: one.test\r\n"
                    + "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
            Peer there = world.accept(server);
            world.awaitText(there, "Upgrade: websocket\r\n");
            there.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                    + "Upgrade: websocket\r\n\r\nframe");
            world.awaitText(client, "\r\n\r\nframe");
            client.send("answer");
            world.awaitText(there, "\r\n\r\nanswer");
            client.endWriting();
            world.until("the end", there::isEnded);
            there.close();
            world.until("the other end", client::isEnded);

            world.settle();
            assertThat(world.events(Kind.ALLOWED)).hasSize(1);
            assertThat(world.events(Kind.ENDED)).hasSize(1);
        }
    }
}
