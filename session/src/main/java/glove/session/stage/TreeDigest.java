package glove.session.stage;

import glove.sys.DirEntry;
import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;
import glove.wire.Digest;
import glove.wire.JsonWriter;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a tree of files and directories whole, and computes the digest over names, contents and
 * modes (sheet 65, 1). Anything else in it, a file with two names, and what changes meanwhile are
 * refused. For one tree; confined to one thread.
 */
final class TreeDigest {
    private static final int DEPTH_MAX = 64;
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int MODE_BITS = 0777;
    private static final int OPEN =
            OpenFlags.O_RDONLY | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK;

    private final Linux linux;
    private final long bytesMax;
    private final List<Entry> entries = new ArrayList<>();
    private long bytes;

    /** A file or directory in the tree; a directory has no digest and no bytes. Immutable. */
    record Entry(String path, String digest, long bytes, int mode, boolean directory) {
        void write(JsonWriter out) {
            out.beginObject()
                    .member("path", path)
                    .member("content_digest", digest)
                    .unsigned("bytes", bytes)
                    .member("mode", mode)
                    .member("directory", directory)
                    .endObject();
        }
    }

    /** Of at most so many bytes in all files together; u64. */
    TreeDigest(Linux linux, long bytesMax) {
        this.linux = linux;
        this.bytesMax = bytesMax;
    }

    /** Of what is in an open directory, which is not itself part of it. */
    Digest ofDirectory(Fd directory) throws ErrnoException, StageException {
        walk(directory, "", 1);
        return of(entries);
    }

    /** Of one file in an open directory. */
    Digest ofFile(Fd directory, UnixPath name) throws ErrnoException, StageException {
        add(directory, name, StagePath.WHOLE, 0);
        if (entries.size() != 1 || entries.get(0).directory) {
            throw new StageException("what should be a file is a directory");
        }
        return of(entries);
    }

    /** Over entries in any order. */
    static Digest of(List<Entry> entries) {
        List<Entry> sorted = new ArrayList<>(entries);
        // By whole paths: "a-b" stands before "a/x", although "a" stands before both.
        sorted.sort((a, b) -> StagePath.compare(a.path, b.path));
        JsonWriter out = JsonWriter.canonical().beginArray();
        sorted.forEach(entry -> entry.write(out));
        return Digest.sha256(out.endArray().toBytes());
    }

    private void walk(Fd directory, String prefix, int depth)
            throws ErrnoException, StageException {
        if (depth > DEPTH_MAX) {
            throw new StageException("the tree is more than " + DEPTH_MAX + " directories deep");
        }
        for (DirEntry entry : linux.listDirectory(directory)) {
            add(directory, entry.name(), prefix + text(entry.name()), depth);
        }
    }

    private void add(Fd directory, UnixPath name, String path, int depth)
            throws ErrnoException, StageException {
        if (entries.size() >= ChangeManifest.ENTRIES_MAX) {
            throw new StageException(
                    "the tree has more than " + ChangeManifest.ENTRIES_MAX + " entries");
        }
        Stat looked = linux.lstatat(directory, name);
        if (!looked.isDirectory() && !looked.isRegularFile()) {
            throw new StageException("the tree holds something but files and directories");
        }
        try (OwnedFd fd = linux.openat(directory, name, OPEN, 0)) {
            Stat stat = linux.fstat(fd);
            if (!stat.equals(looked)) {
                throw new StageException("the tree is being changed");
            }
            int mode = stat.mode() & MODE_BITS;
            if (stat.isDirectory()) {
                entries.add(new Entry(path, "", 0, mode, true));
                walk(fd, path + "/", depth + 1);
            } else {
                entries.add(new Entry(path, content(fd, stat), stat.size(), mode, false));
            }
            if (!linux.fstat(fd).equals(stat)) {
                throw new StageException("the tree is being changed");
            }
        }
    }

    private String content(Fd file, Stat stat) throws ErrnoException, StageException {
        if (stat.nlink() != 1) {
            throw new StageException("the tree holds a file with several names");
        }
        bytes += stat.size();
        if (Long.compareUnsigned(bytes, bytesMax) > 0) {
            throw new StageException("the tree is larger than its quota");
        }
        MessageDigest sha256 = sha256();
        for (long at = 0; at < stat.size(); ) {
            byte[] chunk = linux.pread(file, (int) Math.min(CHUNK_BYTES, stat.size() - at), at);
            if (chunk.length == 0) {
                throw new StageException("the tree is being changed");
            }
            sha256.update(chunk);
            at += chunk.length;
        }
        return Digest.of(sha256.digest()).hex();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static String text(UnixPath name) throws StageException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(name.bytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new StageException("the tree holds a name that is not UTF-8");
        }
    }
}
