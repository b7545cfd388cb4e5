package glove.sys;

/**
 * What stat(2) tells of a file.
 *
 * @param dev the device, as the C library encodes it
 * @param mode type and permissions
 */
public record Stat(long dev, long ino, int mode, int uid, int gid, long nlink, long size) {
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
}
