package glove.sys;

/**
 * What stat(2) tells of a file. Immutable.
 *
 * @param dev the device, as the C library encodes it
 * @param mode type and permissions
 * @param size in bytes
 * @param rdev which device it is, when it is one; encoded as {@code dev}
 * @param ctime when anything of it changed, content or metadata
 */
public record Stat(
        long dev,
        long ino,
        int mode,
        int uid,
        int gid,
        long nlink,
        long size,
        long rdev,
        Time ctime) {
    /**
     * A struct timespec of the clock of files. Immutable.
     *
     * @param seconds since 1970
     * @param nanos to add to them
     */
    public record Time(long seconds, long nanos) {}

    private static final int S_IFMT = 0170000;

    public boolean isDirectory() {
        return (mode & S_IFMT) == 0040000;
    }

    public boolean isRegularFile() {
        return (mode & S_IFMT) == 0100000;
    }

    public boolean isSymbolicLink() {
        return (mode & S_IFMT) == 0120000;
    }

    public boolean isSocket() {
        return (mode & S_IFMT) == 0140000;
    }

    public boolean isFifo() {
        return (mode & S_IFMT) == 0010000;
    }

    public boolean isCharacterDevice() {
        return (mode & S_IFMT) == 0020000;
    }

    /** Whether both are the same file: device and inode. */
    public boolean isSameFileAs(Stat other) {
        return dev == other.dev && ino == other.ino;
    }
}
