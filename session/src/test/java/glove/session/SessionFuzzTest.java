package glove.session;

import glove.journal.RecordException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/** Whatever happens to the bytes: a refusal in words, or only records that were written. */
@Tag("unit")
@Timeout(900)
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

    private StoreFuzz<StoredRecord> fuzz() {
        return new StoreFuzz<>(good, SessionRegistry.HEADER.length(), new StoreFuzz.Form<>() {
            @Override
            public StoredRecord decode(byte[] payload) throws RecordException {
                StoredRecord record = SessionRecordJson.decode(payload);
                RecordShape.complaint(record);
                return record;
            }

            @Override
            public byte[] encode(StoredRecord record) {
                return SessionRecordJson.encode(record);
            }
        });
    }

    @Test
    void aMutatedRecordIsRefusedInWordsOrReadsBackAsItWasRead() {
        fuzz().mutateRecords(PAYLOADS);
    }

    @Test
    void aMutatedFileIsRefusedAndLeftAsItIsOrHasItsFirstRecordsOnly() throws Exception {
        fuzz().mutateFile(FILES, room.file, () -> {
            try (SessionRegistry registry = room.open()) {
                return registry.room().records();
            }
        });
    }
}
