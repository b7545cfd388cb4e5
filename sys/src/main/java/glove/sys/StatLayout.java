package glove.sys;

import java.nio.ByteBuffer;

/** Where struct stat (asm/stat.h) keeps what {@link Stat} holds: it differs between machines. */
enum StatLayout {
    X86_64(144, 24, 16, 40),
    AARCH64(128, 16, 20, 32);

    static final StatLayout HOST = of(Arch.host());

    static final int SIZE_MAX = 144;
    static final int DEV = 0;
    static final int INO = 8;
    static final int SIZE = 48;
    static final int CTIME = 104;
    static final int CTIME_NSEC = 112;

    final int bytes;
    final int mode;
    final int nlink;
    final int rdev;

    StatLayout(int bytes, int mode, int nlink, int rdev) {
        this.bytes = bytes;
        this.mode = mode;
        this.nlink = nlink;
        this.rdev = rdev;
    }

    static StatLayout of(Arch arch) {
        return arch == Arch.X86_64 ? X86_64 : AARCH64;
    }

    /** The ids follow the mode; on aarch64 the link count stands between. */
    int uid() {
        return this == X86_64 ? 28 : 24;
    }

    int gid() {
        return uid() + 4;
    }

    /** The link count is a long on x86-64 and an unsigned int on aarch64. */
    int nlinkBytes() {
        return this == X86_64 ? 8 : 4;
    }

    Stat decode(ByteBuffer in) {
        return new Stat(
                in.getLong(DEV),
                in.getLong(INO),
                in.getInt(mode),
                in.getInt(uid()),
                in.getInt(gid()),
                nlinkBytes() == 8 ? in.getLong(nlink) : in.getInt(nlink),
                in.getLong(SIZE),
                in.getLong(rdev),
                new Stat.Time(in.getLong(CTIME), in.getLong(CTIME_NSEC)));
    }
}
