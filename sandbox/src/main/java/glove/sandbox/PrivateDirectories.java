package glove.sandbox;

import glove.sys.UnixPath;

/**
 * Where the agent's own writable directories stand. A grant that holds the usual place moves one
 * below /run/agent: nothing is ever created inside a grant.
 *
 * @param home HOME of the agent
 * @param temporary its TMPDIR
 * @param varTmp whether /var/tmp is private too
 */
public record PrivateDirectories(UnixPath home, UnixPath temporary, boolean varTmp) {
    static final UnixPath VAR_TMP = UnixPath.of("/var/tmp");
    static final UnixPath SHM = UnixPath.of("/dev/shm");
    private static final UnixPath HOME = UnixPath.of("/home/agent");
    private static final UnixPath TMP = UnixPath.of("/tmp");
    private static final UnixPath ELSEWHERE_HOME = UnixPath.of("/run/agent/home");
    private static final UnixPath ELSEWHERE_TMP = UnixPath.of("/run/agent/tmp");

    /** The usual places as far as the grants leave them free. */
    public static PrivateDirectories beside(Grants grants) {
        return new PrivateDirectories(
                grants.show(HOME) ? ELSEWHERE_HOME : HOME,
                grants.show(TMP) ? ELSEWHERE_TMP : TMP,
                !grants.show(VAR_TMP));
    }
}
