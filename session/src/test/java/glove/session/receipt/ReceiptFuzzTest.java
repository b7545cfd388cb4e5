package glove.session.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import glove.journal.RecordException;
import glove.testkit.Mutations;
import glove.testkit.Seed;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Whatever the bytes are: a refusal in words, or exactly what would be written. */
@Tag("unit")
@Timeout(900)
final class ReceiptFuzzTest {
    private static final int PAYLOADS = 6000;
    private static final int FILES = 500;

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

    @Test
    void aMutatedRecordIsRefusedInWordsOrWrittenAsItWasRead() {
        List<byte[]> payloads = ReceiptRoom.payloads(good);
        int read = 0;
        for (int i = 0; i < PAYLOADS; i++) {
            byte[] mutated = Mutations.of(payloads.get(i % payloads.size()), Seed.random(i));
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
            byte[] mutated = Mutations.of(good, Seed.random(100_000 + i));
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
