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
 * An audit log, or what should be one, read line by line in bounded memory while others may append
 * to it.
 *
 * <p>Owns a descriptor. Confined to one thread.
 */
public final class AuditFile implements AutoCloseable {
    private static final int CHUNK_BYTES = 64 << 10;

    private final Linux linux;
    private final UnixPath path;
    private final OwnedFd fd;

    private long limit; // bytes of the file that may be read
    private long next; // offset of the next line
    private long number = 1; // of the next line
    private long taken; // where the chunk ends in the file
    private byte[] chunk = new byte[0];
    private int at; // in the chunk: what is before is read

    private AuditFile(Linux linux, UnixPath path, OwnedFd fd) {
        this.linux = linux;
        this.path = path;
        this.fd = fd;
    }

    /** Opens one; empty when there is no such file. */
    public static Optional<AuditFile> open(Linux linux, UnixPath path) throws AuditException {
        // Not to wait for the other end of a pipe.
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK;
        OwnedFd fd;
        try {
            fd = linux.open(path, flags, 0);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw failure(path, e);
        }
        boolean usable = false;
        try {
            if (!linux.fstat(fd).isRegularFile()) {
                throw new AuditException("audit log '" + path + "' is not a regular file");
            }
            usable = true;
            return Optional.of(new AuditFile(linux, path, fd));
        } catch (ErrnoException e) {
            throw failure(path, e);
        } finally {
            if (!usable) {
                fd.close();
            }
        }
    }

    private static AuditException failure(UnixPath path, ErrnoException e) {
        return new AuditException("audit log '" + path + "': " + Errno.words(e.errno()));
    }

    /** Why others may have changed it, or why it cannot be said; empty when all is well. */
    public String complaint() {
        try {
            AuditLog.check(linux, path, fd);
            return "";
        } catch (AuditException e) {
            return e.getMessage();
        } catch (ErrnoException e) {
            return failure(path, e).getMessage();
        }
    }

    /** Whether this is still the file that the path leads to. */
    public boolean isInPlace() throws AuditException {
        try {
            Optional<Stat> there = linux.lstatIfPresent(path);
            return there.isPresent() && there.get().isSameFileAs(linux.fstat(fd));
        } catch (ErrnoException e) {
            throw failure(path, e);
        }
    }

    /**
     * From now on lines are read up to the size the file has at this moment, when nobody is in the
     * middle of writing. Holds the lock of writers for that moment only.
     */
    public void look() throws AuditException {
        try {
            lock();
            try {
                limit = linux.fstat(fd).size();
            } finally {
                linux.unlock(fd);
            }
            if (limit < next) {
                throw new AuditException("audit log '" + path + "' was cut short while it was "
                        + "read: lines were taken from it");
            }
        } catch (ErrnoException e) {
            throw failure(path, e);
        }
    }

    /** Shared: readers do not wait for each other. */
    private void lock() throws ErrnoException, AuditException {
        if (!LockWait.take(linux, fd, LockWait.Kind.SHARED, LockWait.LONG_MILLIS)) {
            throw new AuditException(
                    "audit log '" + path + "' is locked by another process: end it, and try again");
        }
    }

    /** Goes on reading at a line that was read before. */
    public void goBackTo(long lineNumber, long offset) throws AuditException {
        try {
            linux.seek(fd, offset);
        } catch (ErrnoException e) {
            throw failure(path, e);
        }
        chunk = new byte[0];
        at = 0;
        taken = offset;
        next = offset;
        number = lineNumber;
    }

    /** The next line; empty where the file ended when {@link #look} was called last. */
    public Optional<AuditLine> next() throws AuditException {
        if (next == limit) {
            return Optional.empty();
        }
        byte[] line = new byte[0];
        boolean tooLong = false;
        long length = 0;
        boolean ended = false;
        while (!ended && next + length < limit) {
            fill();
            int end = at;
            while (end < chunk.length && chunk[end] != '\n') {
                end++;
            }
            ended = end < chunk.length;
            end += ended ? 1 : 0;
            length += end - at;
            tooLong |= length > AuditLog.LINE_BYTES_MAX;
            line = tooLong ? new byte[0] : joined(line, end - at);
            at = end;
        }
        AuditLine.End how = ended ? AuditLine.End.WHOLE : AuditLine.End.TORN;
        AuditLine read = new AuditLine(number, next, line, tooLong ? AuditLine.End.TOO_LONG : how);
        next += length;
        number++;
        return Optional.of(read);
    }

    private byte[] joined(byte[] begun, int more) {
        byte[] all = Arrays.copyOf(begun, begun.length + more);
        System.arraycopy(chunk, at, all, begun.length, more);
        return all;
    }

    /** There is something to read, so that a chunk is never empty. */
    private void fill() throws AuditException {
        if (at < chunk.length) {
            return;
        }
        try {
            chunk = linux.read(fd, (int) Math.min(CHUNK_BYTES, limit - taken));
        } catch (ErrnoException e) {
            throw failure(path, e);
        }
        at = 0;
        taken += chunk.length;
        if (chunk.length == 0) {
            throw new AuditException("audit log '" + path + "' was cut short while it was read: "
                    + "lines were taken from it");
        }
    }

    @Override
    public void close() {
        fd.close();
    }
}
