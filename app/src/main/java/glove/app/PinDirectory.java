package glove.app;

import glove.gateway.PinException;
import glove.gateway.PinStore;
import glove.journal.AuditLog;
import glove.journal.DurableFile;
import glove.journal.DurableFileException;
import glove.sandbox.Refusal;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
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
        try {
            return file(key).read();
        } catch (DurableFileException e) {
            throw new PinException(e.getMessage(), e);
        }
    }

    @Override
    public void write(String key, byte[] content) throws PinException {
        try {
            file(key).replace(content);
        } catch (DurableFileException e) {
            throw new PinException(e.getMessage(), e);
        }
    }

    private DurableFile file(String key) {
        return new DurableFile(linux, directory, UnixPath.of(key), FILE_BYTES_MAX);
    }

    @Override
    public void close() {
        directory.close();
    }
}
