package glove.sandbox;

import glove.sys.UnixPath;

import java.util.List;

/**
 * A program of the host to run with the caller's own rights, not contained, but held: its whole
 * process tree ends with Glove. Found and validated by {@link HostProgramLookup}. Immutable.
 *
 * @param subject what errors call it, such as {@code upstream 'files'}
 * @param program absolute path and the file it was when it was looked up
 * @param argv arguments, the first as the caller typed it
 * @param environment the whole environment, {@code NAME=VALUE}
 * @param workingDirectory where it starts, absolute
 */
public record HostProgram(
        String subject,
        Program program,
        List<byte[]> argv,
        List<byte[]> environment,
        UnixPath workingDirectory) {
    /** Copies the lists. */
    public HostProgram {
        argv = List.copyOf(argv);
        environment = List.copyOf(environment);
    }
}
