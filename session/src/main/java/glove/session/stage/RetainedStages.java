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

    /** Of the manifest, until it is looked again whether somebody waits for it. */
    private static final int CHUNK_BYTES = 1 << 20;

    /** Open beside the directories of a tree: those around it, and a file in it. */
    private static final int OTHER_DESCRIPTORS = 4;

    /** What one inspection may have open at most. */
    public static final int DESCRIPTORS_MAX = OTHER_DESCRIPTORS + TreeDigest.DEPTH_MAX;

    /** With fewer it looks at nothing. */
    public static final int DESCRIPTORS_LEAST = OTHER_DESCRIPTORS + 1;

    private final Linux linux;
    private final StageDoor door;
    private final UnixPath root;
    private final int depthMax;
    private final ReentrantLock reading = new ReentrantLock();

    /** The most that so many inspections take of the heap at once, whatever the stages hold. */
    public static long heapBytesMax(int inspections) {
        long names = DirectoryNames.HELD_BYTES_MAX
                + (long) (BYTES_OF_NAME + ChangedEntries.BYTES_OF_CHANGE)
                        * ChangeManifest.ENTRIES_MAX;
        return (long) MANIFEST_FACTOR * ChangeManifest.BYTES_MAX + inspections * names;
    }

    /** Below a directory, which is looked at when something is asked for. */
    public RetainedStages(Linux linux, AbsolutePath root) {
        this(linux, root, DESCRIPTORS_MAX);
    }

    /**
     * The same with few open files: deep trees are not looked at then.
     *
     * @param descriptors that one inspection may have open; at least {@link #DESCRIPTORS_LEAST}
     */
    public RetainedStages(Linux linux, AbsolutePath root, int descriptors) {
        this.linux = linux;
        this.door = new StageDoor(linux);
        this.depthMax = Math.min(descriptors, DESCRIPTORS_MAX) - OTHER_DESCRIPTORS;
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
            return inspect(top, UnixPath.of(name), asked, wanted);
        } catch (ErrnoException e) {
            throw new StageException(
                    "the stage '" + name + "' cannot be read: " + Errno.words(e.errno()));
        }
    }

    private ChangesPage inspect(Fd top, UnixPath name, ChangesRequest asked, StillWanted wanted)
            throws ErrnoException, StageException {
        String subject = "the stage '" + name + "' ";
        try (OwnedFd stage = door.open(top, name, DIRECTORY)) {
            Stat before = linux.fstat(stage);
            checkOwn(before, subject.strip());
            Manifest read = manifest(stage, asked, wanted);
            ChangeManifest manifest = read.page.manifest();
            boolean same = manifest.origin().sessionId().text().equals(asked.sessionId())
                    && manifest.origin().exposureId().text().equals(asked.exposureId());
            if (!same) {
                throw new StageException(subject + "holds the changes of another");
            }
            Digest content = content(stage, manifest.trees(), read.changes, wanted);
            boolean stays = linux.fstat(stage).equals(before)
                    && door.look(top, name).equals(before)
                    && door.look(stage, MANIFEST).equals(read.stat);
            if (!stays) {
                throw new StageException(subject + "is being changed");
            }
            if (!content.equals(manifest.trees().staged())) {
                throw new StageException(subject + "holds other files than it says");
            }
            if (!read.changes.fit()) {
                throw new StageException(subject + "tells changes its files do not have");
            }
            return read.page;
        }
    }

    private void checkOwn(Stat stat, String subject) throws StageException {
        if (stat.uid() != linux.geteuid() || (stat.mode() & OTHERS) != 0) {
            throw new StageException(subject + " is not yours alone: chown it, and chmod 700");
        }
    }

    /**
     * One that was read. Immutable but for its changes.
     *
     * @param stat of the file, when it was read
     * @param page of it
     * @param changes all of them, to be compared with the tree
     */
    private record Manifest(Stat stat, ChangesPage page, ChangedEntries changes) {}

    /** One at a time: a manifest may be large, and its index is more. */
    private Manifest manifest(Fd stage, ChangesRequest asked, StillWanted wanted)
            throws ErrnoException, StageException {
        StageException.unlessWanted(wanted);
        while (!tryReading()) {
            StageException.unlessWanted(wanted);
        }
        try (OwnedFd fd = door.open(stage, MANIFEST, FILE)) {
            Stat stat = linux.fstat(fd);
            byte[] json = manifest(fd, stat, wanted);
            ChangedEntries changes = new ChangedEntries();
            return new Manifest(stat, ManifestReader.read(json, asked, changes, wanted), changes);
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

    private byte[] manifest(Fd fd, Stat before, StillWanted wanted)
            throws ErrnoException, StageException {
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
            StageException.unlessWanted(wanted);
            byte[] some = linux.pread(fd, Math.min(CHUNK_BYTES, json.length - at), at);
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

    private Digest content(
            Fd stage, ChangeManifest.Trees trees, ChangedEntries changes, StillWanted wanted)
            throws ErrnoException, StageException {
        TreeDigest.Rules rules = new TreeDigest.Rules(trees.maxBytes(), depthMax);
        TreeDigest digest = new TreeDigest(linux, rules, wanted, changes);
        try (OwnedFd content = door.open(stage, CONTENT, DIRECTORY)) {
            Stat before = linux.fstat(content);
            Digest read = trees.directory()
                    ? digest.ofDirectory(content)
                    : digest.ofFile(content, PAYLOAD);
            if (!linux.fstat(content).equals(before)) {
                throw new StageException("the tree is being changed");
            }
            return read;
        }
    }
}
