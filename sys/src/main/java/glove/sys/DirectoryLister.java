package glove.sys;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * Lists many directories of one tree (getdents64(2)), watching each before it is listed
 * (inotify(7)) when asked to. No link is followed, and nothing outside the root is reached
 * (openat2(2)).
 *
 * <p>What it read stays as the kernel gave it, to be looked through without an object for each
 * name: records one after the other from {@link #FIRST} on. The record at {@code i} is {@code b[i
 * + 16]} and {@code b[i + 17]} bytes long, low byte first; its type, {@code DT_*}, is {@code b[i
 * + TYPE]} and its NUL-ended name starts at {@code i + NAME}.
 *
 * <p>Borrows its descriptors. Confined to one thread.
 */
public final class DirectoryLister {
    /** Where the first record starts. */
    public static final int FIRST = 8;

    /** Where in a record the type and the name are. */
    public static final int TYPE = Layouts.DIRENT64_TYPE;

    public static final int NAME = Layouts.DIRENT64_NAME;
    public static final int LENGTH = Layouts.DIRENT64_RECLEN;

    /** {@code DT_*} (dirent.h); unknown where the filesystem does not tell. */
    public static final int DT_UNKNOWN = 0;

    public static final int DT_FIFO = 1;
    public static final int DT_DIR = 4;
    public static final int DT_REG = 8;
    public static final int DT_LNK = 10;
    public static final int DT_SOCK = 12;

    /** {@code IN_*} (sys/inotify.h). */
    public static final int IN_MODIFY = 0x2;

    public static final int IN_MOVED_FROM = 0x40;

    public static final int IN_MOVED_TO = 0x80;
    public static final int IN_CREATE = 0x100;
    public static final int IN_DELETE = 0x200;
    public static final int IN_MOVE_SELF = 0x800;
    public static final int IN_Q_OVERFLOW = 0x4000;
    public static final int IN_IGNORED = 0x8000;
    public static final int IN_ISDIR = 0x40000000;
    private static final int IN_ONLYDIR = 0x01000000;

    private static final int BYTES = 256;
    private static final int ROOM_AT_FIRST = 128 << 10;
    private static final int ROOM_MAX = 64 << 20;

    private final Fd root;
    private final Optional<OwnedFd> inotify;
    private final int events;
    private final byte[] wanted = new byte[2 * BYTES];
    private byte[] buffer = new byte[ROOM_AT_FIRST];

    /**
     * For one tree.
     *
     * @param root an open directory
     * @param inotify where watches are added, if anywhere
     * @param events {@code IN_*} to watch for
     */
    public DirectoryLister(Fd root, Optional<OwnedFd> inotify, int events) {
        NativeSyscalls.load();
        this.root = root;
        this.inotify = inotify;
        this.events = events | IN_ONLYDIR;
    }

    /**
     * Names beginning with one of these bytes are told whatever they are; before this is called
     * only directories, links, sockets, and what the filesystem gives no type.
     */
    public void wantNamesBeginning(String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            wanted[ascii.charAt(i)] = 1;
        }
    }

    /** The same for names ending with this byte. */
    public void wantNamesEnding(byte last) {
        wanted[BYTES + (last & 0xff)] = 1;
    }

    /** All names are told. */
    public void wantAllNames() {
        Arrays.fill(wanted, (byte) 1);
    }

    /**
     * Lists one directory. EOVERFLOW when its names take more than 64 MiB.
     *
     * @param path relative to the root, {@code .} for itself, with a NUL at its end
     * @param watched whether it is to be watched
     * @return where the records end in {@link #buffer}
     */
    public int list(byte[] path, boolean watched) throws ErrnoException {
        int notifier = watched && inotify.isPresent() ? Calls.number(inotify.get()) : -1;
        int[] places = {Calls.number(root), notifier, events};
        for (; ; ) {
            int end = NativeSyscalls.list(places, path, wanted, buffer);
            if (end >= 0) {
                return end;
            }
            if (end != -Errno.EOVERFLOW || buffer.length >= ROOM_MAX) {
                String subject =
                        UnixPath.of(Arrays.copyOf(path, path.length - 1)).toString();
                throw new ErrnoException(Call.GETDENTS64, -end, subject);
            }
            buffer = new byte[4 * buffer.length];
        }
    }

    /** What the last listing read; the next one may replace it. */
    public byte[] buffer() {
        return buffer;
    }

    /** The watch of the directory listed last; the negative of an errno when there is none. */
    public int watch() {
        return ByteBuffer.wrap(buffer).order(ByteOrder.nativeOrder()).getInt(0);
    }
}
