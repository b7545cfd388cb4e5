package glove.app;

import glove.sandbox.Canonical;
import glove.sandbox.Grant;
import glove.sandbox.Grants;
import glove.sandbox.HostProgram;
import glove.sandbox.HostProgramLookup;
import glove.sandbox.LaunchException;
import glove.sandbox.Refusal;
import glove.sandbox.RunningProgram;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** An upstream with the caller's rights. Confined to the run's thread. */
final class HostUpstream implements UpstreamProgram {
    private static final byte[] PATH = "PATH".getBytes(StandardCharsets.US_ASCII);
    private static final UnixPath HERE = UnixPath.of(".");

    private final Linux linux;
    private final HostProgramLookup lookup;
    private final UpstreamOptions options;
    private final List<byte[]> environment;

    private HostUpstream(
            Linux linux,
            HostProgramLookup lookup,
            UpstreamOptions options,
            List<byte[]> environment) {
        this.linux = linux;
        this.lookup = lookup;
        this.options = options;
        this.environment = environment;
    }

    /** Looks for it by the caller's PATH. */
    static HostUpstream of(Linux linux, Invocation invocation, UpstreamOptions options)
            throws Refusal {
        List<UnixPath> path =
                AgentEnvironment.directories(invocation.variable(PATH).orElse(new byte[0]));
        HostUpstream made = new HostUpstream(
                linux,
                new HostProgramLookup(linux, path),
                options,
                UpstreamEnvironment.of(invocation, options));
        try {
            made.find();
        } catch (Refusal e) {
            // As the statuses of a command they would be taken for the agent's.
            throw new Refusal(Refusal.EXIT_USAGE, e.getMessage(), e.hints());
        }
        return made;
    }

    private HostProgram find() throws Refusal {
        return lookup.find(
                options.subject(),
                options.argv,
                environment,
                options.workingDirectory.orElse(HERE));
    }

    /**
     * Refuses a program the agent could change, for it would run with the caller's rights; and says
     * so of files among its arguments.
     */
    void refuseWritable(Grants grants, Notices notices) throws Refusal {
        UnixPath program = find().program().path();
        if (isWritable(grants, program)) {
            throw new Refusal(
                    options.subject() + ": '" + program + "' lies inside a writable grant: the "
                            + "agent could put anything there, and it would run with your rights",
                    "--upstream-sandbox " + options.name + ", or a program outside every grant");
        }
        UnixPath start = options.workingDirectory.orElse(HERE);
        for (byte[] argument : options.argv.subList(1, options.argv.size())) {
            UnixPath path = start.resolve(UnixPath.of(argument));
            if (argument.length > 0 && isFile(path) && isWritable(grants, path)) {
                notices.say(options.subject() + ": the agent can change '"
                        + UnixPath.of(argument) + "'; should that be code, it would run with your "
                        + "rights: --upstream-sandbox " + options.name + " contains it");
            }
        }
    }

    private boolean isFile(UnixPath path) {
        try {
            return linux.stat(path).isRegularFile();
        } catch (ErrnoException e) {
            return false; // most arguments are no paths
        }
    }

    private boolean isWritable(Grants grants, UnixPath path) throws Refusal {
        UnixPath real = Canonical.ofNewFile(linux, path, options.subject());
        Optional<Grant> grant = grants.decisiveFor(real);
        return grant.isPresent() && grant.get().writable();
    }

    /** Found anew each time: an update may have replaced it. */
    @Override
    public RunningProgram launch(Launching launching) throws Refusal, LaunchException {
        return launching.hosts().launch(find());
    }

    @Override
    public List<Attendant> attendants() {
        return List.of();
    }

    @Override
    public void close() {}
}
