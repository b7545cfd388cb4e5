package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

/**
 * One Unix socket of the host the agent may talk to. What stands at its path inside is a listener
 * of the sandbox's own; who serves it connects to the host's as the caller, so a service that looks
 * at its peer (ssh-agent, by SO_PEERCRED) sees him. Immutable.
 *
 * @param path where it stands inside: as the caller says it, so that variables keep their meaning
 * @param host canonical, on the host
 * @param identity the file it was when it was looked at
 */
public record AgentSocket(UnixPath path, UnixPath host, Identity identity) {
    private static final UnixPath PROC = UnixPath.of("/proc");

    /**
     * Resolves and checks a path.
     *
     * @param host whose system files the sandbox shows: nothing can be put among those
     */
    public static AgentSocket of(Linux linux, Host host, Grants grants, UnixPath asGiven)
            throws Refusal {
        String words = "--socket '" + asGiven + "'";
        try {
            Canonical real = Canonical.of(linux, asGiven);
            if (!real.stat().isSocket()) {
                throw new Refusal(
                        words + " is not a Unix socket", "--read '" + asGiven + "' for a file");
            }
            UnixPath typed = linux.absolute(asGiven);
            UnixPath path = grants.show(real.path()) ? real.path() : typed;
            if (host.surface().shows(path) || path.startsWith(PROC)) {
                throw new Refusal(
                        words + " lies among system files, where nothing can be put",
                        "let the service listen below /run or in a directory of yours");
            }
            return new AgentSocket(path, real.path(), Identity.of(real.stat()));
        } catch (ErrnoException e) {
            throw new Refusal(
                    words + ": " + Errno.words(e.errno()),
                    "start the service that listens there, or correct the path");
        }
    }

    /** The host's, held: from here on it is that very one. O_PATH; the caller owns it. */
    public OwnedFd open(Linux linux) throws Refusal, ErrnoException {
        OwnedFd held = linux.open(host, OpenFlags.O_PATH | OpenFlags.O_NOFOLLOW, 0);
        if (!Identity.of(linux.fstat(held)).equals(identity)) {
            held.close();
            throw new Refusal(
                    "--socket '" + path + "' was replaced since it was looked at", "try again");
        }
        return held;
    }
}
