package glove.sandbox;

import glove.sys.Stat;

/**
 * Which file a path was when it was validated: inode(7) number, device and type. A file that is
 * replaced gets another identity, and the launch is refused.
 *
 * @param inode inode number
 * @param deviceWord the device as statx(2) lays it out: major in the low, minor in the high half
 * @param type the {@code S_IFMT} bits of the mode
 */
public record Identity(long inode, long deviceWord, int type) {
    static final int TYPE_MASK = 0170000;
    private static final int DIRECTORY = 0040000;

    static Identity of(Stat stat) {
        long dev = stat.dev();
        long major = (dev >>> 8 & 0xfff) | (dev >>> 32 & 0xfffff000L);
        long minor = (dev & 0xff) | (dev >>> 12 & 0xffffff00L);
        return new Identity(stat.ino(), major | minor << 32, stat.mode() & TYPE_MASK);
    }

    boolean isDirectory() {
        return type == DIRECTORY;
    }
}
