package glove.journal;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.Arrays;
import java.util.Optional;

/**
 * What an {@link AppendLog} holds, for its owner to look at while a daemon has it: nothing is
 * locked, changed or repaired. A beginning of a record at the end is being written, or never was.
 * One record is in memory at a time, whatever the file. Stateless.
 */
public final class AppendSnapshot {
    private static final int OTHERS = 077;

    private AppendSnapshot() {}

    /**
     * Gives all whole records to the replay, which is not told of the end.
     *
     * @throws DurableFileException when the file cannot be read, is not the caller's alone, or
     *     holds anything the replay refuses
     */
    public static void read(
            Linux linux, UnixPath path, AppendLayout layout, AppendLog.Replay replay)
            throws DurableFileException {
        String file = "the " + layout.name() + " '" + path + "' ";
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK;
        try (OwnedFd fd = linux.open(path, flags, 0)) {
            Stat stat = linux.fstat(fd);
            boolean own = stat.isRegularFile()
                    && stat.uid() == linux.geteuid()
                    && (stat.mode() & OTHERS) == 0;
            if (!own) {
                throw new DurableFileException(file + "is no file that is yours alone");
            }
            if (stat.size() > layout.bounds().fileBytesMax()) {
                throw new DurableFileException(file + "has " + stat.size() + " bytes, more than "
                        + layout.bounds().fileBytesMax());
            }
            new Reader(linux, fd, file, stat.size()).read(layout, replay);
        } catch (ErrnoException e) {
            throw new DurableFileException(file + "cannot be read: " + Errno.words(e.errno()));
        }
    }

    /** Reads one file once, up to the size it had. Confined to one thread. */
    private static final class Reader {
        private static final int CHUNK_BYTES = 64 << 10;

        private final Linux linux;
        private final OwnedFd fd;
        private final String file;
        private final long size;
        private byte[] chunk = {};
        private int taken; // of the chunk
        private long at; // what was taken of the file

        Reader(Linux linux, OwnedFd fd, String file, long size) {
            this.linux = linux;
            this.fd = fd;
            this.file = file;
            this.size = size;
        }

        void read(AppendLayout layout, AppendLog.Replay replay)
                throws DurableFileException, ErrnoException {
            byte[] header = layout.headerBytes();
            if (size < header.length || !Arrays.equals(take(header.length), header)) {
                throw new DurableFileException(file + "does not begin as one");
            }
            int most = layout.bounds().recordBytesMax();
            while (size - at >= AppendLayout.FRAME_BYTES) {
                long offset = at;
                byte[] lengthBytes = take(Integer.BYTES);
                int length = number(lengthBytes);
                if (length < 1 || length > most) {
                    throw new DurableFileException(file + "holds no record at byte " + offset);
                }
                if (size - at < length + Integer.BYTES) {
                    byte[] tail = Arrays.copyOf(lengthBytes, (int) (size - offset));
                    byte[] rest = take((int) (size - at));
                    System.arraycopy(rest, 0, tail, Integer.BYTES, rest.length);
                    requireTorn(tail, most, offset);
                    return;
                }
                byte[] payload = take(length);
                try {
                    if (number(take(Integer.BYTES)) != length) {
                        throw new RecordException("ends with another length");
                    }
                    replay.record(offset, payload);
                } catch (RecordException e) {
                    throw wrong(offset, e.getMessage());
                }
            }
        }

        /** A whole record whose length was changed was acknowledged: it is not left out. */
        private void requireTorn(byte[] tail, int most, long offset) throws DurableFileException {
            Optional<String> complaint = TornEnd.complaint(tail, most);
            if (complaint.isPresent()) {
                throw wrong(offset, complaint.get());
            }
        }

        private DurableFileException wrong(long offset, String why) {
            return new DurableFileException(file + "at byte " + offset + ": the record " + why);
        }

        private static int number(byte[] four) {
            return (four[0] & 0xff) << 24
                    | (four[1] & 0xff) << 16
                    | (four[2] & 0xff) << 8
                    | (four[3] & 0xff);
        }

        /** The next bytes, which were there when the reading began. */
        private byte[] take(int count) throws ErrnoException, DurableFileException {
            byte[] bytes = new byte[count];
            int done = 0;
            while (done < count) {
                if (taken == chunk.length) {
                    chunk = linux.pread(fd, CHUNK_BYTES, at);
                    taken = 0;
                }
                if (chunk.length == 0) {
                    throw new DurableFileException(file + "was cut short while it was read");
                }
                int some = Math.min(count - done, chunk.length - taken);
                System.arraycopy(chunk, taken, bytes, done, some);
                taken += some;
                done += some;
                at += some;
            }
            return bytes;
        }
    }
}
