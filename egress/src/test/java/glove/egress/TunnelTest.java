package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;
import glove.egress.EgressEvent.Protocol;
import glove.sys.Errno;
import glove.sys.FdLeaks;
import glove.sys.IpAddress;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

/** CONNECT: decided, resolved, recorded, dialled, and passed on. */
@Tag("process")
class TunnelTest {
    private static final String PLACE = "93.184.216.34";
    private static final String OTHER = "93.184.216.35";

    @BeforeEach
    void watch() {
        FdLeaks.watch();
    }

    @AfterEach
    void nothingStaysOpen() {
        FdLeaks.assertNone();
    }

    private static ProxyWorld world(String... allow) throws Exception {
        return new ProxyWorld(List.of(allow), List.of());
    }

    @Test
    void bytesPassBothWaysAndEachEndByItself() throws Exception {
        try (ProxyWorld world = world(PLACE + ":7000")) {
            ProxyWorld.Server server = world.server(PLACE, 7000);
            Peer client = world.tunnel(PLACE + ":7000");
            Peer there = world.accept(server);

            client.send("question");
            world.awaitText(there, "question");
            client.endWriting();
            world.until("the end of the question arrives", there::isEnded);
            there.send("answer");
            world.awaitText(client, "answer");
            assertThat(client.isEnded()).isFalse();
            there.close();
            world.until("the end of the answer arrives", client::isEnded);

            world.settle();
            assertThat(world.event(Kind.ALLOWED))
                    .isEqualTo(new EgressEvent(
                            Kind.ALLOWED,
                            Protocol.CONNECT,
                            PLACE + ":7000",
                            PLACE + ":7000",
                            "--egress-allow " + PLACE + ":7000",
                            "",
                            0,
                            0,
                            0,
                            1));
            EgressEvent end = world.event(Kind.ENDED);
            assertThat(end.bytesOut()).isEqualTo(8);
            assertThat(end.bytesIn()).isEqualTo(6);
            assertThat(end.reason()).isEmpty();
            assertThat(world.proxy().connections()).isZero();
        }
    }

    @Test
    void theServerMayEndFirst() throws Exception {
        try (ProxyWorld world = world(PLACE + ":7000")) {
            ProxyWorld.Server server = world.server(PLACE, 7000);
            Peer client = world.tunnel(PLACE + ":7000");
            Peer there = world.accept(server);

            there.send("bye").endWriting();
            world.until("the end arrives", client::isEnded);
            assertThat(client.text()).isEqualTo("bye");
            client.send("still here");
            world.awaitText(there, "still here");
            client.endWriting();
            world.until("the other end arrives", there::isEnded);
        }
    }

    @Test
    void whatFollowsConnectInTheSameSegmentIsNotLost() throws Exception {
        try (ProxyWorld world = world("web.test")) {
            world.name("web.test", PLACE);
            ProxyWorld.Server server = world.server(PLACE, 443);
            byte[] hello = HelloBytes.to("web.test");
            Peer client = world.vouchedClient();

            client.send("CONNECT web.test:443 HTTP/1.1\r\nHost: web.test:443\r\n\r\n")
                    .send(hello);
            Peer there = world.accept(server);

            world.until("the hello arrives", () -> there.count() == hello.length);
            assertThat(there.bytes()).isEqualTo(hello);
        }
    }

    @Test
    void whatNoRuleNamesIsRefusedWithTheOptionThatWouldAllowIt() throws Exception {
        try (ProxyWorld world = world("web.test")) {
            Peer client = world.vouchedClient();
            client.send("CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n");
            client.send(HelloBytes.to("other.test"));

            world.awaitOver(client);

            assertThat(client.text())
                    .startsWith("HTTP/1.1 403 Forbidden\r\n")
                    .contains("Connection: close\r\n")
                    .contains("--egress-allow other.test");
            assertThat(client.isEnded()).as("an end, no reset").isTrue();
            assertThat(world.event(Kind.REFUSED).destination()).isEqualTo("other.test:443");
            assertThat(world.dialled).isEmpty();
        }
    }

    @Test
    void aNameThatResolvesToAPrivateAddressIsRefused() throws Exception {
        try (ProxyWorld world = world("web.test")) {
            world.name("web.test", "10.1.2.3", "127.0.0.1", "::1", "169.254.169.254");
            Peer client = world.vouchedClient();
            client.send("CONNECT web.test:443 HTTP/1.1\r\nHost: web.test:443\r\n\r\n");

            world.awaitOver(client);

            assertThat(client.text()).startsWith("HTTP/1.1 403 ");
            assertThat(world.event(Kind.REFUSED).reason()).contains("web.test:443");
            assertThat(world.dialled).isEmpty();
        }
    }

    @Test
    void onlyTheAddressesThatPassedAreDialled() throws Exception {
        try (ProxyWorld world = world("web.test:7000")) {
            world.name("web.test", "10.1.2.3", PLACE, "::1");
            world.server(PLACE, 7000);

            world.tunnel("web.test:7000");

            assertThat(world.dialled).containsExactly(PLACE + ":7000");
            assertThat(world.event(Kind.ALLOWED).address()).isEqualTo(PLACE + ":7000");
        }
    }

    @Test
    void aNameIsResolvedOnceSoThatWhatIsDialledIsWhatWasChecked() throws Exception {
        try (ProxyWorld world = world("rebind.test:7000")) {
            world.name("rebind.test", PLACE);
            world.name("rebind.test", "127.0.0.1");
            world.server(PLACE, 7000);

            world.tunnel("rebind.test:7000");
            assertThat(world.dialled).containsExactly(PLACE + ":7000");

            Peer second = world.vouchedClient();
            second.send("CONNECT rebind.test:7000 HTTP/1.1\r\nHost: rebind.test:7000\r\n\r\n");
            world.awaitText(second, "HTTP/1.1 403 ");
            assertThat(world.dialled).hasSize(1);
        }
    }

    @Test
    void aPrivateAddressGrantedByNameIsDialled() throws Exception {
        try (ProxyWorld world = new ProxyWorld(List.of(), List.of("db.test:5432"))) {
            world.name("db.test", "10.1.2.3");
            world.server("10.1.2.3", 5432);

            world.tunnel("db.test:5432");

            assertThat(world.dialled).containsExactly("10.1.2.3:5432");
        }
    }

    @Test
    void aNameWithoutAddressIsAnErrorOfTheGateway() throws Exception {
        try (ProxyWorld world = world("web.test")) {
            Peer client = world.vouchedClient();
            client.send("CONNECT web.test:443 HTTP/1.1\r\nHost: web.test:443\r\n\r\n");

            world.awaitText(client, "HTTP/1.1 502 ");

            assertThat(world.event(Kind.FAILED).reason()).contains("does not resolve");
        }
    }

    @Test
    void nobodyListeningIsToldWithTheAddress() throws Exception {
        try (ProxyWorld world = world("web.test:7000")) {
            world.name("web.test", PLACE);
            world.closed(PLACE, 7000);
            Peer client = world.vouchedClient();
            client.send("CONNECT web.test:7000 HTTP/1.1\r\nHost: web.test:7000\r\n\r\n");

            world.awaitText(client, "HTTP/1.1 502 ");
            world.awaitOver(client);

            assertThat(client.text()).contains("ECONNREFUSED").contains(PLACE);
            assertThat(world.events(Kind.ALLOWED)).hasSize(1);
            assertThat(world.event(Kind.FAILED).destination()).isEqualTo("web.test:7000");
            assertThat(world.events(Kind.ENDED)).isEmpty();
        }
    }

    @Test
    void theNextAddressIsTriedAtOnceWhenOneRefuses() throws Exception {
        try (ProxyWorld world = world("web.test:7000")) {
            world.name("web.test", PLACE, OTHER, "2606:4700::1");
            world.closed(PLACE, 7000);
            world.closed("2606:4700::1", 7000);
            world.server(OTHER, 7000);

            world.tunnel("web.test:7000");

            assertThat(world.dialled.get(0)).isEqualTo(PLACE + ":7000");
            assertThat(world.dialled.get(1)).as("families in turn").startsWith("[2606:4700::1]");
            assertThat(world.dialled.get(2)).isEqualTo(OTHER + ":7000");
        }
    }

    @Test
    void theNextAddressIsTriedBesideOneThatIsSlow() throws Exception {
        try (ProxyWorld world = world("web.test:7000")) {
            world.name("web.test", PLACE, OTHER);
            world.silent(PLACE, 7000);
            world.server(OTHER, 7000);
            Peer client = world.vouchedClient();
            client.send("CONNECT web.test:7000 HTTP/1.1\r\nHost: web.test:7000\r\n\r\n");
            world.until("the first is dialled", () -> world.dialled.size() == 1);

            world.pass(249);
            assertThat(world.dialled).hasSize(1);
            world.pass(1);
            assertThat(world.dialled).hasSize(2);
            world.awaitText(client, "HTTP/1.1 200 ");
        }
    }

    @Test
    void noAnswerWithinTenSecondsIsATimeout() throws Exception {
        try (ProxyWorld world = world("web.test:7000")) {
            world.name("web.test", PLACE);
            world.silent(PLACE, 7000);
            Peer client = world.vouchedClient();
            client.send("CONNECT web.test:7000 HTTP/1.1\r\nHost: web.test:7000\r\n\r\n");
            world.until("it is dialled", () -> world.dialled.size() == 1);

            world.pass(9_999);
            assertThat(client.text()).isEmpty();
            world.pass(1);

            world.awaitText(client, "HTTP/1.1 504 ");
            assertThat(world.event(Kind.FAILED).reason()).contains("within 10 s");
        }
    }

    @Test
    void aServerThatResetsIsAResetForTheClient() throws Exception {
        try (ProxyWorld world = world(PLACE + ":7000")) {
            ProxyWorld.Server server = world.server(PLACE, 7000);
            Peer client = world.tunnel(PLACE + ":7000");
            Peer there = world.accept(server);
            there.send("half an ans");
            world.awaitText(client, "half an ans");

            there.reset();
            world.awaitOver(client);

            assertThat(client.resetBy()).isEqualTo(Errno.ECONNRESET);
            assertThat(world.event(Kind.ENDED).reason()).contains("ECONNRESET");
        }
    }

    @Test
    void aClientThatResetsIsAResetForTheServer() throws Exception {
        try (ProxyWorld world = world(PLACE + ":7000")) {
            ProxyWorld.Server server = world.server(PLACE, 7000);
            Peer client = world.tunnel(PLACE + ":7000");
            Peer there = world.accept(server);

            client.reset();
            world.awaitOver(there);

            assertThat(there.resetBy()).isEqualTo(Errno.ECONNRESET);
            world.settle();
            assertThat(world.events(Kind.ENDED)).hasSize(1);
            assertThat(world.proxy().connections()).isZero();
        }
    }

    @Test
    void aMegabytePassesEachWayThoughTheReceiverStallsFirst() throws Exception {
        try (ProxyWorld world = world(PLACE + ":7000")) {
            ProxyWorld.Server server = world.server(PLACE, 7000);
            Peer client = world.tunnel(PLACE + ":7000");
            Peer there = world.accept(server);
            client.stall();
            there.stall();
            byte[] pattern = new byte[10_007];
            for (int i = 0; i < pattern.length; i++) {
                pattern[i] = (byte) ((i * 31) >> 3);
            }
            PipePool pipes = world.proxy().hub().pipes;
            long[] sent = new long[2];
            world.until("both ways are stuck", () -> {
                offer(client, there, pattern, sent);
                return pipes.lent() == 2;
            });

            client.goOn();
            there.goOn();
            world.until("a megabyte is on its way", () -> {
                offer(client, there, pattern, sent);
                return sent[0] > 1 << 20 && sent[1] > 1 << 20;
            });
            world.until(
                    "all of it arrives",
                    () -> there.count() == sent[0] && client.count() == sent[1]);

            assertSame(there.bytes(), pattern);
            assertSame(client.bytes(), pattern);
        }
    }

    private static void offer(Peer client, Peer there, byte[] pattern, long[] sent) {
        sent[0] += client.offer(tail(pattern, sent[0]));
        sent[1] += there.offer(tail(pattern, sent[1]));
    }

    private static byte[] tail(byte[] pattern, long sent) {
        int from = (int) (sent % pattern.length);
        return Arrays.copyOfRange(pattern, from, pattern.length);
    }

    private static void assertSame(byte[] received, byte[] pattern) {
        for (int i = 0; i < received.length; i++) {
            if (received[i] != pattern[i % pattern.length]) {
                throw new AssertionError("byte " + i + " is another");
            }
        }
    }

    @Test
    void addressesOfBothFamiliesAreDestinations() throws Exception {
        try (ProxyWorld world = new ProxyWorld(List.of("[2606:4700::1]:7000"), List.of())) {
            world.server("2606:4700::1", 7000);

            world.tunnel("[2606:4700:0::1]:7000");

            assertThat(world.event(Kind.ALLOWED).destination()).isEqualTo("[2606:4700::1]:7000");
            assertThat(IpAddress.parse("2606:4700::1")).isPresent();
        }
    }
}
