package glove.session.bundle;

import glove.session.bundle.BundleException.Fault;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;
import glove.wire.Digest;

/**
 * A directory of bundles, each a file named by the SHA-256 of its content (sheet 50, 7). Only the
 * owner can have put any there: the directory is held open from the start, and has to stay the one
 * its path leads to. What a bundle says is not looked at here.
 *
 * <p>Thread-safe. Owns a descriptor.
 */
public final class LibraryBundleStore implements AutoCloseable {
    private static final int PERMISSIONS = 07777;
    private static final int OWNER_ONLY_DIRECTORY = 0700;
    private static final int OWNER_ONLY = 0600;

    private final Linux linux;
    private final UnixPath path;
    private final OwnedFd root;
    private final Stat pinned;

    private LibraryBundleStore(Linux linux, UnixPath path, OwnedFd root, Stat pinned) {
        this.linux = linux;
        this.path = path;
        this.root = root;
        this.pinned = pinned;
    }

    /**
     * Opens the directory.
     *
     * @throws BundleException when it is not the owner's alone
     */
    public static LibraryBundleStore open(Linux linux, AbsolutePath directory)
            throws BundleException {
        UnixPath path = UnixPath.of(directory.text());
        String subject = "the directory of bundles '" + path + "' ";
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY | OpenFlags.O_NOFOLLOW;
        OwnedFd root;
        try {
            root = linux.open(path, flags, 0);
        } catch (ErrnoException e) {
            throw new BundleException(
                    Fault.ROOT, subject + "cannot be opened: " + Errno.words(e.errno()));
        }
        boolean kept = false;
        try {
            Stat stat = linux.fstat(root);
            if (stat.uid() != linux.geteuid()) {
                throw new BundleException(
                        Fault.ROOT,
                        subject + "belongs to the user " + stat.uid() + ", not to you: chown it");
            }
            if ((stat.mode() & PERMISSIONS) != OWNER_ONLY_DIRECTORY) {
                throw new BundleException(
                        Fault.ROOT,
                        subject + "has the mode "
                                + Integer.toOctalString(stat.mode() & PERMISSIONS)
                                + ": chmod 700 it");
            }
            LibraryBundleStore store = new LibraryBundleStore(linux, path, root, stat);
            store.verifyRoot();
            kept = true;
            return store;
        } catch (ErrnoException e) {
            throw new BundleException(
                    Fault.ROOT, subject + "cannot be looked at: " + Errno.words(e.errno()));
        } finally {
            if (!kept) {
                root.close();
            }
        }
    }

    private void verifyRoot() throws BundleException {
        try {
            if (!isPinned(linux.fstat(root)) || !isPinned(linux.lstat(path))) {
                throw new BundleException(
                        Fault.ROOT,
                        "the directory of bundles '" + path + "' was moved, replaced, or has "
                                + "another owner or mode than at the start: put it back");
            }
        } catch (ErrnoException e) {
            throw new BundleException(
                    Fault.ROOT,
                    "the directory of bundles '" + path + "' cannot be looked at: "
                            + Errno.words(e.errno()));
        }
    }

    private boolean isPinned(Stat now) {
        return now.isSameFileAs(pinned) && now.uid() == pinned.uid() && now.mode() == pinned.mode();
    }

    /**
     * Opens a bundle and checks that it is what its name says; the caller closes it.
     *
     * @param digest SHA-256 of its content
     */
    public LibraryBundle open(Digest digest) throws BundleException {
        verifyRoot();
        boolean kept = false;
        OwnedFd fd = openFile(digest);
        try {
            Stat stat = linux.fstat(fd);
            check(digest, stat);
            LibraryBundle bundle = new LibraryBundle(linux, fd, digest, stat);
            bundle.content();
            verifyRoot();
            kept = true;
            return bundle;
        } catch (ErrnoException e) {
            throw new BundleException(
                    Fault.SYSTEM,
                    "the bundle " + digest + " cannot be looked at: " + Errno.words(e.errno()));
        } finally {
            if (!kept) {
                fd.close();
            }
        }
    }

    private OwnedFd openFile(Digest digest) throws BundleException {
        // Without O_NONBLOCK the open of a fifo would wait for somebody to write to it.
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK;
        try {
            return linux.openat(root, UnixPath.of(digest.hex() + LibraryBundle.SUFFIX), flags, 0);
        } catch (ErrnoException e) {
            Fault fault = switch (e.errno()) {
                case Errno.ENOENT -> Fault.MISSING;
                case Errno.ELOOP -> Fault.UNSAFE;
                default -> Fault.SYSTEM;
            };
            String why = fault == Fault.UNSAFE ? "it is a link" : Errno.words(e.errno());
            throw new BundleException(fault, "the bundle " + digest + " cannot be opened: " + why);
        }
    }

    private void check(Digest digest, Stat stat) throws BundleException {
        String why = "";
        if (!stat.isRegularFile()) {
            why = "is no regular file";
        } else if (stat.uid() != linux.geteuid()) {
            why = "belongs to the user " + stat.uid() + ", not to you: chown it";
        } else if ((stat.mode() & PERMISSIONS) != OWNER_ONLY) {
            why = "has the mode " + Integer.toOctalString(stat.mode() & PERMISSIONS)
                    + ": chmod 600 it";
        } else if (stat.nlink() != 1) {
            why = "has " + stat.nlink() + " names: put a copy there";
        } else if (stat.size() < 1 || stat.size() > LibraryBundle.BYTES_MAX) {
            why = "has " + stat.size() + " bytes, and may have 1 to " + LibraryBundle.BYTES_MAX;
        }
        if (!why.isEmpty()) {
            throw new BundleException(Fault.UNSAFE, "the bundle " + digest + " " + why);
        }
    }

    @Override
    public void close() {
        root.close();
    }
}
