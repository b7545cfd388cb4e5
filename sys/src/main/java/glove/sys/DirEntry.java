package glove.sys;

/**
 * One name in a directory (getdents64(2)).
 *
 * @param type {@code DT_*}; 0 where the filesystem does not tell
 */
public record DirEntry(UnixPath name, int type) {
    private static final int DT_DIR = 4;

    /** Whether the filesystem calls it a directory. */
    public boolean isDirectory() {
        return type == DT_DIR;
    }
}
