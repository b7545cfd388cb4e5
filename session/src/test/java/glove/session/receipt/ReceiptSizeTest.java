package glove.session.receipt;

import static glove.session.receipt.ReceiptRoom.GENESIS;
import static glove.session.receipt.ReceiptRoom.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.policy.session.TerminationCause;
import glove.session.ReceiptReservation;
import glove.session.receipt.ReceiptException.Fault;
import glove.wire.AbsolutePath;
import glove.wire.Digest;
import glove.wire.Id128;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** How large a receipt can become is known before anything runs. */
@Tag("unit")
@Timeout(900)
final class ReceiptSizeTest {
    private static final int PROJECTIONS = 20;
    private static final int EXPOSURES = 64;

    @TempDir
    private Path parent;

    private static int most(ReceiptReservation of, Receipt shape) {
        return ReceiptRecord.encode(ReceiptSize.widest(of, shape)).length;
    }

    /** One whose largest receipt has exactly so many bytes, by the length of its paths. */
    private static ResourceReceipt sized(int bytes) {
        int missing = bytes - most(execution("s"), padded(0));
        ResourceReceipt sized = padded(missing);
        assertThat(most(execution("s"), sized)).isEqualTo(bytes);
        return sized;
    }

    private static ResourceReceipt padded(int missing) {
        List<RetainedChange> retained = new ArrayList<>();
        for (int i = 0; i < EXPOSURES; i++) {
            retained.add(ReceiptRoom.retained("exposure-" + (100 + i)));
        }
        List<ProjectionReceipt> projections = new ArrayList<>();
        Digest digest = ReceiptRoom.digest(4);
        for (int i = 0; i < PROJECTIONS; i++) {
            int more = missing / PROJECTIONS + (i < missing % PROJECTIONS ? 1 : 0);
            String directory = "/" + (100 + i) + "y".repeat(more);
            projections.add(new ProjectionReceipt(
                    new Id128("projection-" + (100 + i)),
                    new Id128("libraries"),
                    new AbsolutePath(directory + "/" + digest + ".json"),
                    digest));
        }
        return ReceiptRoom.with(projections, retained);
    }

    @Test
    void aReceiptThatCouldBecomeTooLargeIsRefusedBeforeAnythingRuns() throws Exception {
        ResourceReceipt fits = sized(ReceiptRecord.BYTES_MAX);
        ResourceReceipt large = sized(ReceiptRecord.BYTES_MAX + 1);
        assertThat(fits.complaint()).isEmpty();
        assertThat(large.complaint()).isEmpty();
        ReceiptRoom room = new ReceiptRoom(parent);
        try (ReceiptProducer producer = room.ready(GENESIS)) {
            ReceiptException refused = catchThrowableOfType(
                    ReceiptException.class, () -> producer.reserve(execution("s"), large));
            assertThat(refused.fault()).isEqualTo(Fault.TOO_LARGE);
            assertThat(refused).hasMessageContaining("could have 65537 bytes");

            ReceiptEnvelope written = ReceiptRoom.write(producer, "s", fits);
            assertThat(producer.containsExact(written)).isTrue();
        }
    }

    /** No receipt of a shape is larger than was said, and one is as large. */
    @Test
    void theLargestReceiptIsNotLargerThanWasSaid() {
        RetainedChange widest = new RetainedChange(
                new Id128("e"),
                -1,
                ReceiptRoom.retained("e").trees(),
                new RetainedChange.Counts(25_000, 25_000, 25_000, 25_000, 999, 1 << 30));
        ResourceReceipt shape = ReceiptRoom.with(List.of(), List.of(ReceiptRoom.retained("e")));
        ResourceReceipt largest = new ResourceReceipt(
                shape.profileDigest(),
                shape.sandbox(),
                shape.limits(),
                shape.mechanisms(),
                new ObservedUse(-1, -1, -1, -1, -1, -1),
                new Ending(TerminationCause.EXITED, OptionalInt.of(255), -1, -1),
                List.of(),
                List.of(widest));
        ReceiptEnvelope envelope = ReceiptEnvelope.seal(
                ReceiptRoom.KEY,
                new Anchor(ReceiptRoom.KEY.id(), -2, Digest.ZERO),
                new Id128("s"),
                ReceiptRoom.CONTROLLER,
                largest);

        assertThat(largest.complaint()).isEmpty();
        assertThat(ReceiptRecord.encode(envelope))
                .hasSize(most(execution("s"), shape) - "1073741824".length() + 3);
        for (boolean valid : new boolean[] {true, false}) {
            RefinementReceipt refinement = ReceiptRoom.refinement(valid);
            int said = most(execution("s"), refinement);
            assertThat(said).isBetween(2000, 4000);
            assertThat(ReceiptSize.widest(execution("s"), refinement).receipt().complaint())
                    .isEmpty();
        }
    }
}
