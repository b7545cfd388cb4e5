package glove.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.journal.AppendLogException;
import glove.journal.RecordException;
import glove.testkit.Mutations;
import glove.testkit.Seed;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Whatever happens to the bytes of a log: a refusal in words, or only records that were written.
 *
 * @param <R> its records
 */
public final class StoreFuzz<R> {
    private final byte[] good;
    private final int headerBytes;
    private final Form<R> form;

    /**
     * Of one log.
     *
     * @param good what it holds
     * @param headerBytes of it
     */
    public StoreFuzz(byte[] good, int headerBytes, Form<R> form) {
        this.good = good;
        this.headerBytes = headerBytes;
        this.form = form;
    }

    /** How its records are written. */
    public interface Form<R> {
        /** Reads one. */
        R decode(byte[] payload) throws RecordException;

        /** Writes one. */
        byte[] encode(R read);
    }

    /** Opens the log and closes it. */
    public interface Use {
        /** How many records it held. */
        long records() throws Exception;
    }

    /** Each record mutated is refused, or reads back as it was read. */
    public void mutateRecords(int times) {
        List<byte[]> payloads = StoreBytes.payloads(good, headerBytes);
        int read = 0;
        for (int i = 0; i < times; i++) {
            byte[] mutated = Mutations.of(payloads.get(i % payloads.size()), Seed.random(i));
            try {
                R once = form.decode(mutated);
                assertThat(form.decode(form.encode(once))).as(Seed.words()).isEqualTo(once);
                read++;
            } catch (RecordException e) {
                assertThat(e).as(Seed.words()).hasMessageMatching("\\p{Print}+");
            }
        }
        assertThat(read).isBetween(1, times - 1);
    }

    /** The file mutated is refused and left as it is, or has its first records only. */
    public void mutateFile(int times, Path file, Use use) throws Exception {
        List<byte[]> expected = StoreBytes.payloads(good, headerBytes);
        for (int i = 0; i < times; i++) {
            byte[] mutated = Mutations.of(good, Seed.random(i));
            StoreBytes.write(file, mutated);
            boolean opened = true;
            try {
                assertThat(use.records()).isLessThanOrEqualTo(expected.size());
            } catch (AppendLogException e) {
                opened = false;
            }
            byte[] after = Files.readAllBytes(file);
            if (!opened) {
                assertThat(after).as(Seed.words()).isEqualTo(mutated);
                continue;
            }
            List<byte[]> left = StoreBytes.payloads(after, headerBytes);
            for (int k = 0; k < left.size(); k++) {
                assertThat(form.decode(left.get(k)))
                        .as(Seed.words())
                        .isEqualTo(form.decode(expected.get(k)));
            }
        }
    }
}
