package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;
import glove.sys.FdLeaks;
import glove.sys.IpAddress;
import glove.sys.Linux;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Resolution that hangs holds up its own client, and not the end. */
@Tag("process")
class LookupsTest {
    private static final String PLACE = "93.184.216.34";

    @Test
    void namesThatHangTimeOutAndTheEndDoesNotWaitForThem() throws Exception {
        FdLeaks.watch();
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        Resolver hanging = name -> {
            asked.incrementAndGet();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return List.of(IpAddress.LOOPBACK_V4);
        };
        try (ProxyWorld world =
                new ProxyWorld(List.of(".slow.test", PLACE + ":7000"), List.of(), hanging)) {
            List<Peer> clients = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                Peer client = world.vouchedClient();
                String name = "n" + i + ".slow.test:443";
                client.send("CONNECT " + name + " HTTP/1.1\r\nHost: " + name + "\r\n\r\n");
                clients.add(client);
            }
            world.until("as many as there are threads", () -> asked.get() == 4);
            world.server(PLACE, 7000);
            world.tunnel(PLACE + ":7000");

            world.pass(10_000);
            for (Peer client : clients) {
                world.awaitText(client, "HTTP/1.1 504 ");
            }
            assertThat(world.events(Kind.FAILED)).hasSize(10);
            assertThat(world.events(Kind.ALLOWED)).as("but the other").hasSize(1);
        } finally {
            release.countDown();
        }
        FdLeaks.assertNone();
    }

    @Test
    void theMachinesOwnNameResolves() {
        SystemResolver resolver = new SystemResolver();

        assertThat(resolver.resolve(name("localhost"))).contains(IpAddress.LOOPBACK_V4);
        assertThat(resolver.resolve(name("does-not-exist.invalid"))).isEmpty();
        assertThat(Linux.host()).isNotNull();
    }

    private static HostName name(String text) {
        try {
            return HostName.ofWire(text);
        } catch (MalformedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aResolverThatBreaksClosesEverything() throws Exception {
        FdLeaks.watch();
        Resolver broken = name -> {
            throw new IllegalStateException("on purpose");
        };
        try (ProxyWorld world = new ProxyWorld(List.of("web.test"), List.of(), broken)) {
            Peer client = world.vouchedClient();
            client.send("CONNECT web.test:443 HTTP/1.1\r\nHost: web.test:443\r\n\r\n");
            boolean failed = false;
            for (int i = 0; i < 5_000 && !failed; i++) {
                try {
                    world.await();
                    world.turn();
                } catch (IllegalStateException e) {
                    failed = true;
                }
            }
            assertThat(failed).isTrue();
            assertThat(world.proxy().isClosed()).isTrue();
            world.pump();
            assertThat(client.isOver()).isTrue();
            assertThat(client.text()).isEmpty();
        }
        FdLeaks.assertNone();
    }
}
