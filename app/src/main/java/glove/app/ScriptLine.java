package glove.app;

import glove.sys.UnixPath;

import java.util.Arrays;

/** The first line of a program, as the kernel reads it (fs/binfmt_script.c). */
sealed interface ScriptLine {
    /** How much of a program is looked at (BINPRM_BUF_SIZE, linux/binfmts.h). */
    int BYTES = 256;

    /** How often what reads a script may be one itself (exec_binprm, fs/exec.c). */
    int READERS_MAX = 5;

    /** It is no script. */
    record None() implements ScriptLine {}

    /** It is one that the kernel does not start. Immutable. */
    record Unusable(String why) implements ScriptLine {}

    /** What reads it. Immutable. */
    record Read(UnixPath reader) implements ScriptLine {}

    /**
     * Of the first bytes.
     *
     * @param start of a program: {@link #BYTES}, or all it has
     */
    static ScriptLine of(byte[] start) {
        if (start.length < 2 || start[0] != '#' || start[1] != '!') {
            return new None();
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
            return new Unusable("the first line of it is longer than the " + BYTES
                    + " bytes the kernel reads, which end within the name");
        }
        return to == from
                ? new Unusable("the first line of it names nothing")
                : new Read(UnixPath.of(Arrays.copyOfRange(line, from, to)));
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t';
    }
}
