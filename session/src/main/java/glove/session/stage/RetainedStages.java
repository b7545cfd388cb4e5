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

    private final Linux linux;
    private final UnixPath root;

    /** Below a directory, which is looked at when something is asked for. */
    public RetainedStages(Linux linux, AbsolutePath root) {
        this.linux = linux;
        this.root = UnixPath.of(root.text());
    }

    /**
     * A page of the changes of a session.
     *
     * @throws StageException when there are none, not so many, or they cannot be trusted, with why
     *     for the daemon's own log
     */
    public ChangesPage inspect(ChangesRequest asked) throws StageException {
        ChangeManifest manifest = verified(asked.sessionId(), asked.exposureId());
        if (!manifest.holds(asked.offset())) {
            throw new StageException("there are only " + manifest.changes().size() + " changes");
        }
        return new ChangesPage(manifest, (int) asked.offset(), asked.limit());
    }

    /** The manifest of what a session left, with which its files agree. */
    private ChangeManifest verified(String sessionId, String exposureId) throws StageException {
        if (!StageName.isPart(sessionId) || !StageName.isPart(exposureId)) {
            throw new StageException("no stage has a name of such parts");
        }
        String name = StageName.of(sessionId, exposureId);
        try (OwnedFd top = linux.openat2(root, DIRECTORY, 0, RESOLVE_NO_SYMLINKS)) {
            checkOwn(linux.fstat(top), "the directory of stages");
            try (OwnedFd stage = linux.openat(top, UnixPath.of(name), DIRECTORY, 0)) {
                checkOwn(linux.fstat(stage), "the stage '" + name + "'");
                ChangeManifest manifest = ChangeManifest.decode(manifest(stage));
                boolean same = manifest.origin().sessionId().text().equals(sessionId)
                        && manifest.origin().exposureId().text().equals(exposureId);
                if (!same) {
                    throw new StageException(
                            "the stage '" + name + "' holds the changes of another");
                }
                if (!content(stage, manifest.trees()).equals(manifest.trees().staged())) {
                    throw new StageException(
                            "the stage '" + name + "' holds other files than it says");
                }
                return manifest;
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

    private byte[] manifest(Fd stage) throws ErrnoException, StageException {
        try (OwnedFd fd = linux.openat(stage, MANIFEST, FILE, 0)) {
            Stat before = linux.fstat(fd);
            checkOwn(before, "the manifest");
            if (!before.isRegularFile() || before.nlink() != 1) {
                throw new StageException("the manifest is no file with one name");
            }
            byte[] json = linux.readAll(fd, ChangeManifest.BYTES_MAX);
            if (!linux.fstat(fd).equals(before)) {
                throw new StageException("the manifest is being changed");
            }
            return json;
        }
    }

    private Digest content(Fd stage, ChangeManifest.Trees trees)
            throws ErrnoException, StageException {
        TreeDigest digest = new TreeDigest(linux, trees.maxBytes());
        try (OwnedFd content = linux.openat(stage, CONTENT, DIRECTORY, 0)) {
            return trees.directory()
                    ? digest.ofDirectory(content)
                    : digest.ofFile(content, PAYLOAD);
        }
    }
}
