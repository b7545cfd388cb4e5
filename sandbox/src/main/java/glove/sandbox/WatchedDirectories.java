package glove.sandbox;

import glove.sys.DirectoryLister;
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

    private final OwnedFd inotify;
    private UnixPath[] paths = new UnixPath[256];
    private int[] contexts = new int[256];
    private boolean incomplete;

    WatchedDirectories(OwnedFd inotify) {
        this.inotify = inotify;
    }

    OwnedFd inotify() {
        return inotify;
    }

    /**
     * Notes a watch.
     *
     * @param watch its number; negative when there is none: from then on not all is seen
     * @param context {@code TreeWalk.IN_*} of the directory
     */
    void put(int watch, UnixPath path, int context) {
        if (watch < 0) {
            incomplete = true;
            return;
        }
        if (watch >= paths.length) {
            int length = Math.max(watch + 1, 2 * paths.length);
            paths = Arrays.copyOf(paths, length);
            contexts = Arrays.copyOf(contexts, length);
        }
        paths[watch] = path;
        contexts[watch] = context;
    }

    /** Whether an event's number is one of ours. */
    boolean knows(int watch) {
        return watch >= 0 && watch < paths.length && paths[watch] != null;
    }

    UnixPath path(int watch) {
        return paths[watch];
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
        inotify.close();
    }
}
