package glove.session;

/**
 * What makes a record one of a chain. Immutable.
 *
 * @param sequence its place, from 1; u64
 * @param operation what it did
 * @param idempotencyKey ID128; no other record has it
 * @param requestDigest of what was asked for
 * @param previousHash of the record before; 64 zeros for the first
 * @param thisHash see {@link RecordHash}
 */
record RecordHead(
        long sequence,
        SessionOperation operation,
        String idempotencyKey,
        String requestDigest,
        String previousHash,
        String thisHash) {
    RecordHead withThisHash(String hash) {
        return new RecordHead(
                sequence, operation, idempotencyKey, requestDigest, previousHash, hash);
    }
}
