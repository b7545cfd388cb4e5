package glove.host;

import glove.session.IdempotencyMemory;
import glove.session.receipt.Anchor;
import glove.session.receipt.ReceiptException;
import glove.session.receipt.ReceiptPage;
import glove.session.receipt.ReceiptProducer;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonWriter;
import glove.wire.U64;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Receipts, handed to the peer that archives them. Thread-safe: one acknowledgement at a time.
 */
final class ReceiptMethods {
    private static final String FAILED = "audit_reconciliation_failed";

    /** How many acknowledgements are remembered by their keys. */
    private static final int KEYS_MAX = 1024;

    private static final long NANOS = 1_000_000;

    private final ReceiptProducer receipts;
    private final DaemonLog log;
    private final IdempotencyMemory<Anchor> acknowledged;
    private final AtomicBoolean toldLow = new AtomicBoolean();

    /**
     * Of one journal.
     *
     * @param keyLifetimeMs how long a key is remembered at least
     */
    ReceiptMethods(ReceiptProducer receipts, long keyLifetimeMs, DaemonLog log) {
        this.receipts = receipts;
        this.log = log;
        this.acknowledged = new IdempotencyMemory<>(KEYS_MAX, keyLifetimeMs);
    }

    List<ControlMethod> methods() {
        return List.of(
                ControlMethod.slow("verify_audit_chain", this::verify),
                ControlMethod.slow("acknowledge_audit_chain", this::acknowledge));
    }

    /** Which receipts are wanted. Immutable. */
    private record Wanted(Anchor peers, int limit) {
        static Wanted read(JsonFields fields) {
            Anchor peers = Anchor.read(fields.object("sage_anchor"));
            long limit = fields.u32("limit");
            if (limit < 1 || limit > ReceiptPage.LIMIT_MAX) {
                fields.problem("limit", "is " + limit, "write 1 to " + ReceiptPage.LIMIT_MAX);
                return new Wanted(peers, 1);
            }
            return new Wanted(peers, (int) limit);
        }
    }

    private void verify(ControlCall call, JsonWriter result) throws ControlException {
        call.requireNoKey("read-only audit paging forbids idempotency keys");
        Wanted wanted = call.read(Wanted::read, "invalid receipt audit page request");
        if (!receipts.isBootstrapped()) {
            call.claim().requireInTime();
            try {
                receipts.bootstrap(wanted.peers());
                receipts.repaired()
                        .ifPresent(tail ->
                                log.warning("receipt_journal_repaired", "tail", tail.toString()));
            } catch (ReceiptException e) {
                throw failed("receipt audit producer bootstrap failed", e);
            }
        }
        if (receipts.isRoomLow() && !toldLow.getAndSet(true)) {
            log.warning(
                    "receipt_journal_low",
                    "sessions_left",
                    Long.toString(receipts.roomLeft()),
                    "advice",
                    "begin another journal before no more sessions can be started");
        }
        try {
            receipts.pageAfter(wanted.peers(), wanted.limit()).write(result);
        } catch (ReceiptException e) {
            throw failed("receipt audit page rejected", e);
        }
    }

    private synchronized void acknowledge(ControlCall call, JsonWriter result)
            throws ControlException {
        Id128 key = call.requireKey("audit acknowledgement requires idempotency");
        Anchor head = call.read(
                fields -> Anchor.read(fields.object("anchor")),
                "invalid receipt audit acknowledgement");
        if (!receipts.isBootstrapped()) {
            throw new ControlException(FAILED, "receipt audit paging is required");
        }
        call.claim().requireInTime(); // others may have been before
        write(acknowledge(key, head), result);
    }

    /** Under the lock, so a key that is taken is answered. */
    private Anchor acknowledge(Id128 key, Anchor head) throws ControlException {
        long nowMs = System.nanoTime() / NANOS;
        return switch (acknowledged.begin(key, digest(head), nowMs)) {
            case IdempotencyMemory.Beginning.Repeated<Anchor> repeated -> repeated.answer();
            case IdempotencyMemory.Beginning.Fresh<Anchor> fresh -> accept(key, head, nowMs);
            case IdempotencyMemory.Beginning.Full<Anchor> full ->
                throw new ControlException(
                        "idempotency_capacity", "idempotency capacity is unavailable");
            case IdempotencyMemory.Beginning.Conflict<Anchor> conflict -> throw conflict();
            case IdempotencyMemory.Beginning.Busy<Anchor> busy -> throw conflict();
        };
    }

    private static ControlException conflict() {
        return new ControlException("idempotency_conflict", "idempotency payload changed");
    }

    private Anchor accept(Id128 key, Anchor head, long nowMs) throws ControlException {
        boolean done = false;
        try {
            Anchor answer = receipts.acknowledge(head);
            acknowledged.finish(key, answer, nowMs);
            done = true;
            log.info("receipts_acknowledged", "sequence", U64.text(answer.sequence()));
            return answer;
        } catch (ReceiptException e) {
            throw failed("receipt audit head was not accepted", e);
        } finally {
            if (!done) {
                acknowledged.cancel(key);
            }
        }
    }

    private static Digest digest(Anchor head) {
        String text = head.keyId() + ":" + head;
        return Digest.sha256(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void write(Anchor answer, JsonWriter result) {
        result.beginObject().member("schema_version", 1).name("acknowledged_anchor");
        answer.write(result);
        result.endObject();
    }

    private ControlException failed(String message, ReceiptException e) {
        log.warning("receipts_failed", "fault", e.fault().name(), "why", e.getMessage());
        return new ControlException(FAILED, message);
    }
}
