package glove.app;

import glove.journal.AuditException;
import glove.sandbox.AgentSocket;
import glove.sandbox.Exit;
import glove.sandbox.HostHint;
import glove.sandbox.LaunchException;
import glove.sandbox.Launcher;
import glove.sandbox.Profile;
import glove.sandbox.Refusal;
import glove.sandbox.RunningSandbox;
import glove.sandbox.Sandbox;
import glove.sandbox.StandardStreams;
import glove.sys.BorrowedFd;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Pipe;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code glove exec}, and with a {@link Companion} {@code glove run}: one contained command with
 * the caller's standard streams, and its exact end (sheet 80 §4). Confined to the main thread,
 * which the sandbox needs alive.
 */
final class ExecVerb {
    /** Glove could not set the sandbox up, or lost it. */
    static final int EXIT_CANNOT_LAUNCH = 125;

    private static final UnixPath NOTHING = UnixPath.of("/dev/null");

    private final Linux linux;
    private final Invocation invocation;
    private final Companion companion;
    private final Notices notices;
    private boolean recorded; // how the run ended

    /** Owns the companion. */
    ExecVerb(Linux linux, Invocation invocation, Companion companion) {
        this.linux = linux;
        this.invocation = invocation;
        this.companion = companion;
        this.notices = new Notices(companion.verb(), linux, BorrowedFd.STDERR);
    }

    /** Does it all and returns the exit status. */
    int run() {
        try (notices) {
            return runAndTell();
        }
    }

    private int runAndTell() {
        try (Companion closed = companion) {
            ExecOptions options = ExecOptions.parse(invocation.arguments(), closed);
            if (options.help) {
                return Output.print(closed.help());
            }
            return run(options);
        } catch (Refusal e) {
            notices.refuse(e);
            return e.exitStatus();
        } catch (LaunchException e) {
            notices.say(e.getMessage());
            return EXIT_CANNOT_LAUNCH;
        } catch (AuditException e) {
            notices.say(e.getMessage());
            return EXIT_CANNOT_LAUNCH;
        } catch (ErrnoException e) {
            notices.say("cannot look at this machine: " + e.getMessage() + HostHint.of(e));
            return EXIT_CANNOT_LAUNCH;
        }
    }

    private int run(ExecOptions options)
            throws Refusal, LaunchException, AuditException, ErrnoException {
        companion.check(options, notices);
        ProfileSetup.Caller caller = new ProfileSetup.Caller(
                linux, invocation, notices, companion.others(), new OwnersClients.Answers());
        try (ProfileSetup setup = ProfileSetup.of(caller, options, companion.inside())) {
            companion.examine(setup.profile());
            return options.explain ? explain(options, setup) : contain(options, setup);
        }
    }

    private int explain(ExecOptions options, ProfileSetup setup) throws ErrnoException {
        String limits;
        try (RunLimits made = RunLimits.open(linux, invocation, options)) {
            limits = made.summary(setup.profile().scratch());
        }
        Explanation explanation = new Explanation(
                setup.profile(), options, setup.egress(), limits, companion.described());
        return Output.print(options.json ? explanation.json() : explanation.text());
    }

    private void say(List<String> sentences) {
        for (String sentence : sentences) {
            notices.say(sentence);
        }
    }

    private int contain(ExecOptions options, ProfileSetup setup)
            throws Refusal, LaunchException, AuditException, ErrnoException {
        Profile profile = setup.profile();
        boolean logged = setup.egress().letsOut() || companion.isRecorded();
        try (ExecAudit audit =
                        ExecAudit.open(linux, invocation, options.auditLog, profile, logged);
                RunLimits limits = RunLimits.open(linux, invocation, options);
                Launcher launcher = Launcher.open(linux, BuiltFiles.launcher())) {
            if (options.verbose) {
                notices.say(Explanation.summary(profile));
                notices.say(limits.summary(profile.scratch()));
            }
            limits.warn(notices);
            return accompany(options, new Watched(setup, audit, limits, launcher));
        }
    }

    /** What goes along begins and ends while the record is open. */
    private int accompany(ExecOptions options, Watched run)
            throws Refusal, LaunchException, AuditException, ErrnoException {
        try (Companion closed = companion) {
            closed.start(new Companion.Start(
                    run.launcher, run.audit.log(), run.setup.profile(), options.verbose));
            return contain(options, run);
        }
    }

    /** A run, and what goes on beside it. */
    private record Watched(
            ProfileSetup setup, ExecAudit audit, RunLimits limits, Launcher launcher) {}

    private int contain(ExecOptions options, Watched run)
            throws Refusal, LaunchException, AuditException, ErrnoException {
        ExecAudit audit = run.audit;
        Optional<Terminal> terminal = companion.takesStreams()
                ? Optional.empty()
                : Terminal.ofCaller(linux, notices, run.limits.budget());
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
        Profile profile = run.setup.profile();
        RunLimits limits = run.limits;
        boolean interactive = terminal.isPresent()
                || (!companion.takesStreams() && linux.isForeground(BorrowedFd.STDIN));
        Pipe signals = SignalRelay.catchAll(linux, signalsOf(terminal, interactive));
        Profile own =
                terminal.isPresent() ? profile.withTerminal(terminal.get().forAgent()) : profile;
        try (LooseStreams loose = new LooseStreams(linux);
                OwnedFd nothing = linux.open(NOTHING, OpenFlags.O_RDONLY, 0)) {
            StandardStreams streams = terminal.isPresent()
                    ? StandardStreams.inherited()
                    : loose.streams(interactive, nothing);
            streams = companion.streams(limits.relay(streams, terminal.isPresent()));
            int each = run.setup.egress().descriptorsEach(profile.sockets().size());
            run.setup.egress().bindPublished();
            run.audit.launching();
            List<OwnedFd> sockets = hold(profile.sockets());
            Sandbox sandbox = new Sandbox(linux, run.launcher);
            try (RunningSandbox running = sandbox.launch(own, streams, limits.meter())) {
                say(sandbox.notices());
                RunLoop loop = new RunLoop(linux, running, notices);
                loop.add(new SignalRelay(linux, signals, running, terminal, interactive));
                if (terminal.isPresent()) {
                    terminal.get().show(running);
                    loop.add(terminal.get());
                }
                for (int i = 0; i < sockets.size(); i++) {
                    loop.add(SocketRelay.of(linux, sockets.get(i), running, i, each));
                }
                attend(options, run, sandbox, loop);
                return end(loop, loop.run(), run);
            }
        }
    }

    /** What watches and serves the run. */
    private void attend(ExecOptions options, Watched run, Sandbox sandbox, RunLoop loop)
            throws ErrnoException {
        run.limits.attend(loop);
        run.setup.egress().attend(loop, run.audit.log());
        companion.attend(loop);
        Optional<GuardWatch> watch = run.setup.watch(sandbox, loop.sandbox(), loop);
        if (watch.isPresent()) {
            loop.add(watch.get());
        }
        Profile profile = run.setup.profile();
        if (profile.watched()) {
            loop.add(new DenialWatch(linux, notices, profile, loop.sandbox(), options.json));
        }
    }

    private int end(RunLoop loop, Exit exit, Watched run) throws AuditException {
        recorded = true; // or failing to be
        if (loop.verdict().isPresent()) {
            Verdict verdict = loop.verdict().get();
            notices.say(verdict.sentence());
            run.audit.ended(verdict);
            return verdict.exitStatus();
        }
        run.audit.exited(exit);
        Profile profile = run.setup.profile();
        if (exit.shellStatus() != 0 && !profile.watched()) {
            hint(exit, profile);
        }
        return exit.shellStatus();
    }

    /** A person may wonder whether the sandbox is why; a program reads no hints. */
    private void hint(Exit exit, Profile profile) {
        if (linux.isTerminal(BorrowedFd.STDERR)) {
            notices.say("ended with " + exit.shellStatus() + "; " + Explanation.summary(profile)
                    + "; --why tells what was denied");
        }
    }

    /** Those of the host, which stand first. */
    private List<OwnedFd> hold(List<AgentSocket> sockets) throws Refusal, ErrnoException {
        List<OwnedFd> held = new ArrayList<>();
        for (AgentSocket socket : sockets) {
            if (socket.service().isPresent()) {
                held.add(socket.open(linux));
            }
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
