package glove.egress;

import static glove.egress.PlainHttp.OK;
import static glove.egress.PlainHttp.PLACE;
import static glove.egress.PlainHttp.world;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;
import glove.sys.FdLeaks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

/** Plain HTTP when one side ends, answers or asks earlier than the other expects. */
@Tag("process")
class HttpEndsTest {
    private static final String TOO_LARGE =
            "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n";

    @BeforeEach
    void watch() {
        FdLeaks.watch();
    }

    @AfterEach
    void nothingStaysOpen() {
        FdLeaks.assertNone();
    }

    private static String request(String method, String path, String fields) {
        return method + " http://one.test" + path + " HTTP/1.1\r\nHost: one.test\r\n" + fields
                + "\r\n";
    }

    /** A client and a server whose connections have served one request. */
    private static Peer usedOnce(ProxyWorld world, ProxyWorld.Server server, Peer client)
            throws Exception {
        client.send(request("GET", "/1", ""));
        Peer there = world.accept(server);
        world.awaitText(there, "GET /1 ");
        there.send(OK);
        world.awaitText(client, "\r\n\r\nok");
        return there;
    }

    @Test
    void aPartOfAnAnswersHeadAndTheEndInOneEventIsABadGatewayAtOnce() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(request("GET", "/", ""));
            Peer there = world.accept(server);
            world.awaitText(there, "GET / ");
            there.send("HTTP/1.1 200 OK\r\nContent-");
            world.settle();

            there.endWriting();

            world.awaitText(client, "HTTP/1.1 502 ");
            world.awaitOver(client);
        }
    }

    @Test
    void aPartOfAnAnswersHeadAndAHalfCloseTogetherAreABadGatewayAtOnce() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(request("GET", "/", ""));
            Peer there = world.accept(server);
            world.awaitText(there, "GET / ");

            there.send("HTTP/1.1 200 OK\r\nContent-").endWriting();

            world.awaitText(client, "HTTP/1.1 502 ");
        }
    }

    @Test
    void aPartOfALaterRequestAndTheEndIsLetGoAtOnce() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            usedOnce(world, server, client);

            client.send("GET http://one.test/2").endWriting();

            world.until("it is closed", () -> world.proxy().connections() == 0);
        }
    }

    @Test
    void aServerThatEndsAfterAnEarlyAnswerEndsTheRequestAndTheClientHasTheAnswer()
            throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(request("POST", "/", "Content-Length: 1000\r\n") + "some");
            Peer there = world.accept(server);
            world.awaitText(there, "some");

            there.send(TOO_LARGE).endWriting();

            world.awaitText(client, "413 Content Too Large");
            world.until("an end, no reset", client::isEnded);
            assertThat(world.event(Kind.ENDED).reason()).contains("before it had the request");
        }
    }

    @Test
    void silenceAfterAnEarlyAnswerEndsTheConnection() throws Exception {
        EgressLimits limits = new EgressLimits(10, 5_000, 0, EgressLimits.UNLIMITED, Map.of());
        try (ProxyWorld world = world(limits)) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(request("POST", "/", "Content-Length: 1000\r\n") + "some");
            Peer there = world.accept(server);
            world.awaitText(there, "some");
            there.send(TOO_LARGE);
            world.awaitText(client, "413 Content Too Large");
            world.settle();
            assertThat(client.isOver()).isFalse();

            world.pass(5_000);

            world.until("an end, no reset", client::isEnded);
        }
    }

    @Test
    void aClientThatWasNotToldToContinueIsLetGoWithItsAnswer() throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(request("POST", "/", "Content-Length: 9\r\nExpect: 100-continue\r\n"));
            Peer there = world.accept(server);
            world.awaitText(there, "Expect: 100-continue\r\n");

            there.send(TOO_LARGE);

            world.awaitText(client, "413 Content Too Large");
            world.until("an end, no reset", client::isEnded);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"})
    void whatMayBeMadeTwiceIsMadeAgainOnce(String method) throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            Peer first = usedOnce(world, server, client);
            client.send(request(method, "/2", ""));
            world.awaitText(first, method + " /2 ");

            first.close();
            Peer second = world.accept(server);
            world.awaitText(second, method + " /2 HTTP/1.1\r\nHost: one.test\r\n\r\n");
            second.close();

            world.awaitText(client, "HTTP/1.1 502 ");
            assertThat(world.isUntouched(server)).as("not a third time").isTrue();
            assertThat(world.proxy().hub().requestHeads.held()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PATCH", "PROPFIND"})
    void whatMayNotIsLeftToTheClient(String method) throws Exception {
        try (ProxyWorld world = world()) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            Peer first = usedOnce(world, server, client);
            client.forget();
            client.send(request(method, "/2", ""));
            world.awaitText(first, method + " /2 ");

            first.close();

            world.until("an end", client::isEnded);
            assertThat(client.text()).isEmpty();
            assertThat(world.isUntouched(server)).isTrue();
        }
    }
}
