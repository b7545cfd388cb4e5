package glove.egress;

import static glove.egress.PlainHttp.OK;
import static glove.egress.PlainHttp.PLACE;
import static glove.egress.PlainHttp.world;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;
import glove.sys.FdLeaks;
import glove.sys.IpAddress;
import glove.sys.Linux;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** What plain HTTP may cost: work, memory, and bytes that go out. */
@Tag("process")
class HttpBoundsTest {
    private static final String HINTS = "HTTP/1.1 103 Early Hints\r\n\r\n";
    private static final int MANY = 1000;
    private static final int DESCRIPTORS = 5000;

    @BeforeEach
    void watch() throws Exception {
        long limit = Linux.host().raiseOpenFileLimit();
        boolean enough = limit < 0 || limit >= DESCRIPTORS;
        Lanes.require("process", enough, "only " + limit + " files may be open, see ulimit -Hn");
        FdLeaks.watch();
    }

    @AfterEach
    void nothingStaysOpen() {
        FdLeaks.assertNone();
    }

    private static String get(String fields) {
        return "GET http://one.test/ HTTP/1.1\r\nHost: one.test\r\n" + fields + "\r\n";
    }

    @Test
    void thirtyTwoInterimAnswersPass() throws Exception {
        try (ProxyWorld world = world(EgressLimits.standard())) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(get(""));
            Peer there = world.accept(server);
            world.awaitText(there, "\r\n\r\n");

            there.send(HINTS.repeat(32) + OK);

            world.awaitText(client, OK);
            assertThat(client.text()).isEqualTo(HINTS.repeat(32) + OK);
        }
    }

    @Test
    void aServerThatSendsInterimAnswersForEverIsCutOff() throws Exception {
        try (ProxyWorld world = world(EgressLimits.standard())) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(get(""));
            Peer there = world.accept(server);
            world.awaitText(there, "\r\n\r\n");

            there.send(HINTS.repeat(1_000));
            world.awaitOver(client);

            world.awaitOver(there);
            assertThat(client.text().split("103 Early", -1)).hasSizeLessThanOrEqualTo(34);
            assertThat(world.event(Kind.ENDED).reason()).contains("32 interim answers");
        }
    }

    @Test
    void fewHeadsAreReadInOneTurnOfAConnection() throws Exception {
        try (ProxyWorld world = world(EgressLimits.standard())) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Peer client = world.vouchedClient();
            client.send(get(""));
            Peer there = world.accept(server);
            world.awaitText(there, "\r\n\r\n");
            world.settle();
            there.send(HINTS.repeat(20) + OK);
            Hub hub = world.proxy().hub();

            world.awaitEvent();
            hub.watches.tell();
            hub.advance(Long.MAX_VALUE);
            client.awaitAlone(4 * HINTS.length());

            assertThat(client.text()).isEqualTo(HINTS.repeat(4));
            assertThat(hub.isAnyAwake()).as("it has another turn").isTrue();
            world.awaitText(client, OK);
        }
    }

    @Test
    void headsOfRequestsAtTheSameTimeStayWithinTheLimit() throws Exception {
        String head = "GET / HTTP/1.1\r\nHost: one.test\r\n\r\n";
        long limit = 3L * head.length() + 5;
        EgressLimits limits = EgressLimits.standard().withBytesOut(limit, Map.of());
        try (ProxyWorld world = world(limits)) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            List<Peer> clients = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                clients.add(world.vouchedClient());
            }
            world.settle();
            for (Peer client : clients) {
                client.send(get(""));
            }
            List<Peer> servers = new ArrayList<>();
            world.until("three are passed on and the others refused", () -> {
                world.acceptIfThere(server).ifPresent(servers::add);
                return servers.stream().mapToInt(Peer::count).sum() >= 3 * head.length()
                        && clients.stream().filter(Peer::isOver).count() == 7;
            });
            for (int i = 0; i < clients.size(); i++) {
                world.acceptIfThere(server).ifPresent(servers::add);
            }
            world.settle();

            assertThat(servers.stream().filter(there -> there.count() > 0))
                    .hasSize(3)
                    .allMatch(there -> there.text().equals(head));
            assertThat(clients.stream().filter(client -> client.text().startsWith("HTTP/1.1 403 ")))
                    .hasSize(7);
            assertThat(world.events(Kind.REFUSED).get(0).reason())
                    .contains("limit of " + limit + " bytes");
        }
    }

    @Test
    void aThousandLongHeadsBothWaysKeepFewBytesInMemory() throws Exception {
        int atMost = HeadBudget.BYTES_MAX + RequestHead.BYTES_MAX + 200;
        String long1 = "X: " + "y".repeat(15_000) + "\r\n";
        String answer = "HTTP/1.1 200 OK\r\n" + long1 + "Content-Length: 2\r\n\r\nok";
        CountDownLatch resolves = new CountDownLatch(1);
        List<IpAddress> place = List.of(IpAddress.parse(PLACE).orElseThrow());
        Resolver slow = name -> {
            try {
                resolves.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return place;
        };
        try (ProxyWorld world = new ProxyWorld(List.of("one.test:80"), List.of(), slow)) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            Hub hub = world.proxy().hub();
            List<Peer> clients = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                clients.add(world.vouchedClient().send(get(long1)));
            }
            world.until(
                    "as many as may wait for the name",
                    () -> hub.requestHeads.held() >= HeadBudget.BYTES_MAX);
            world.settle();
            assertThat(hub.requestHeads.held()).isLessThanOrEqualTo(atMost);
            resolves.countDown();
            List<Peer> servers = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                servers.add(world.accept(server));
            }
            world.until("none is kept when it is sent", () -> hub.requestHeads.held() == 0);
            assertThat(hub.requestHeads.peak()).isLessThanOrEqualTo(atMost);
            for (Peer there : servers) {
                there.send(answer);
            }
            for (Peer client : clients) {
                world.awaitText(client, "\r\n\r\nok");
            }

            assertThat(hub.answerHeads.peak()).isLessThanOrEqualTo(atMost);
            world.until("none is kept of answers", () -> hub.answerHeads.held() == 0);
        }
    }

    @Test
    void headsBeyondTheBudgetWaitInTheirSocketsAndAreServedLater() throws Exception {
        try (ProxyWorld world = world(EgressLimits.standard())) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            HeadBudget requests = world.proxy().hub().requestHeads;
            HeadBudget.Share others = new HeadBudget.Share(
                    requests, new Connection(world.proxy().hub(), Entry.VOUCHED));
            others.hold(HeadBudget.BYTES_MAX);
            List<Peer> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                clients.add(world.vouchedClient().send(get("")));
            }
            world.until("they are there", () -> world.proxy().connections() == 3);
            world.settle();
            assertThat(world.isUntouched(server)).isTrue();
            clients.get(0).reset();
            world.until("one has gone", () -> world.proxy().connections() == 2);

            others.drop();
            Peer second = world.accept(server);
            Peer third = world.accept(server);

            world.awaitText(second, "\r\n\r\n");
            world.awaitText(third, "\r\n\r\n");
            assertThat(requests.held()).isZero();
        }
    }

    @Test
    void answersBeyondTheBudgetWaitToo() throws Exception {
        try (ProxyWorld world = world(EgressLimits.standard())) {
            ProxyWorld.Server server = world.server(PLACE, 80);
            HeadBudget answers = world.proxy().hub().answerHeads;
            HeadBudget.Share others = new HeadBudget.Share(
                    answers, new Connection(world.proxy().hub(), Entry.VOUCHED));
            others.hold(HeadBudget.BYTES_MAX);
            Peer client = world.vouchedClient().send(get(""));
            Peer there = world.accept(server);
            world.awaitText(there, "\r\n\r\n");
            there.send(OK);
            world.settle();
            assertThat(client.text()).isEmpty();

            others.drop();

            world.awaitText(client, OK);
            assertThat(answers.held()).isZero();
        }
    }

    @Test
    void aRequestThatWaitsTooLongForOthersIsTold() throws Exception {
        try (ProxyWorld world = world(EgressLimits.standard())) {
            HeadBudget requests = world.proxy().hub().requestHeads;
            new HeadBudget.Share(requests, new Connection(world.proxy().hub(), Entry.VOUCHED))
                    .hold(HeadBudget.BYTES_MAX);
            Peer client = world.vouchedClient();
            world.until("it is there", () -> world.proxy().connections() == 1);
            client.send(get(""));
            world.awaitEvent();
            world.turn();

            world.pass(60_000);

            world.awaitText(client, "HTTP/1.1 503 ");
        }
    }
}
