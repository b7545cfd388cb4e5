package glove.app;

import glove.journal.AuditException;
import glove.sandbox.AgentHome;
import glove.sandbox.AgentSocket;
import glove.sandbox.Exit;
import glove.sandbox.Grants;
import glove.sandbox.GuardRepair;
import glove.sandbox.GuardSearch;
import glove.sandbox.Guards;
import glove.sandbox.HomeFile;
import glove.sandbox.Host;
import glove.sandbox.Ids;
import glove.sandbox.LaunchException;
import glove.sandbox.Launcher;
import glove.sandbox.LinkedWorktree;
import glove.sandbox.NameWatch;
import glove.sandbox.Nesting;
import glove.sandbox.PrivateDirectories;
import glove.sandbox.Profile;
import glove.sandbox.Program;
import glove.sandbox.ProgramLookup;
import glove.sandbox.Refusal;
import glove.sandbox.RunningSandbox;
import glove.sandbox.Sandbox;
import glove.sandbox.StandardStreams;
import glove.sandbox.ToolClosure;
import glove.sandbox.WorkingDirectory;
import glove.sys.BorrowedFd;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Pipe;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code glove exec}: one contained command with the caller's standard streams, and its exact end
 * (sheet 80 §4). Confined to the main thread, which the sandbox needs alive.
 */
final class ExecVerb {
    /** Glove could not set the sandbox up, or lost it. */
    static final int EXIT_CANNOT_LAUNCH = 125;

    private static final UnixPath NOTHING = UnixPath.of("/dev/null");
    private static final String SSH_AUTH_SOCK = "SSH_AUTH_SOCK";
    private static final byte[] PATH = "PATH".getBytes(StandardCharsets.US_ASCII);

    private final Linux linux;
    private final Invocation invocation;
    private final Notices notices;
    private boolean recorded; // how the run ended

    ExecVerb(Linux linux, Invocation invocation) {
        this.linux = linux;
        this.invocation = invocation;
        this.notices = new Notices("exec", linux, BorrowedFd.STDERR);
    }

    /** Does it all and returns the exit status. */
    int run() {
        try (notices) {
            return runAndTell();
        }
    }

    private int runAndTell() {
        try {
            ExecOptions options = ExecOptions.parse(invocation.arguments());
            if (options.help) {
                return Output.print(ExecHelp.TEXT);
            }
            return run(options);
        } catch (Refusal e) {
            notices.say(e.getMessage());
            for (String hint : e.hints()) {
                notices.suggest(hint);
            }
            return e.exitStatus();
        } catch (LaunchException e) {
            notices.say(e.getMessage());
            return EXIT_CANNOT_LAUNCH;
        } catch (AuditException e) {
            notices.say(e.getMessage());
            return EXIT_CANNOT_LAUNCH;
        } catch (ErrnoException e) {
            notices.say("cannot look at this machine: " + e.getMessage());
            return EXIT_CANNOT_LAUNCH;
        }
    }

    private int run(ExecOptions options)
            throws Refusal, LaunchException, AuditException, ErrnoException {
        try (GuardSearch search = GuardSearch.start(linux, options.grants, options.guards)) {
            return run(options, search);
        }
    }

    private int run(ExecOptions options, GuardSearch search)
            throws Refusal, LaunchException, AuditException, ErrnoException {
        Host host = Host.read(linux);
        List<UnixPath> callersPath =
                AgentEnvironment.directories(invocation.variable(PATH).orElse(new byte[0]));
        ToolClosure tools = new ToolClosure(linux, host, callersPath);
        for (UnixPath tool : options.tools) {
            tools.add(tool);
        }
        options.grants.addAll(tools.grants());
        Grants grants = grants(options);
        AgentGitConfig git = new AgentGitConfig(linux, invocation, grants);
        say(git.notices());
        List<HomeFile> files = new ArrayList<>(git.files());
        try (EgressSetup egress = EgressSetup.of(linux, options.egress)) {
            files.addAll(egress.files());
            try (HomeSetup home = HomeSetup.of(linux, invocation, options, grants, files)) {
                Parts parts = new Parts(host, tools, grants, home.home(), egress);
                options.guards.own.addAll(
                        StateDirectory.ofGloveAlone(linux, invocation, grants, !options.explain));
                Profile profile = guarded(profile(options, parts), search);
                return options.explain
                        ? explain(options, profile, egress)
                        : contain(options, profile, egress, search);
            }
        }
    }

    private int explain(ExecOptions options, Profile profile, EgressSetup egress)
            throws Refusal, ErrnoException {
        String limits;
        try (RunLimits made = RunLimits.open(linux, invocation, options)) {
            limits = made.summary(profile.scratch());
        }
        Explanation explanation = new Explanation(profile, options, egress, limits);
        return Output.print(options.json ? explanation.json() : explanation.text());
    }

    private void say(List<String> sentences) {
        for (String sentence : sentences) {
            notices.say(sentence);
        }
    }

    /** What was asked for, and what git needs with it. */
    private Grants grants(ExecOptions options) throws Refusal, ErrnoException {
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

    private Profile profile(ExecOptions options, Parts parts) throws Refusal, ErrnoException {
        Host host = parts.host;
        Grants grants = parts.grants;
        List<UnixPath> callersPath =
                AgentEnvironment.directories(invocation.variable(PATH).orElse(new byte[0]));
        PrivateDirectories directories = PrivateDirectories.beside(grants);
        AgentEnvironment environment = new AgentEnvironment(invocation);
        environment.ask(options.copiedVariables, options.setVariables);
        List<AgentSocket> agentSockets = new ArrayList<>();
        for (UnixPath socket : options.sockets) {
            agentSockets.add(AgentSocket.of(linux, host, grants, socket));
            environment.passIfNames(SSH_AUTH_SOCK, socket);
        }
        for (ToolClosure.Variable variable : parts.tools.variables()) {
            environment.putForTool(variable.name(), variable.value());
        }
        parts.egress.put(environment, options.explain);
        environment.putOwn(directories.home(), directories.temporary(), parts.tools.directories());

        ProgramLookup lookup = new ProgramLookup(linux, host, grants);
        UnixPath start = WorkingDirectory.of(
                linux, lookup, directories, options.workspace, options.workingDirectory);
        Program program = lookup.find(
                UnixPath.of(options.command.get(0)), start, environment.path(), callersPath);
        return new Profile(
                host,
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
                agentSockets,
                Guards.NONE,
                options.why,
                options.allowUserns ? Nesting.USER_NAMESPACES : Nesting.NONE,
                parts.egress.loopback(),
                parts.egress.programs(grants));
    }

    /** The same with guards over names in it: the walk had until now. */
    private Profile guarded(Profile profile, GuardSearch search) throws Refusal, ErrnoException {
        Guards guards = search.finish(profile.grants(), profile.sockets());
        guards.refuseHiding(linux, profile.program(), profile.workingDirectory());
        say(guards.warnings());
        return profile.withGuards(guards);
    }

    private int contain(
            ExecOptions options, Profile profile, EgressSetup egress, GuardSearch search)
            throws Refusal, LaunchException, AuditException, ErrnoException {
        try (ExecAudit audit = ExecAudit.open(
                        linux, invocation, options.auditLog, profile, egress.letsOut());
                RunLimits limits = RunLimits.open(linux, invocation, options)) {
            if (options.verbose) {
                notices.say(Explanation.summary(profile));
                notices.say(limits.summary(profile.scratch()));
            }
            limits.warn(notices);
            return contain(options, new Watched(profile, audit, limits, egress, search));
        }
    }

    /** A run, and what goes on beside it. */
    private record Watched(
            Profile profile,
            ExecAudit audit,
            RunLimits limits,
            EgressSetup egress,
            GuardSearch search) {}

    private int contain(ExecOptions options, Watched run)
            throws Refusal, LaunchException, AuditException, ErrnoException {
        ExecAudit audit = run.audit;
        Optional<Terminal> terminal = Terminal.ofCaller(linux, notices, run.limits.budget());
        try {
            int status = launch(options, run, terminal);
            recorded = true;
            return status;
        } catch (LaunchException | Refusal e) {
            recorded = true;
            audit.ended(new Verdict(EXIT_CANNOT_LAUNCH, String.valueOf(e.getMessage())));
            throw e;
        } finally {
            if (terminal.isPresent()) {
                terminal.get().close();
            }
            if (!recorded) {
                audit.ended(new Verdict(
                        EXIT_CANNOT_LAUNCH, "the run was ended by a failure of Glove's own"));
            }
        }
    }

    private int launch(ExecOptions options, Watched run, Optional<Terminal> terminal)
            throws Refusal, LaunchException, AuditException, ErrnoException {
        Profile profile = run.profile;
        RunLimits limits = run.limits;
        UnixPath built = UnixPath.of(System.getProperty("glove.native") + "/launcher");
        boolean interactive = terminal.isPresent() || linux.isForeground(BorrowedFd.STDIN);
        Pipe signals = SignalRelay.catchAll(linux, signalsOf(terminal, interactive));
        Profile own =
                terminal.isPresent() ? profile.withTerminal(terminal.get().forAgent()) : profile;
        try (LooseStreams loose = new LooseStreams(linux);
                Launcher launcher = Launcher.open(linux, built);
                OwnedFd nothing = linux.open(NOTHING, OpenFlags.O_RDONLY, 0)) {
            StandardStreams streams = terminal.isPresent()
                    ? StandardStreams.inherited()
                    : loose.streams(interactive, nothing);
            streams = limits.relay(streams, terminal.isPresent());
            int each = run.egress.descriptorsEach(profile.sockets().size());
            run.egress.bindPublished();
            run.audit.launching();
            List<OwnedFd> sockets = hold(profile.sockets());
            Sandbox sandbox = new Sandbox(linux, launcher);
            try (RunningSandbox running = sandbox.launch(own, streams, limits.meter())) {
                say(sandbox.notices());
                RunLoop loop = new RunLoop(linux, running, notices);
                loop.add(notices);
                loop.add(new SignalRelay(linux, signals, running, terminal, interactive));
                if (terminal.isPresent()) {
                    terminal.get().show(running);
                    loop.add(terminal.get());
                }
                for (int i = 0; i < sockets.size(); i++) {
                    loop.add(SocketRelay.of(linux, sockets.get(i), running, i, each));
                }
                limits.attend(loop);
                run.egress.attend(loop, run.audit.log());
                watch(loop, run.search, sandbox);
                if (profile.watched()) {
                    loop.add(new DenialWatch(linux, notices, profile, running, options.json));
                }
                return end(loop.run(), loop, run);
            }
        }
    }

    private int end(Exit exit, RunLoop loop, Watched run) throws AuditException {
        recorded = true; // or failing to be
        if (loop.verdict().isPresent()) {
            Verdict verdict = loop.verdict().get();
            notices.say(verdict.sentence());
            run.audit.ended(verdict);
            return verdict.exitStatus();
        }
        run.audit.exited(exit);
        if (exit.shellStatus() != 0 && !run.profile.watched()) {
            hint(exit, run.profile);
        }
        return exit.shellStatus();
    }

    private static void watch(RunLoop loop, GuardSearch search, Sandbox sandbox) {
        Optional<NameWatch> names = search.takeWatch();
        Optional<GuardRepair> repair = sandbox.takeRepair();
        if (names.isPresent()) {
            loop.add(new GuardWatch(names.get(), repair, loop));
        } else if (repair.isPresent()) {
            repair.get().close();
        }
    }

    /** A person may wonder whether the sandbox is why; a program reads no hints. */
    private void hint(Exit exit, Profile profile) {
        if (linux.isTerminal(BorrowedFd.STDERR)) {
            notices.say("ended with " + exit.shellStatus() + "; " + Explanation.summary(profile)
                    + "; --why tells what was denied");
        }
    }

    private List<OwnedFd> hold(List<AgentSocket> sockets) throws Refusal, ErrnoException {
        List<OwnedFd> held = new ArrayList<>();
        for (AgentSocket socket : sockets) {
            held.add(socket.open(linux));
        }
        return held;
    }

    /**
     * What concerns the terminal. Without one of its own an agent in a session of its own would
     * read what is typed to the shell if Ctrl-Z stopped Glove: so Ctrl-Z is caught, without effect.
     */
    private static int[] signalsOf(Optional<Terminal> terminal, boolean interactive) {
        if (terminal.isPresent()) {
            return new int[] {SignalRelay.SIGWINCH, SignalRelay.SIGCONT};
        }
        return interactive ? new int[] {SignalRelay.SIGTSTP} : new int[0];
    }
}
