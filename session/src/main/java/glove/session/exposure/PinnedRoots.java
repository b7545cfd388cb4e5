package glove.session.exposure;

import static glove.session.exposure.ExposureRefusedException.unless;

import glove.policy.session.ExposurePolicy;
import glove.policy.session.ExposureRoot;
import glove.policy.session.HostPath;
import glove.policy.session.SourceIdentity;
import glove.session.exposure.ExposureRefusedException.Reason;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;
import glove.wire.Id128;

import java.util.ArrayList;
import java.util.List;

/**
 * The directories of an exposure policy, held open from the start: what is exposed is looked for
 * below these descriptors, never below a path somebody could lead elsewhere meanwhile. They are of
 * use as long as their paths lead to them, and their owner, group and mode stay.
 *
 * <p>Owns the descriptors. Thread-safe otherwise.
 */
final class PinnedRoots implements AutoCloseable {
    private static final long RESOLVE_NO_XDEV = 0x1;
    private static final long RESOLVE_NO_MAGICLINKS = 0x2;
    private static final long RESOLVE_NO_SYMLINKS = 0x4;
    private static final long RESOLVE_BENEATH = 0x8;
    private static final long NO_LINKS = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    private static final long BENEATH = RESOLVE_BENEATH | RESOLVE_NO_XDEV | NO_LINKS;

    private final Linux linux;
    private final List<Pinned> roots = new ArrayList<>();

    /** A root and what it was when it was opened. */
    private record Pinned(ExposureRoot root, OwnedFd fd, SourceIdentity identity) {}

    /** An open file or directory and what it is; owns the descriptor. */
    record Found(OwnedFd fd, SourceIdentity identity, boolean isDirectory)
            implements AutoCloseable {
        @Override
        public void close() {
            fd.close();
        }
    }

    private PinnedRoots(Linux linux) {
        this.linux = linux;
    }

    static PinnedRoots open(Linux linux, ExposurePolicy policy) throws RootException {
        PinnedRoots pinned = new PinnedRoots(linux);
        boolean complete = false;
        try {
            for (ExposureRoot root : policy.roots()) {
                pinned.pin(root);
            }
            complete = true;
            return pinned;
        } finally {
            if (!complete) {
                pinned.close();
            }
        }
    }

    private void pin(ExposureRoot root) throws RootException {
        String subject = "the directory " + HostPath.quoted(root.hostRoot()) + " of the root '"
                + root.rootId() + "' ";
        boolean kept = false;
        OwnedFd fd;
        try {
            fd = openByPath(root.hostRoot());
        } catch (ErrnoException e) {
            throw new RootException(subject + "cannot be opened: " + words(e.errno()));
        }
        try {
            Stat stat = linux.fstat(fd);
            if (!stat.isDirectory()) {
                throw new RootException(subject + "is no directory");
            }
            roots.add(new Pinned(root, fd, identity(stat)));
            kept = true;
        } catch (ErrnoException e) {
            throw new RootException(subject + "cannot be looked at: " + words(e.errno()));
        } finally {
            if (!kept) {
                fd.close();
            }
        }
    }

    private OwnedFd openByPath(AbsolutePath path) throws ErrnoException {
        return linux.openat2(UnixPath.of(path.text()), OpenFlags.O_PATH, 0, NO_LINKS);
    }

    static SourceIdentity identity(Stat stat) {
        return new SourceIdentity(stat.dev(), stat.ino(), stat.mode(), stat.uid(), stat.gid());
    }

    private Pinned pinned(Id128 rootId) throws ExposureRefusedException {
        for (Pinned pinned : roots) {
            if (pinned.root.rootId().equals(rootId)) {
                return pinned;
            }
        }
        throw new ExposureRefusedException(
                Reason.POLICY, "the root '" + rootId + "' is not in the exposure policy");
    }

    /** The root, if its descriptor and its path still are what was pinned. */
    private Pinned verified(Id128 rootId) throws ExposureRefusedException {
        Pinned pinned = pinned(rootId);
        String subject = "the directory " + HostPath.quoted(pinned.root.hostRoot())
                + " of the root '" + rootId + "' ";
        try (OwnedFd now = openByPath(pinned.root.hostRoot())) {
            boolean same = identity(linux.fstat(pinned.fd)).equals(pinned.identity)
                    && identity(linux.fstat(now)).equals(pinned.identity);
            unless(
                    same,
                    Reason.SOURCE,
                    subject + "was moved, replaced, or has another owner or mode than at the "
                            + "start: put it back, or restart");
        } catch (ErrnoException e) {
            throw new ExposureRefusedException(
                    reason(e.errno()), subject + "cannot be opened any more: " + words(e.errno()));
        }
        return pinned;
    }

    /** A file or directory below a root, without a link on the way; the caller closes it. */
    Found find(Id128 rootId, AbsolutePath path) throws ExposureRefusedException {
        Pinned pinned = verified(rootId);
        try {
            return found(
                    path,
                    linux.openat2(
                            pinned.fd,
                            UnixPath.of(beneath(pinned, path)),
                            OpenFlags.O_PATH,
                            0,
                            BENEATH));
        } catch (ErrnoException e) {
            throw unusable(path, e.errno());
        }
    }

    /** The same with its directory, from which it was opened; the caller closes it. */
    Located locate(Id128 rootId, AbsolutePath path) throws ExposureRefusedException {
        boolean kept = false;
        Found parent = parent(rootId, path, OpenFlags.O_PATH);
        try {
            UnixPath name = UnixPath.of(path.text()).name();
            Found source =
                    found(path, linux.openat2(parent.fd, name, OpenFlags.O_PATH, 0, BENEATH));
            kept = true;
            return new Located(parent, source);
        } catch (ErrnoException e) {
            throw unusable(path, e.errno());
        } finally {
            if (!kept) {
                parent.close();
            }
        }
    }

    /** Something and the directory it is in; owns both descriptors. */
    record Located(Found parent, Found source) implements AutoCloseable {
        ExposureRequests.Place place() {
            return new ExposureRequests.Place(source.identity, parent.identity);
        }

        @Override
        public void close() {
            source.close();
            parent.close();
        }
    }

    /**
     * The directory something below a root is in; it need not be there any more.
     *
     * @param access O_PATH, or O_RDONLY to sync it
     */
    Found parent(Id128 rootId, AbsolutePath path, int access) throws ExposureRefusedException {
        Pinned pinned = verified(rootId);
        String beneath = beneath(pinned, path);
        int slash = beneath.lastIndexOf('/');
        UnixPath name = UnixPath.of(slash < 0 ? "." : beneath.substring(0, slash));
        int flags = access | OpenFlags.O_DIRECTORY;
        try {
            return found(path, linux.openat2(pinned.fd, name, flags, 0, BENEATH));
        } catch (ErrnoException e) {
            throw unusable(path, e.errno());
        }
    }

    private static String beneath(Pinned pinned, AbsolutePath path)
            throws ExposureRefusedException {
        unless(
                pinned.root.holds(path),
                Reason.POLICY,
                HostPath.quoted(path) + " is not below " + HostPath.quoted(pinned.root.hostRoot()));
        return path.text().substring(pinned.root.hostRoot().text().length() + 1);
    }

    /** Takes the descriptor over, also when it fails. */
    private Found found(AbsolutePath path, OwnedFd fd) throws ExposureRefusedException {
        boolean kept = false;
        try {
            Stat stat = linux.fstat(fd);
            unless(
                    stat.isDirectory() || stat.isRegularFile(),
                    Reason.SOURCE,
                    HostPath.quoted(path) + " is neither a directory nor a regular file");
            kept = true;
            return new Found(fd, identity(stat), stat.isDirectory());
        } catch (ErrnoException e) {
            throw unusable(path, e.errno());
        } finally {
            if (!kept) {
                fd.close();
            }
        }
    }

    private static ExposureRefusedException unusable(AbsolutePath path, int errno) {
        return new ExposureRefusedException(
                reason(errno), HostPath.quoted(path) + " cannot be opened: " + words(errno));
    }

    /** Whether it is the path that is not what it should be; else nothing was found out. */
    private static Reason reason(int errno) {
        return switch (errno) {
            case Errno.ENOENT,
                    Errno.ENOTDIR,
                    Errno.ELOOP,
                    Errno.EXDEV,
                    Errno.EACCES,
                    Errno.EPERM,
                    Errno.ESTALE,
                    Errno.ENODEV,
                    Errno.ENAMETOOLONG -> Reason.SOURCE;
            default -> Reason.UNAVAILABLE;
        };
    }

    private static String words(int errno) {
        return switch (errno) {
            case Errno.ELOOP -> "a symbolic link is on the way: name what it leads to";
            case Errno.EXDEV -> "another filesystem is mounted on the way: make it a root itself";
            case Errno.ENOENT -> "it does not exist";
            default -> Errno.words(errno);
        };
    }

    @Override
    public void close() {
        for (Pinned pinned : roots) {
            pinned.fd.close();
        }
    }
}
