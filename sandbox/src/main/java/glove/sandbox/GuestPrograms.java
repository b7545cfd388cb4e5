package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.util.List;

/**
 * Glove's own programs for the agent, which stand read-only in {@link #DIRECTORY}. They travel in
 * the plan, which is sealed: what was read is what is executed, whatever happens to the file. One
 * program under several names (native/guest/guest.c). They have no rights of their own. Immutable.
 */
public final class GuestPrograms {
    /** None: the directory is not there either. */
    public static final GuestPrograms NONE = new GuestPrograms(new byte[0], List.of());

    /** Where they stand inside. */
    public static final UnixPath DIRECTORY = UnixPath.of("/run/glove/bin");

    /** {@code glove-connect HOST PORT}, for clients that reach the network by a command. */
    public static final String CONNECT = "glove-connect";

    /** {@code glove-mcp}, which joins its standard streams with {@link #MCP_SOCKET}. */
    public static final String MCP = "glove-mcp";

    /** Where the run's gateway to tools listens inside; guest.c knows it too. */
    public static final UnixPath MCP_SOCKET = UnixPath.of("/run/glove/mcp.sock");

    private static final int PROGRAM_BYTES_MAX = 4 << 20;

    private final byte[] program;
    private final List<String> names;

    private GuestPrograms(byte[] program, List<String> names) {
        this.program = program;
        this.names = names;
    }

    /**
     * Reads the program.
     *
     * @param built where the build put it
     * @param grants none of which may stand where the programs are to
     * @param names by which the agent calls it, at least one
     */
    public static GuestPrograms read(Linux linux, UnixPath built, Grants grants, List<String> names)
            throws Refusal, ErrnoException {
        refuseInTheWay(grants.list(), DIRECTORY);
        return new GuestPrograms(linux.readFile(built, PROGRAM_BYTES_MAX), List.copyOf(names));
    }

    /** Refuses grants that a path of Glove's own would stand in. */
    static void refuseInTheWay(List<Grant> grants, UnixPath own) throws Refusal {
        for (Grant grant : grants) {
            if (own.startsWith(grant.path()) || grant.path().startsWith(own)) {
                throw new Refusal(
                        "'" + grant.path() + "' is granted, and Glove's own '" + own
                                + "' stands there in this run",
                        "grant what the command needs below '" + grant.path() + "' by itself");
            }
        }
    }

    /** An executable; the caller must not change it. */
    byte[] program() {
        return program;
    }

    /** The first is the file itself, the others are links to it. */
    List<String> names() {
        return names;
    }
}
