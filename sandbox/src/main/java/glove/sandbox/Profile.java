package glove.sandbox;

import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One contained run, completely decided and validated: what is shown, what is executed, as whom.
 * Immutable. {@link SandboxPlan} turns it into a launch plan.
 *
 * @param argv arguments of the program, the first as the caller typed it
 * @param environment the whole environment, {@code NAME=VALUE}
 * @param workingDirectory canonical, visible inside
 * @param terminal of the agent's own, in place of standard input and output
 * @param sockets the host's that the agent may talk to
 * @param guards what inside the grants is protected, hidden or masked
 * @param watched whether the calls that fail most are reported as they are made
 * @param nesting whether the agent may make namespaces of its own
 * @param loopback the interface of its network namespace; empty: offline
 * @param guestPrograms of Glove's own that it may run
 */
public record Profile(
        Host host,
        Grants grants,
        AgentHome home,
        PrivateDirectories directories,
        Scratch scratch,
        Ids ids,
        Program program,
        List<byte[]> argv,
        List<byte[]> environment,
        UnixPath workingDirectory,
        Optional<AgentTerminal> terminal,
        List<AgentSocket> sockets,
        Guards guards,
        boolean watched,
        Nesting nesting,
        Optional<Loopback> loopback,
        GuestPrograms guestPrograms) {
    /** Copies the lists. */
    public Profile {
        sockets = List.copyOf(sockets);
        argv = List.copyOf(argv);
        environment = List.copyOf(environment);
    }

    /** The agent's own writable directories. */
    public List<UnixPath> privateDirectories() {
        List<UnixPath> paths = new ArrayList<>();
        paths.add(directories.home());
        paths.add(directories.temporary());
        if (directories.varTmp()) {
            paths.add(PrivateDirectories.VAR_TMP);
        }
        paths.add(PrivateDirectories.SHM);
        return paths;
    }

    /** Whether the agent can see a canonical host path through anything granted. */
    public boolean shows(UnixPath canonical) {
        return grants.show(canonical) || home.shows(canonical);
    }

    /** Everything of the host that is mounted because somebody asked for it. */
    List<Grant> mounted() {
        List<Grant> all = new ArrayList<>(grants.list());
        all.addAll(home.sources());
        return all;
    }

    /** The same run as other ids. */
    Profile withIds(Ids other) {
        return with(home, other, terminal, guards, loopback);
    }

    /** The same run with other content of HOME. */
    Profile withHome(AgentHome other) {
        return with(other, ids, terminal, guards, loopback);
    }

    /** The same run with a terminal of its own. */
    public Profile withTerminal(AgentTerminal own) {
        return with(home, ids, Optional.of(own), guards, loopback);
    }

    /** The same run with names guarded inside its grants. */
    public Profile withGuards(Guards other) {
        return with(home, ids, terminal, other, loopback);
    }

    /** The same run with a loopback interface. */
    public Profile withLoopback(Loopback other) {
        return with(home, ids, terminal, guards, Optional.of(other));
    }

    private Profile with(
            AgentHome otherHome,
            Ids otherIds,
            Optional<AgentTerminal> otherTerminal,
            Guards otherGuards,
            Optional<Loopback> otherLoopback) {
        return new Profile(
                host,
                grants,
                otherHome,
                directories,
                scratch,
                otherIds,
                program,
                argv,
                environment,
                workingDirectory,
                otherTerminal,
                sockets,
                otherGuards,
                watched,
                nesting,
                otherLoopback,
                guestPrograms);
    }
}
