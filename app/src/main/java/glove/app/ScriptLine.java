package glove.app;

import glove.sys.UnixPath;

import java.util.Arrays;
import java.util.Optional;

/**
 * The first line of a program, as the kernel reads it (fs/binfmt_script.c). Immutable.
 *
 * @param reader what reads it; empty when it is no script, or one that the kernel does not start
 * @param unusable why it does not; empty otherwise
 */
record ScriptLine(Optional<UnixPath> reader, String unusable) {
    /** How much of a program is looked at (BINPRM_BUF_SIZE, linux/binfmts.h). */
    static final int BYTES = 256;

    /** How often what reads a script may be one itself (exec_binprm, fs/exec.c). */
    static final int READERS_MAX = 5;

    /** Of what is no script. */
    static final ScriptLine NONE = new ScriptLine(Optional.empty(), "");

    /**
     * Of the first bytes.
     *
     * @param start of a program: {@link #BYTES}, or all it has
     */
    static ScriptLine of(byte[] start) {
        if (start.length < 2 || start[0] != '#' || start[1] != '!') {
            return NONE;
        }
        byte[] line = Arrays.copyOf(start, BYTES); // behind a short one are zeros
        int newline = 0;
        while (newline < BYTES && line[newline] != '\n') {
            newline++;
        }
        boolean whole = newline < BYTES;
        int end = whole ? newline : BYTES - 1;
        int from = 2;
        while (from < end && isSpace(line[from])) {
            from++;
        }
        int to = from;
        while (to < end && !isSpace(line[to]) && line[to] != 0) {
            to++;
        }
        boolean ends = whole || isSpace(line[to]) || line[to] == 0;
        if (!ends) {
            return new ScriptLine(
                    Optional.empty(),
                    "the first line of it is longer than the " + BYTES
                            + " bytes the kernel reads, which end within the name");
        }
        return to == from
                ? new ScriptLine(Optional.empty(), "the first line of it names nothing")
                : new ScriptLine(Optional.of(UnixPath.of(Arrays.copyOfRange(line, from, to))), "");
    }

    /** Whether the kernel itself knows what begins so: a program in ELF, or a script. */
    static boolean isFormat(byte[] start) {
        boolean script = start.length >= 2 && start[0] == '#' && start[1] == '!';
        boolean elf = start.length >= 4
                && start[0] == 0x7f
                && start[1] == 'E'
                && start[2] == 'L'
                && start[3] == 'F';
        return script || elf;
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t';
    }
}
