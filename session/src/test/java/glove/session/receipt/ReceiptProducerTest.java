package glove.session.receipt;

import static glove.session.receipt.ReceiptRoom.GENESIS;
import static glove.session.receipt.ReceiptRoom.execution;
import static glove.session.receipt.ReceiptRoom.exited;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.journal.DurableFileException;
import glove.policy.session.ResourceLimits;
import glove.policy.session.TerminationCause;
import glove.session.ReceiptCheck.Worth;
import glove.session.ReceiptLink;
import glove.session.ReceiptReservation;
import glove.session.StoreBytes;
import glove.session.TerminalEnvelope;
import glove.session.receipt.ReceiptException.Fault;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonWriter;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The order in which a producer lets things be done, and what it says otherwise. */
@Tag("unit")
@Timeout(900)
final class ReceiptProducerTest {
    private interface Attempt {
        void run() throws Exception;
    }

    @TempDir
    private Path parent;

    private ReceiptRoom room;

    @BeforeEach
    void makeRoom() throws IOException {
        room = new ReceiptRoom(parent);
    }

    private static Fault fault(Attempt attempt) {
        ReceiptException failure = catchThrowableOfType(ReceiptException.class, attempt::run);
        assertThat(failure).isNotNull();
        return failure.fault();
    }

    @Test
    void nothingRunsBeforeThePeerHasAcknowledgedWhatThereIs() throws Exception {
        Anchor end;
        try (ReceiptProducer producer = room.producer(Syscalls.host())) {
            assertThat(fault(() -> producer.reserve(execution("s"), exited(0))))
                    .isEqualTo(Fault.NOT_BOOTSTRAPPED);
            assertThat(fault(() -> producer.pageAfter(GENESIS, 1)))
                    .isEqualTo(Fault.NOT_BOOTSTRAPPED);
            assertThat(fault(() -> producer.acknowledge(GENESIS)))
                    .isEqualTo(Fault.NOT_BOOTSTRAPPED);
            assertThat(room.file).doesNotExist();

            producer.bootstrap(GENESIS);
            assertThat(room.file).exists();
            assertThat(producer.isReconciled()).isFalse();
            assertThat(fault(() -> producer.reserve(execution("s"), exited(0))))
                    .isEqualTo(Fault.NOT_RECONCILED);

            assertThat(producer.acknowledge(GENESIS)).isEqualTo(GENESIS);
            end = ReceiptRoom.write(producer, "s", exited(0)).anchor();
            assertThat(producer.isReconciled()).as("it stays so").isTrue();
        }
        try (ReceiptProducer producer = room.producer(Syscalls.host())) {
            producer.bootstrap(GENESIS); // it has not seen the last one
            assertThat(producer.isReconciled()).isFalse();
            assertThat(fault(() -> producer.acknowledge(GENESIS))).isEqualTo(Fault.ANCHOR);
            assertThat(producer.isReconciled()).isFalse();
            ReceiptPage page = producer.pageAfter(GENESIS, 15);
            assertThat(page.localAnchor()).isEqualTo(end);
            producer.acknowledge(page.localAnchor());
            assertThat(producer.isReconciled()).isTrue();
        }
        try (ReceiptProducer producer = room.producer(Syscalls.host())) {
            producer.bootstrap(end);
            assertThat(producer.isReconciled()).as("it has all").isTrue();
        }
    }

    @Test
    void aLostJournalIsNotBegunAnew() throws Exception {
        Anchor end;
        try (ReceiptProducer producer = room.ready(GENESIS)) {
            end = ReceiptRoom.write(producer, "s", exited(0)).anchor();
        }
        Files.delete(room.file);
        try (ReceiptProducer producer = room.producer(Syscalls.host())) {
            assertThat(fault(() -> producer.bootstrap(end))).isEqualTo(Fault.ANCHOR);
            assertThat(room.file).doesNotExist();
            assertThat(producer.isBootstrapped()).isFalse();
        }
    }

    @Test
    void aPeerOfAnotherJournalIsRefused() throws Exception {
        try (ReceiptProducer producer = room.ready(GENESIS)) {
            ReceiptRoom.write(producer, "s", exited(0));
        }
        for (Anchor wrong : List.of(
                new Anchor(ReceiptRoom.digest(1), 0, Digest.ZERO),
                new Anchor(ReceiptRoom.KEY.id(), 0, ReceiptRoom.digest(1)),
                new Anchor(ReceiptRoom.KEY.id(), 1, ReceiptRoom.digest(1)),
                new Anchor(ReceiptRoom.KEY.id(), 2, Digest.ZERO),
                new Anchor(ReceiptRoom.KEY.id(), -1, Digest.ZERO),
                new Anchor(ReceiptRoom.KEY.id(), 1L << 32, Digest.ZERO))) {
            try (ReceiptProducer producer = room.producer(Syscalls.host())) {
                assertThat(fault(() -> producer.bootstrap(wrong))).isEqualTo(Fault.ANCHOR);
                producer.bootstrap(GENESIS);
                assertThat(fault(() -> producer.pageAfter(wrong, 5))).isEqualTo(Fault.ANCHOR);
                assertThat(fault(() -> producer.acknowledge(wrong))).isEqualTo(Fault.ANCHOR);
            }
        }
    }

    @Test
    void pagesHaveAllReceiptsOnceInOrderWithBothKindsApart() throws Exception {
        List<ReceiptEnvelope> written = new ArrayList<>();
        try (ReceiptProducer producer = room.ready(GENESIS)) {
            for (int i = 0; i < 23; i++) {
                Receipt receipt = i % 3 == 0 ? ReceiptRoom.refinement(i % 2 == 0) : exited(i);
                written.add(ReceiptRoom.write(producer, "s" + i, receipt));
            }
            for (int limit : new int[] {1, 2, 15, 22, 23, 1000}) {
                List<ReceiptEnvelope> read = new ArrayList<>();
                Anchor at = GENESIS;
                ReceiptPage page;
                do {
                    page = producer.pageAfter(at, limit);
                    assertThat(page.envelopes()).hasSizeBetween(1, limit);
                    read.addAll(page.envelopes());
                    at = read.get(read.size() - 1).anchor();
                } while (page.hasMore());
                assertThat(read).isEqualTo(written);
                assertThat(at).isEqualTo(page.localAnchor());
            }
            assertThat(producer.pageAfter(written.get(22).anchor(), 1).envelopes())
                    .isEmpty();
            for (int limit : new int[] {0, -1, 1001}) {
                assertThat(fault(() -> producer.pageAfter(GENESIS, limit)))
                        .isEqualTo(Fault.INVALID);
            }
            JsonWriter json = JsonWriter.canonical();
            producer.pageAfter(GENESIS, 2).write(json);
            assertThat(json.toJson())
                    .startsWith("{\"schema_version\":1,\"envelopes\":[{\"schema_version\":1,"
                            + "\"sequence\":2,")
                    .contains("],\"refinement_envelopes\":[{\"schema_version\":1,\"sequence\":1,")
                    .endsWith("],\"has_more\":true,\"local_anchor\":{\"key_id\":\""
                            + ReceiptRoom.KEY.id() + "\",\"sequence\":23,\"head_hmac\":\""
                            + written.get(22).thisHmac() + "\"}}");
        }
    }

    @Test
    void roomIsForOneReceiptOfOneExecution() throws Exception {
        try (ReceiptProducer producer = room.ready(GENESIS)) {
            ReceiptReservation other = new ReceiptReservation(
                    new Id128("s"), ReceiptRoom.CONTROLLER, ReceiptRoom.digest(3));
            assertThat(fault(() -> producer.reserve(other, exited(0))))
                    .isEqualTo(Fault.RESERVATION);

            TerminalReservation place = producer.reserve(execution("s"), exited(0));
            Ending never = new Ending(TerminationCause.SIGNALED, OptionalInt.of(3), 1000, 1750);
            assertThat(fault(() -> producer.commit(place, ReceiptRoom.resource(never, 1))))
                    .isEqualTo(Fault.INVALID);
            assertThat(fault(() -> producer.commit(place, ReceiptRoom.refinement(true))))
                    .isEqualTo(Fault.RESERVATION);
            producer.commit(place, exited(4));
            assertThat(fault(() -> producer.commit(place, exited(4)))).isEqualTo(Fault.RESERVATION);
            place.close();

            TerminalReservation dropped = producer.reserve(execution("t"), exited(0));
            dropped.close();
            dropped.close();
            assertThat(fault(() -> producer.commit(dropped, exited(0))))
                    .isEqualTo(Fault.RESERVATION);
        }
    }

    /** It would make the journal unreadable, and everything before it useless. */
    @Test
    void whatCouldNotBeReadAgainIsNeitherPromisedNorWritten() throws Exception {
        ResourceReceipt good = exited(0);
        List<Receipt> bad = List.of(
                with(good, new ResourceLimits(0, 1, 1, 1, 1, 1)),
                ReceiptRoom.with(
                        List.of(), List.of(ReceiptRoom.retained("b"), ReceiptRoom.retained("a"))),
                ReceiptRoom.with(
                        List.of(), List.of(ReceiptRoom.retained("a"), ReceiptRoom.retained("a"))));
        try (ReceiptProducer producer = room.ready(GENESIS)) {
            TerminalReservation place = producer.reserve(execution("s"), good);
            for (Receipt one : bad) {
                assertThat(fault(() -> producer.reserve(execution("t"), one)))
                        .isEqualTo(Fault.INVALID);
                assertThat(fault(() -> producer.commit(place, one))).isEqualTo(Fault.INVALID);
            }
            producer.commit(place, good);
        }
        assertThat(room.scan().end().sequence()).isOne();
    }

    private static ResourceReceipt with(ResourceReceipt of, ResourceLimits limits) {
        return new ResourceReceipt(
                of.profileDigest(),
                of.sandbox(),
                limits,
                of.mechanisms(),
                of.observed(),
                of.ending(),
                of.projections(),
                of.retained());
    }

    @Test
    void theJournalIsFullToTheByte() throws Exception {
        long length;
        try (ReceiptProducer producer = room.ready(GENESIS)) {
            ReceiptRoom.write(producer, "s", exited(0));
            length = Files.size(room.file) - ReceiptStore.HEADER_BYTES;
        }
        Files.delete(room.file);
        long reserved = ReceiptStore.RESERVED_BYTES;
        room.bytesMax = ReceiptStore.HEADER_BYTES + length + 2 * reserved;
        try (ReceiptProducer producer = room.ready(GENESIS)) {
            assertThat(producer.roomLeft()).isEqualTo(2);
            assertThat(producer.isRoomLow()).isFalse();
            TerminalReservation first = producer.reserve(execution("s"), exited(0));
            TerminalReservation second = producer.reserve(execution("s2"), exited(0));
            assertThat(fault(() -> producer.reserve(execution("s3"), exited(0))))
                    .isEqualTo(Fault.CAPACITY);
            assertThat(producer.isRoomLow()).isTrue();
            producer.commit(first, exited(0));
            // Exactly room for one more beside the second, and not for two.
            TerminalReservation third = producer.reserve(execution("s3"), exited(0));
            assertThat(fault(() -> producer.reserve(execution("s4"), exited(0))))
                    .isEqualTo(Fault.CAPACITY);
            second.close();
            producer.reserve(execution("s4"), exited(0)).close();
            third.close();
        }
        room.bytesMax--;
        try (ReceiptProducer producer = room.producer(Syscalls.host())) {
            producer.bootstrap(room.scan().end());
            producer.reserve(execution("s3"), exited(0));
            assertThat(fault(() -> producer.reserve(execution("s4"), exited(0))))
                    .as("one byte less")
                    .isEqualTo(Fault.CAPACITY);
        }
    }

    @Test
    void theRegistryIsToldWhetherAnEnvelopeIsThere() throws Exception {
        try (ReceiptProducer producer = room.ready(GENESIS)) {
            ReceiptEnvelope one = ReceiptRoom.write(producer, "s", exited(3));
            ReceiptEnvelope two = ReceiptRoom.write(producer, "t", ReceiptRoom.refinement(true));
            TerminalEnvelope known = one.terminal();
            ReceiptLink link = known.receipt();

            assertThat(producer.check(known)).isEqualTo(Worth.DURABLE);
            assertThat(producer.check(two.terminal())).isEqualTo(Worth.DURABLE);
            assertThat(two.terminal().refinement()).isTrue();
            assertThat(producer.check(changed(known, link, true, 1750))).isEqualTo(Worth.UNKNOWN);
            assertThat(producer.check(changed(known, link, false, 1751))).isEqualTo(Worth.UNKNOWN);
            assertThat(producer.check(changed(known, code(link, 4), false, 1750)))
                    .isEqualTo(Worth.UNKNOWN);
            assertThat(producer.check(changed(known, code(link, 256), false, 1750)))
                    .isEqualTo(Worth.MALFORMED);
            assertThat(producer.check(changed(known, code(link, -1), false, 1750)))
                    .isEqualTo(Worth.MALFORMED);
            assertThat(producer.check(changed(known, ReceiptLink.NONE, false, 1750)))
                    .isEqualTo(Worth.MALFORMED);
        }
    }

    private static TerminalEnvelope changed(
            TerminalEnvelope of, ReceiptLink link, boolean refinement, long finishedMs) {
        return new TerminalEnvelope(
                refinement,
                of.sessionId(),
                of.controllerPlanDigest(),
                of.profileDigest(),
                link,
                finishedMs);
    }

    private static ReceiptLink code(ReceiptLink link, int code) {
        return new ReceiptLink(
                link.startedAtMs(),
                link.keyId(),
                link.sequence(),
                link.digest(),
                link.previousHmac(),
                link.hmac(),
                link.cause(),
                code);
    }

    @Test
    void anExecutionHasOneReceiptOfAKind() throws Exception {
        try (ReceiptProducer producer = room.ready(GENESIS)) {
            ReceiptEnvelope plain = ReceiptRoom.write(producer, "s", exited(0));
            ReceiptEnvelope skill = ReceiptRoom.write(producer, "s", ReceiptRoom.refinement(true));
            ReceiptReservation s = execution("s");

            assertThat(producer.terminalForExecution(ReceiptKind.RESOURCE, s)).hasValue(plain);
            assertThat(producer.terminalForExecution(ReceiptKind.REFINEMENT, s)).hasValue(skill);
            assertThat(producer.terminalForExecution(ReceiptKind.RESOURCE, execution("t")))
                    .isEmpty();
            assertThat(producer.containsExact(plain)).isTrue();

            ReceiptRoom.write(producer, "s", exited(1));
            assertThat(fault(() -> producer.terminalForExecution(ReceiptKind.RESOURCE, s)))
                    .isEqualTo(Fault.AMBIGUOUS);
            assertThat(producer.terminalForExecution(ReceiptKind.REFINEMENT, s)).hasValue(skill);
        }
    }

    @Test
    void aJournalHasOneWriter() throws Exception {
        try (ReceiptProducer first = room.ready(GENESIS);
                ReceiptProducer second = room.producer(Syscalls.host())) {
            ReceiptException failure =
                    catchThrowableOfType(ReceiptException.class, () -> second.bootstrap(GENESIS));
            assertThat(failure.fault()).isEqualTo(Fault.STORAGE);
            assertThat(failure).hasMessageContaining("in use by another process");
            ReceiptRoom.write(first, "s", exited(0));
            assertThat(room.scan().end().sequence())
                    .as("readers are no writers")
                    .isOne();
        }
    }

    @Test
    void aJournalThatSomebodyElseChangesIsOfNoMoreUse() throws Exception {
        try (ReceiptProducer producer = room.ready(GENESIS)) {
            ReceiptEnvelope one = ReceiptRoom.write(producer, "s", exited(0));
            TerminalReservation place = producer.reserve(execution("t"), exited(0));
            Files.write(room.file, new byte[] {0}, StandardOpenOption.APPEND);

            for (Attempt attempt : List.<Attempt>of(
                    () -> producer.commit(place, exited(0)),
                    () -> producer.pageAfter(GENESIS, 1),
                    () -> producer.acknowledge(one.anchor()),
                    () -> producer.reserve(execution("u"), exited(0)),
                    () -> producer.containsExact(one),
                    () -> producer.terminalForExecution(ReceiptKind.RESOURCE, execution("s")))) {
                assertThat(fault(attempt)).isEqualTo(Fault.STORAGE);
            }
            assertThat(producer.check(one.terminal())).isEqualTo(Worth.UNKNOWN);
        }
    }

    @Test
    void theKeyIsTheOwnersAlone() throws Exception {
        UnixPath path = UnixPath.of(room.keyFile.toString());
        String digits = ReceiptRoom.KEY_HEX;
        for (String good : List.of(digits, digits + "\n", " \t\r\n\f\u000b" + digits + " ")) {
            StoreBytes.write(room.keyFile, good.getBytes(StandardCharsets.US_ASCII));
            assertThat(AuditKey.read(Linux.host(), path).id()).isEqualTo(ReceiptRoom.KEY.id());
        }
        for (String bad : List.of(
                "",
                digits.substring(1),
                digits + "0",
                digits + "\0",
                digits.replace('a', 'A'),
                digits + " ".repeat(65))) {
            StoreBytes.write(room.keyFile, bad.getBytes(StandardCharsets.US_ASCII));
            assertThatThrownBy(() -> AuditKey.read(Linux.host(), path))
                    .isInstanceOf(DurableFileException.class);
        }
        assertThatThrownBy(() -> ReceiptProducer.of(
                        Linux.host(), path, ReceiptStore.at(UnixPath.of(path + "/../key"))))
                .isInstanceOf(DurableFileException.class)
                .hasMessageContaining("name two files");
        assertThat(Optional.of(ReceiptRoom.KEY).toString()).doesNotContain(digits);
    }
}
