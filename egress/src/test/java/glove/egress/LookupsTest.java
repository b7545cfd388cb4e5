package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;
import glove.sys.ErrnoException;
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
            world.until("all are asked for", () -> asked.get() == 10);
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
        SystemResolver resolver = new SystemResolver(Linux.host());

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
            assertThat(world.failure()).isInstanceOf(IllegalStateException.class);
            client.awaitAlone(1);
            assertThat(client.isOver()).isTrue();
            assertThat(client.text()).isEmpty();
        }
        FdLeaks.assertNone();
    }

    private static void connect(Peer client, String host) throws ErrnoException {
        client.send("CONNECT " + host + ":443 HTTP/1.1\r\nHost: " + host + ":443\r\n\r\n");
    }

    @Test
    void thirtyOneNamesThatHangDoNotHoldUpTheNext() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger hung = new AtomicInteger();
        Resolver mostlyHanging = name -> {
            if (name.toString().startsWith("hang")) {
                hung.incrementAndGet();
                await(release);
            }
            return List.of();
        };
        try (ProxyWorld world = new ProxyWorld(List.of(".slow.test"), List.of(), mostlyHanging)) {
            for (int i = 0; i < Lookups.THREADS_MAX - 1; i++) {
                connect(world.vouchedClient(), "hang" + i + ".slow.test");
            }
            world.until("all hang", () -> hung.get() == Lookups.THREADS_MAX - 1);

            Peer client = world.vouchedClient();
            connect(client, "next.slow.test");

            world.awaitText(client, "HTTP/1.1 502 ");
        } finally {
            release.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aNameInFlightIsAskedForOnceForAllWhoWantIt() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        Resolver slow = name -> {
            asked.incrementAndGet();
            await(release);
            return List.of();
        };
        try (ProxyWorld world = new ProxyWorld(List.of(".test"), List.of(), slow)) {
            List<Peer> clients = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                Peer client = world.vouchedClient();
                connect(client, "web.test");
                clients.add(client);
            }
            world.until("all want it", () -> world.events(Kind.ASKED).size() == 5);
            world.until("it is asked for", () -> asked.get() == 1);
            clients.get(0).reset();
            world.until("one has gone", () -> world.proxy().connections() == 4);
            release.countDown();

            for (Peer client : clients.subList(1, 5)) {
                world.awaitText(client, "HTTP/1.1 502 ");
            }
            assertThat(asked).hasValue(1);
            connect(world.vouchedClient(), "web.test");
            world.until("and anew later", () -> asked.get() == 2);
        } finally {
            release.countDown();
        }
    }

    @Test
    void aNameChosenBelowADomainIsRecordedBeforeItIsAskedFor() throws Exception {
        List<ProxyWorld> worlds = new ArrayList<>();
        List<String> before = java.util.Collections.synchronizedList(new ArrayList<>());
        Resolver looking = name -> {
            for (EgressEvent event : List.copyOf(worlds.get(0).events)) {
                before.add(event.kind() + " " + event.destination() + " " + event.rule());
            }
            return List.of();
        };
        try (ProxyWorld world =
                new ProxyWorld(List.of(".wide.test", "one.test"), List.of(), looking)) {
            worlds.add(world);
            Peer exact = world.vouchedClient();
            connect(exact, "one.test");
            world.awaitText(exact, "HTTP/1.1 502 ");
            assertThat(before).as("the agent did not choose it").isEmpty();

            Peer client = world.vouchedClient();
            connect(client, "secret.wide.test");
            world.awaitText(client, "HTTP/1.1 502 ");

            assertThat(before).contains("ASKED secret.wide.test:443 --egress-allow .wide.test");
        }
    }

    @Test
    void aNameThatCannotBeRecordedIsNotAskedFor() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        Resolver counting = name -> {
            asked.incrementAndGet();
            return List.of();
        };
        try (ProxyWorld world = new ProxyWorld(List.of(".wide.test"), List.of(), counting)) {
            world.failRecord(1);
            connect(world.vouchedClient(), "secret.wide.test");

            assertThat(world.failure()).isInstanceOf(EgressAuditException.class);
            assertThat(asked).hasValue(0);
        }
    }

    @Test
    void wantOfMemoryOrOfClassesFailsOneNameOnly() throws Exception {
        Resolver poor = name -> {
            if (name.toString().equals("memory.test")) {
                throw new OutOfMemoryError("on purpose");
            }
            if (name.toString().equals("classes.test")) {
                throw new NoClassDefFoundError("on purpose");
            }
            return List.of();
        };
        List<String> names = List.of("memory.test", "classes.test", "none.test");
        try (ProxyWorld world = new ProxyWorld(names, List.of(), poor)) {
            for (String name : names) {
                Peer client = world.vouchedClient();
                connect(client, name);
                String status = name.equals("none.test") ? " 502 " : " 503 ";
                world.awaitText(client, "HTTP/1.1" + status);
            }
            assertThat(world.events(Kind.FAILED)).hasSize(3);
        }
    }

    @Test
    void whereNoThreadCanBeMadeTheNameFails() throws Exception {
        Linux linux = Linux.host();
        List<String> told = new ArrayList<>();
        Asker asker = new Asker() {
            @Override
            public void resolved(List<IpAddress> addresses) {
                told.add("resolved");
            }

            @Override
            public void unresolvable() {
                told.add("unresolvable");
            }
        };
        try (WatchTable watches = new WatchTable(linux);
                Lookups lookups = new Lookups(linux, name -> List.of(), watches, work -> {
                    throw new OutOfMemoryError("unable to create native thread");
                })) {
            lookups.ask(name("web.test"), asker);
            assertThat(told).as("never while it asks").isEmpty();
            watches.tell();
            lookups.tell();

            assertThat(told).containsExactly("unresolvable");
            assertThat(lookups.isBroken()).isFalse();
        }
    }
}
