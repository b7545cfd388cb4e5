package glove.session.stage;

import glove.session.stage.EntryHash.Entry;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;
import glove.wire.Digest;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Reads a tree of files and directories whole, and computes the digest over names, contents and
 * modes (sheet 65, 1). Anything else in it, what is mounted in it, a file with two names, and what
 * changes meanwhile are refused. The tree is visited in the order its entries are hashed in, so of
 * it only the names of the directories on the way are in memory ({@link DirectoryNames}). For one
 * tree; confined to one thread.
 */
final class TreeDigest {
    /** Directories in each other, the tree's own included. */
    static final int DEPTH_MAX = 64;

    private static final int CHUNK_BYTES = 64 << 10;

    /** Of a file that is read, until it is looked again whether somebody waits for that. */
    private static final int UNLOOKED_BYTES = 1 << 20;

    private static final int MODE_BITS = 0777;
    private static final int OPEN =
            OpenFlags.O_RDONLY | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK;

    private final Linux linux;
    private final StageDoor door;
    private final Rules rules;
    private final StillWanted wanted;
    private final ChangedEntries changes;
    private final DirectoryNames names;
    private final EntryHash hash = new EntryHash();
    private long bytes;

    /**
     * How large a tree may be. Immutable.
     *
     * @param bytesMax in all files together; u64
     * @param depthMax directories in each other, of which as many are open; at most {@value
     *     #DEPTH_MAX}
     */
    record Rules(long bytesMax, int depthMax) {}

    /**
     * Of one tree.
     *
     * @param wanted asked for each entry and each mebibyte
     * @param changes told of each entry
     */
    TreeDigest(Linux linux, Rules rules, StillWanted wanted, ChangedEntries changes) {
        this.linux = linux;
        this.door = new StageDoor(linux);
        this.rules = rules;
        this.wanted = wanted;
        this.changes = changes;
        this.names = new DirectoryNames(linux, wanted);
    }

    /** A directory on the way. Immutable. */
    private record Place(Fd fd, String prefix, int prefixBytes, int depth) {
        Place inside(Fd directory, byte[] name, String path) {
            return new Place(directory, path + "/", prefixBytes + name.length + 1, depth + 1);
        }
    }

    /** A directory whose own entry was hashed, and what is in it not yet. Immutable. */
    private record Inside(UnixPath path, Stat stat) {
        /** Whether a later name stands before what is in it: "a-b" before "a/x". */
        boolean isBehind(byte[] later) {
            byte[] name = path.bytes();
            if (later.length <= name.length
                    || !Arrays.equals(later, 0, name.length, name, 0, name.length)) {
                return false;
            }
            byte next = later[name.length];
            return next > 0 && next < '/'; // the bytes of other letters are negative here
        }
    }

    /**
     * Of what is in an open directory, which is not itself part of it: whether that changes
     * meanwhile the caller looks.
     */
    Digest ofDirectory(Fd directory) throws ErrnoException, StageException {
        visit(new Place(directory, "", 0, 1));
        return hash.end();
    }

    /** Of one file in an open directory. */
    Digest ofFile(Fd directory, UnixPath name) throws ErrnoException, StageException {
        Stat looked = look(directory, name);
        if (looked.isDirectory()) {
            throw new StageException("what should be a file is a directory");
        }
        addFile(directory, name, StagePath.WHOLE, looked);
        return hash.end();
    }

    private void visit(Place place) throws ErrnoException, StageException {
        if (place.depth > rules.depthMax) {
            String advice = rules.depthMax < DEPTH_MAX
                    ? ", for which gloved may have too few files open: raise its limit (ulimit -n)"
                    : "";
            throw new StageException(
                    "the tree is more than " + rules.depthMax + " directories deep" + advice);
        }
        List<byte[]> all = names.of(place.fd);
        Deque<Inside> left = new ArrayDeque<>(); // the innermost name first: it ends first
        for (byte[] name : all) {
            while (!left.isEmpty() && !left.peek().isBehind(name)) {
                enter(place, left.pop());
            }
            UnixPath unixName = UnixPath.of(name);
            Stat looked = look(place.fd, unixName);
            String path = path(place, name);
            if (looked.isDirectory()) {
                add(new Entry(path, "", 0, looked.mode() & MODE_BITS, true));
                left.push(new Inside(unixName, looked));
            } else {
                addFile(place.fd, unixName, path, looked);
            }
        }
        while (!left.isEmpty()) {
            enter(place, left.pop());
        }
        names.forget(all);
    }

    private void add(Entry entry) {
        hash.add(entry);
        changes.see(entry);
    }

    private Stat look(Fd directory, UnixPath name) throws ErrnoException, StageException {
        StageException.unlessWanted(wanted);
        Stat looked = door.look(directory, name);
        if (!looked.isDirectory() && !looked.isRegularFile()) {
            throw new StageException("the tree holds something but files and directories");
        }
        return looked;
    }

    private void enter(Place place, Inside inside) throws ErrnoException, StageException {
        byte[] name = inside.path.bytes();
        try (OwnedFd fd = openSame(place.fd, inside.path, inside.stat)) {
            visit(place.inside(fd, name, path(place, name)));
            requireSame(linux.fstat(fd), inside.stat);
        }
    }

    private OwnedFd openSame(Fd directory, UnixPath name, Stat looked)
            throws ErrnoException, StageException {
        OwnedFd fd = door.open(directory, name, OPEN);
        boolean same = false;
        try {
            requireSame(linux.fstat(fd), looked);
            same = true;
            return fd;
        } finally {
            if (!same) {
                fd.close();
            }
        }
    }

    private static void requireSame(Stat now, Stat before) throws StageException {
        if (!now.equals(before)) {
            throw new StageException("the tree is being changed");
        }
    }

    private void addFile(Fd directory, UnixPath name, String path, Stat looked)
            throws ErrnoException, StageException {
        if (looked.nlink() != 1) {
            throw new StageException("the tree holds a file with several names");
        }
        if (Long.compareUnsigned(looked.size(), rules.bytesMax - bytes) > 0) {
            throw new StageException("the tree is larger than its quota");
        }
        bytes += looked.size();
        try (OwnedFd fd = openSame(directory, name, looked)) {
            String digest = content(fd, looked.size());
            requireSame(linux.fstat(fd), looked);
            int mode = looked.mode() & MODE_BITS;
            add(new Entry(path, digest, looked.size(), mode, false));
        }
    }

    private String content(Fd file, long size) throws ErrnoException, StageException {
        MessageDigest sha256 = EntryHash.sha256();
        long look = UNLOOKED_BYTES;
        for (long at = 0; at < size; ) {
            byte[] chunk = linux.pread(file, (int) Math.min(CHUNK_BYTES, size - at), at);
            if (chunk.length == 0) {
                throw new StageException("the tree is being changed");
            }
            sha256.update(chunk);
            at += chunk.length;
            if (at >= look) {
                StageException.unlessWanted(wanted);
                look = at + UNLOOKED_BYTES;
            }
        }
        return Digest.of(sha256.digest()).hex();
    }

    /** What no manifest could name is in no tree that was kept. */
    private static String path(Place place, byte[] name) throws StageException {
        if (place.prefixBytes + name.length > StagePath.BYTES_MAX) {
            throw new StageException(
                    "the tree holds a path of more than " + StagePath.BYTES_MAX + " bytes");
        }
        return place.prefix + text(name);
    }

    private static String text(byte[] name) throws StageException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(name))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new StageException("the tree holds a name that is not UTF-8");
        }
    }
}
