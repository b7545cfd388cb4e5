package glove.app;

import glove.sandbox.AgentReach;
import glove.sandbox.HostProgram;
import glove.sandbox.HostProgramLookup;
import glove.sandbox.LaunchException;
import glove.sandbox.Program;
import glove.sandbox.Refusal;
import glove.sandbox.RunningProgram;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * An upstream with the caller's rights. Looked up once: while the agent runs, what a path leads to
 * may be its choice. Confined to the run's thread.
 */
final class HostUpstream implements UpstreamProgram {
    private static final byte[] PATH = "PATH".getBytes(StandardCharsets.US_ASCII);
    private static final UnixPath HERE = UnixPath.of(".");

    private static final UnixPath ROOT = UnixPath.of("/");

    private final UpstreamOptions options;
    private final HostProgramLookup lookup;
    private final List<byte[]> environment;
    private HostProgram program;

    private HostUpstream(
            UpstreamOptions options, HostProgramLookup lookup, List<byte[]> environment)
            throws Refusal {
        this.options = options;
        this.lookup = lookup;
        this.environment = environment;
        this.program = find(options.workingDirectory.orElse(HERE));
    }

    private HostProgram find(UnixPath start) throws Refusal {
        try {
            return lookup.find(options.subject(), options.argv, environment, start);
        } catch (Refusal e) {
            // As the statuses of a command they would be taken for the agent's.
            throw new Refusal(Refusal.EXIT_USAGE, e.getMessage(), e.hints());
        }
    }

    /** Looks for it by the caller's PATH. */
    static HostUpstream of(Linux linux, Invocation invocation, UpstreamOptions options)
            throws Refusal {
        List<UnixPath> path =
                AgentEnvironment.directories(invocation.variable(PATH).orElse(new byte[0]));
        return new HostUpstream(
                options,
                new HostProgramLookup(linux, path),
                UpstreamEnvironment.of(invocation, options));
    }

    /**
     * Refuses a program the agent could choose or change, for it would run with the caller's
     * rights: the file, each interpreter, and all that was searched for them. Says so of files
     * among its arguments.
     */
    @Override
    public void refuseWritable(AgentReach reach, Notices notices) throws Refusal, ErrnoException {
        refuseChanging(reach, program.program().path());
        for (Program.Interpreter interpreter : program.program().interpreters()) {
            refuseChanging(reach, interpreter.path());
        }
        for (UnixPath directory : program.origin().searched()) {
            if (reach.changing(directory).isPresent()) {
                throw new Refusal(
                        options.subject() + ": its program is looked for in '" + directory
                                + "' of PATH, which lies inside a writable grant: the agent could "
                                + "put another one there, and it would run with your rights",
                        "take the directory out of PATH, or put it behind the others");
            }
        }
        refuseStart(reach);
        leave(reach, notices);
        UpstreamArguments.warn(reach, options, program.origin().start(), notices);
    }

    private void refuseChanging(AgentReach reach, UnixPath file) throws Refusal, ErrnoException {
        Optional<UnixPath> place = reach.changing(file);
        if (place.isPresent()) {
            throw new Refusal(
                    options.subject() + ": '" + file + "' lies inside a writable grant, by '"
                            + place.get() + "': the agent could put anything there, and it would "
                            + "run with your rights",
                    "name a program outside every writable grant");
        }
    }

    /**
     * Many programs load code from where they start: python -m, npx, whatever reads a settings
     * file. So where the agent writes, an upstream starts only when its owner says so.
     */
    private void leave(AgentReach reach, Notices notices) throws Refusal, ErrnoException {
        UnixPath start = program.origin().start();
        if (reach.changing(start).isEmpty()) {
            return;
        }
        if (options.workingDirectory.isPresent()) {
            notices.say(options.subject() + ": it starts in '" + start + "', where the agent "
                    + "writes; what it loads from there runs with your rights");
            return;
        }
        UpstreamArguments.warnRelative(reach, options, start, notices);
        program = find(ROOT);
    }

    /** The very root of a grant may be it: that is a mount inside, which stays where it is. */
    private void refuseStart(AgentReach reach) throws Refusal, ErrnoException {
        UnixPath asGiven = program.origin().startAsGiven();
        Optional<UnixPath> place = reach.replacing(asGiven);
        if (place.isEmpty()) {
            place = reach.replacing(program.origin().start());
        }
        if (place.isPresent()) {
            throw new Refusal(
                    options.subject() + ": its working directory '" + asGiven
                            + "' lies inside a writable grant, by '" + place.get()
                            + "': the agent could put another directory there",
                    "--upstream-cwd " + options.name + ":PATH, with the root of that grant or a "
                            + "directory outside every writable one");
        }
    }

    /** Those very files, or none: the launcher looks at each again. */
    @Override
    public RunningProgram launch(Launching launching) throws LaunchException {
        return launching.hosts().launch(program);
    }

    @Override
    public List<Attendant> attendants() {
        return List.of();
    }

    @Override
    public void close() {}
}
