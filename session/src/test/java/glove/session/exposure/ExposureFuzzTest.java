package glove.session.exposure;

import glove.journal.RecordException;
import glove.session.StoreFuzz;
import glove.wire.Id128;

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
final class ExposureFuzzTest {
    private static final int PAYLOADS = 4000;
    private static final int FILES = 300;

    @TempDir
    private Path parent;

    private Grounds grounds;
    private byte[] good = {};

    @BeforeEach
    void makeGood() throws Exception {
        grounds = new Grounds(parent);
        try (ExposureRegistry registry = grounds.open()) {
            registry.create(grounds.wish("a", grounds.project), new Id128("k1"), 1000);
            registry.revoke("a", 1, new Id128("k2"), 1001);
            registry.create(grounds.wish("a", grounds.project), new Id128("k3"), 1002);
        }
        good = Files.readAllBytes(grounds.file);
    }

    private StoreFuzz<ExposureRecord> fuzz() {
        return new StoreFuzz<>(good, ExposureRegistry.HEADER.length(), new StoreFuzz.Form<>() {
            @Override
            public ExposureRecord decode(byte[] payload) throws RecordException {
                return ExposureRecordJson.decode(payload);
            }

            @Override
            public byte[] encode(ExposureRecord record) {
                return ExposureRecordJson.encode(record);
            }
        });
    }

    @Test
    void aMutatedRecordIsRefusedInWordsOrReadsBackAsItWasRead() {
        fuzz().mutateRecords(PAYLOADS);
    }

    @Test
    void aMutatedFileIsRefusedAndLeftAsItIsOrHasItsFirstRecordsOnly() throws Exception {
        fuzz().mutateFile(FILES, grounds.file, () -> {
            try (ExposureRegistry registry = grounds.open()) {
                return registry.room().records();
            }
        });
    }
}
