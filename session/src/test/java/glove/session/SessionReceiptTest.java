package glove.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.journal.AppendLogException;
import glove.journal.DurableFileException;
import glove.policy.session.ResourceLimits;
import glove.policy.session.SandboxBackend;
import glove.policy.session.TerminationCause;
import glove.session.receipt.Anchor;
import glove.session.receipt.Ending;
import glove.session.receipt.Mechanisms;
import glove.session.receipt.ObservedUse;
import glove.session.receipt.Receipt;
import glove.session.receipt.ReceiptEnvelope;
import glove.session.receipt.ReceiptException;
import glove.session.receipt.ReceiptKind;
import glove.session.receipt.ReceiptPage;
import glove.session.receipt.ReceiptProducer;
import glove.session.receipt.ReceiptStore;
import glove.session.receipt.ResourceReceipt;
import glove.session.receipt.TerminalReservation;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.testkit.DyingSyscalls;
import glove.wire.Digest;
import glove.wire.Id128;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Registry and receipts together: no session has ended without a receipt that is on disk. */
@Tag("unit")
@Timeout(900)
final class SessionReceiptTest {
    private static final String ID = "session-1";
    private static final Id128 SESSION = new Id128(ID);

    @TempDir
    private Path parent;

    private Room room;
    private UnixPath journal;
    private UnixPath key;

    @BeforeEach
    void makeRoom() throws Exception {
        room = new Room(parent);
        journal = UnixPath.of(room.directory.resolve("receipts").toString());
        Path keyFile = parent.resolve("key");
        Files.writeString(keyFile, "0123456789abcdef".repeat(4) + "\n");
        Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-------"));
        key = UnixPath.of(keyFile.toString());
    }

    private ReceiptProducer producer(Syscalls kernel) throws Exception {
        return ReceiptProducer.of(new Linux(kernel), key, ReceiptStore.at(journal));
    }

    private SessionRegistry registry(Syscalls kernel, ReceiptCheck receipts)
            throws AppendLogException {
        return SessionRegistry.open(
                new Linux(kernel),
                SessionRegistry.Store.at(UnixPath.of(room.file.toString())),
                new SessionRegistry.Checks(
                        (plan, nowMs) -> CanonicalPlan.of(Room.PLAN, 7, Room.EXPIRES),
                        (plan, nowMs) -> LaunchCheck.Eligibility.LAUNCHABLE,
                        receipts));
    }

    private static Receipt receipt() {
        return new ResourceReceipt(
                new Digest(Room.PROFILE),
                new ResourceReceipt.Sandbox(
                        SandboxBackend.LINUX_PRODUCTION,
                        new Id128("linux-production:cgroup-v2-v1")),
                new ResourceLimits(1000, 67_108_864, 16, 2000, 2_097_152, 1_048_576),
                Mechanisms.CGROUP,
                new ObservedUse(10, 1_048_576, 2, 6, 4096, 128),
                new Ending(TerminationCause.EXITED, OptionalInt.of(0), 1004, 1010),
                List.of(),
                List.of());
    }

    /** Looks at the sessions as a peer would, who has no receipts. */
    private static Anchor reconcile(ReceiptProducer producer) throws ReceiptException {
        Anchor genesis = Anchor.genesis(producer.keyId());
        producer.bootstrap(genesis);
        ReceiptPage page = producer.pageAfter(genesis, 10);
        assertThat(page.hasMore()).isFalse();
        return producer.acknowledge(page.localAnchor());
    }

    private static void done(RegistryReply reply) throws EndedException {
        if (!(reply instanceof RegistryReply.Done)) {
            throw new EndedException(reply);
        }
    }

    /** The daemon goes no further. */
    private static final class EndedException extends Exception {
        private static final long serialVersionUID = 1L;

        EndedException(RegistryReply reply) {
            super(reply.toString());
        }
    }

    /** One session from its creation to its end; false when something has failed. */
    private boolean live(Syscalls kernel) throws Exception {
        try (ReceiptProducer producer = producer(kernel);
                SessionRegistry registry = registry(kernel, producer)) {
            reconcile(producer);
            done(Room.create(registry, ID, "create", 1000));
            done(registry.reserveStart(
                    Room.authorization(ID, 1001, 2001), Room.call("reserve", 1002)));
            try (TerminalReservation place = producer.reserve(Room.reserved(ID), receipt())) {
                done(registry.markStarting(
                        Room.ids(ID), Room.LOCAL, place.of(), Room.call("starting", 1003)));
                done(registry.markRunning(Room.ids(ID), Room.RUNNING, Room.call("running", 1004)));
                ReceiptEnvelope written = producer.commit(place, receipt());
                done(registry.markExited(written.terminal(), Room.call("exited", 1010)));
            }
            return true;
        } catch (AppendLogException | ReceiptException | EndedException | DurableFileException e) {
            return false;
        }
    }

    @Test
    void aSessionEndsWithItsReceipt() throws Exception {
        assertThat(live(Syscalls.host())).isTrue();
        try (ReceiptProducer producer = producer(Syscalls.host());
                SessionRegistry registry = registry(Syscalls.host(), producer)) {
            reconcile(producer);
            SessionRecord session = registry.find(SESSION).orElseThrow();
            ReceiptEnvelope envelope = producer.terminalForExecution(
                            ReceiptKind.RESOURCE, Room.reserved(ID))
                    .orElseThrow();
            assertThat(session.state()).isEqualTo(SessionState.EXITED);
            assertThat(session.receipt()).isEqualTo(envelope.terminal().receipt());
        }
    }

    @Test
    void anEnvelopeThatIsNotInTheJournalEndsNothing() throws Exception {
        Path other = Files.createDirectory(parent.resolve("other"));
        ReceiptEnvelope elsewhere;
        try (ReceiptProducer producer = ReceiptProducer.of(
                Linux.host(), key, ReceiptStore.at(UnixPath.of(other + "/receipts")))) {
            reconcile(producer);
            elsewhere = producer.commit(producer.reserve(Room.reserved(ID), receipt()), receipt());
        }
        try (ReceiptProducer producer = producer(Syscalls.host());
                SessionRegistry registry = registry(Syscalls.host(), producer)) {
            reconcile(producer);
            Room.create(registry, ID, "create", 1000);
            registry.reserveStart(Room.authorization(ID, 1001, 2001), Room.call("reserve", 1002));
            registry.markStarting(
                    Room.ids(ID), Room.LOCAL, Room.reserved(ID), Room.call("starting", 1003));
            registry.markRunning(Room.ids(ID), Room.RUNNING, Room.call("running", 1004));

            RegistryReply reply =
                    registry.markExited(elsewhere.terminal(), Room.call("exited", 1010));

            assertThat(reply)
                    .isInstanceOfSatisfying(
                            RegistryReply.Refused.class,
                            refused -> assertThat(refused.code())
                                    .isEqualTo(RegistryCode.INVALID_AUTHORIZATION));
            ReceiptEnvelope here =
                    producer.commit(producer.reserve(Room.reserved(ID), receipt()), receipt());
            assertThat(registry.markExited(here.terminal(), Room.call("exited", 1010)))
                    .as("control")
                    .isInstanceOf(RegistryReply.Done.class);
        }
    }

    private void removeAll() throws Exception {
        try (var names = Files.list(room.directory)) {
            for (Path name : names.toList()) {
                Files.delete(name);
            }
        }
    }

    /** Killed anywhere: the next daemon can tell how the session ended, or that it does not know. */
    @Test
    void whereverADaemonDiesTheNextOneKnowsWhetherThereIsAReceipt() throws Exception {
        int lateEnds = 0;
        for (int last = 1; ; last++) {
            removeAll();
            DyingSyscalls kernel = new DyingSyscalls(Syscalls.host(), last, 40);
            boolean lived = live(kernel);
            try (ReceiptProducer producer = producer(Syscalls.host());
                    SessionRegistry registry = registry(Syscalls.host(), producer)) {
                reconcile(producer);
                Optional<ReceiptEnvelope> receipt =
                        producer.terminalForExecution(ReceiptKind.RESOURCE, Room.reserved(ID));
                SessionState state = registry.find(SESSION)
                        .map(SessionRecord::state)
                        .orElse(SessionState.CREATED);
                if (state == SessionState.EXITED) {
                    assertThat(receipt).as("call %d", last).isPresent();
                }
                if (receipt.isPresent() && state != SessionState.EXITED) {
                    assertThat(state).as("call %d", last).isEqualTo(SessionState.RUNNING);
                    RegistryReply reply = registry.markExited(
                            receipt.get().terminal(), Room.call("exited", 1010));
                    assertThat(reply).isInstanceOf(RegistryReply.Done.class);
                    lateEnds++;
                }
            }
            if (!kernel.isDead()) {
                assertThat(lived).isTrue();
                assertThat(lateEnds).isPositive();
                return;
            }
            assertThat(lived).isFalse();
        }
    }
}
