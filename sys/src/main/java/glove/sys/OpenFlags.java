package glove.sys;

/**
 * Flags of open(2), from asm/fcntl.h. Some differ between machines: on aarch64 the x86-64 value of
 * {@link #O_NOFOLLOW} is O_LARGEFILE, which follows links in silence, so none is spelled as a
 * number elsewhere. O_CLOEXEC is not here: every descriptor has it.
 */
public final class OpenFlags {
    public static final int O_RDONLY = 0;
    public static final int O_WRONLY = 01;
    public static final int O_RDWR = 02;
    public static final int O_CREAT = 0100;
    public static final int O_EXCL = 0200;
    public static final int O_NOCTTY = 0400;
    public static final int O_TRUNC = 01000;
    public static final int O_APPEND = 02000;
    public static final int O_NONBLOCK = 04000;
    public static final int O_PATH = 010000000;

    /** Fails with ENOTDIR when it is something else. */
    public static final int O_DIRECTORY = directory(Arch.host());

    /** Fails with ELOOP when the last name is a link. */
    public static final int O_NOFOLLOW = nofollow(Arch.host());

    /** For steps of a launch plan; everything opened here has it anyway. */
    public static final int O_CLOEXEC = 02000000;

    private OpenFlags() {}

    static int directory(Arch arch) {
        return arch == Arch.X86_64 ? 0200000 : 040000;
    }

    static int nofollow(Arch arch) {
        return arch == Arch.X86_64 ? 0400000 : 0100000;
    }
}
