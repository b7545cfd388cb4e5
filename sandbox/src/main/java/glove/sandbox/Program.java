package glove.sandbox;

import glove.sys.UnixPath;

import java.util.List;

/**
 * The file to execute, pinned. A binary is executed by descriptor; a {@code #!} script by its
 * verified path, because its interpreter opens it again by name.
 *
 * @param path as it was found: links in it are followed inside again, and a relative one counts
 *     from the working directory
 * @param identity the file it led to
 * @param interpreters of a script, outermost first; empty for a binary
 */
public record Program(UnixPath path, Identity identity, List<Interpreter> interpreters) {
    /** What {@code #!} names. */
    public record Interpreter(UnixPath path, Identity identity) {}

    /** Copies the list. */
    public Program {
        interpreters = List.copyOf(interpreters);
    }

    boolean isScript() {
        return !interpreters.isEmpty();
    }

    /** The same file by another path. */
    Program calledAs(UnixPath other) {
        return new Program(other, identity, interpreters);
    }
}
