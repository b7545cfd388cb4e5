package glove.journal;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;
import glove.wire.JsonWriter;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * An append-only file of {@linkplain AuditEvent events}, one JSON line each, owner-only, with one
 * writer at a time. Each line ends with its sequence number and the SHA-256 of the line before, so
 * that a line removed or changed shows. Written and synced before {@link #append} returns.
 *
 * <p>Owns a descriptor and a lock on it. Thread-safe: guarded by itself.
 */
public final class AuditLog implements AutoCloseable {
    /** The digest in front of the first line. */
    private static final String NO_PREVIOUS = "0".repeat(64);

    private static final String SEQUENCE = "\"sequence\":";
    private static final int OWNER_ONLY = 0600;
    private static final int PERMISSIONS = 07777;

    /** A line is refused above this, so a reader needs no more to find the last one. */
    private static final int LINE_BYTES_MAX = 32 << 10;

    private final Linux linux;
    private final UnixPath path;
    private final OwnedFd fd;
    private long sequence; // of the next line; guarded by this
    private String previous; // guarded by this

    private AuditLog(Linux linux, UnixPath path, OwnedFd fd, byte[] lastLine)
            throws AuditException {
        this.linux = linux;
        this.path = path;
        this.fd = fd;
        this.sequence = lastLine.length == 0 ? 0 : sequenceOf(lastLine) + 1;
        this.previous = lastLine.length == 0 ? NO_PREVIOUS : sha256(lastLine);
    }

    /**
     * Opens or creates a log and continues its chain.
     *
     * @param path without links in its last name; the directory must exist
     */
    public static AuditLog open(Linux linux, UnixPath path) throws AuditException {
        OwnedFd fd;
        try {
            fd = linux.open(
                    path,
                    OpenFlags.O_RDWR
                            | OpenFlags.O_CREAT
                            | OpenFlags.O_NOFOLLOW
                            | OpenFlags.O_APPEND,
                    OWNER_ONLY);
        } catch (ErrnoException e) {
            throw new AuditException("audit log '" + path + "': " + Errno.words(e.errno()));
        }
        try {
            check(linux, path, fd);
            return new AuditLog(linux, path, fd, lastLine(linux, path, fd));
        } catch (ErrnoException e) {
            fd.close();
            throw new AuditException("audit log '" + path + "': " + Errno.words(e.errno()));
        } catch (AuditException e) {
            fd.close();
            throw e;
        }
    }

    private static void check(Linux linux, UnixPath path, OwnedFd fd)
            throws ErrnoException, AuditException {
        Stat stat = linux.fstat(fd);
        require(stat.isRegularFile(), path, "is not a regular file: name another");
        require(stat.uid() == linux.geteuid(), path, "belongs to somebody else: name another");
        require(stat.nlink() == 1, path, "has another name elsewhere (a hard link): remove it");
        require((stat.mode() & PERMISSIONS) == OWNER_ONLY, path, "is not owner-only: chmod 600 it");
        try {
            linux.lock(fd);
        } catch (ErrnoException e) {
            throw new AuditException("audit log '" + path + "' is in use by another run: wait for "
                    + "it, or name another");
        }
    }

    private static byte[] lastLine(Linux linux, UnixPath path, OwnedFd fd)
            throws ErrnoException, AuditException {
        byte[] tail = linux.readTail(fd, LINE_BYTES_MAX + 1);
        if (tail.length == 0) {
            return tail;
        }
        require(
                tail[tail.length - 1] == '\n',
                path,
                "ends in the middle of a line, after a crash: move it aside");
        int start = tail.length - 1;
        while (start > 0 && tail[start - 1] != '\n') {
            start--;
        }
        return Arrays.copyOfRange(tail, start, tail.length);
    }

    private static void require(boolean holds, UnixPath path, String otherwise)
            throws AuditException {
        if (!holds) {
            throw new AuditException("audit log '" + path + "' " + otherwise);
        }
    }

    /** The number after the last {@code "sequence":} of a line. */
    private long sequenceOf(byte[] line) throws AuditException {
        String text = new String(line, StandardCharsets.UTF_8);
        int at = text.lastIndexOf(SEQUENCE);
        int end = text.indexOf(',', Math.max(0, at));
        require(at >= 0 && end > at, path, "is none of Glove's: name another file");
        try {
            return Long.parseLong(text.substring(at + SEQUENCE.length(), end));
        } catch (NumberFormatException e) {
            throw new AuditException("audit log '" + path + "' has no number in its last line: "
                    + "name another file");
        }
    }

    /** Appends one event; when it returns, the line is on disk. */
    public synchronized void append(AuditEvent event) throws AuditException {
        JsonWriter json = new JsonWriter().beginObject();
        json.member("action", event.action())
                .member("tool", event.tool())
                .member("arguments", event.arguments())
                .member("status", event.status())
                .member("error", event.error())
                .member("timestamp_ns", event.timestampNanos())
                .member("latency_ns", event.latencyNanos())
                .member("sequence", sequence)
                .member("previous", previous);
        byte[] line = (json.endObject().toJson() + "\n").getBytes(StandardCharsets.UTF_8);
        require(line.length <= LINE_BYTES_MAX, path, "takes no line of that length");
        try {
            linux.writeFully(fd, line);
            linux.fsync(fd);
        } catch (ErrnoException e) {
            throw new AuditException("audit log '" + path + "': " + Errno.words(e.errno()));
        }
        sequence++;
        previous = sha256(line);
    }

    /** SHA-256 in lower-case hexadecimal digits. */
    public static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public void close() {
        fd.close();
    }
}
