package glove.journal;

import glove.journal.AppendLogException.Fault;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.Optional;

/**
 * An owner-only file of records that is only ever appended to, by one process: a header, and each
 * record between two copies of its length. What a caller was told to be done is on disk; what
 * nobody was told may be there or not, but never half.
 *
 * <p>Callers of any thread {@linkplain #commit commit} changes and wait. One committer thread makes
 * them, one after the other, and writes and syncs once for all that came meanwhile. So the more
 * wait, the less a sync costs each.
 *
 * <p>Before each use it is looked whether the file is still the one that was opened, at its place
 * and of the size and time known; otherwise, and after a failed sync, it is poisoned: nothing more
 * is read or written until it is opened again.
 *
 * <p>Thread-safe. Owns descriptors and a thread: {@link #close} ends both.
 */
public final class AppendLog implements AutoCloseable {
    private final AppendFile file;
    private final AppendLayout layout;
    private final Optional<TornTail> repaired;
    private final Committer committer;

    /** Which file may be opened. */
    public enum Opening {
        /** Only one that is there. */
        EXISTING,
        /** Only one that is not. */
        NEW,
        /** One that is there, or else a new one. */
        EITHER
    }

    /** Takes what a log holds while it is opened, in order, in the opening thread. */
    public interface Replay {
        /**
         * One record.
         *
         * @param offset where its frame begins
         * @param payload its bytes, which may be kept
         * @throws RecordException to refuse the log; it is left as it is
         */
        void record(long offset, byte[] payload) throws RecordException;

        /**
         * All whole records were given. Nothing has been changed so far.
         *
         * @param records how many there were
         * @param tornBytes what an interrupted write left behind them, to be kept elsewhere and
         *     cut off; 0 when there is nothing
         * @throws RecordException to refuse the log, or the cut; it is left as it is
         */
        default void end(long records, long tornBytes) throws RecordException {}
    }

    /**
     * How full a log is. Immutable.
     *
     * @param bytes of the file
     * @param bytesMax it may have
     * @param records in the file
     * @param recordsMax it may have
     */
    public record Room(long bytes, long bytesMax, long records, long recordsMax) {
        private static final int LOW_PERCENT = 90;

        /** How much of the bound is used that comes first; rounded down. */
        public int usedPercent() {
            long fullest = Math.max(part(bytes, bytesMax), part(records, recordsMax));
            return (int) Math.min(fullest, 100);
        }

        private static long part(long used, long most) {
            return most > 100 ? used / (most / 100) : used * 100 / Math.max(most, 1);
        }

        /** Whether it is time to say so: nine tenths of one bound are used. */
        public boolean isLow() {
            return bytes >= bytesMax / 100 * LOW_PERCENT
                    || records >= (recordsMax * LOW_PERCENT + 99) / 100;
        }
    }

    private AppendLog(
            AppendFile file, AppendLayout layout, AppendScan scan, Optional<TornTail> torn) {
        this.file = file;
        this.layout = layout;
        this.repaired = torn;
        this.committer = new Committer(file, layout, scan.records());
    }

    /**
     * Opens a log, gives all its records to the replay, and takes it for this process alone.
     *
     * @param path without a link in its last name; its directory must exist
     */
    public static AppendLog open(
            Linux linux, UnixPath path, AppendLayout layout, Opening opening, Replay replay)
            throws AppendLogException {
        AppendPlace place = AppendPlace.open(linux, layout, path);
        boolean usable = false;
        try {
            OwnedFd fd = file(place, opening);
            try {
                Stat before = linux.fstat(fd);
                AppendScan scan = new AppendScan(linux, place, fd, before.size());
                Optional<TornTail> torn = scan.run(replay);
                Stat now = linux.fstat(fd);
                long expected = torn.isPresent() ? torn.get().offset() : before.size();
                boolean same = now.size() == expected
                        && (torn.isPresent() || now.ctime().equals(before.ctime()));
                if (!same) {
                    throw place.exception(Fault.CORRUPT, "was changed while it was read");
                }
                AppendFile file = new AppendFile(linux, place, fd, now);
                AppendLog log = new AppendLog(file, layout, scan, torn);
                log.committer.start();
                usable = true;
                return log;
            } finally {
                if (!usable) {
                    fd.close();
                }
            }
        } catch (ErrnoException e) {
            throw place.failed("cannot be opened", e);
        } finally {
            if (!usable) {
                place.close();
            }
        }
    }

    private static OwnedFd file(AppendPlace place, Opening opening) throws AppendLogException {
        if (opening == Opening.NEW) {
            return place.create();
        }
        Optional<OwnedFd> existing = place.openExisting();
        if (existing.isEmpty() && opening == Opening.EITHER) {
            try {
                return place.create();
            } catch (AppendLogException e) {
                if (e.fault() != Fault.EXISTS) {
                    throw e;
                }
                existing = place.openExisting(); // somebody was faster
            }
        }
        if (existing.isEmpty()) {
            throw place.exception(Fault.MISSING, "does not exist");
        }
        return existing.get();
    }

    /** What opening it had to cut off, once. */
    public Optional<TornTail> repaired() {
        return repaired;
    }

    /** Where it lies. */
    public UnixPath path() {
        return file.path();
    }

    /** How full it is, without what is being written. */
    public Room room() {
        AppendLayout.Bounds bounds = layout.bounds();
        return new Room(
                file.end(), bounds.fileBytesMax(), committer.records(), bounds.recordsMax());
    }

    /**
     * Makes a change, and waits until its record is on disk. An interrupt does not end the wait:
     * the change cannot be called back.
     *
     * @throws AppendLogException when it is not on disk, and its effects were taken back. FULL when
     *     the record would go beyond a bound, SYSTEM when it could not be written: the log goes on
     *     in both cases. POISONED and CLOSED: it does not
     */
    public <R> R commit(Change<R> change) throws AppendLogException {
        return committer.commit(change);
    }

    /** Whether the file is still ours: before memory is read that was filled from it. */
    public void verify() throws AppendLogException {
        file.verify();
    }

    /**
     * Reads one record again.
     *
     * @param offset where its frame begins, as the replay was told
     */
    public byte[] read(long offset) throws AppendLogException {
        file.verify();
        byte[] length = file.read(offset, Integer.BYTES);
        int count = (length[0] & 0xff) << 24
                | (length[1] & 0xff) << 16
                | (length[2] & 0xff) << 8
                | (length[3] & 0xff);
        if (count < 1 || count > layout.bounds().recordBytesMax()) {
            throw file.place().exception(Fault.CORRUPT, "has no record at byte " + offset);
        }
        return file.read(offset + Integer.BYTES, count);
    }

    /** Finishes what waits, and gives the file back. */
    @Override
    public void close() {
        committer.close();
        file.close();
    }
}
