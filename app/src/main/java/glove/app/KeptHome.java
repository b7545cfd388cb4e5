package glove.app;

import glove.sandbox.Access;
import glove.sandbox.Grant;
import glove.sandbox.Grants;
import glove.sandbox.HomeFile;
import glove.sandbox.Refusal;
import glove.sandbox.Trouble;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

/**
 * One kept home, locked for a run. What is in it an agent made: it is never followed or read, only
 * added to. Owns the lock and the directory; confined to one thread.
 */
final class KeptHome implements AutoCloseable {
    private static final int DIRECTORY_MODE = 0755;
    private static final int FILE_MODE = 0600;
    private static final int CREATE =
            OpenFlags.O_WRONLY | OpenFlags.O_CREAT | OpenFlags.O_EXCL | OpenFlags.O_NOFOLLOW;

    private final Linux linux;
    private final UnixPath name;
    private final HomeLock lock;
    private final OwnedFd directory;

    private KeptHome(Linux linux, UnixPath name, HomeLock lock, OwnedFd directory) {
        this.linux = linux;
        this.name = name;
        this.lock = lock;
        this.directory = directory;
    }

    /** Locks a home and makes it when it is new. */
    static KeptHome open(HomeStore store, Linux linux, UnixPath name, HomeLock.Sharing sharing)
            throws ErrnoException, Refusal {
        HomeLock lock = store.lock(name, sharing);
        try {
            lock.write(linux);
            OwnedFd directory = store.home(name, true).orElseThrow();
            return new KeptHome(linux, name, lock, directory);
        } catch (ErrnoException e) {
            lock.close();
            throw e;
        } catch (Refusal e) {
            lock.close();
            throw e;
        }
    }

    /** The directory as something to mount. */
    Grant grant() throws ErrnoException {
        return grant(linux, directory);
    }

    static Grant grant(Linux linux, Fd directory) throws ErrnoException {
        return Grant.ofDirectory(linux, directory, Access.WRITE, "--home");
    }

    /** The agent must not see a home twice, nor what is granted as part of it. */
    static void refuseOverlap(UnixPath name, UnixPath path, Grants grants) throws Refusal {
        if (grants.show(path)) {
            throw overlaps(name, path, "lies in a granted path");
        }
        for (Grant grant : grants.list()) {
            if (grant.path().startsWith(path)) {
                throw overlaps(name, path, "holds the granted '" + grant.path() + "'");
            }
        }
    }

    private static Refusal overlaps(UnixPath name, UnixPath path, String how) {
        return new Refusal(
                "--home '" + name + "' is '" + path + "', which " + how
                        + ": the agent would see it twice",
                "grant narrower paths, --workspace . in the project for example",
                "set XDG_STATE_HOME to a directory outside every grant");
    }

    /** Makes a directory in the home, and those above it, for something to be mounted on. */
    void makePlace(UnixPath place) throws ErrnoException, Refusal {
        openPlace(place).close();
    }

    /** Enters it part by part: no link on the way. */
    private OwnedFd openPlace(UnixPath place) throws ErrnoException, Refusal {
        OwnedFd at = linux.dup(directory);
        boolean entered = false;
        try {
            for (UnixPath part : parts(place)) {
                OwnedFd next = enter(at, part, place);
                at.close();
                at = next;
            }
            entered = true;
            return at;
        } finally {
            if (!entered) {
                at.close();
            }
        }
    }

    private static UnixPath[] parts(UnixPath place) {
        int count = 1;
        for (UnixPath at = place; at.hasSlash(); at = at.parent()) {
            count++;
        }
        UnixPath[] parts = new UnixPath[count];
        UnixPath at = place;
        for (int i = count - 1; i >= 0; i--) {
            parts[i] = at.name();
            at = at.parent();
        }
        return parts;
    }

    private OwnedFd enter(Fd parent, UnixPath part, UnixPath place) throws ErrnoException, Refusal {
        try {
            linux.mkdirat(parent, part, DIRECTORY_MODE);
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EEXIST) {
                throw e;
            }
        }
        int flags = OpenFlags.O_PATH | OpenFlags.O_DIRECTORY | OpenFlags.O_NOFOLLOW;
        try {
            return linux.openat(parent, part, flags, 0);
        } catch (ErrnoException e) {
            Trouble.refuse("cannot look into home '" + name + "'", e);
            throw new Refusal(
                    "'" + place + "' cannot be shown in home '" + name + "': '" + part
                            + "' is a link there, or no directory",
                    "glove exec --home " + name + " -- mv " + place + " moved-away");
        }
    }

    /** Writes a file into the home when nothing has that name. */
    void addFile(HomeFile file) throws ErrnoException, Refusal {
        UnixPath place = file.place();
        try (OwnedFd parent = place.hasSlash() ? openPlace(place.parent()) : linux.dup(directory);
                OwnedFd made = linux.openat(parent, place.name(), CREATE, FILE_MODE)) {
            linux.writeFully(made, file.content());
        } catch (ErrnoException e) {
            if (e.errno() != Errno.EEXIST) {
                throw e;
            }
        }
    }

    @Override
    public void close() {
        directory.close();
        lock.close();
    }
}
