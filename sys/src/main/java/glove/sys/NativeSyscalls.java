package glove.sys;

import java.nio.ByteBuffer;

/**
 * The JNI shim (native/sys/glove_sys.c): the only native methods of Glove. Found through the
 * system property {@value #DIRECTORY_PROPERTY}, the directory the build put it in.
 */
final class NativeSyscalls implements Syscalls {
    static final String DIRECTORY_PROPERTY = "glove.native";

    static final NativeSyscalls INSTANCE = new NativeSyscalls();

    static {
        String directory = System.getProperty(DIRECTORY_PROPERTY);
        if (directory == null) {
            throw new Bug("-D" + DIRECTORY_PROPERTY + "=DIRECTORY is missing: start Glove by its "
                    + "script");
        }
        System.load(directory + "/libglove-sys.so");
    }

    private NativeSyscalls() {}

    @Override
    public long call(Call call, long a, long b, long c, long d, long e, long f) {
        return syscall(call.number(), a, b, c, d, e, f);
    }

    private static native long syscall(long number, long a, long b, long c, long d, long e, long f);

    /** Where a direct buffer lies; valid as long as the buffer is reachable. */
    static native long address(ByteBuffer direct);

    /**
     * Executes a program in a child with the given descriptors as 0, 1, 2 ... and no other.
     *
     * @param strings direct, the NUL-ended arguments and then the environment
     * @return its process id, or the negative of an errno
     */
    static native int spawn(int program, int[] fds, ByteBuffer strings, int argc, int envc);

    /** Installs a handler that writes the signal's number to a descriptor. */
    static native void catchSignals(int fd, int[] signals);
}
