package glove.sys;

import java.nio.ByteBuffer;

/** Where struct stat (asm/stat.h) keeps what {@link Stat} holds: it differs between machines. */
enum StatLayout {
    X86_64(16, 8, 24),
    AARCH64(20, 4, 16);

    static final StatLayout HOST = Arch.host() == Arch.X86_64 ? X86_64 : AARCH64;

    private static final int DEV = 0;
    private static final int INO = 8;
    private static final int SIZE = 48;

    final int nlink;
    final int nlinkBytes;
    final int mode;

    StatLayout(int nlink, int nlinkBytes, int mode) {
        this.nlink = nlink;
        this.nlinkBytes = nlinkBytes;
        this.mode = mode;
    }

    /** The ids follow the mode; on aarch64 the link count stands between. */
    int uid() {
        return this == X86_64 ? 28 : 24;
    }

    int gid() {
        return uid() + 4;
    }

    int size() {
        return SIZE;
    }

    Stat decode(ByteBuffer in) {
        return new Stat(
                in.getLong(DEV),
                in.getLong(INO),
                in.getInt(mode),
                in.getInt(uid()),
                in.getInt(gid()),
                nlinkBytes == 8 ? in.getLong(nlink) : in.getInt(nlink),
                in.getLong(SIZE));
    }
}
