package glove.app;

import glove.gateway.PinException;
import glove.gateway.PinStore;
import glove.gateway.UpstreamPins;
import glove.gateway.UpstreamSpec;
import glove.journal.AuditLog;
import glove.journal.DurableFile;
import glove.journal.DurableFileException;
import glove.sandbox.Refusal;
import glove.sys.DirEntry;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
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
        String digest = AuditLog.sha256(GatewayAuditOfRun.joined(upstream.argv));
        return upstream.name + "-" + digest.substring(0, DIGEST_CHARS);
    }

    /** Opens it if there is one; makes nothing. */
    static Optional<PinDirectory> openIfPresent(Linux linux, Invocation invocation) throws Refusal {
        Optional<OwnedFd> opened = StateDirectory.openIfPresent(linux, invocation, DIRECTORY);
        return opened.isPresent()
                ? Optional.of(new PinDirectory(linux, opened.get()))
                : Optional.empty();
    }

    /** The keys of all files, sorted; files of other names are none of ours. */
    List<String> keys() throws ErrnoException {
        List<String> keys = new ArrayList<>();
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY;
        try (OwnedFd listed = linux.openat(directory, UnixPath.of("."), flags, 0)) {
            for (DirEntry entry : linux.listDirectory(listed)) {
                String name = entry.name().toString();
                int end = name.length() - DIGEST_CHARS - 1;
                if (end > 0
                        && name.charAt(end) == '-'
                        && UpstreamSpec.complaint(name.substring(0, end)).isEmpty()) {
                    keys.add(name);
                }
            }
        }
        Collections.sort(keys);
        return keys;
    }

    /** The upstream's name in a key. */
    static String upstream(String key) {
        return key.substring(0, key.length() - DIGEST_CHARS - 1);
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
            file(key)
                    .change(old ->
                            Optional.of(old.isPresent() ? merged(content, old.get()) : content));
        } catch (DurableFileException e) {
            throw new PinException(e.getMessage(), e);
        }
    }

    /** Another run, or its owner, may have written since this one read. */
    private static byte[] merged(byte[] content, byte[] old) throws DurableFileException {
        if (Arrays.equals(content, old)) {
            return content;
        }
        try {
            UpstreamPins merged = UpstreamPins.read(content);
            merged.keep(UpstreamPins.read(old));
            return merged.toBytes();
        } catch (PinException e) {
            throw new DurableFileException(String.valueOf(e.getMessage()));
        }
    }

    /** Reads a file and replaces it, without anybody else doing so in between. */
    void change(String key, DurableFile.Change change) throws PinException {
        try {
            file(key).change(change);
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
