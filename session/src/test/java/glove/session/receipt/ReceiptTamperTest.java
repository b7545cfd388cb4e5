package glove.session.receipt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.testkit.EveryBit;
import glove.wire.SecretKey32;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Whatever is done to a journal is found, by the daemon and by a stranger with the key. */
@Tag("unit")
@Timeout(900)
final class ReceiptTamperTest {
    @TempDir
    private Path parent;

    private ReceiptRoom room;
    private byte[] whole;
    private List<Integer> ends; // of the header and of each record

    @BeforeEach
    void writeThree() throws Exception {
        room = new ReceiptRoom(parent);
        try (ReceiptProducer producer = room.ready(ReceiptRoom.GENESIS)) {
            ReceiptRoom.write(producer, "one", ReceiptRoom.exited(0));
            ReceiptRoom.write(producer, "two", ReceiptRoom.refinement(true));
            ReceiptRoom.write(producer, "three", ReceiptRoom.exited(3));
        }
        whole = Files.readAllBytes(room.file);
        ends = new ArrayList<>(List.of(ReceiptStore.HEADER_BYTES));
        for (byte[] payload : ReceiptRoom.payloads(whole)) {
            ends.add(ends.get(ends.size() - 1) + payload.length + ReceiptStore.FRAME_BYTES);
        }
        assertThat(room.scan().fault()).as("control").isEmpty();
        room.open(Optional.empty()).close();
    }

    private ReceiptException refused(Optional<Anchor> trusted) {
        return catchThrowableOfType(
                ReceiptException.class, () -> room.open(trusted).close());
    }

    /** The number of the record that a byte belongs to; 0 for the header. */
    private int record(int offset) {
        int record = 0;
        while (ends.get(record) <= offset) {
            record++;
        }
        return record;
    }

    @Test
    void eachByteMatters() throws Exception {
        Anchor end = room.scan().end();
        for (int at = 0; at < whole.length; at++) {
            set(at, whole[at] ^ 1);
            ReceiptScan scan = room.scan();
            assertThat(scan.fault()).as("byte %d", at).isPresent();
            ReceiptScan.Fault fault = scan.fault().orElseThrow();
            assertThat(fault.record()).isEqualTo(record(at));
            assertThat(fault.offset()).isEqualTo(record(at) == 0 ? 0 : ends.get(record(at) - 1));

            set(at, whole[at] ^ (at % 2 == 0 ? 0x20 : 0x80));
            assertThat(refused(at % 3 == 0 ? Optional.empty() : Optional.of(end)))
                    .as("byte %d", at)
                    .isNotNull();
            set(at, whole[at]);
            if (at % 97 == 0) {
                assertThat(Files.readAllBytes(room.file)).as("left as it was").isEqualTo(whole);
            }
        }
    }

    /** Not even for a peer that has nothing yet, so that an end may be cut off. */
    @Test
    void noBitCanChangeUnseen() throws Exception {
        room.write(Arrays.copyOf(whole, ends.get(2)));

        assertThat(EveryBit.flippedUnseen(
                        room.file, () -> refused(Optional.of(ReceiptRoom.GENESIS)) != null))
                .isEmpty();
        assertThat(EveryBit.flippedUnseen(room.file, () -> {
                    Optional<ReceiptScan.Fault> fault = room.scan().fault();
                    return fault.isPresent() && !fault.get().torn();
                }))
                .isEmpty();
    }

    private void set(int at, int value) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(room.file.toFile(), "rw")) {
            file.seek(at);
            file.write(value);
        }
    }

    @Test
    void aCutIsFoundButForOneBetweenRecordsWhichAnAnchorFinds() throws Exception {
        Anchor end = room.scan().end();
        for (int size = 0; size < whole.length; size++) {
            room.write(Arrays.copyOf(whole, size));

            ReceiptScan scan = room.scan();

            boolean between = ends.contains(size);
            assertThat(scan.fault().isEmpty()).as("%d bytes", size).isEqualTo(between);
            assertThat(scan.fault().map(ReceiptScan.Fault::torn).orElse(false))
                    .isEqualTo(!between && size > ReceiptStore.HEADER_BYTES);
            assertThat(refused(Optional.of(end))).as("%d bytes", size).isNotNull();
            assertThat(refused(Optional.empty()) == null).isEqualTo(between);
            assertThat(Files.readAllBytes(room.file)).hasSize(size);
        }
    }

    @Test
    void aTornTailIsCutOnlyWhenThePeersAnchorStandsBeforeIt() throws Exception {
        List<Anchor> anchors = anchors();
        byte[] torn = Arrays.copyOf(whole, whole.length - 1);
        for (int have = 0; have < anchors.size(); have++) {
            room.write(torn);
            if (have == 3) {
                ReceiptException failure = refused(Optional.of(anchors.get(have)));
                assertThat(failure.fault()).isEqualTo(ReceiptException.Fault.ANCHOR);
                assertThat(Files.readAllBytes(room.file)).isEqualTo(torn);
                continue;
            }
            try (ReceiptJournal journal = room.open(Optional.of(anchors.get(have)))) {
                assertThat(journal.head()).isEqualTo(anchors.get(2));
                Path aside = Path.of(journal.repaired().orElseThrow().setAside().toString());
                assertThat(Files.readAllBytes(aside))
                        .isEqualTo(Arrays.copyOfRange(torn, ends.get(2), torn.length));
            }
            assertThat(Files.readAllBytes(room.file)).isEqualTo(Arrays.copyOf(whole, ends.get(2)));
        }
    }

    private List<Anchor> anchors() throws Exception {
        List<Anchor> anchors = new ArrayList<>(List.of(ReceiptRoom.GENESIS));
        ReceiptScan.of(
                Linux.host(),
                UnixPath.of(room.file.toString()),
                Optional.of(ReceiptRoom.KEY),
                found -> anchors.add(found.anchor()));
        assertThat(anchors).hasSize(4);
        return anchors;
    }

    private void write(List<byte[]> payloads) throws Exception {
        ByteBuffer out = ByteBuffer.allocate(whole.length * 2);
        out.put(whole, 0, ReceiptStore.HEADER_BYTES);
        for (byte[] payload : payloads) {
            out.putInt(payload.length).put(payload).putInt(payload.length);
        }
        room.write(Arrays.copyOf(out.array(), out.position()));
    }

    @Test
    void recordsThatAreMissingTwiceOrInAnotherOrderAreFound() throws Exception {
        List<byte[]> all = ReceiptRoom.payloads(whole);
        byte[] one = all.get(0);
        byte[] two = all.get(1);
        byte[] three = all.get(2);
        write(List.of(one, two, three));
        assertThat(Files.readAllBytes(room.file)).as("control").isEqualTo(whole);
        for (List<byte[]> wrong : List.of(
                List.of(two, three),
                List.of(one, three),
                List.of(one, one, two, three),
                List.of(one, two, two),
                List.of(two, one, three),
                List.of(one, two, three, one))) {
            write(wrong);

            ReceiptScan.Fault fault = room.scan().fault().orElseThrow();

            assertThat(fault.what()).contains("has the number");
            assertThat(refused(Optional.empty()).getMessage()).contains("has the number");
        }
    }

    /** The same values in other bytes are none: all bytes of a record are covered. */
    @Test
    void anotherSpellingIsNone() throws Exception {
        String good = new String(ReceiptRoom.payloads(whole).get(0), StandardCharsets.UTF_8);
        for (String wrong : List.of(
                good.replace("\"sequence\":1", "\"sequence\": 1"),
                good.replace("\"session_id\":\"one\"", "\"session_id\":\"\\u006fne\""),
                good.replace("\"exit_code\":0,", "\"exit_code\":0,\"exit_code\":0,"),
                good.replace("\"exit_code\":0", "\"exit_code\":-0"),
                good.replace("\"exit_code\":0", "\"exit_code\":0.0"),
                good.replace("\"exit_code\":0,", "") + " ",
                good.replace("\"resource\":{", "\"refinement\":null,\"resource\":{"),
                good.replace("\"exited\",\"exit_code\":0", "\"signaled\",\"exit_code\":null"))) {
            assertThat(wrong).isNotEqualTo(good);
            write(List.of(wrong.getBytes(StandardCharsets.UTF_8)));

            assertThat(room.scan().fault()).as(wrong).isPresent();
            assertThat(refused(Optional.empty())).as(wrong).isNotNull();
        }
    }

    @Test
    void anotherKeyOpensNothing() throws Exception {
        SecretKey32 other = SecretKey32.parse("f".repeat(64)).orElseThrow();
        ReceiptException failure = catchThrowableOfType(
                ReceiptException.class,
                () -> ReceiptJournal.open(
                                Linux.host(), room.store(), AuditKey.of(other), Optional.empty())
                        .close());
        ReceiptScan scan = ReceiptScan.of(
                Linux.host(),
                UnixPath.of(room.file.toString()),
                Optional.of(AuditKey.of(other)),
                found -> {});

        assertThat(failure.fault()).isEqualTo(ReceiptException.Fault.STORAGE);
        assertThat(scan.fault().orElseThrow().toString())
                .isEqualTo("the header, at byte 0, names the key " + ReceiptRoom.KEY.id()
                        + ", and the one given is " + AuditKey.of(other).id());
    }

    /** Without the key the chain can be followed, but whoever wrote it is unknown. */
    @Test
    void aForgeryIsFoundWithTheKeyOnly() throws Exception {
        SecretKey32 other = SecretKey32.parse("f".repeat(64)).orElseThrow();
        AuditKey forger = new AuditKey(other, ReceiptRoom.KEY.id()); // calls itself so
        ReceiptEnvelope forged = ReceiptEnvelope.seal(
                forger,
                ReceiptRoom.GENESIS,
                ReceiptRoom.execution("one").sessionId(),
                ReceiptRoom.CONTROLLER,
                ReceiptRoom.exited(0));
        write(List.of(ReceiptRecord.encode(forged)));

        ReceiptScan without = ReceiptScan.of(
                Linux.host(), UnixPath.of(room.file.toString()), Optional.empty(), found -> {});

        assertThat(without.fault()).isEmpty();
        assertThat(without.authenticated()).isFalse();
        assertThat(room.scan().fault().orElseThrow().what()).contains("authentication code");
        assertThat(refused(Optional.empty()).getMessage()).contains("authentication code");
    }
}
