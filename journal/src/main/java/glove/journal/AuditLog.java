package glove.journal;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;
import glove.wire.JsonWriter;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * An append-only file of {@linkplain AuditEvent events}, one JSON line each, owner-only. Each line
 * ends with its sequence number and the SHA-256 of the line before, so that a line removed or
 * changed shows. Written and synced before {@link #append} returns. Several processes may append:
 * each locks the file for as long as that takes, and goes on with the chain as it finds it.
 *
 * <p>Owns a descriptor. Thread-safe: guarded by itself.
 */
public final class AuditLog implements AutoCloseable {
    /** The digest in front of the first line. */
    static final String NO_PREVIOUS = "0".repeat(64);

    private static final String SEQUENCE = "\"sequence\":";
    private static final int OWNER_ONLY = 0600;
    private static final int PERMISSIONS = 07777;

    /** A line is refused above this, so a reader needs no more to find the last one. */
    static final int LINE_BYTES_MAX = 32 << 10;

    private static final byte[] NONE = {};

    private final Linux linux;
    private final UnixPath path;
    private final OwnedFd fd;
    private long end; // of what is known of the file; guarded by this
    private long sequence; // of the next line; guarded by this
    private long run = AuditEntry.NO_RUN; // number of its first line; guarded by this
    private String previous = NO_PREVIOUS; // unless there is an undigested line; guarded by this
    private byte[] undigested = NONE; // the last line, until it is digested; guarded by this

    private AuditLog(Linux linux, UnixPath path, OwnedFd fd) {
        this.linux = linux;
        this.path = path;
        this.fd = fd;
    }

    /**
     * Opens or creates a log, and looks whether its chain can be continued.
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
        AuditLog log = new AuditLog(linux, path, fd);
        boolean usable = false;
        try {
            check(linux, path, fd);
            log.append(List.of());
            usable = true;
            return log;
        } catch (ErrnoException e) {
            throw new AuditException("audit log '" + path + "': " + Errno.words(e.errno()));
        } finally {
            if (!usable) {
                fd.close();
            }
        }
    }

    /** Where it is. */
    public UnixPath path() {
        return path;
    }

    /** Whether nobody else can have written there. */
    static void check(Linux linux, UnixPath path, OwnedFd fd)
            throws ErrnoException, AuditException {
        Stat stat = linux.fstat(fd);
        require(stat.isRegularFile(), path, "is not a regular file: name another");
        require(stat.uid() == linux.geteuid(), path, "belongs to somebody else: name another");
        require(stat.nlink() == 1, path, "has another name elsewhere (a hard link): remove it");
        require((stat.mode() & PERMISSIONS) == OWNER_ONLY, path, "is not owner-only: chmod 600 it");
    }

    /**
     * Nobody holds it for longer than it takes to write, and a slow disk to have it. Of many who
     * want it one may be the last for long: while others get on, it waits on.
     */
    private void lock() throws ErrnoException, AuditException {
        long known = end;
        while (!LockWait.take(linux, fd, LockWait.Kind.EXCLUSIVE, LockWait.LONG_MILLIS)) {
            long size = linux.fstat(fd).size();
            require(
                    size != known,
                    path,
                    "is locked by another process: end it, or name another log");
            known = size;
        }
    }

    /**
     * Lines nobody finds again are no record.
     *
     * @return how long it is
     */
    private long checkPlace() throws ErrnoException, AuditException {
        Stat own = linux.fstat(fd);
        require(own.nlink() > 0, path, "was removed while it was written");
        Optional<Stat> there = linux.lstatIfPresent(path);
        require(
                there.isPresent()
                        && there.get().dev() == own.dev()
                        && there.get().ino() == own.ino(),
                path,
                "was moved away while it was written");
        require(own.size() >= end, path, "was cut short while it was written");
        return own.size();
    }

    /** Reads what others have appended since. */
    private void catchUp(long size) throws ErrnoException, AuditException {
        if (size == end) {
            return;
        }
        byte[] line = lastLine(linux, path, fd);
        sequence = line.length == 0 ? 0 : sequenceOf(line) + 1;
        previous = NO_PREVIOUS;
        undigested = line;
        end = size;
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
    public void append(AuditEvent event) throws AuditException {
        append(List.of(event));
    }

    /** Appends all or none, with one sync; when it returns, the lines are on disk. */
    public synchronized void append(List<AuditEvent> events) throws AuditException {
        try {
            lock();
            try {
                catchUp(checkPlace());
                if (!events.isEmpty()) {
                    write(events);
                }
            } finally {
                linux.unlock(fd);
            }
        } catch (ErrnoException e) {
            throw new AuditException("audit log '" + path + "': " + Errno.words(e.errno()));
        }
    }

    private void write(List<AuditEvent> events) throws AuditException, ErrnoException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        long number = sequence;
        long first = run == AuditEntry.NO_RUN ? sequence : run;
        byte[] line = NONE;
        for (AuditEvent event : events) {
            String digest = line.length == 0 ? previous() : sha256(line);
            line = line(event, first, number, digest);
            require(line.length <= LINE_BYTES_MAX, path, "takes no line of that length");
            lines.write(line, 0, line.length);
            number++;
        }
        boolean whole = false;
        try {
            linux.writeFully(fd, lines.toByteArray());
            linux.fsync(fd);
            whole = true;
        } finally {
            if (!whole) {
                cutBack();
            }
        }
        run = first;
        sequence = number;
        undigested = line;
        end += lines.size();
    }

    /** The digest of the last line. */
    private String previous() {
        if (undigested.length > 0) {
            previous = sha256(undigested);
            undigested = NONE;
        }
        return previous;
    }

    /** Digests the last line now, which the next append would do: for who has time in between. */
    public synchronized void settle() {
        previous();
    }

    /** A full disk has taken a part: without it the log can still be used. */
    private void cutBack() {
        try {
            linux.ftruncate(fd, end);
        } catch (ErrnoException e) {
            end = -1; // the next append looks at what stands there
        }
    }

    /**
     * One line with its line feed.
     *
     * @param run number of the first line of the same run; {@link AuditEntry#NO_RUN}
     */
    static byte[] line(AuditEvent event, long run, long number, String digest) {
        JsonWriter json = new JsonWriter().beginObject();
        json.member("action", event.action())
                .member("tool", event.tool())
                .member("arguments", event.arguments())
                .member("status", event.status())
                .member("error", event.error())
                .member("timestamp_ns", event.timestampNanos())
                .member("latency_ns", event.latencyNanos());
        if (run != AuditEntry.NO_RUN) {
            json.member("run", run);
        }
        json.member("sequence", number).member("previous", digest);
        byte[] text = json.endObject().toBytes();
        byte[] line = Arrays.copyOf(text, text.length + 1);
        line[text.length] = '\n';
        return line;
    }

    /** SHA-256 in lower-case hexadecimal digits. */
    public static String sha256(byte[] bytes) {
        return Sha256.hex(bytes);
    }

    @Override
    public void close() {
        fd.close();
    }
}
