package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.PollFd;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Many at once: what they cost, what the rest feels, and how much is recorded. */
@Tag("process")
class FloodTest {
    private static final String PLACE = "93.184.216.34";
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

    /** Sockets and pipes: files are opened and closed by threads of the JVM at any time. */
    private static int descriptors() throws IOException {
        int count = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path one : all) {
                count += isSocketOrPipe(one) ? 1 : 0;
            }
        }
        return count;
    }

    private static boolean isSocketOrPipe(Path descriptor) throws IOException {
        try {
            String to = Files.readSymbolicLink(descriptor).toString();
            return to.startsWith("socket:") || to.startsWith("pipe:");
        } catch (NoSuchFileException e) {
            return false; // another thread has closed it meanwhile
        }
    }

    @Test
    void aThousandIdleTunnelsCostTwoDescriptorsEachAndNoTurns() throws Exception {
        try (ProxyWorld world = new ProxyWorld(List.of(PLACE + ":7000"), List.of())) {
            ProxyWorld.Server server = world.server(PLACE, 7000);
            int before = descriptors();
            List<Peer> clients = new ArrayList<>();
            List<Peer> servers = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                clients.add(world.tunnel(PLACE + ":7000"));
                servers.add(world.accept(server));
            }
            world.settle();

            // Two of them are the test's own ends; one pipe is kept for the next bytes.
            assertThat(descriptors() - before).isBetween(4 * MANY, 4 * MANY + 2);
            Hub hub = world.proxy().hub();
            assertThat(hub.pipes.lent()).isZero();
            assertThat(hub.watches.size()).isEqualTo(2 * MANY + 3);
            assertThat(hub.deadlines.size()).isEqualTo(MANY);
            int[] happened = Linux.host()
                    .poll(List.of(new PollFd(world.proxy().awaited(), PollFd.POLLIN)), 100);
            assertThat(happened[0]).as("nothing to do").isZero();
            assertThat(world.proxy().patience()).isGreaterThan(1_000);

            clients.get(500).send("one of them");
            world.awaitText(servers.get(500), "one of them");
            for (Peer client : clients) {
                client.close();
            }
            for (Peer there : servers) {
                world.awaitOver(there);
                there.close();
            }
            world.until("all are closed", () -> world.proxy().connections() == 0);
            assertThat(world.events(Kind.ENDED)).hasSize(MANY);
            assertThat(hub.deadlines.size()).isZero();
        }
    }

    @Test
    void twoThousandHalfOpenConnectionsHoldUpNobodyAndAreLetGo() throws Exception {
        EgressLimits limits = new EgressLimits(MANY, 0, 0, EgressLimits.UNLIMITED, Map.of());
        try (ProxyWorld world = new ProxyWorld(List.of(PLACE + ":7000"), List.of(), limits)) {
            world.server(PLACE, 7000);
            Peer early = world.tunnel(PLACE + ":7000");
            world.skip(10); // one more may be accepted
            List<Peer> flood = new ArrayList<>();
            for (int i = 0; i < 2 * MANY; i++) {
                flood.add(world.vouchedClient());
                if (i % 100 == 0) {
                    world.turn();
                }
            }
            world.until("the others are let go", () -> {
                world.pump();
                return flood.stream().filter(Peer::isOver).count() == MANY + 1;
            });

            assertThat(world.proxy().connections()).isEqualTo(MANY);
            assertThat(world.events(Kind.REFUSED)).as("one a second").hasSize(1);
            world.pass(1_000);
            EgressEvent gathered = world.events(Kind.REFUSED).get(1);
            assertThat(gathered.times()).isEqualTo(MANY);
            assertThat(gathered.reason()).contains("1000 connections");
            assertThat(early.isOver()).isFalse();

            world.pass(30_000);
            world.settle();
            assertThat(world.proxy().connections()).isEqualTo(1);
            world.tunnel(PLACE + ":7000");
        }
    }

    @Test
    void fromTheThousandthRefusalOnTheyAreGathered() throws Exception {
        try (ProxyWorld world = new ProxyWorld(List.of(PLACE + ":7000"), List.of())) {
            for (int i = 1; i <= 1500; i++) {
                Peer client = world.vouchedClient();
                client.send("CONNECT host" + i + ".test:443 HTTP/1.1\r\nHost: x.test\r\n\r\n");
                client.send("x");
                world.settleFor(client);
                client.close();
            }

            assertThat(world.events(Kind.REFUSED)).hasSize(1000);
            world.pass(1_000);
            assertThat(world.events(Kind.REFUSED)).hasSize(1001);
            int times = 0;
            for (EgressEvent event : world.events(Kind.REFUSED)) {
                times += event.times();
            }
            assertThat(times).isEqualTo(1500);
            world.pass(1_000);
            assertThat(world.events(Kind.REFUSED)).hasSize(1001);
        }
    }

    @Test
    void whatIsGatheredIsRecordedAtTheEnd() throws Exception {
        try (ProxyWorld world = new ProxyWorld(List.of(PLACE + ":7000"), List.of())) {
            world.server(PLACE, 7000);
            world.tunnel(PLACE + ":7000");
            for (int i = 0; i < 3; i++) {
                Peer client = world.client();
                client.send("CONNECT x.test:443 HTTP/1.1\r\nHost: x.test\r\n\r\n");
                world.awaitText(client, " 407 ");
            }

            world.proxy().finish();

            List<EgressEvent> refused = world.events(Kind.REFUSED);
            assertThat(refused).hasSize(2);
            assertThat(refused.get(1).times()).isEqualTo(2);
            assertThat(world.event(Kind.ENDED).reason()).isEqualTo("the run ended");
            assertThat(world.proxy().isClosed()).isTrue();
        }
    }

    @Test
    void aStalledWayHoldsOnePipeAndGivesItBack() throws Exception {
        try (ProxyWorld world = new ProxyWorld(List.of("web.test:7000"), List.of())) {
            world.name("web.test", PLACE);
            ProxyWorld.Server server = world.server(PLACE, 7000);
            Peer client = world.tunnel("web.test:7000");
            Peer there = world.accept(server);
            client.send("x".repeat(100));
            world.awaitText(there, "x");
            List<Peer> slow = new ArrayList<>();
            List<Peer> pushing = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                Peer stalled = world.tunnel("web.test:7000");
                stalled.stall();
                slow.add(stalled);
                pushing.add(world.accept(server));
            }
            Hub hub = world.proxy().hub();
            world.until("one is lent to each stalled way", () -> {
                pushing.forEach(peer -> peer.offer(new byte[100_000]));
                return hub.pipes.lent() == slow.size();
            });
            for (Peer stalled : slow) {
                stalled.reset();
            }
            world.until("theirs are over", () -> world.proxy().connections() == 1);
            assertThat(hub.pipes.lent()).isZero();
            client.send("still");
            world.awaitText(there, "still");
        }
    }

    @Test
    void fromTheThousandthFailureOnTheyAreGathered() throws Exception {
        try (ProxyWorld world = new ProxyWorld(List.of(".none.test"), List.of())) {
            for (int i = 1; i <= 1100; i++) {
                Peer client = world.vouchedClient();
                String host = "h" + i + ".none.test:443";
                client.send("CONNECT " + host + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
                world.settleFor(client);
                client.close();
            }

            assertThat(world.events(Kind.FAILED)).hasSize(1000);
            assertThat(world.events(Kind.ASKED)).as("names that left, each").hasSize(1100);
            world.pass(1_000);
            EgressEvent gathered = world.events(Kind.FAILED).get(1000);
            assertThat(gathered.times()).isEqualTo(100);
        }
    }

    @Test
    void moreThanThatManyAtOnceWaitInTheBacklog() throws Exception {
        try (ProxyWorld world = new ProxyWorld(List.of(PLACE + ":7000"), List.of())) {
            for (int i = 0; i < Bucket.AT_ONCE; i++) {
                Peer client = world.vouchedClient();
                client.send("x");
                client.reset();
                world.turn();
            }
            Hub hub = world.proxy().hub();
            world.until("all are accepted", () -> !hub.arrivals.mayTake(hub.now()));

            Peer late = world.vouchedClient();
            late.send("CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n");
            world.until("the others are gone", () -> world.proxy().connections() == 0);
            world.until(
                    "it has to wait for its turn",
                    () -> world.proxy().patience() > 0 && world.proxy().patience() <= 5);
            world.settle();
            assertThat(world.proxy().connections()).as("not accepted").isZero();
            world.pass(1_000);
            world.awaitText(late, " 403 ");
        }
    }
}
