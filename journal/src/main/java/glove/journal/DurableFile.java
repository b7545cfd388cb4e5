package glove.journal;

import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;

/**
 * Small owner-only files that are replaced as a whole: whenever the machine stops, there is the old
 * content or the new one, and once {@link #replace} has returned, the new one. Of several that
 * replace a file at the same time one wins. Stateless.
 */
public final class DurableFile {
    private static final int OWNER_ONLY = 0600;
    private static final UnixPath ITSELF = UnixPath.of(".");

    private DurableFile() {}

    /**
     * Makes a file have a content; when this returns, it is durable. When it fails, the file has its
     * old content, or the new one that may not be durable yet.
     *
     * @param directory it is in, which may be open by O_PATH; borrowed
     * @param name without a slash, at most 200 bytes
     * @throws ErrnoException see openat(2), write(2), fsync(2), rename(2)
     */
    public static void replace(Linux linux, Fd directory, UnixPath name, byte[] content)
            throws ErrnoException {
        UnixPath temporary = temporary(linux, name);
        // Before anything is made: what cannot be synced later is better not begun.
        int reading = OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY;
        try (OwnedFd synced = linux.openat(directory, ITSELF, reading, 0)) {
            boolean renamed = false;
            try {
                write(linux, directory, temporary, content);
                linux.renameat2(directory, temporary, directory, name, 0);
                renamed = true;
            } finally {
                if (!renamed) {
                    remove(linux, directory, temporary);
                }
            }
            linux.fsync(synced);
        }
    }

    /** Of its own for each process and moment: one that a crash left behind is in nobody's way. */
    private static UnixPath temporary(Linux linux, UnixPath name) {
        byte[] end = ("." + linux.getpid() + "." + Long.toHexString(System.nanoTime()) + ".new")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] start = name.bytes();
        byte[] all = new byte[1 + start.length + end.length];
        all[0] = '.';
        System.arraycopy(start, 0, all, 1, start.length);
        System.arraycopy(end, 0, all, 1 + start.length, end.length);
        return UnixPath.of(all);
    }

    private static void write(Linux linux, Fd directory, UnixPath name, byte[] content)
            throws ErrnoException {
        int flags =
                OpenFlags.O_WRONLY | OpenFlags.O_CREAT | OpenFlags.O_EXCL | OpenFlags.O_NOFOLLOW;
        try (OwnedFd file = linux.openat(directory, name, flags, OWNER_ONLY)) {
            linux.writeFully(file, content);
            linux.fsync(file);
        }
    }

    private static void remove(Linux linux, Fd directory, UnixPath name) {
        try {
            linux.unlinkat(directory, name, 0);
        } catch (ErrnoException e) {
            // It was not made, or it stays, under a name that nothing reads.
        }
    }
}
