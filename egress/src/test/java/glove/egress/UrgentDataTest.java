package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.FdLeaks;
import glove.sys.IpEndpoint;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Urgent data (tcp(7)) is data like any other, and holds nothing up. */
@Tag("process")
class UrgentDataTest {
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
    void urgentBytesPassInTheirPlaceAndWhatFollowsThemToo() throws Exception {
        try (ProxyWorld world = new ProxyWorld(List.of(PLACE + ":7000"), List.of())) {
            ProxyWorld.Server server = world.server(PLACE, 7000);
            Destination there = Destination.parse(PLACE + ":7000");
            IpEndpoint place = world.serve(Entry.direct(there));
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), place.port())) {
                Peer peer = world.accept(server);
                client.getOutputStream().write(bytes("before"));
                client.sendUrgentData('!');
                world.awaitText(peer, "before!");
                client.getOutputStream().write(bytes("after"));
                client.sendUrgentData('?');
                client.getOutputStream().write(bytes("end"));
                world.awaitText(peer, "before!after?end");
                client.sendUrgentData('.');
                client.shutdownOutput();

                world.until("the end", peer::isEnded);

                assertThat(peer.text()).isEqualTo("before!after?end.");
            }
        }
    }

    @Test
    void anUrgentByteBeforeAnEndThatNoEventHasToldIsNotLost() throws Exception {
        try (ProxyWorld world = new ProxyWorld(List.of(PLACE + ":7000"), List.of())) {
            ProxyWorld.Server server = world.server(PLACE, 7000);
            Destination there = Destination.parse(PLACE + ":7000");
            IpEndpoint place = world.serve(Entry.direct(there));
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), place.port())) {
                Peer peer = world.accept(server);
                world.settle();
                client.getOutputStream().write(bytes("before"));
                Hub hub = world.proxy().hub();
                world.awaitEvent();
                assertThat(hub.watches.tell()).isPositive();
                client.sendUrgentData('!');
                client.getOutputStream().write(bytes("after"));
                client.shutdownOutput();
                hub.advance(Long.MAX_VALUE);

                world.until("the end", peer::isEnded);

                assertThat(peer.text()).isEqualTo("before!after");
            }
        }
    }

    @Test
    void urgentDataWithinAHeadIsRefusedAtOnce() throws Exception {
        try (ProxyWorld world = new ProxyWorld(List.of(PLACE + ":80"), List.of())) {
            IpEndpoint place = world.serve(Entry.VOUCHED);
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), place.port())) {
                client.getOutputStream().write(bytes("GET http://" + PLACE + "/ HTTP/1.1\r\nHos"));
                client.sendUrgentData('t');
                client.getOutputStream().write(bytes(": " + PLACE + "\r\n\r\n"));

                world.until("it is refused", () -> !world.events.isEmpty());

                assertThat(world.event(EgressEvent.Kind.REFUSED).reason()).contains("urgent");
                assertThat(world.dialled).isEmpty();
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
