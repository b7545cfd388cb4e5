package glove.session.stage;

import glove.session.stage.EntryHash.Entry;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a manifest says there is now and is not any more, as far as it takes to compare it with the
 * tree: a hash for each, since there may be many. Filled in the order of the paths, which is the
 * order the tree is visited in. Confined to one thread at a time.
 */
final class ChangedEntries {
    /** Of each change, while the arrays grow. */
    static final int BYTES_OF_CHANGE = 72;

    private static final int FIRST = 1 << 10;

    private long[] there = new long[FIRST]; // two for each
    private int thereCount;
    private long[] gone = new long[FIRST];
    private int goneCount;
    private int seen;
    private boolean sorted;
    private boolean contradicted;

    /** The next change. */
    void add(StagedChange change) {
        if (change.kind() == ChangeKind.REMOVE) {
            addGone(change.path());
            return;
        }
        if (change.kind() == ChangeKind.RENAME) {
            addGone(change.previousPath());
        }
        StagedChange.Side after = change.after();
        int mode = (int) after.mode();
        Entry entry =
                new Entry(change.path(), after.digest(), after.bytes(), mode, change.directory());
        if (thereCount == there.length) {
            there = Arrays.copyOf(there, 2 * thereCount);
        }
        ByteBuffer hash = hash(entry.json());
        there[thereCount++] = hash.getLong();
        there[thereCount++] = hash.getLong();
    }

    private void addGone(String path) {
        if (goneCount == gone.length) {
            gone = Arrays.copyOf(gone, 2 * goneCount);
        }
        gone[goneCount++] = ofPath(path);
    }

    private static long ofPath(String path) {
        return hash(path.getBytes(StandardCharsets.UTF_8)).getLong();
    }

    private static ByteBuffer hash(byte[] bytes) {
        return ByteBuffer.wrap(EntryHash.sha256().digest(bytes));
    }

    /** The next entry of the tree. */
    void see(Entry entry) {
        if (!sorted) {
            Arrays.sort(gone, 0, goneCount);
            sorted = true;
        }
        if (goneCount > 0) {
            contradicted |= Arrays.binarySearch(gone, 0, goneCount, ofPath(entry.path())) >= 0;
        }
        if (seen < thereCount) {
            ByteBuffer hash = hash(entry.json());
            boolean next = hash.getLong() == there[seen] && hash.getLong() == there[seen + 1];
            seen += next ? 2 : 0;
        }
    }

    /** Whether all was seen that is said to be there, and nothing that is said to be gone. */
    boolean fit() {
        return seen == thereCount && !contradicted;
    }
}
