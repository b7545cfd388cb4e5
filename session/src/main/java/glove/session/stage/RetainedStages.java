package glove.session.stage;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;
import glove.wire.Digest;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What sessions left behind of copies that are kept: in a directory of the owner's, a directory of
 * each with its manifest and its files (sheet 64, 8.3). They are read here, and made elsewhere.
 * Each time the files are read whole: they are shown only as long as they are what the manifest
 * says.
 *
 * <p>Thread-safe. Holds nothing open between calls.
 */
public final class RetainedStages {
    private static final UnixPath MANIFEST = UnixPath.of("manifest.json");
    private static final UnixPath CONTENT = UnixPath.of("content");
    private static final UnixPath PAYLOAD = UnixPath.of(".glove-payload");
    private static final long RESOLVE_NO_SYMLINKS = 4; // and no magic links either
    private static final int DIRECTORY =
            OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY | OpenFlags.O_NOFOLLOW;
    private static final int FILE =
            OpenFlags.O_RDONLY | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK;
    private static final int OTHERS = 077;

    /** While it waits for another one, it looks so often whether it is still wanted. */
    private static final long LOOK_MILLIS = 100;

    /** Bounds of {@link #heapBytesMax}; measured. */
    private static final int MANIFEST_FACTOR = 4;

    private static final int BYTES_OF_NAME = 72;

    private final Linux linux;
    private final UnixPath root;
    private final ReentrantLock reading = new ReentrantLock();

    /** The most that so many inspections take of the heap at once, whatever the stages hold. */
    public static long heapBytesMax(int inspections) {
        long names =
                DirectoryNames.HELD_BYTES_MAX + (long) BYTES_OF_NAME * ChangeManifest.ENTRIES_MAX;
        return (long) MANIFEST_FACTOR * ChangeManifest.BYTES_MAX + inspections * names;
    }

    /** Below a directory, which is looked at when something is asked for. */
    public RetainedStages(Linux linux, AbsolutePath root) {
        this.linux = linux;
        this.root = UnixPath.of(root.text());
    }

    /**
     * A page of the changes of a session.
     *
     * @param wanted asked often while it takes long
     * @throws StageException when there are none, not so many, they cannot be trusted, or nobody
     *     waits any more, with why for the daemon's own log
     */
    public ChangesPage inspect(ChangesRequest asked, StillWanted wanted) throws StageException {
        String session = asked.sessionId();
        String exposure = asked.exposureId();
        if (!StageName.isPart(session) || !StageName.isPart(exposure)) {
            throw new StageException("no stage has a name of such parts");
        }
        String name = StageName.of(session, exposure);
        try (OwnedFd top = linux.openat2(root, DIRECTORY, 0, RESOLVE_NO_SYMLINKS)) {
            checkOwn(linux.fstat(top), "the directory of stages");
            try (OwnedFd stage = linux.openat(top, UnixPath.of(name), DIRECTORY, 0)) {
                checkOwn(linux.fstat(stage), "the stage '" + name + "'");
                ChangesPage page = manifest(stage, asked, wanted);
                ChangeManifest manifest = page.manifest();
                boolean same = manifest.origin().sessionId().text().equals(session)
                        && manifest.origin().exposureId().text().equals(exposure);
                if (!same) {
                    throw new StageException(
                            "the stage '" + name + "' holds the changes of another");
                }
                Digest content = content(stage, manifest.trees(), wanted);
                if (!content.equals(manifest.trees().staged())) {
                    throw new StageException(
                            "the stage '" + name + "' holds other files than it says");
                }
                return page;
            }
        } catch (ErrnoException e) {
            throw new StageException(
                    "the stage '" + name + "' cannot be read: " + Errno.words(e.errno()));
        }
    }

    private void checkOwn(Stat stat, String subject) throws StageException {
        if (stat.uid() != linux.geteuid() || (stat.mode() & OTHERS) != 0) {
            throw new StageException(subject + " is not yours alone: chown it, and chmod 700");
        }
    }

    /** One at a time: a manifest may be large, and its index is more. */
    private ChangesPage manifest(Fd stage, ChangesRequest asked, StillWanted wanted)
            throws ErrnoException, StageException {
        while (!tryReading()) {
            StageException.unlessWanted(wanted);
        }
        try {
            return ManifestReader.read(manifest(stage), asked);
        } finally {
            reading.unlock();
        }
    }

    private boolean tryReading() throws StageException {
        try {
            return reading.tryLock(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StageException("the daemon ends");
        }
    }

    private byte[] manifest(Fd stage) throws ErrnoException, StageException {
        try (OwnedFd fd = linux.openat(stage, MANIFEST, FILE, 0)) {
            Stat before = linux.fstat(fd);
            checkOwn(before, "the manifest");
            if (!before.isRegularFile() || before.nlink() != 1) {
                throw new StageException("the manifest is no file with one name");
            }
            if (before.size() < 1 || before.size() > ChangeManifest.BYTES_MAX) {
                throw new StageException("the manifest has " + before.size() + " bytes, and may "
                        + "have 1 to " + ChangeManifest.BYTES_MAX);
            }
            byte[] json = new byte[(int) before.size()];
            for (int at = 0; at < json.length; ) {
                byte[] some = linux.pread(fd, json.length - at, at);
                if (some.length == 0) {
                    throw new StageException("the manifest is being changed");
                }
                System.arraycopy(some, 0, json, at, some.length);
                at += some.length;
            }
            if (!linux.fstat(fd).equals(before)) {
                throw new StageException("the manifest is being changed");
            }
            return json;
        }
    }

    private Digest content(Fd stage, ChangeManifest.Trees trees, StillWanted wanted)
            throws ErrnoException, StageException {
        TreeDigest digest = new TreeDigest(linux, trees.maxBytes(), wanted);
        try (OwnedFd content = linux.openat(stage, CONTENT, DIRECTORY, 0)) {
            return trees.directory()
                    ? digest.ofDirectory(content)
                    : digest.ofFile(content, PAYLOAD);
        }
    }
}
