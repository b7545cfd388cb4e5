package glove.session.stage;

import glove.session.stage.EntryHash.Entry;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a manifest says there is now and is not any more, as far as it takes to compare it with the
 * tree: of each path a hash, since there may be many, and one hash over all that is said to be
 * there. Filled in the order of the paths, which is the order the tree is visited in. Confined to
 * one thread at a time.
 */
final class ChangedEntries {
    /** Of each change, while the arrays grow. */
    static final int BYTES_OF_CHANGE = 32;

    private final EntryHash told = new EntryHash();
    private final EntryHash found = new EntryHash();
    private final Paths there = new Paths();
    private final Paths gone = new Paths();
    private int seen;
    private boolean contradicted;

    /** Hashes of paths: 64 bits, for what is the same by chance is only refused. */
    private static final class Paths {
        private static final int FIRST = 1 << 10;

        private long[] hashes = new long[FIRST];
        private int count;
        private boolean sorted;

        void add(long hash) {
            if (count == hashes.length) {
                hashes = Arrays.copyOf(hashes, 2 * count);
            }
            hashes[count++] = hash;
        }

        /** Whether it is one of them, in whatever order they came. */
        boolean holds(long hash) {
            if (!sorted) {
                Arrays.sort(hashes, 0, count);
                sorted = true;
            }
            return Arrays.binarySearch(hashes, 0, count, hash) >= 0;
        }
    }

    /** The next change. */
    void add(StagedChange change) {
        if (change.kind() == ChangeKind.REMOVE) {
            gone.add(hash(change.path()));
            return;
        }
        if (change.kind() == ChangeKind.RENAME) {
            gone.add(hash(change.previousPath()));
        }
        StagedChange.Side after = change.after();
        int mode = (int) after.mode();
        there.add(hash(change.path()));
        told.add(new Entry(change.path(), after.digest(), after.bytes(), mode, change.directory()));
    }

    private static long hash(String path) {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.wrap(EntryHash.sha256().digest(bytes)).getLong();
    }

    /** The next entry of the tree. */
    void see(Entry entry) {
        long hash = hash(entry.path());
        contradicted |= gone.holds(hash);
        if (seen < there.count && there.hashes[seen] == hash) {
            seen++;
            found.add(entry);
        }
    }

    /** Whether all was seen that is said to be there, and nothing that is said to be gone; once. */
    boolean fit() {
        return seen == there.count && !contradicted && told.end().equals(found.end());
    }
}
