package glove.app;

import glove.gateway.PinException;
import glove.gateway.PinStore;
import glove.journal.AuditLog;
import glove.journal.DurableFile;
import glove.sandbox.Refusal;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.Optional;

/**
 * Pinned definitions as files {@code pins/NAME-DIGEST} of the state directory: the name of the
 * upstream, and which command it was then. Owns a descriptor. Confined to one thread.
 */
final class PinDirectory implements PinStore, AutoCloseable {
    static final String DIRECTORY = "pins";

    private static final int FILE_BYTES_MAX = 16 << 20;
    private static final int DIGEST_CHARS = 16;
    private static final int OTHERS_WRITE = 022;

    private final Linux linux;
    private final OwnedFd directory;

    private PinDirectory(Linux linux, OwnedFd directory) {
        this.linux = linux;
        this.directory = directory;
    }

    /** Opens it, and makes what is missing. */
    static PinDirectory open(Linux linux, Invocation invocation) throws Refusal {
        return new PinDirectory(linux, StateDirectory.open(linux, invocation, DIRECTORY));
    }

    /** The key of an upstream: the same for the same name and command. */
    static String key(UpstreamOptions upstream) {
        String digest = AuditLog.sha256(GatewayJournalOfRun.joined(upstream.argv));
        return upstream.name + "-" + digest.substring(0, DIGEST_CHARS);
    }

    /** Where it is. */
    UnixPath path() throws ErrnoException {
        return linux.pathOf(directory);
    }

    @Override
    public Optional<byte[]> read(String key) throws PinException {
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK;
        try (OwnedFd file = linux.openat(directory, UnixPath.of(key), flags, 0)) {
            Stat stat = linux.fstat(file);
            boolean own = stat.isRegularFile() && stat.uid() == linux.geteuid();
            if (!own || (stat.mode() & OTHERS_WRITE) != 0) {
                throw new PinException(
                        "'" + linux.pathOf(file) + "' is no file of yours that nobody else can "
                                + "write: chmod 600 it, or move it away");
            }
            if (stat.size() > FILE_BYTES_MAX) {
                throw new PinException("'" + linux.pathOf(file) + "' has " + stat.size()
                        + " bytes, at most " + FILE_BYTES_MAX + " are read: move it away");
            }
            return Optional.of(linux.readAll(file, FILE_BYTES_MAX));
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw new PinException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void write(String key, byte[] content) throws PinException {
        try {
            DurableFile.replace(linux, directory, UnixPath.of(key), content);
        } catch (ErrnoException e) {
            throw new PinException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        directory.close();
    }
}
