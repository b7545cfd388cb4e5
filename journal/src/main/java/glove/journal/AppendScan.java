package glove.journal;

import glove.journal.AppendLogException.Fault;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;
import glove.wire.Digest;

import java.util.Arrays;
import java.util.Optional;

/**
 * Reads a log once from its first byte to its last when it is opened, and tells an interrupted
 * write at its end from damage: only the former is ever cut off, and kept elsewhere first.
 * Confined to one thread.
 */
final class AppendScan {
    /** Of one pread. */
    private static final int CHUNK_BYTES = 64 << 10;

    /** Files that keep torn tails of one offset; more would mean that something goes round. */
    private static final int ASIDE_MAX = 16;

    private final Linux linux;
    private final AppendPlace place;
    private final AppendLayout layout;
    private final OwnedFd fd;
    private final long size;

    private byte[] chunk = new byte[0];
    private long chunkAt; // where the chunk begins in the file
    private long at; // of the next record
    private long records;

    AppendScan(Linux linux, AppendPlace place, OwnedFd fd, long size) {
        this.linux = linux;
        this.place = place;
        this.layout = place.layout();
        this.fd = fd;
        this.size = size;
    }

    long records() {
        return records;
    }

    /** Reads all records. What is torn behind them is cut off, if the replay allows that. */
    Optional<TornTail> run(AppendLog.Replay replay) throws AppendLogException {
        checkHeader();
        boolean torn = false;
        while (at < size && !torn) {
            torn = !next(replay);
        }
        try {
            replay.end(records, size - at);
        } catch (RecordException e) {
            Fault fault = torn ? Fault.TORN : Fault.CORRUPT;
            throw place.exception(fault, e.getMessage());
        }
        return torn ? Optional.of(repair()) : Optional.empty();
    }

    private void checkHeader() throws AppendLogException {
        byte[] header = layout.headerBytes();
        if (size < header.length) {
            throw place.exception(
                    Fault.HEADER,
                    "has " + size + " bytes and none of them is Glove's: name another file, or "
                            + "move it away to begin a new one");
        }
        if (size > layout.bounds().fileBytesMax()) {
            throw place.exception(
                    Fault.TOO_LARGE,
                    "has " + size + " bytes, more than the " + layout.bounds().fileBytesMax()
                            + " that were set: set more, or move it away");
        }
        if (!Arrays.equals(bytes(0, header.length), header)) {
            throw place.exception(
                    Fault.HEADER,
                    "does not begin as this version of Glove writes it: it is something else, of "
                            + "a newer version, or made with another key; name another file, or "
                            + "move it away");
        }
        at = header.length;
    }

    /** The next record; false when its end is missing. */
    private boolean next(AppendLog.Replay replay) throws AppendLogException {
        long left = size - at;
        if (left < Integer.BYTES) {
            return false;
        }
        int length = number(bytes(at, Integer.BYTES), 0);
        if (!isLength(length)) {
            throw corrupt(
                    "has the length " + Integer.toUnsignedString(length) + ", which no record has");
        }
        if (left < (long) length + AppendLayout.FRAME_BYTES) {
            refuseUnlessTorn();
            return false;
        }
        byte[] payload = bytes(at + Integer.BYTES, length);
        if (number(bytes(at + Integer.BYTES + length, Integer.BYTES), 0) != length) {
            throw corrupt("has another length at its end than at its beginning");
        }
        if (records == layout.bounds().recordsMax()) {
            throw place.exception(
                    Fault.TOO_LARGE,
                    "has more than the " + records + " records that are allowed: move it away");
        }
        try {
            replay.record(at, payload);
        } catch (RecordException e) {
            throw corrupt(e.getMessage());
        }
        records++;
        at += length + AppendLayout.FRAME_BYTES;
        return true;
    }

    private boolean isLength(int length) {
        return length >= 1 && length <= layout.bounds().recordBytesMax();
    }

    /** What was acknowledged is never cut off, whatever became of its length. */
    private void refuseUnlessTorn() throws AppendLogException {
        byte[] tail = bytes(at, (int) (size - at));
        Optional<String> complaint = TornEnd.complaint(tail, layout.bounds().recordBytesMax());
        if (complaint.isPresent()) {
            throw corrupt(complaint.get());
        }
    }

    private AppendLogException corrupt(String why) {
        return place.exception(
                Fault.CORRUPT,
                "cannot be trusted: record " + (records + 1) + ", at byte " + at + ", " + why
                        + "; it was left as it is: restore it from a copy, or move it away");
    }

    private static int number(byte[] bytes, int from) {
        return (bytes[from] & 0xff) << 24
                | (bytes[from + 1] & 0xff) << 16
                | (bytes[from + 2] & 0xff) << 8
                | (bytes[from + 3] & 0xff);
    }

    /** Some bytes of the file, through a buffer; all of them lie within its size. */
    private byte[] bytes(long offset, int count) throws AppendLogException {
        byte[] bytes = new byte[count];
        int done = 0;
        while (done < count) {
            long wanted = offset + done;
            if (wanted < chunkAt || wanted >= chunkAt + chunk.length) {
                load(wanted);
            }
            int from = (int) (wanted - chunkAt);
            int some = Math.min(count - done, chunk.length - from);
            System.arraycopy(chunk, from, bytes, done, some);
            done += some;
        }
        return bytes;
    }

    private void load(long offset) throws AppendLogException {
        try {
            chunk = linux.pread(fd, CHUNK_BYTES, offset);
            chunkAt = offset;
        } catch (ErrnoException e) {
            throw place.failed("cannot be read", e);
        }
        if (chunk.length == 0) {
            throw place.exception(Fault.CORRUPT, "was cut short while it was read");
        }
    }

    /** First a copy that is on disk, then the cut: a crash between leaves both. */
    private TornTail repair() throws AppendLogException {
        byte[] tail = bytes(at, (int) (size - at));
        UnixPath aside = keep(tail);
        try {
            linux.ftruncate(fd, at);
            linux.fsync(fd);
        } catch (ErrnoException e) {
            throw place.failed("ends in the middle of a record and cannot be cut", e);
        }
        return new TornTail(at, tail.length, aside);
    }

    private UnixPath keep(byte[] tail) throws AppendLogException {
        String name = place.path().name() + ".torn-" + at + "-"
                + Digest.sha256(tail).hex().substring(0, 16);
        try {
            for (int i = 0; i < ASIDE_MAX; i++) {
                UnixPath aside = UnixPath.of(i == 0 ? name : name + "-" + i);
                DurableFile file = place.beside(aside, layout.bounds().recordBytesMax() + 8);
                Optional<byte[]> there = file.read();
                if (there.isEmpty()) {
                    file.replace(tail);
                    return place.path().parent().resolve(aside);
                }
                if (Arrays.equals(there.get(), tail)) {
                    return place.path().parent().resolve(aside);
                }
            }
        } catch (DurableFileException e) {
            throw place.exception(
                    Fault.SYSTEM,
                    "ends in the middle of a record, which cannot be kept: " + e.getMessage());
        }
        throw place.exception(Fault.SYSTEM, "has too many torn ends kept beside it: move them");
    }
}
