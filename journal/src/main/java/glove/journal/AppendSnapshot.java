package glove.journal;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What an {@link AppendLog} holds, for its owner to look at while a daemon has it: nothing is
 * locked, changed or repaired. A record at the end that is not whole is being written, or never
 * was. Stateless.
 */
public final class AppendSnapshot {
    private static final int OTHERS = 077;

    private AppendSnapshot() {}

    /**
     * Gives all whole records to the replay, which is not told of the end.
     *
     * @param layout with a file of at most 2 GiB
     * @throws DurableFileException when the file cannot be read, is not the caller's alone, or
     *     holds anything the replay refuses
     */
    public static void read(
            Linux linux, UnixPath path, AppendLayout layout, AppendLog.Replay replay)
            throws DurableFileException {
        String file = "the " + layout.name() + " '" + path + "' ";
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK;
        byte[] bytes;
        try (OwnedFd fd = linux.open(path, flags, 0)) {
            Stat stat = linux.fstat(fd);
            boolean own = stat.isRegularFile()
                    && stat.uid() == linux.geteuid()
                    && (stat.mode() & OTHERS) == 0;
            if (!own) {
                throw new DurableFileException(file + "is no file that is yours alone");
            }
            bytes = linux.readAll(fd, Math.toIntExact(layout.bounds().fileBytesMax()));
        } catch (ErrnoException e) {
            throw new DurableFileException(file + "cannot be read: " + Errno.words(e.errno()));
        }
        byte[] header = layout.headerBytes();
        if (bytes.length < header.length
                || !Arrays.equals(bytes, 0, header.length, header, 0, header.length)) {
            throw new DurableFileException(file + "does not begin as one");
        }
        records(file, ByteBuffer.wrap(bytes).position(header.length), layout, replay);
    }

    private static void records(
            String file, ByteBuffer in, AppendLayout layout, AppendLog.Replay replay)
            throws DurableFileException {
        while (in.remaining() >= AppendLayout.FRAME_BYTES) {
            int at = in.position();
            int length = in.getInt();
            if (length < 1 || length > layout.bounds().recordBytesMax()) {
                throw new DurableFileException(file + "holds no record at byte " + at);
            }
            if (in.remaining() < length + Integer.BYTES) {
                return;
            }
            byte[] payload = new byte[length];
            in.get(payload);
            try {
                if (in.getInt() != length) {
                    throw new RecordException("ends with another length");
                }
                replay.record(at, payload);
            } catch (RecordException e) {
                throw new DurableFileException(
                        file + "at byte " + at + ": the record " + e.getMessage());
            }
        }
    }
}
