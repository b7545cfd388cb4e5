package glove.session.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import glove.journal.RecordException;
import glove.testkit.Seed;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Whatever the bytes are: a refusal in words, or exactly what would be written. */
@Tag("unit")
@Timeout(120)
final class ReceiptFuzzTest {
    private static final int PAYLOADS = 6000;
    private static final int FILES = 500;

    /** What has gone wrong in such readers before; the last ones are often right. */
    private static final List<String> PIECES = List.of(
            "null",
            "{}",
            "[]",
            "1e3",
            "-0",
            "-1",
            "256",
            "4294967296",
            "18446744073709551616",
            "\"\"",
            "\"\\ud800\"",
            "\"\\u0000\"",
            ",",
            "\u0000",
            "\u00e9",
            "0",
            "7",
            "a");

    @TempDir
    private Path parent;

    private ReceiptRoom room;
    private byte[] good = {};

    @BeforeEach
    void makeGood() throws Exception {
        room = new ReceiptRoom(parent);
        try (ReceiptProducer producer = room.ready(ReceiptRoom.GENESIS)) {
            ReceiptRoom.write(producer, "one", ReceiptRoom.exited(0));
            ReceiptRoom.write(producer, "two", ReceiptRoom.refinement(true));
            ReceiptRoom.write(producer, "three", ReceiptRoom.refinement(false));
            ReceiptRoom.write(
                    producer,
                    "four",
                    ReceiptRoom.with(List.of(), List.of(ReceiptRoom.retained("e"))));
        }
        good = Files.readAllBytes(room.file);
    }

    private static byte[] mutated(byte[] bytes, Random random) {
        byte[] result = bytes.clone();
        int changes = 1 + random.nextInt(2);
        for (int i = 0; i < changes && result.length > 0; i++) {
            int at = random.nextInt(result.length);
            int to = Math.min(result.length, at + random.nextInt(8));
            result = switch (random.nextInt(5)) {
                case 0 -> joined(result, at, new byte[] {(byte) random.nextInt(256)}, to);
                case 1 -> Arrays.copyOf(result, at);
                case 2 -> joined(result, at, new byte[0], to);
                case 3 -> joined(result, at, Arrays.copyOfRange(result, at, to), at);
                default -> {
                    String piece = PIECES.get(random.nextInt(PIECES.size()));
                    int behind = Math.min(result.length, at + piece.length());
                    yield joined(result, at, piece.getBytes(StandardCharsets.UTF_8), behind);
                }
            };
        }
        return result;
    }

    /** What is before a place, a piece, and what is behind another place. */
    private static byte[] joined(byte[] bytes, int before, byte[] piece, int behind) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, before);
        out.writeBytes(piece);
        out.write(bytes, behind, bytes.length - behind);
        return out.toByteArray();
    }

    @Test
    void aMutatedRecordIsRefusedInWordsOrWrittenAsItWasRead() {
        List<byte[]> payloads = ReceiptRoom.payloads(good);
        int read = 0;
        for (int i = 0; i < PAYLOADS; i++) {
            Random random = Seed.random(i);
            byte[] mutated = mutated(payloads.get(i % payloads.size()), random);
            try {
                ReceiptEnvelope envelope = ReceiptRecord.decode(mutated);
                assertThat(ReceiptRecord.encode(envelope)).as(Seed.words()).isEqualTo(mutated);
                assertThat(envelope.receipt().complaint()).as(Seed.words()).isEmpty();
                envelope.receipt().digest();
                read++;
            } catch (RecordException e) {
                assertThat(e).as(Seed.words()).hasMessageMatching("\\p{Print}+");
            }
        }
        assertThat(read).isBetween(1, PAYLOADS - 1);
    }

    /** Both readers of journals decide the same: the daemon's and the strangers'. */
    @Test
    void aMutatedJournalIsDecidedTheSameByBothReaders() throws Exception {
        int torn = 0;
        for (int i = 0; i < FILES; i++) {
            byte[] mutated = mutated(good, Seed.random(100_000 + i));
            room.write(mutated);

            ReceiptScan scan = room.scan();

            boolean opened = opens(Optional.empty());
            assertThat(opened).as(Seed.words()).isEqualTo(scan.fault().isEmpty());
            assertThat(Files.readAllBytes(room.file)).isEqualTo(mutated);
            if (scan.fault().map(ReceiptScan.Fault::torn).orElse(false)) {
                torn++;
            }
        }
        assertThat(torn).isGreaterThan(FILES / 20);
    }

    private boolean opens(Optional<Anchor> trusted) {
        try (ReceiptJournal journal = room.open(trusted)) {
            return journal.repaired().isEmpty();
        } catch (ReceiptException e) {
            assertThat(e).as(Seed.words()).hasMessageMatching("\\p{Print}+");
            return false;
        }
    }
}
