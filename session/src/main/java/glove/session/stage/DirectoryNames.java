package glove.session.stage;

import glove.sys.DirEntry;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The names of the directories of one tree, as far as they are held in memory at once: of the
 * directory that is looked at and those around it. Others filled them, so there are bounds, which
 * are held against each chunk the kernel tells. Confined to one thread.
 */
final class DirectoryNames {
    /** Of all names held at once. */
    static final int HELD_BYTES_MAX = 16 << 20;

    private final Linux linux;
    private final StillWanted wanted;
    private int entries; // told so far, in the whole tree
    private long heldBytes;

    DirectoryNames(Linux linux, StillWanted wanted) {
        this.linux = linux;
        this.wanted = wanted;
    }

    /** Those of an open directory, sorted by their bytes; {@link #forget} them afterwards. */
    List<byte[]> of(Fd directory) throws ErrnoException, StageException {
        List<byte[]> names = new ArrayList<>();
        for (List<DirEntry> some = linux.nextEntries(directory);
                !some.isEmpty();
                some = linux.nextEntries(directory)) {
            StageException.unlessWanted(wanted);
            for (DirEntry entry : some) {
                byte[] name = entry.name().bytes();
                count(name.length);
                names.add(name);
            }
        }
        names.sort(Arrays::compareUnsigned);
        return names;
    }

    private void count(int nameBytes) throws StageException {
        entries++;
        heldBytes += nameBytes;
        if (entries > ChangeManifest.ENTRIES_MAX) {
            throw new StageException(
                    "the tree has more than " + ChangeManifest.ENTRIES_MAX + " entries");
        }
        if (heldBytes > HELD_BYTES_MAX) {
            throw new StageException(
                    "a directory of the tree has more than " + HELD_BYTES_MAX + " bytes of names");
        }
    }

    /** They are not held any more. */
    void forget(List<byte[]> names) {
        for (byte[] name : names) {
            heldBytes -= name.length;
        }
    }
}
