package glove.session.exposure;

import static org.assertj.core.api.Assertions.assertThat;

import glove.journal.AppendLogException;
import glove.journal.RecordException;
import glove.testkit.Mutations;
import glove.testkit.Seed;
import glove.wire.Id128;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Whatever happens to the bytes: a refusal in words, or only records that were written. */
@Tag("unit")
@Timeout(120)
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

    @Test
    void aMutatedRecordIsRefusedInWordsOrReadsBackAsItWasRead() throws Exception {
        List<byte[]> payloads = Grounds.payloads(good);
        int read = 0;
        for (int i = 0; i < PAYLOADS; i++) {
            byte[] mutated = Mutations.of(payloads.get(i % payloads.size()), Seed.random(i));
            try {
                ExposureRecord record = ExposureRecordJson.decode(mutated);
                assertThat(ExposureRecordJson.decode(ExposureRecordJson.encode(record)))
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
        List<byte[]> expected = Grounds.payloads(good);
        for (int i = 0; i < FILES; i++) {
            byte[] mutated = Mutations.of(good, Seed.random(i));
            grounds.write(mutated);
            boolean opened = true;
            try (ExposureRegistry registry = grounds.open()) {
                assertThat(registry.room().records()).isLessThanOrEqualTo(expected.size());
            } catch (AppendLogException e) {
                opened = false;
            }
            byte[] after = Files.readAllBytes(grounds.file);
            if (opened) {
                List<byte[]> left = Grounds.payloads(after);
                for (int k = 0; k < left.size(); k++) {
                    assertThat(ExposureRecordJson.decode(left.get(k)))
                            .as(Seed.words())
                            .isEqualTo(ExposureRecordJson.decode(expected.get(k)));
                }
            } else {
                assertThat(after).as(Seed.words()).isEqualTo(mutated);
            }
        }
    }
}
