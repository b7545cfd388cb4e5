package glove.session;

import glove.journal.DurableFileException;
import glove.journal.RecordException;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * What a session store holds, for its owner to look at while a daemon has it: nothing is locked,
 * changed or repaired. A record at the end that is not whole is being written, or never was. All
 * others are checked as the daemon checks them. Stateless.
 */
public final class SessionSnapshot {
    private static final int OTHERS = 077;

    private SessionSnapshot() {}

    /**
     * All sessions, by name, as the last whole record of each left it.
     *
     * @throws DurableFileException when the file cannot be read, is not the caller's alone, or
     *     holds anything that does not follow
     */
    public static List<SessionRecord> read(Linux linux, UnixPath path) throws DurableFileException {
        String file = "the session store '" + path + "' ";
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
            bytes = linux.readAll(fd, (int) SessionRegistry.BYTES_MAX_DEFAULT);
        } catch (ErrnoException e) {
            throw new DurableFileException(file + "cannot be read: " + Errno.words(e.errno()));
        }
        return sessions(file, bytes);
    }

    private static List<SessionRecord> sessions(String file, byte[] bytes)
            throws DurableFileException {
        byte[] header = SessionRegistry.HEADER.getBytes(StandardCharsets.US_ASCII);
        if (!Arrays.equals(
                bytes, 0, Math.min(header.length, bytes.length), header, 0, header.length)) {
            throw new DurableFileException(file + "does not begin as one");
        }
        RegistryMemory memory = new RegistryMemory();
        SessionRegistry.RegistryReplay replay = new SessionRegistry.RegistryReplay(memory);
        ByteBuffer in = ByteBuffer.wrap(bytes).position(header.length);
        while (in.remaining() >= 2 * Integer.BYTES) {
            int at = in.position();
            int length = in.getInt();
            if (length < 1 || length > SessionRecordJson.RECORD_BYTES_MAX) {
                throw new DurableFileException(file + "holds no record at byte " + at);
            }
            if (in.remaining() < length + Integer.BYTES) {
                break;
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
        return memory.sorted();
    }
}
