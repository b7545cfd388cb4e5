package glove.app;

import glove.journal.AuditException;
import glove.sandbox.Exit;
import glove.sandbox.Grants;
import glove.sandbox.Host;
import glove.sandbox.Ids;
import glove.sandbox.LaunchException;
import glove.sandbox.Launcher;
import glove.sandbox.PrivateDirectories;
import glove.sandbox.Profile;
import glove.sandbox.Program;
import glove.sandbox.ProgramLookup;
import glove.sandbox.Refusal;
import glove.sandbox.RunningSandbox;
import glove.sandbox.Sandbox;
import glove.sandbox.Scratch;
import glove.sandbox.StandardStreams;
import glove.sandbox.ToolClosure;
import glove.sandbox.WorkingDirectory;
import glove.sys.BorrowedFd;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * {@code glove exec}: one contained command with the caller's standard streams, and its exact end
 * (sheet 80 §4). Confined to the main thread, which the sandbox needs alive.
 */
final class ExecVerb {
    /** Glove could not set the sandbox up, or lost it. */
    static final int EXIT_CANNOT_LAUNCH = 125;

    private static final byte[] PATH = "PATH".getBytes(StandardCharsets.US_ASCII);

    private final Linux linux;
    private final Invocation invocation;

    ExecVerb(Linux linux, Invocation invocation) {
        this.linux = linux;
        this.invocation = invocation;
    }

    /** Does it all and returns the exit status. */
    int run() {
        try {
            ExecOptions options = ExecOptions.parse(invocation.arguments());
            if (options.help) {
                System.out.print(ExecHelp.TEXT);
                return 0;
            }
            return run(options);
        } catch (Refusal e) {
            Glove.report(e.getMessage());
            for (String hint : e.hints()) {
                System.err.print("Try: " + hint + "\n");
            }
            return e.exitStatus();
        } catch (LaunchException e) {
            Glove.report(e.getMessage());
            return EXIT_CANNOT_LAUNCH;
        } catch (AuditException e) {
            Glove.report(e.getMessage());
            return EXIT_CANNOT_LAUNCH;
        } catch (ErrnoException e) {
            Glove.report("cannot look at this machine: " + e.getMessage());
            return EXIT_CANNOT_LAUNCH;
        }
    }

    private int run(ExecOptions options)
            throws Refusal, LaunchException, AuditException, ErrnoException {
        Profile profile = profile(options);
        if (options.explain) {
            Explanation explanation = new Explanation(profile, options);
            Output.print(options.json ? explanation.json() : explanation.text());
            return 0;
        }
        try (ExecAudit audit = ExecAudit.open(linux, options, profile)) {
            return contain(options, profile, audit);
        }
    }

    private Profile profile(ExecOptions options) throws Refusal, ErrnoException {
        Host host = Host.read(linux);
        List<UnixPath> callersPath =
                AgentEnvironment.directories(invocation.variable(PATH).orElse(new byte[0]));
        ToolClosure tools = new ToolClosure(linux, host, callersPath);
        for (UnixPath tool : options.tools) {
            tools.add(tool);
        }
        options.grants.addAll(tools.grants());
        Grants grants = Grants.of(linux, options.grants);
        PrivateDirectories directories = PrivateDirectories.beside(grants);

        AgentEnvironment environment = new AgentEnvironment(invocation);
        environment.ask(options.copiedVariables, options.setVariables);
        for (ToolClosure.Variable variable : tools.variables()) {
            environment.putForTool(variable.name(), variable.value());
        }
        environment.putOwn(directories.home(), directories.temporary(), tools.directories());

        ProgramLookup lookup = new ProgramLookup(linux, host, grants);
        Program program =
                lookup.find(UnixPath.of(options.command.get(0)), environment.path(), callersPath);
        return new Profile(
                host,
                grants,
                directories,
                Scratch.ofMemory(linux.totalRam()),
                Ids.ofThisProcess(linux, 0),
                program,
                options.command,
                environment.entries(),
                WorkingDirectory.of(
                        linux, lookup, directories, options.workspace, options.workingDirectory));
    }

    private int contain(ExecOptions options, Profile profile, ExecAudit audit)
            throws Refusal, LaunchException, AuditException, ErrnoException {
        if (options.verbose) {
            Glove.report(Explanation.summary(profile));
        }
        SignalRelay signals = SignalRelay.install(linux, linux.isTerminal(BorrowedFd.STDIN));
        UnixPath built = UnixPath.of(System.getProperty("glove.native") + "/launcher");
        try (Launcher launcher = Launcher.open(linux, built)) {
            Sandbox sandbox = new Sandbox(linux, launcher);
            audit.launching();
            try (RunningSandbox running = sandbox.launch(profile, StandardStreams.inherited())) {
                Exit exit = signals.relayUntilEnd(running);
                audit.exited(exit);
                return exit.shellStatus();
            }
        } catch (LaunchException e) {
            audit.failed(e.getMessage());
            throw e;
        } catch (Refusal e) {
            audit.failed(e.getMessage());
            throw e;
        }
    }
}
