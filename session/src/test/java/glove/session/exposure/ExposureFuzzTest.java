package glove.session.exposure;

import static org.assertj.core.api.Assertions.assertThat;

import glove.journal.AppendLogException;
import glove.journal.RecordException;
import glove.testkit.Seed;
import glove.wire.Id128;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Whatever happens to the bytes: a refusal in words, or only records that were written. */
@Tag("unit")
@Timeout(120)
final class ExposureFuzzTest {
    private static final int PAYLOADS = 4000;
    private static final int FILES = 300;

    /** What has gone wrong in such readers before. */
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
            "//",
            "/../",
            ",",
            "\u0000",
            "\u00e9");

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

    private static byte[] mutated(byte[] bytes, Random random) {
        byte[] result = bytes.clone();
        for (int i = random.nextInt(3); i >= 0 && result.length > 0; i--) {
            int at = random.nextInt(result.length);
            int to = Math.min(result.length, at + random.nextInt(20));
            String piece = PIECES.get(random.nextInt(PIECES.size()));
            switch (random.nextInt(4)) {
                case 0 -> result[at] = (byte) random.nextInt(256);
                case 1 -> result = Arrays.copyOf(result, at);
                case 2 -> result = joined(result, at, new byte[0], to);
                default -> result = joined(result, at, piece.getBytes(StandardCharsets.UTF_8), to);
            }
        }
        return result;
    }

    /** What is before a place, a piece, and what is behind another place. */
    private static byte[] joined(byte[] bytes, int before, byte[] piece, int behind) {
        byte[] result = new byte[before + piece.length + bytes.length - behind];
        System.arraycopy(bytes, 0, result, 0, before);
        System.arraycopy(piece, 0, result, before, piece.length);
        System.arraycopy(bytes, behind, result, before + piece.length, bytes.length - behind);
        return result;
    }

    @Test
    void aMutatedRecordIsRefusedInWordsOrReadsBackAsItWasRead() throws Exception {
        List<byte[]> payloads = Grounds.payloads(good);
        int read = 0;
        for (int i = 0; i < PAYLOADS; i++) {
            byte[] mutated = mutated(payloads.get(i % payloads.size()), Seed.random(i));
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
            byte[] mutated = mutated(good, Seed.random(i));
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
