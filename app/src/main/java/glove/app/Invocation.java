package glove.app;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The arguments and environment this process was started with, byte for byte: the JVM's own
 * decoding loses what is not text in its locale. From proc(5). Immutable.
 *
 * @param arguments of Glove, without the JVM's
 */
record Invocation(List<byte[]> arguments, List<byte[]> environment) {
    private static final int BYTES_MAX = 64 << 20; // the kernel's own limit is smaller

    /**
     * Reads them.
     *
     * @param count number of arguments the JVM passed to main: the last ones of its command line
     */
    static Invocation read(Linux linux, int count) throws ErrnoException {
        List<byte[]> line = split(linux.readFile(UnixPath.of("/proc/self/cmdline"), BYTES_MAX));
        List<byte[]> environment =
                split(linux.readFile(UnixPath.of("/proc/self/environ"), BYTES_MAX));
        return new Invocation(line.subList(line.size() - count, line.size()), environment);
    }

    private static List<byte[]> split(byte[] strings) {
        List<byte[]> all = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < strings.length; i++) {
            if (strings[i] == 0) {
                all.add(Arrays.copyOfRange(strings, start, i));
                start = i + 1;
            }
        }
        return all;
    }

    /** The value of an environment variable. */
    Optional<byte[]> variable(byte[] name) {
        for (byte[] entry : environment) {
            if (entry.length > name.length
                    && entry[name.length] == '='
                    && Arrays.equals(entry, 0, name.length, name, 0, name.length)) {
                return Optional.of(Arrays.copyOfRange(entry, name.length + 1, entry.length));
            }
        }
        return Optional.empty();
    }

    /** The arguments for a verb that takes no bytes of anybody's: as they are shown. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        for (byte[] word : arguments) {
            words.add(UnixPath.of(word).toString());
        }
        return words;
    }
}
