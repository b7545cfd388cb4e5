package glove.session.receipt;

import glove.policy.session.RefinementOutcome;
import glove.policy.session.ResourceLimits;
import glove.policy.session.TerminationCause;
import glove.session.ReceiptReservation;
import glove.wire.Digest;
import glove.wire.U64;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * How large the receipt of a session can become, before it runs: what it is shown, what it may
 * change and what it is called are known then, and the numbers have a largest one. Stateless.
 */
final class ReceiptSize {
    private static final int CODE_WIDEST = 255;
    private static final int U32_WIDEST = -1;

    /** Four of them have the most digits that counts with such a sum can have. */
    private static final long COUNT_WIDEST = RetainedChange.ENTRIES_MOST / 4;

    private ReceiptSize() {}

    /**
     * The largest envelope a session can end with.
     *
     * @param of whose receipt
     * @param shape a receipt with the projections, exposures and metrics it can have; its numbers
     *     do not count
     */
    static ReceiptEnvelope widest(ReceiptReservation of, Receipt shape) {
        Receipt widest = switch (shape) {
            case ResourceReceipt resource -> widest(resource);
            case RefinementReceipt refinement -> widest(refinement);
        };
        return new ReceiptEnvelope(
                U64.MAX,
                Digest.ZERO,
                of.sessionId(),
                of.controllerPlanDigest(),
                widest,
                Digest.ZERO,
                Digest.ZERO,
                Digest.ZERO);
    }

    private static ResourceReceipt widest(ResourceReceipt shape) {
        // With its code, 'exited' is longer than the longest other cause.
        Ending ending =
                new Ending(TerminationCause.EXITED, OptionalInt.of(CODE_WIDEST), U64.MAX, U64.MAX);
        return new ResourceReceipt(
                shape.profileDigest(),
                shape.sandbox(),
                shape.limits(),
                shape.mechanisms(),
                new ObservedUse(U64.MAX, U64.MAX, U32_WIDEST, U64.MAX, U64.MAX, U64.MAX),
                ending,
                shape.projections(),
                widest(shape.retained(), shape.limits()));
    }

    private static List<RetainedChange> widest(List<RetainedChange> shape, ResourceLimits limits) {
        RetainedChange.Counts counts = new RetainedChange.Counts(
                COUNT_WIDEST,
                COUNT_WIDEST,
                COUNT_WIDEST,
                COUNT_WIDEST,
                limits.diskBytes(),
                limits.diskBytes());
        List<RetainedChange> widest = new ArrayList<>();
        for (RetainedChange one : shape) {
            widest.add(new RetainedChange(one.exposureId(), U64.MAX, one.trees(), counts));
        }
        return widest;
    }

    /** One with an outcome, if it can have one, is longer than one without. */
    private static RefinementReceipt widest(RefinementReceipt shape) {
        TreeMap<String, Long> metrics = new TreeMap<>();
        shape.outcome().ifPresent(outcome -> {
            for (String name : outcome.metrics().keySet()) {
                metrics.put(name, Long.MIN_VALUE);
            }
        });
        boolean valid = !metrics.isEmpty();
        return new RefinementReceipt(
                widest(shape.resource()),
                valid ? Optional.of(new RefinementOutcome(metrics)) : Optional.empty(),
                shape.variant(),
                shape.bundles(),
                shape.matchedContextDigest(),
                new RefinementReceipt.Transcript(Digest.ZERO, U64.MAX, valid),
                new RefinementReceipt.Evaluator(valid, valid, U32_WIDEST, U32_WIDEST));
    }
}
