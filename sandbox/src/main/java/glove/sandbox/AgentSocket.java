package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.util.Optional;

/**
 * One Unix socket the agent may talk to. What stands at its path inside is a listener of the
 * sandbox's own; who serves it is Glove, or a service of the host to which it connects as the
 * caller, so one that looks at its peer (ssh-agent, by SO_PEERCRED) sees him. Immutable.
 *
 * @param path where it stands inside: as the caller says it, so that variables keep their meaning
 * @param service the host's; empty when Glove itself is the service
 */
public record AgentSocket(UnixPath path, Optional<Service> service) {
    private static final UnixPath PROC = UnixPath.of("/proc");

    /**
     * A socket of the host.
     *
     * @param path canonical
     * @param identity the file it was when it was looked at
     */
    public record Service(UnixPath path, Identity identity) {}

    /** One that Glove serves, among its own files inside: no grant may stand there. */
    public static AgentSocket ofGlove(Grants grants, UnixPath path) throws Refusal {
        GuestPrograms.refuseInTheWay(grants.list(), path);
        return new AgentSocket(path, Optional.empty());
    }

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
                        words + " is not a Unix socket",
                        "--read " + ShellWord.of(asGiven) + " for a file");
            }
            UnixPath typed = linux.absolute(asGiven);
            UnixPath path = grants.show(real.path()) ? real.path() : typed;
            if (grants.show(path) && !path.equals(real.path())) {
                throw new Refusal(
                        words + " leads to '" + real.path() + "' by a link inside the granted '"
                                + grants.decisiveFor(path).get().path()
                                + "', where an agent may have made it",
                        "--socket " + ShellWord.of(real.path()) + " if that is what you mean");
            }
            if (host.surface().shows(path) || path.startsWith(PROC)) {
                throw new Refusal(
                        words + " lies among system files, where nothing can be put",
                        "let the service listen below /run or in a directory of yours");
            }
            Service service = new Service(real.path(), Identity.of(real.stat()));
            return new AgentSocket(path, Optional.of(service));
        } catch (ErrnoException e) {
            Trouble.refuse(words, e);
            throw new Refusal(
                    words + ": " + Errno.words(e.errno()),
                    "start the service that listens there, or correct the path");
        }
    }

    /**
     * The host's, held: from here on it is that very one. Only when there is one. O_PATH; the
     * caller owns it.
     */
    public OwnedFd open(Linux linux) throws Refusal, ErrnoException {
        Service wanted = service.orElseThrow();
        OwnedFd held = linux.open(wanted.path(), OpenFlags.O_PATH | OpenFlags.O_NOFOLLOW, 0);
        if (!Identity.of(linux.fstat(held)).equals(wanted.identity())) {
            held.close();
            throw new Refusal(
                    "--socket '" + path + "' was replaced since it was looked at", "try again");
        }
        return held;
    }
}
