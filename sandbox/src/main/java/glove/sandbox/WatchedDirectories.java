package glove.sandbox;

import glove.sys.DirectoryLister;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.util.Arrays;

/**
 * The directories an inotify(7) instance watches, by the numbers it uses in events. Owns the
 * instance. Filled by the walk's thread, then used by the one that waits for events.
 */
final class WatchedDirectories implements AutoCloseable {
    /** A name appears, or one that is masked goes. */
    static final int EVENTS = DirectoryLister.IN_CREATE
            | DirectoryLister.IN_MOVED_TO
            | DirectoryLister.IN_MOVED_FROM
            | DirectoryLister.IN_DELETE;

    private final Linux linux;
    private final OwnedFd inotify;
    private UnixPath[] tops = new UnixPath[256];

    /** Below those, NUL-ended: a path is made of it only when something happens there. */
    private byte[][] relative = new byte[256][];

    private int[] contexts = new int[256];
    private boolean incomplete;

    WatchedDirectories(Linux linux, OwnedFd inotify) {
        this.linux = linux;
        this.inotify = inotify;
    }

    OwnedFd inotify() {
        return inotify;
    }

    /**
     * Notes a watch.
     *
     * @param watch its number; negative when there is none: from then on not all is seen
     * @param top a directory above, or the directory itself
     * @param below relative to it, NUL-ended; {@code .} for itself
     * @param context of the directory, see {@link WalkContext}
     */
    void put(int watch, UnixPath top, byte[] below, int context) {
        if (watch < 0) {
            incomplete = true;
            return;
        }
        if (watch >= tops.length) {
            int length = Math.max(watch + 1, 2 * tops.length);
            tops = Arrays.copyOf(tops, length);
            relative = Arrays.copyOf(relative, length);
            contexts = Arrays.copyOf(contexts, length);
        }
        tops[watch] = top;
        relative[watch] = below;
        contexts[watch] = context;
    }

    /** Whether an event's number is one of ours. */
    boolean knows(int watch) {
        return watch >= 0 && watch < tops.length && tops[watch] != null;
    }

    UnixPath path(int watch) {
        byte[] below = relative[watch];
        return below.length == 2 && below[0] == '.'
                ? tops[watch]
                : tops[watch].resolve(UnixPath.of(Arrays.copyOf(below, below.length - 1)));
    }

    int context(int watch) {
        return contexts[watch];
    }

    /** Events were lost, or a limit kept a directory from being watched. */
    void missedSome() {
        incomplete = true;
    }

    boolean incomplete() {
        return incomplete;
    }

    @Override
    public void close() {
        try {
            linux.closeInBackground(inotify);
        } catch (ErrnoException e) {
            // It is closed all the same, only not in the background.
        }
    }
}
