package glove.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.journal.AppendLogException;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Whatever happens to the bytes: a refusal in words, or only records that were written. */
@Tag("unit")
@Timeout(120)
final class SessionFuzzTest {
    private static final int PAYLOADS = 4000;
    private static final int FILES = 400;

    @TempDir
    private Path parent;

    private Room room;
    private byte[] good = {};

    @BeforeEach
    void makeGood() throws Exception {
        room = new Room(parent);
        try (SessionRegistry registry = room.open()) {
            Room.create(registry, "a", "create-a", 1000);
            registry.reserveStart(
                    Room.authorization("a", 1001, 2001), Room.call("reserve-a", 1001));
            registry.markStarting(
                    Room.ids("a"), Room.LOCAL, Room.reserved("a"), Room.call("starting-a", 1003));
            registry.markRunning(Room.ids("a"), Room.RUNNING, Room.call("running-a", 1004));
        }
        good = Files.readAllBytes(room.file);
    }

    @Test
    void aMutatedRecordIsRefusedInWordsOrReadsBackAsItWasRead() {
        List<byte[]> payloads = Room.payloads(good);
        int read = 0;
        for (int i = 0; i < PAYLOADS; i++) {
            Random random = Seed.random(i);
            byte[] mutated = Mutations.of(payloads.get(i % payloads.size()), random);
            try {
                StoredRecord record = SessionRecordJson.decode(mutated);
                RecordShape.complaint(record);
                assertThat(SessionRecordJson.decode(SessionRecordJson.encode(record)))
                        .as(Seed.words())
                        .isEqualTo(record);
                read++;
            } catch (RecordException e) {
                assertThat(e).as(Seed.words()).hasMessageMatching("\\p{Print}+");
            }
        }
        assertThat(read).isBetween(1, PAYLOADS - 1);
    }

    @Test
    void aMutatedFileIsRefusedAndLeftAsItIsOrHasItsFirstRecordsOnly() throws Exception {
        List<byte[]> expected = Room.payloads(good);
        for (int i = 0; i < FILES; i++) {
            byte[] mutated = Mutations.of(good, Seed.random(i));
            room.write(mutated);
            boolean opened = true;
            try (SessionRegistry registry = room.open()) {
                assertThat(registry.room().records()).isLessThanOrEqualTo(expected.size());
            } catch (AppendLogException e) {
                opened = false;
            }
            byte[] after = Files.readAllBytes(room.file);
            if (opened) {
                List<byte[]> left = new ArrayList<>(Room.payloads(after));
                for (int k = 0; k < left.size(); k++) {
                    assertThat(SessionRecordJson.decode(left.get(k)))
                            .as(Seed.words())
                            .isEqualTo(SessionRecordJson.decode(expected.get(k)));
                }
            } else {
                assertThat(after).as(Seed.words()).isEqualTo(mutated);
            }
        }
    }
}
