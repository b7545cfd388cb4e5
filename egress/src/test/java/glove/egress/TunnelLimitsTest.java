package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;
import glove.sys.FdLeaks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Silence, age and bytes end what was allowed. */
@Tag("process")
class TunnelLimitsTest {
    private static final String PLACE = "93.184.216.34";

    @BeforeEach
    void watch() {
        FdLeaks.watch();
    }

    @AfterEach
    void nothingStaysOpen() {
        FdLeaks.assertNone();
    }

    @Test
    void silenceBothWaysEndsIt() throws Exception {
        EgressLimits limits = new EgressLimits(10, 5_000, 0, Long.MAX_VALUE, Map.of());
        try (ProxyWorld world = new ProxyWorld(List.of(PLACE + ":7000"), List.of(), limits)) {
            ProxyWorld.Server server = world.server(PLACE, 7000);
            Peer client = world.tunnel(PLACE + ":7000");
            Peer there = world.accept(server);
            world.pass(4_000);
            client.send("x");
            world.awaitText(there, "x");
            world.pass(4_999);
            assertThat(client.isOver()).isFalse();

            world.pass(1);

            world.awaitOver(client);
            world.awaitOver(there);
            assertThat(world.event(Kind.ENDED).reason()).contains("5000 ms");
        }
    }

    @Test
    void theTotalTimeEndsIt() throws Exception {
        EgressLimits limits = new EgressLimits(10, 0, 60_000, Long.MAX_VALUE, Map.of());
        try (ProxyWorld world = new ProxyWorld(List.of(PLACE + ":7000"), List.of(), limits)) {
            ProxyWorld.Server server = world.server(PLACE, 7000);
            Peer client = world.tunnel(PLACE + ":7000");
            Peer there = world.accept(server);
            for (int i = 0; i < 59; i++) {
                world.pass(1_000);
                client.send("x");
                int sent = i + 1;
                world.until("it arrives", () -> there.count() == sent);
            }
            assertThat(client.isOver()).isFalse();

            world.pass(1_000);

            world.awaitOver(client);
            assertThat(world.event(Kind.ENDED).reason()).contains("60000 ms");
        }
    }

    @Test
    void theLimitOfBytesCutsItOff() throws Exception {
        EgressLimits limits = EgressLimits.standard().withBytesOut(1_000, Map.of(PLACE, 100L));
        try (ProxyWorld world = new ProxyWorld(List.of(PLACE + ":7000"), List.of(), limits)) {
            ProxyWorld.Server server = world.server(PLACE, 7000);
            Peer client = world.tunnel(PLACE + ":7000");
            Peer there = world.accept(server);
            client.send(new byte[100]);
            world.until("what is allowed arrives", () -> there.count() == 100);
            there.send("answers are free");
            world.awaitText(client, "answers are free");

            client.send(new byte[1]);
            world.awaitOver(client);
            world.awaitOver(there);

            assertThat(there.count()).isEqualTo(100);
            assertThat(world.event(Kind.ENDED).bytesOut()).isEqualTo(100);
            assertThat(world.event(Kind.ENDED).reason()).contains("limit of 100 bytes");
            Peer second = world.vouchedClient();
            second.send("CONNECT " + PLACE + ":7000 HTTP/1.1\r\nHost: " + PLACE + ":7000\r\n\r\n");
            world.awaitText(second, "HTTP/1.1 403 ");
        }
    }

    @Test
    void theEndOfAClientAtTheLimitIsNoExcess() throws Exception {
        EgressLimits limits = EgressLimits.standard().withBytesOut(100, Map.of());
        try (ProxyWorld world = new ProxyWorld(List.of(PLACE + ":7000"), List.of(), limits)) {
            ProxyWorld.Server server = world.server(PLACE, 7000);
            Peer client = world.tunnel(PLACE + ":7000");
            Peer there = world.accept(server);
            client.send(new byte[100]).endWriting();
            world.until("the end arrives", there::isEnded);
            there.close();
            world.until("the other end arrives", client::isEnded);

            assertThat(there.count()).isEqualTo(100);
            world.settle();
            assertThat(world.event(Kind.ENDED).reason()).isEmpty();
        }
    }
}
