package glove.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the store says, in memory, twice: as the committer thread left it, and as everybody may see
 * it because it is on disk. Both hold the same objects.
 *
 * <p>{@link #apply}, {@link #takeBack} and {@link #made} are the committer's; before that thread
 * runs, the opener's.
 */
final class RegistryMemory {
    private final Map<String, SessionRecord> madeSessions = new HashMap<>();
    private final Map<String, RegistryView.KeyUse> madeKeys = new HashMap<>();
    private final Map<String, SessionRecord> sessions = new ConcurrentHashMap<>();
    private final Map<String, RegistryView.KeyUse> keys = new ConcurrentHashMap<>();
    private String lastHash = "0".repeat(64);

    /** What the committer has made. */
    RegistryView made() {
        return view(madeSessions, madeKeys);
    }

    /** What is on disk. */
    RegistryView onDisk() {
        return view(sessions, keys);
    }

    private static RegistryView view(
            Map<String, SessionRecord> sessions, Map<String, RegistryView.KeyUse> keys) {
        return new RegistryView() {
            @Override
            public Optional<SessionRecord> session(String id) {
                return Optional.ofNullable(sessions.get(id));
            }

            @Override
            public Optional<KeyUse> key(String key) {
                return Optional.ofNullable(keys.get(key));
            }
        };
    }

    /** Of the last record made. */
    String lastHash() {
        return lastHash;
    }

    /** How to take back a record that was applied. Immutable. */
    record Applied(StoredRecord record, Optional<SessionRecord> before, String hashBefore) {}

    /** From here on the committer sees it. */
    Applied apply(StoredRecord record) {
        String id = record.session().plan().sessionId();
        Optional<SessionRecord> before = Optional.ofNullable(madeSessions.get(id));
        // The plan may be large: all records of a session share that of the first.
        SessionRecord now =
                before.map(old -> record.session().sharing(old.plan())).orElse(record.session());
        Applied applied = new Applied(new StoredRecord(record.head(), now), before, lastHash);
        boolean whole = false;
        try {
            madeSessions.put(id, now);
            madeKeys.put(record.head().idempotencyKey(), use(record, id));
            lastHash = record.head().thisHash();
            whole = true;
            return applied;
        } finally {
            if (!whole) { // there was no memory for it
                takeBack(applied);
            }
        }
    }

    private static RegistryView.KeyUse use(StoredRecord record, String id) {
        return new RegistryView.KeyUse(
                record.head().operation(), id, record.head().requestDigest());
    }

    /** The committer does not see it any more; the last one that was applied. Needs no memory. */
    void takeBack(Applied applied) {
        String id = applied.record().session().plan().sessionId();
        if (applied.before().isPresent()) {
            madeSessions.put(id, applied.before().get());
        } else {
            madeSessions.remove(id);
        }
        madeKeys.remove(applied.record().head().idempotencyKey());
        lastHash = applied.hashBefore();
    }

    /** It is on disk: everybody sees it. The key comes last: who finds it finds the session. */
    void publish(Applied applied) {
        StoredRecord record = applied.record();
        String id = record.session().plan().sessionId();
        sessions.put(id, record.session());
        keys.put(record.head().idempotencyKey(), use(record, id));
    }

    /** All that are on disk, by name. */
    List<SessionRecord> sorted() {
        List<SessionRecord> all = new ArrayList<>(sessions.values());
        all.sort((a, b) -> a.plan().sessionId().compareTo(b.plan().sessionId()));
        return all;
    }
}
