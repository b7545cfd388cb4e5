package glove.sandbox;

import glove.sys.UnixPath;

import java.util.List;

/**
 * A program of the host to run with the caller's own rights, not contained, but held: its whole
 * process tree ends with Glove. Found and validated by {@link HostProgramLookup}; every launch runs
 * these very files, or fails. Immutable.
 *
 * @param subject what errors call it, such as {@code upstream 'files'}
 * @param program absolute path and the file it was when it was looked up; as its interpreters all
 *     that the kernel and env(1) run instead of it
 * @param argv arguments, the first as the caller typed it
 * @param environment the whole environment, {@code NAME=VALUE}
 * @param origin where it starts and was found
 */
public record HostProgram(
        String subject,
        Program program,
        List<byte[]> argv,
        List<byte[]> environment,
        Origin origin) {
    /**
     * Where it starts and was found.
     *
     * @param start working directory, canonical
     * @param startAsGiven the same as the caller said it
     * @param identity the directory it was
     * @param searched directories of PATH in which the program, or what env(1) runs, was looked
     *     for, including the one where it was found
     */
    public record Origin(
            UnixPath start, UnixPath startAsGiven, Identity identity, List<UnixPath> searched) {
        /** Copies the list. */
        public Origin {
            searched = List.copyOf(searched);
        }
    }

    /** Copies the lists. */
    public HostProgram {
        argv = List.copyOf(argv);
        environment = List.copyOf(environment);
    }
}
