package glove.journal;

import glove.journal.AppendLogException.Fault;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.Optional;

/**
 * The file of an {@link AppendLog}, locked: whether it is still the one that was opened, bytes at
 * its end, and back when they could not be written. Poisoned for ever as soon as somebody else has
 * changed it or a sync has failed: the kernel reports a lost write once, and forgets it.
 *
 * <p>Owns two descriptors. {@link #append} is the committer thread's; the rest may be called by any
 * thread.
 */
final class AppendFile implements AutoCloseable {
    private static final String NO_MEMORY = "was written when there was no memory left";

    private final Linux linux;
    private final AppendPlace place;
    private final OwnedFd fd;
    private final Object lock = new Object();
    private Stat known; // as of the last sync; guarded by lock
    private boolean writing; // guarded by lock
    private String poison = ""; // why it is of no more use; guarded by lock

    /**
     * Takes both over.
     *
     * @param known what the file is now
     */
    AppendFile(Linux linux, AppendPlace place, OwnedFd fd, Stat known) {
        this.linux = linux;
        this.place = place;
        this.fd = fd;
        this.known = known;
    }

    AppendPlace place() {
        return place;
    }

    /** Where the last acknowledged record ends. */
    long end() {
        synchronized (lock) {
            return known.size();
        }
    }

    /**
     * Whether it is the file we know, at its place, and nobody else has changed it. While a write
     * is under way, its size and time are the committer's to check.
     */
    void verify() throws AppendLogException {
        synchronized (lock) {
            refuseIfPoisoned();
            try {
                Stat own = linux.fstat(fd);
                if (writing ? own.size() < known.size() : isChanged(own)) {
                    throw poisoned("was changed by somebody else");
                }
                Optional<String> complaint = place.complaint(own);
                if (complaint.isPresent()) {
                    throw poisoned(complaint.get());
                }
            } catch (ErrnoException e) {
                throw place.failed("cannot be looked at", e); // now: nothing has happened to it
            }
        }
    }

    private boolean isChanged(Stat own) {
        return !own.isSameFileAs(known)
                || own.size() != known.size()
                || !own.ctime().equals(known.ctime());
    }

    /**
     * Writes behind the end; on disk when this returns. Verified just before.
     *
     * @throws AppendLogException when it is not on disk: SYSTEM when the file is as it was before
     * @throws OutOfMemoryError the file is as it was before, too, unless it {@link #isPoisoned}
     */
    void append(byte[] frames) throws AppendLogException {
        long end = end();
        setWriting(true);
        try {
            linux.pwriteFully(fd, frames, end);
        } catch (ErrnoException e) {
            rollBack(end);
            throw place.failed("cannot be written", e);
        } catch (OutOfMemoryError e) {
            rollBackWithoutMemory(end);
            throw e;
        }
        boolean known = false; // whether the record is on disk
        try {
            linux.fdatasync(fd);
            settle(end + frames.length);
            known = true;
        } catch (ErrnoException e) {
            cutQuietly(end);
            synchronized (lock) {
                throw poisoned("cannot be synced (" + Errno.words(e.errno()) + ")");
            }
        } finally {
            if (!known) { // nor is it when memory ended in between: an errno may be lost
                poison(NO_MEMORY);
            }
        }
    }

    /** As it was before, or else of no more use: the next one would be written behind a half. */
    private void rollBackWithoutMemory(long end) throws AppendLogException {
        boolean back = false;
        try {
            rollBack(end);
            back = true;
        } finally {
            if (!back) {
                poison(NO_MEMORY);
            }
        }
    }

    private void setWriting(boolean now) {
        synchronized (lock) {
            writing = now;
        }
    }

    /** From here on the file is known as it is now, if it has the size it must have. */
    private void settle(long size) throws AppendLogException {
        synchronized (lock) {
            try {
                Stat own = linux.fstat(fd);
                if (own.size() != size) {
                    throw poisoned("was changed by somebody else");
                }
                known = own;
                writing = false;
            } catch (ErrnoException e) {
                throw poisoned("cannot be looked at (" + Errno.words(e.errno()) + ")");
            }
        }
    }

    /** A full disk has taken a part, or nothing: without that the log can still be used. */
    private void rollBack(long end) throws AppendLogException {
        try {
            linux.ftruncate(fd, end);
            linux.fsync(fd);
        } catch (ErrnoException e) {
            synchronized (lock) {
                throw poisoned(
                        "cannot be cut back after a failed write (" + Errno.words(e.errno()) + ")");
            }
        }
        settle(end);
    }

    /**
     * What was not synced should not be read back as if it had been, by whoever opens it next. It
     * is poisoned whether this works or not.
     */
    private void cutQuietly(long end) {
        try {
            linux.ftruncate(fd, end);
        } catch (ErrnoException e) {
            return;
        }
    }

    boolean isPoisoned() {
        synchronized (lock) {
            return !poison.isEmpty();
        }
    }

    /** Gives it up. */
    void poison(String why) {
        synchronized (lock) {
            if (poison.isEmpty()) {
                poison = why;
            }
        }
    }

    private AppendLogException poisoned(String why) {
        poison(why);
        return refusal();
    }

    private AppendLogException refusal() {
        String words = poison + " while it was in use, so nothing more is read from it or written: "
                + "end this program, look at the file, and start again";
        return place.exception(Fault.POISONED, words);
    }

    private void refuseIfPoisoned() throws AppendLogException {
        if (!poison.isEmpty()) {
            throw refusal();
        }
    }

    /** Reads so many bytes of what was acknowledged. */
    byte[] read(long offset, int count) throws AppendLogException {
        if (offset < 0 || count < 0 || offset + count > end()) {
            throw place.exception(Fault.CORRUPT, "has no " + count + " bytes at " + offset);
        }
        try {
            byte[] bytes = new byte[count];
            int at = 0;
            while (at < count) {
                byte[] more = linux.pread(fd, count - at, offset + at);
                if (more.length == 0) {
                    synchronized (lock) {
                        throw poisoned("was cut short");
                    }
                }
                System.arraycopy(more, 0, bytes, at, more.length);
                at += more.length;
            }
            return bytes;
        } catch (ErrnoException e) {
            throw place.failed("cannot be read", e);
        }
    }

    /** Where it is, for what is reported. */
    UnixPath path() {
        return place.path();
    }

    @Override
    public void close() {
        fd.close();
        place.close();
    }
}
