package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.testkit.FaultySyscalls;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/**
 * For n = 1, 2, ...: the n-th system call fails, or the n-th record. Nothing is dialled that was
 * not recorded (the world checks that at each dial), nothing stays open, and whoever waits is told.
 */
@Tag("process")
class ProxyFaultsTest {
    private static final String PLACE = "93.184.216.34";
    private static final String CONNECT =
            "CONNECT " + PLACE + ":7000 HTTP/1.1\r\nHost: " + PLACE + ":7000\r\n\r\nquestion";
    private static final String GET =
            "GET http://" + PLACE + ":7000/ HTTP/1.1\r\nHost: " + PLACE + ":7000\r\n\r\n";
    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nanswer";
    private static final int CALLS_MAX = 400;
    private static final int STEPS_MAX = 500;

    /** What the client asks, and what it waits for. */
    private static void exchange(ProxyWorld world, String request, String end)
            throws ErrnoException, EgressAuditException {
        ProxyWorld.Server server = world.server(PLACE, 7000);
        Peer client = world.vouchedClient();
        client.sendIfThere(request);
        Peer there = null;
        boolean answered = false;
        for (int i = 0; i < STEPS_MAX && !client.isOver() && !client.text().endsWith(end); i++) {
            world.await();
            world.skip(50);
            world.turn();
            if (there == null) {
                there = world.acceptIfThere(server).orElse(null);
            } else if (!answered
                    && there.text().endsWith(request.endsWith("n") ? "question" : "\r\n\r\n")) {
                there.sendIfThere(ANSWER);
                answered = true;
            }
        }
        assertThat(client.isOver() || client.text().endsWith(end))
                .as("the client is told")
                .isTrue();
        if (there != null) {
            assertThat(world.events(Kind.ALLOWED))
                    .as("recorded before it was reached")
                    .isNotEmpty();
        }
    }

    private static EgressRules rules() {
        try {
            return EgressRules.parse(List.of(PLACE + ":7000"), List.of(), new NoRegistries());
        } catch (EgressException e) {
            throw new AssertionError(e);
        }
    }

    /** How many calls it takes. */
    private static int failEachCall(String request, int errno) {
        for (int n = 1; n <= CALLS_MAX; n++) {
            FaultySyscalls kernel = new FaultySyscalls(Syscalls.host(), n, errno);
            FdLeaks.watch();
            boolean failed = false;
            EgressRules rules = rules();
            Linux linux = new Linux(kernel);
            try (ProxyWorld world = new ProxyWorld(linux, rules, EgressLimits.standard(), null)) {
                exchange(world, request, "answer");
                world.proxy().finish();
                world.pump();
            } catch (ErrnoException e) {
                failed = true;
                assertThat(e.errno()).isEqualTo(errno);
            } catch (EgressAuditException e) {
                throw new AssertionError("call " + n, e);
            } finally {
                FdLeaks.assertNone();
            }
            if (!kernel.fired()) {
                assertThat(failed).as("without a fault").isFalse();
                return n - 1;
            }
        }
        throw new AssertionError("more than " + CALLS_MAX + " calls");
    }

    @Test
    void noFailingCallOpensOrLeaksATunnel() {
        assertThat(failEachCall(CONNECT, Errno.EIO)).isGreaterThan(25);
        assertThat(failEachCall(CONNECT, Errno.EMFILE)).isGreaterThan(25);
    }

    @Test
    void noFailingCallOpensOrLeaksARequest() {
        assertThat(failEachCall(GET, Errno.EIO)).isGreaterThan(25);
        assertThat(failEachCall(GET, Errno.ENOMEM)).isGreaterThan(25);
    }

    private static int failEachRecord(String request) throws Exception {
        for (int n = 1; n <= CALLS_MAX; n++) {
            FdLeaks.watch();
            boolean failed = false;
            try (ProxyWorld world = new ProxyWorld(List.of(PLACE + ":7000"), List.of())) {
                world.failRecord(n);
                Peer bystander = world.vouchedClient();
                try {
                    exchange(world, request, "answer");
                    world.proxy().finish();
                } catch (EgressAuditException e) {
                    failed = true;
                    assertThat(world.proxy().isClosed()).isTrue();
                    assertThat(world.proxy().patience()).isEqualTo(EgressProxy.UNLIMITED);
                    assertThat(world.dialled).hasSize(n - 1 > 0 ? 1 : 0);
                    bystander.awaitAlone(1);
                    assertThat(bystander.isOver()).as("all are closed, not one").isTrue();
                }
            } finally {
                FdLeaks.assertNone();
            }
            if (!failed) {
                return n - 1;
            }
        }
        throw new AssertionError("more than " + CALLS_MAX + " records");
    }

    @Test
    void aJournalThatFailsClosesEverythingBeforeAnythingIsDialled() throws Exception {
        assertThat(failEachRecord(CONNECT)).isEqualTo(2);
        assertThat(failEachRecord(GET)).isEqualTo(2);
    }

    @Test
    void aListenerThatIsClosedRefusesFurtherClients() throws Exception {
        FdLeaks.watch();
        try (ProxyWorld world = new ProxyWorld(List.of(PLACE + ":7000"), List.of())) {
            world.failRecord(1);
            Peer client = world.vouchedClient();
            client.send(CONNECT);
            assertThat(world.failure()).isInstanceOf(EgressAuditException.class);

            Peer late = world.vouchedClient();
            late.pump();
            assertThat(late.resetBy()).isEqualTo(Errno.ECONNREFUSED);
        }
        FdLeaks.assertNone();
    }
}
