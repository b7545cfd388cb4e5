package glove.app;

import glove.sandbox.AgentHome;
import glove.sandbox.AgentReach;
import glove.sandbox.AgentSocket;
import glove.sandbox.GrantRequest;
import glove.sandbox.Grants;
import glove.sandbox.GuardRepair;
import glove.sandbox.GuardSearch;
import glove.sandbox.Guards;
import glove.sandbox.GuestPrograms;
import glove.sandbox.HomeFile;
import glove.sandbox.Host;
import glove.sandbox.Ids;
import glove.sandbox.LinkedWorktree;
import glove.sandbox.NameWatch;
import glove.sandbox.PrivateDirectories;
import glove.sandbox.Profile;
import glove.sandbox.Program;
import glove.sandbox.ProgramLookup;
import glove.sandbox.Refusal;
import glove.sandbox.RunningSandbox;
import glove.sandbox.Sandbox;
import glove.sandbox.SetIdSearch;
import glove.sandbox.ToolClosure;
import glove.sandbox.WorkingDirectory;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A {@link Profile} made of options, and what it needs while it runs: its network, its HOME, the
 * watch over its names. Owns these. Confined to one thread.
 */
final class ProfileSetup implements AutoCloseable {
    private static final String SSH_AUTH_SOCK = "SSH_AUTH_SOCK";
    private static final byte[] PATH = "PATH".getBytes(StandardCharsets.US_ASCII);

    private final Caller caller;
    private final Linux linux;
    private final Invocation invocation;
    private final Notices notices;
    private final ExecOptions options;
    private final Companion.Inside inside;
    private final GuardSearch search;

    // Null until {@link #make} has come so far, which nobody sees but {@link #close}.
    private @Nullable EgressSetup egress;
    private @Nullable HomeSetup home;
    private @Nullable Profile profile;

    private ProfileSetup(Caller caller, ExecOptions options, Companion.Inside inside)
            throws Refusal {
        this.caller = caller;
        this.linux = caller.linux;
        this.invocation = caller.invocation;
        this.notices = caller.notices;
        this.options = options;
        this.inside = inside;
        this.search = GuardSearch.start(linux, options.grants, options.guards);
    }

    /**
     * Who wants it, and who is told what it says.
     *
     * @param others what else runs beside what this is for, and must not decide about it
     * @param answers of the owner's clients, for the whole run
     */
    record Caller(
            Linux linux,
            Invocation invocation,
            Notices notices,
            List<AgentReach> others,
            OwnersClients.Answers answers) {
        /** For one that runs alone. */
        static Caller alone(Linux linux, Invocation invocation, Notices notices) {
            return new Caller(linux, invocation, notices, List.of(), new OwnersClients.Answers());
        }
    }

    /**
     * Looks at everything the options name.
     *
     * @param inside what of Glove's own is to stand inside
     */
    static ProfileSetup of(Caller caller, ExecOptions options, Companion.Inside inside)
            throws Refusal, ErrnoException {
        ProfileSetup setup = new ProfileSetup(caller, options, inside);
        boolean made = false;
        try {
            setup.make();
            made = true;
            return setup;
        } finally {
            if (!made) {
                setup.close();
            }
        }
    }

    /** The profile. */
    Profile profile() {
        return made(profile);
    }

    /** All paths of the host its options name, as they are given. */
    List<UnixPath> asked() {
        List<UnixPath> all = new ArrayList<>(options.sockets);
        for (GrantRequest request : options.grants) {
            all.add(request.asGiven());
        }
        return all;
    }

    /** Its network. */
    EgressSetup egress() {
        return made(egress);
    }

    private static <T> T made(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("asked before it was made");
        }
        return part;
    }

    /** Watches the names of what was launched by this profile, if there is something to watch. */
    Optional<GuardWatch> watch(Sandbox sandbox, RunningSandbox running, RunEnd end) {
        Optional<NameWatch> names = search.takeWatch();
        Optional<GuardRepair> repair = sandbox.takeRepair();
        if (names.isPresent()) {
            return Optional.of(new GuardWatch(names.get(), repair, running, notices, end));
        }
        if (repair.isPresent()) {
            repair.get().close();
        }
        return Optional.empty();
    }

    private void make() throws Refusal, ErrnoException {
        Host host = Host.read(linux);
        ToolClosure tools = new ToolClosure(linux, host, callersPath());
        for (UnixPath tool : options.tools) {
            tools.add(tool);
        }
        options.grants.addAll(tools.grants());
        Grants grants = grants();
        AgentGitConfig git = new AgentGitConfig(linux, invocation, grants);
        say(git.notices());
        List<HomeFile> files = new ArrayList<>(git.files());
        List<AgentReach> reaches = new ArrayList<>(caller.others);
        reaches.add(AgentReach.of(linux, grants));
        OwnersClients clients = new OwnersClients(caller, reaches);
        EgressSetup network = EgressSetup.of(linux, options.egress, clients);
        egress = network;
        files.addAll(network.files());
        files.addAll(clients.files());
        files.addAll(inside.files());
        HomeSetup kept = HomeSetup.of(linux, invocation, options, grants, files);
        home = kept;
        options.guards.own.addAll(
                StateDirectory.ofGloveAlone(linux, invocation, grants, !options.explain));
        say(OwnPlaces.hold(linux, grants, callersPath(), options.guards));
        profile = guarded(profile(new Parts(host, tools, grants, kept.home(), network)));
    }

    private List<UnixPath> callersPath() {
        return AgentEnvironment.directories(invocation.variable(PATH).orElse(new byte[0]));
    }

    private void say(List<String> sentences) {
        for (String sentence : sentences) {
            notices.say(sentence);
        }
    }

    /** What was asked for, and what git needs with it. */
    private Grants grants() throws Refusal, ErrnoException {
        Grants asked = Grants.of(linux, options.grants);
        if (options.noGit) {
            return asked;
        }
        LinkedWorktree worktree = new LinkedWorktree(linux, asked);
        say(worktree.notices());
        return worktree.requests().isEmpty() ? asked : worktree.resolve(options.grants);
    }

    /** What a profile is made of, besides the options. */
    private record Parts(
            Host host, ToolClosure tools, Grants grants, AgentHome home, EgressSetup egress) {}

    private Profile profile(Parts parts) throws Refusal, ErrnoException {
        Grants grants = parts.grants;
        PrivateDirectories directories = PrivateDirectories.beside(grants);
        List<String> programs = new ArrayList<>(parts.egress.programs());
        programs.addAll(inside.programs());
        AgentEnvironment environment = new AgentEnvironment(invocation);
        environment.ask(options.copiedVariables, options.setVariables);
        List<AgentSocket> sockets = sockets(parts, environment);
        for (ToolClosure.Variable variable : parts.tools.variables()) {
            environment.putForTool(variable.name(), variable.value());
        }
        if (!programs.isEmpty()) {
            environment.addLastToPath(GuestPrograms.DIRECTORY);
        }
        parts.egress.put(environment, options.explain);
        environment.putOwn(directories.home(), directories.temporary(), parts.tools.directories());

        ProgramLookup lookup = new ProgramLookup(linux, parts.host, grants);
        UnixPath start = WorkingDirectory.of(
                linux, lookup, directories, options.workspace, options.workingDirectory);
        Program program = lookup.find(
                UnixPath.of(options.command.get(0)), start, environment.path(), callersPath());
        return new Profile(
                parts.host,
                grants,
                parts.home,
                directories,
                options.limits.scratch(linux.totalRam()),
                Ids.ofThisProcess(linux, 0),
                program,
                options.command,
                environment.entries(),
                start,
                Optional.empty(),
                sockets,
                Guards.NONE,
                options.why,
                options.nesting(),
                parts.egress.loopback(),
                guestPrograms(grants, programs));
    }

    /** The host's first, then Glove's own. */
    private List<AgentSocket> sockets(Parts parts, AgentEnvironment environment) throws Refusal {
        List<AgentSocket> sockets = new ArrayList<>();
        for (UnixPath socket : options.sockets) {
            sockets.add(AgentSocket.of(linux, parts.host, parts.grants, socket));
            environment.passIfNames(SSH_AUTH_SOCK, socket);
        }
        for (UnixPath own : inside.sockets()) {
            sockets.add(AgentSocket.ofGlove(parts.grants, own));
        }
        return sockets;
    }

    private GuestPrograms guestPrograms(Grants grants, List<String> names)
            throws Refusal, ErrnoException {
        if (names.isEmpty()) {
            return GuestPrograms.NONE;
        }
        return GuestPrograms.read(linux, BuiltFiles.of("guest"), grants, names);
    }

    /** The same with guards over names in it: the walk had until now. */
    private Profile guarded(Profile plain) throws Refusal, ErrnoException {
        Guards guards = search.finish(plain.grants(), plain.sockets());
        if (plain.nesting().allowsMounts()) {
            guards.refuseNesting(plain.grants());
            SetIdSearch.refuse(linux, plain);
        }
        guards.refuseHiding(linux, plain.program(), plain.workingDirectory());
        say(guards.warnings());
        return plain.withGuards(guards);
    }

    @Override
    public void close() {
        if (home != null) {
            home.close();
        }
        if (egress != null) {
            egress.close();
        }
        search.close();
    }
}
