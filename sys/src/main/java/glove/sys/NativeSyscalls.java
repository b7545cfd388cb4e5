package glove.sys;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.nio.ByteBuffer;

/**
 * The JNI shim (native/sys/glove_sys.c): the only native methods of Glove. Found through the
 * system property {@value #DIRECTORY_PROPERTY}, the directory the build put it in. Thread-safe.
 */
final class NativeSyscalls implements Syscalls {
    static final String DIRECTORY_PROPERTY = "glove.native";

    static final NativeSyscalls INSTANCE = new NativeSyscalls();

    private static final String LIBRARY = "libglove-sys.so";

    /** What Java reads where bytes are no text in its locale (U+FFFD), or a question mark. */
    private static final char NO_CHARACTER = '\ufffd';

    private static final String CURE =
            "try LC_ALL=C.UTF-8, or move Glove to a path of ASCII characters";

    private static volatile boolean loaded; // written under the class's lock

    private NativeSyscalls() {}

    /**
     * Loads the shim, once. Not in a static initializer: there the sentence about a missing file
     * would end up as the cause of an ExceptionInInitializerError.
     */
    static void load() {
        if (!loaded) {
            loadOnce();
        }
    }

    /**
     * Loads it, unless it is; why that cannot be and what to type, or nothing. The file may be
     * there and not be loaded: Java spells its path anew, without links.
     */
    static String lacks() {
        String directory = System.getProperty(DIRECTORY_PROPERTY);
        String lacks = lacks(directory);
        if (lacks.isEmpty()) {
            try {
                load();
            } catch (UnsatisfiedLinkError e) {
                lacks = "Java cannot load '" + directory + "/" + LIBRARY + "': " + e.getMessage()
                        + ": " + CURE;
            }
        }
        return lacks.replace(NO_CHARACTER, '?');
    }

    private static synchronized void loadOnce() {
        if (!loaded) {
            System.load(library(System.getProperty(DIRECTORY_PROPERTY)));
            loaded = true;
        }
    }

    /** The file in that directory; a {@link Bug} that says what to do when there is none. */
    static String library(@Nullable String directory) {
        String lacks = lacks(directory);
        if (directory == null || !lacks.isEmpty()) {
            throw new Bug(lacks);
        }
        return new File(directory, LIBRARY).getAbsolutePath();
    }

    /** Why the file of that directory cannot be loaded, and what to type; empty when it can. */
    static String lacks(@Nullable String directory) {
        if (directory == null) {
            return "-D" + DIRECTORY_PROPERTY + "=DIRECTORY is missing: start Glove by its script";
        }
        File file = new File(directory, LIBRARY).getAbsoluteFile();
        if (file.isFile()) {
            return "";
        }
        for (int i = 0; i < directory.length(); i++) {
            if (directory.charAt(i) == NO_CHARACTER || directory.charAt(i) == '?') {
                return "Java cannot spell Glove's own path '" + directory + "' in this locale: "
                        + CURE;
            }
        }
        return "there is no '" + file + "': build it by native/build, or mend -D"
                + DIRECTORY_PROPERTY;
    }

    @Override
    public long call(Call call, long a, long b, long c, long d, long e, long f) {
        return syscall(call.number(), a, b, c, d, e, f);
    }

    /** Any call, by number: for {@link #call}, and for tests of calls without a name here. */
    static native long syscall(long number, long a, long b, long c, long d, long e, long f);

    /** Where a direct buffer lies; valid as long as the buffer is reachable. */
    static native long address(ByteBuffer direct);

    /**
     * Executes a program in a child with the given descriptors and no other.
     *
     * @param fds pairs: a descriptor and its number in the child
     * @param strings direct, the NUL-ended arguments and then the environment
     * @return its process id, or the negative of an errno
     */
    static native int spawn(int program, int[] fds, ByteBuffer strings, int argc, int envc);

    /**
     * Lists one directory, and watches it first ({@link DirectoryLister}).
     *
     * @param places descriptors of the root and of an inotify instance, negative for none, and
     *     what to watch for
     * @param path NUL-ended, relative to the root
     * @param wanted 512 of them, by first and by last byte of a name
     * @param into the watch, and from byte 8 on the entries as getdents64(2) gives them
     * @return bytes used, or the negative of an errno; EOVERFLOW asks for more room
     */
    static native int list(int[] places, byte[] path, byte[] wanted, byte[] into);

    /** Installs a handler that writes the signal's number to a descriptor. */
    static native void catchSignals(int fd, int[] signals);
}
