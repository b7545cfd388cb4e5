package glove.session.bundle;

import glove.session.bundle.BundleException.Fault;
import glove.sys.BorrowedFd;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.wire.Digest;

import java.util.Arrays;

/**
 * A bundle, open. Before each use it is read and hashed again: whoever has it open for writing, or
 * puts other bytes there, is noticed. Owns the descriptor. Thread-safe otherwise.
 */
public final class LibraryBundle implements AutoCloseable {
    /** How large one may be. */
    public static final int BYTES_MAX = 16 << 20;

    /** Of the name of the file, behind the digest. */
    static final String SUFFIX = ".json";

    private final Linux linux;
    private final OwnedFd fd;
    private final Digest digest;
    private final Stat pinned;

    LibraryBundle(Linux linux, OwnedFd fd, Digest digest, Stat pinned) {
        this.linux = linux;
        this.fd = fd;
        this.digest = digest;
        this.pinned = pinned;
    }

    /** What it is named by. */
    public Digest digest() {
        return digest;
    }

    /** The descriptor, open for reading, after another {@link #content check}. */
    public BorrowedFd verified() throws BundleException {
        content();
        return fd.borrow();
    }

    /**
     * Its bytes, which are those of its digest.
     *
     * @throws BundleException when it is not any more what was opened
     */
    public byte[] content() throws BundleException {
        try {
            refuseIfChanged();
            byte[] content = read((int) pinned.size());
            refuseIfChanged();
            if (!Digest.sha256(content).equals(digest)) {
                throw new BundleException(
                        Fault.CONTENT,
                        "the bundle " + digest + " holds something else than its name says");
            }
            return content;
        } catch (ErrnoException e) {
            throw new BundleException(
                    Fault.SYSTEM,
                    "the bundle " + digest + " cannot be read: " + Errno.words(e.errno()));
        }
    }

    /** By its change time, too, which moves with the content. */
    private void refuseIfChanged() throws ErrnoException, BundleException {
        if (!linux.fstat(fd).equals(pinned)) {
            throw new BundleException(
                    Fault.CHANGED,
                    "the bundle " + digest + " was changed while it was in use: replace files "
                            + "there in one step (mv)");
        }
    }

    private byte[] read(int size) throws ErrnoException {
        byte[] content = new byte[size];
        int length = 0;
        while (length < size) {
            byte[] more = linux.pread(fd, size - length, length);
            if (more.length == 0) {
                return Arrays.copyOf(content, length); // it shrank, which is noticed next
            }
            System.arraycopy(more, 0, content, length, more.length);
            length += more.length;
        }
        return content;
    }

    @Override
    public void close() {
        fd.close();
    }
}
