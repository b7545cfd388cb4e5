package glove.host;

import glove.journal.DurableFile;
import glove.journal.DurableFileException;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The owner-only directory a daemon and its clients meet in: lock, secret and socket (sheet 20, 1
 * and 2). One daemon has it at a time. Owns its descriptors; confined to one thread.
 */
final class RuntimeDirectory implements AutoCloseable {
    /** What clients connect to. */
    static final String SOCKET = "gloved.sock";

    /** What they show; new at every start. */
    static final String SECRET = "bootstrap-secret";

    /** 64 hexadecimal digits and a line feed. */
    static final int SECRET_FILE_BYTES = 65;

    /** sun_path of unix(7), with the zero behind it. */
    static final int SOCKET_PATH_BYTES_MAX = 107;

    private static final String LOCK = "gloved.lock";
    private static final int SECRET_BYTES = 32;
    private static final int OWNER_ONLY = 0600;
    private static final int OWNER_ONLY_DIRECTORY = 0700;
    private static final int PERMISSIONS = 0777;
    private static final int ALL_PERMISSIONS = 07777;

    /** So many wait to be accepted (at most net.core.somaxconn): a burst refuses nobody. */
    private static final int BACKLOG = 1024;

    private final Linux linux;
    private final UnixPath path;
    private final OwnedFd directory;
    private Optional<OwnedFd> lock = Optional.empty();

    private RuntimeDirectory(Linux linux, UnixPath path, OwnedFd directory) {
        this.linux = linux;
        this.path = path;
        this.directory = directory;
    }

    /** Opens it; it must be there, and the caller's alone. */
    static RuntimeDirectory open(Linux linux, AbsolutePath where) throws StartException {
        UnixPath path = UnixPath.of(where.text());
        if (path.resolve(SOCKET).length() > SOCKET_PATH_BYTES_MAX) {
            throw StartException.failed("the runtime directory '" + path + "' has too long a name: "
                    + "with /" + SOCKET + " it may have " + SOCKET_PATH_BYTES_MAX + " bytes, as "
                    + "the kernel's socket addresses do");
        }
        return new RuntimeDirectory(
                linux, path, openOwnerOnly(linux, "the runtime directory", path));
    }

    /**
     * Opens a directory that is this user's alone.
     *
     * @param what it is, for people
     */
    static OwnedFd openOwnerOnly(Linux linux, String what, UnixPath path) throws StartException {
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY | OpenFlags.O_NOFOLLOW;
        OwnedFd directory;
        try {
            directory = linux.open(path, flags, 0);
        } catch (ErrnoException e) {
            String hint = e.errno() == Errno.ENOENT ? ": mkdir -m 700 '" + path + "'" : "";
            throw StartException.failed(
                    what + " '" + path + "' cannot be opened: " + Errno.words(e.errno()) + hint);
        }
        boolean usable = false;
        try {
            Stat stat = linux.fstat(directory);
            boolean own = stat.uid() == linux.geteuid()
                    && (stat.mode() & PERMISSIONS) == OWNER_ONLY_DIRECTORY;
            if (!own) {
                throw StartException.failed(what + " '" + path + "' must be yours alone: chown it "
                        + "to you and chmod 700 '" + path + "'");
            }
            usable = true;
            return directory;
        } catch (ErrnoException e) {
            throw failed(what, path, e);
        } finally {
            if (!usable) {
                directory.close();
            }
        }
    }

    private static StartException failed(String what, UnixPath path, ErrnoException e) {
        return StartException.failed(what + " '" + path + "': " + e.getMessage());
    }

    /**
     * Makes sure that no other daemon has it, until this is closed. Who removes the lock's name
     * meanwhile does not let another one in: that sees that the socket {@linkplain
     * #removeStaleSocket is served}.
     */
    void lock() throws StartException {
        UnixPath file = path.resolve(LOCK);
        int flags =
                OpenFlags.O_RDWR | OpenFlags.O_CREAT | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK;
        try {
            OwnedFd fd = linux.openat(directory, UnixPath.of(LOCK), flags, OWNER_ONLY);
            lock = Optional.of(fd);
            if (!isOwn(linux.fstat(fd))) {
                throw StartException.failed("the lock '" + file + "' is not yours alone: a regular "
                        + "file with one name and mode 600 is expected; remove it");
            }
            linux.lock(fd);
            if (statOf(LOCK).filter(linux.fstat(fd)::isSameFileAs).isEmpty()) {
                throw StartException.failed("the lock '" + file + "' was exchanged while it was "
                        + "taken: something else writes to the runtime directory");
            }
        } catch (ErrnoException e) {
            throw e.errno() == Errno.EAGAIN
                    ? StartException.failed("another gloved has '" + path + "': stop it, or give "
                            + "this one a runtime directory of its own")
                    : failed("the lock", file, e);
        }
    }

    private boolean isOwn(Stat stat) {
        return stat.isRegularFile() && isOwnersSingle(stat);
    }

    private boolean isOwnersSingle(Stat stat) {
        return stat.uid() == linux.geteuid()
                && stat.nlink() == 1
                && (stat.mode() & ALL_PERMISSIONS) == OWNER_ONLY;
    }

    /**
     * Removes the socket of a daemon that was killed, at whatever moment. Only under the lock, and
     * only when nobody answers there.
     */
    void removeStaleSocket() throws StartException {
        UnixPath file = path.resolve(SOCKET);
        int flags = OpenFlags.O_PATH | OpenFlags.O_NOFOLLOW;
        try {
            if (statOf(SOCKET).isEmpty()) {
                return;
            }
            try (OwnedFd found = linux.openat(directory, UnixPath.of(SOCKET), flags, 0)) {
                Stat stat = linux.fstat(found);
                boolean ours = stat.isSocket()
                        && stat.uid() == linux.geteuid()
                        && stat.nlink() == 1
                        && (stat.mode() & ALL_PERMISSIONS & ~OWNER_ONLY_DIRECTORY) == 0;
                if (!ours) {
                    throw StartException.failed("'" + file + "' is no socket of a gloved of yours: "
                            + "look at it, then remove it");
                }
                if (isServed(found)) {
                    throw StartException.failed("another program serves '" + file + "': stop it, "
                            + "or give this one a runtime directory of its own");
                }
            }
            linux.unlinkat(directory, UnixPath.of(SOCKET), 0);
            linux.fsync(directory);
        } catch (ErrnoException e) {
            throw failed("the socket", file, e);
        }
    }

    private boolean isServed(OwnedFd socket) throws ErrnoException {
        try {
            linux.connectUnix(socket).close();
            return true;
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EAGAIN) {
                return true; // so many wait already
            }
            // Of a mode that keeps out its owner, who is the only one let in: by a gloved that was
            // killed before it gave it another. None that lives has our lock.
            if (e.errno() == Errno.ECONNREFUSED || e.errno() == Errno.EACCES) {
                return false;
            }
            throw e;
        }
    }

    private Optional<Stat> statOf(String name) throws ErrnoException {
        try {
            return Optional.of(linux.lstatat(directory, UnixPath.of(name)));
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Makes a new secret; when this returns, it is on disk. */
    BootstrapSecret rotateSecret() throws StartException {
        try (OwnedFd random = linux.open(UnixPath.of("/dev/urandom"), OpenFlags.O_RDONLY, 0)) {
            String digits = HexFormat.of().formatHex(linux.readExactly(random, SECRET_BYTES));
            new DurableFile(linux, directory, UnixPath.of(SECRET), SECRET_FILE_BYTES)
                    .replace((digits + "\n").getBytes(StandardCharsets.US_ASCII));
            return new BootstrapSecret(digits);
        } catch (ErrnoException e) {
            throw failed("the secret", path.resolve(SECRET), e);
        } catch (DurableFileException e) {
            throw StartException.failed("the secret " + e.getMessage());
        }
    }

    /** Binds the socket; nothing may have its name. */
    ControlSocket bind() throws StartException {
        UnixPath file = path.resolve(SOCKET);
        try {
            OwnedFd listener = listen();
            boolean usable = false;
            try {
                int flags = OpenFlags.O_PATH | OpenFlags.O_NOFOLLOW;
                try (OwnedFd made = linux.openat(directory, UnixPath.of(SOCKET), flags, 0)) {
                    Stat stat = linux.fstat(made);
                    if (!stat.isSocket() || !isOwnersSingle(stat)) {
                        throw StartException.failed("'" + file + "' was exchanged while it was "
                                + "made: something else writes to the runtime directory");
                    }
                    usable = true;
                    return new ControlSocket(linux, directory, listener, stat);
                }
            } finally {
                if (!usable) {
                    listener.close();
                    removeQuietly();
                }
            }
        } catch (ErrnoException e) {
            throw failed("the socket", file, e);
        }
    }

    /** The failure before is the one to tell; what stays is removed by the next daemon. */
    private void removeQuietly() {
        try {
            linux.unlinkat(directory, UnixPath.of(SOCKET), 0);
        } catch (ErrnoException e) {
            return;
        }
    }

    /** With the right mode from its first moment on. */
    private OwnedFd listen() throws ErrnoException {
        int mask = linux.umask(ALL_PERMISSIONS & ~OWNER_ONLY);
        try {
            return linux.listenUnix(directory, UnixPath.of(SOCKET), BACKLOG);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EADDRINUSE) { // then it is somebody else's
                removeQuietly(); // bound, and could not listen
            }
            throw e;
        } finally {
            linux.umask(mask);
        }
    }

    @Override
    public void close() {
        lock.ifPresent(OwnedFd::close);
        directory.close();
    }
}
