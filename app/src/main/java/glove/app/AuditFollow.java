package glove.app;

import glove.journal.AuditException;
import glove.journal.AuditFile;
import glove.sandbox.Refusal;
import glove.sandbox.ShellWord;
import glove.sys.BorrowedFd;
import glove.sys.DirectoryLister;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.PollFd;
import glove.sys.UnixPath;

import java.util.List;
import java.util.Optional;

/**
 * Prints an audit log as it is written, for as long as somebody reads. One watch on its directory
 * (inotify(7)) tells of every change, also that the file is made, moved aside or replaced. Ends by
 * a signal like any program: there is nothing to clean up.
 *
 * <p>Owns descriptors. Confined to one thread.
 */
final class AuditFollow implements AutoCloseable {
    private static final int EVENTS = DirectoryLister.IN_MODIFY
            | DirectoryLister.IN_CREATE
            | DirectoryLister.IN_MOVED_TO
            | DirectoryLister.IN_MOVED_FROM
            | DirectoryLister.IN_DELETE
            | DirectoryLister.IN_MOVE_SELF;
    private static final int GONE = DirectoryLister.IN_IGNORED | DirectoryLister.IN_MOVE_SELF;
    private static final int EVENTS_BYTES = 64 << 10;
    private static final int EXIT_FAILED = 1;

    /** struct inotify_event: watch, mask, cookie, length of the name, name. */
    private static final int MASK = 4;

    private static final int LENGTH = 12;
    private static final int NAME = 16;

    private final Linux linux;
    private final Notices notices;
    private final UnixPath path;
    private final OwnedFd inotify;
    private boolean directoryGone;

    private AuditFollow(Linux linux, Notices notices, UnixPath path, OwnedFd inotify) {
        this.linux = linux;
        this.notices = notices;
        this.path = path;
        this.inotify = inotify;
    }

    /**
     * Begins to watch; nothing that happens from here on is missed.
     *
     * @param path absolute; the directory must exist, the file need not
     */
    static AuditFollow of(Linux linux, Notices notices, UnixPath path) throws Refusal {
        UnixPath directory;
        int flags = OpenFlags.O_PATH | OpenFlags.O_DIRECTORY;
        try (OwnedFd opened = linux.open(path.parent(), flags, 0)) {
            directory = linux.pathOf(opened);
        } catch (ErrnoException e) {
            throw new Refusal(
                    "cannot watch '" + path.parent() + "': " + e.getMessage(),
                    "ls -ld " + ShellWord.operand(path.parent()));
        }
        try {
            OwnedFd inotify = linux.inotifyInit();
            boolean watching = false;
            try {
                linux.inotifyAddWatch(inotify, directory, EVENTS);
                watching = true;
                return new AuditFollow(linux, notices, directory.resolve(path.name()), inotify);
            } finally {
                if (!watching) {
                    inotify.close();
                }
            }
        } catch (ErrnoException e) {
            throw new Refusal(
                    "cannot watch '" + directory + "': " + e.getMessage(),
                    "glove audit show, without --follow");
        }
    }

    /** Prints until nobody reads any more, or nothing can come; returns the exit status. */
    int run(AuditShow show) throws AuditException, ErrnoException {
        boolean isFirst = true;
        Optional<AuditFile> current = Optional.empty();
        try {
            for (; ; ) {
                boolean opened = current.isEmpty();
                current = opened ? AuditFile.open(linux, path) : current;
                if (current.isPresent() && opened && isFirst) {
                    show.begin(current.get());
                } else if (current.isPresent()) {
                    show.goOn(current.get());
                } else if (isFirst) {
                    notices.say("there is no '" + path + "' yet: waiting for it");
                }
                isFirst = false;
                if (show.isUnheard()) {
                    return EXIT_FAILED;
                }
                if (current.isPresent() && !current.get().isInPlace()) {
                    current.get().close();
                    current = Optional.empty();
                } else if (directoryGone) {
                    notices.say("the directory of '" + path + "' is gone");
                    return EXIT_FAILED;
                } else if (!await()) {
                    return EXIT_FAILED;
                }
            }
        } finally {
            if (current.isPresent()) {
                current.get().close();
            }
        }
    }

    /** Until something has changed; false when nobody reads any more. */
    private boolean await() throws ErrnoException {
        // Of the output only errors are told: that is what a reader who has left is.
        List<PollFd> awaited =
                List.of(new PollFd(inotify, PollFd.POLLIN), new PollFd(BorrowedFd.STDOUT, 0));
        for (; ; ) {
            try {
                int[] happened = linux.poll(awaited, -1);
                if (happened[1] != 0) {
                    return false;
                }
                readEvents();
                return true;
            } catch (ErrnoException e) {
                if (e.errno() != Errno.EINTR) {
                    throw e;
                }
            }
        }
    }

    private void readEvents() throws ErrnoException {
        byte[] events;
        try {
            events = linux.read(inotify, EVENTS_BYTES);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EAGAIN) {
                return;
            }
            throw e;
        }
        for (int at = 0; at < events.length; at += NAME + number(events, at + LENGTH)) {
            directoryGone |= (number(events, at + MASK) & GONE) != 0;
        }
    }

    /** Little-endian, like both machines. */
    private static int number(byte[] bytes, int at) {
        return (bytes[at] & 0xff)
                | (bytes[at + 1] & 0xff) << 8
                | (bytes[at + 2] & 0xff) << 16
                | (bytes[at + 3] & 0xff) << 24;
    }

    @Override
    public void close() {
        inotify.close();
    }
}
