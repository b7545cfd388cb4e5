package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/** A public address that is this machine's own is as private as its loopback. */
@Tag("process")
final class OwnAddressTest {
    private static final String PLACE = "93.184.216.34";

    private static ProxyWorld world(List<String> allow, List<String> allowPrivate)
            throws Exception {
        ProxyWorld world = new ProxyWorld(allow, allowPrivate);
        world.own.add(PLACE);
        world.name("web.test", PLACE);
        world.server(PLACE, 7000);
        return world;
    }

    private static String refused(ProxyWorld world, String destination) throws Exception {
        Peer client = world.vouchedClient();
        client.send("CONNECT " + destination + " HTTP/1.1\r\nHost: " + destination + "\r\n\r\n");
        world.awaitText(client, "HTTP/1.1 403 ");
        assertThat(world.dialled).isEmpty();
        return world.event(Kind.REFUSED).reason();
    }

    @Test
    void itIsRefusedByName() throws Exception {
        try (ProxyWorld world = world(List.of("web.test:7000"), List.of())) {
            assertThat(refused(world, "web.test:7000"))
                    .contains("resolves to " + PLACE + ", which is this machine's own address")
                    .endsWith("--egress-allow-private web.test:7000");
        }
    }

    @Test
    void itIsRefusedByAddressAndByBlock() throws Exception {
        for (String rule : List.of(PLACE + ":7000", "0.0.0.0/0:7000")) {
            try (ProxyWorld world = world(List.of(rule), List.of())) {
                assertThat(refused(world, PLACE + ":7000"))
                        .contains("it is this machine's own address")
                        .endsWith("--egress-allow-private " + PLACE + ":7000");
            }
        }
    }

    @Test
    void itIsReachedWhereThatIsGranted() throws Exception {
        for (String rule : List.of("web.test:7000", PLACE + ":7000")) {
            try (ProxyWorld world = world(List.of(), List.of(rule))) {
                world.tunnel(rule);
            }
        }
    }

    @Test
    void othersAreReached() throws Exception {
        try (ProxyWorld world = world(List.of("web.test:7000"), List.of())) {
            world.own.clear();
            world.tunnel("web.test:7000");
        }
    }
}
