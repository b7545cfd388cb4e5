package glove.session.receipt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.journal.DurableFileException;
import glove.sys.Call;
import glove.sys.FdLeaks;
import glove.sys.Syscalls;
import glove.testkit.DyingSyscalls;
import glove.testkit.FaultySyscalls;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Whenever the daemon or a call ends: no receipt is lost that was told, and none is half there. */
@Tag("unit")
@Timeout(900)
final class ReceiptCrashTest {
    private static final int EIO = 5;
    private static final int ENOSPC = 28;

    @TempDir
    private Path parent;

    private ReceiptRoom room;

    @BeforeEach
    void makeRoom() throws IOException {
        room = new ReceiptRoom(parent);
    }

    private void removeAll() throws IOException {
        try (var names = Files.list(room.directory)) {
            for (Path name : names.toList()) {
                if (!name.equals(room.keyFile)) {
                    Files.delete(name);
                }
            }
        }
    }

    /** What was told to one who runs sessions until something fails; the peer has none of it. */
    private List<ReceiptEnvelope> use(Syscalls kernel) throws Exception {
        List<ReceiptEnvelope> told = new ArrayList<>();
        try (ReceiptProducer producer = room.producer(kernel)) {
            producer.bootstrap(ReceiptRoom.GENESIS);
            producer.acknowledge(ReceiptRoom.GENESIS);
            told.add(ReceiptRoom.write(producer, "one", ReceiptRoom.exited(0)));
            told.add(ReceiptRoom.write(producer, "two", ReceiptRoom.refinement(true)));
            told.add(ReceiptRoom.write(producer, "three", ReceiptRoom.exited(1)));
        } catch (ReceiptException | DurableFileException e) {
            assertThat(e).hasMessageContaining("receipt");
        }
        return told;
    }

    /** The daemon starts again: the peer gets all that was told, and sessions can run. */
    private void assertHolds(List<ReceiptEnvelope> told, String when) throws Exception {
        try (ReceiptProducer producer = room.producer(Syscalls.host())) {
            producer.bootstrap(ReceiptRoom.GENESIS);
            ReceiptPage page = producer.pageAfter(ReceiptRoom.GENESIS, 1000);
            assertThat(page.envelopes()).as(when).hasSizeGreaterThanOrEqualTo(told.size());
            assertThat(page.envelopes().subList(0, told.size())).as(when).isEqualTo(told);
            assertThat(page.envelopes()).as(when).hasSizeLessThanOrEqualTo(3);
            producer.acknowledge(page.localAnchor());
            ReceiptEnvelope next = ReceiptRoom.write(producer, "four", ReceiptRoom.exited(2));
            assertThat(next.sequence()).isEqualTo(page.localAnchor().sequence() + 1);
        }
        assertThat(room.scan().fault()).as(when).isEmpty();
    }

    @Test
    void aDaemonKilledBeforeAnyCallHasLostNothingTold() throws Exception {
        for (int last = 1; ; last++) {
            removeAll();
            DyingSyscalls kernel = new DyingSyscalls(Syscalls.host(), last);

            List<ReceiptEnvelope> told = use(kernel);

            assertHolds(told, "before call " + last);
            if (!kernel.isDead()) {
                assertThat(told).hasSize(3);
                assertThat(last).isGreaterThan(40);
                return;
            }
        }
    }

    @Test
    void aDaemonKilledInTheMiddleOfAnyWriteHasLostNothingTold() throws Exception {
        int torn = 0;
        for (int last = 1; ; last++) {
            boolean dead = false;
            for (int bytes : new int[] {1, 3, 4, 71, 1000}) {
                removeAll();
                DyingSyscalls kernel = new DyingSyscalls(Syscalls.host(), last, bytes);

                List<ReceiptEnvelope> told = use(kernel);

                dead = kernel.isDead();
                assertHolds(told, "in call " + last + " after " + bytes);
                torn += room.directory.toFile().list().length > 2 ? 1 : 0;
            }
            if (!dead) {
                assertThat(torn).isGreaterThan(10);
                return;
            }
        }
    }

    @Test
    void aCallThatFailsIsToldLeaksNothingAndTheJournalOpensAgain() throws Exception {
        for (int errno : new int[] {EIO, ENOSPC}) {
            for (int nth = 1; ; nth++) {
                removeAll();
                FaultySyscalls kernel = new FaultySyscalls(Syscalls.host(), nth, errno);
                FdLeaks.watch();

                List<ReceiptEnvelope> told = use(kernel);

                assertThat(FdLeaks.stop()).as("call %d", nth).isEmpty();
                assertHolds(told, "call " + nth);
                if (!kernel.fired()) {
                    assertThat(told).hasSize(3);
                    break;
                }
            }
        }
    }

    /** Fails one call of a kind when it is armed; a write is done in part. */
    private static Syscalls failing(Call failing, AtomicBoolean armed) {
        return (call, a, b, c, d, e, f) -> {
            if (call == failing && armed.compareAndSet(true, false)) {
                if (call == Call.PWRITE64) {
                    Syscalls.host().call(call, a, b, 100, d, e, f);
                }
                return -ENOSPC;
            }
            return Syscalls.host().call(call, a, b, c, d, e, f);
        };
    }

    @Test
    void aFullDiskIsSurvivedAndTheRoomStaysSetAside() throws Exception {
        AtomicBoolean armed = new AtomicBoolean();
        try (ReceiptProducer producer = room.producer(failing(Call.PWRITE64, armed))) {
            producer.bootstrap(ReceiptRoom.GENESIS);
            producer.acknowledge(ReceiptRoom.GENESIS);
            ReceiptRoom.write(producer, "one", ReceiptRoom.exited(0));
            long left = producer.roomLeft();
            try (TerminalReservation place =
                    producer.reserve(ReceiptRoom.execution("two"), ReceiptRoom.exited(0))) {
                armed.set(true);
                ReceiptException failure = catchThrowableOfType(
                        ReceiptException.class,
                        () -> producer.commit(place, ReceiptRoom.exited(1)));
                assertThat(failure.fault()).isEqualTo(ReceiptException.Fault.STORAGE);
                assertThat(failure).hasMessageContaining("ENOSPC");
                assertThat(producer.roomLeft()).isEqualTo(left - 1);

                assertThat(producer.commit(place, ReceiptRoom.exited(2)).sequence())
                        .isEqualTo(2);
            }
            ReceiptRoom.write(producer, "three", ReceiptRoom.exited(3));
            assertThat(producer.pageAfter(ReceiptRoom.GENESIS, 9).envelopes())
                    .extracting(
                            one -> one.receipt().resource().ending().exitCode().getAsInt())
                    .containsExactly(0, 2, 3);
        }
        assertThat(room.scan().fault()).isEmpty();
    }

    @Test
    void aSyncThatFailsEndsItsUseUntilItIsOpenedAgain() throws Exception {
        AtomicBoolean armed = new AtomicBoolean();
        try (ReceiptProducer producer = room.producer(failing(Call.FDATASYNC, armed))) {
            producer.bootstrap(ReceiptRoom.GENESIS);
            producer.acknowledge(ReceiptRoom.GENESIS);
            ReceiptRoom.write(producer, "one", ReceiptRoom.exited(0));
            armed.set(true);
            for (String session : new String[] {"two", "three"}) {
                ReceiptException failure = catchThrowableOfType(
                        ReceiptException.class,
                        () -> ReceiptRoom.write(producer, session, ReceiptRoom.exited(1)));
                assertThat(failure.fault()).isEqualTo(ReceiptException.Fault.STORAGE);
            }
            assertThat(armed).isFalse();
        }
        assertThat(room.scan().end().sequence()).isOne();
        assertThat(room.scan().fault()).isEmpty();
    }
}
