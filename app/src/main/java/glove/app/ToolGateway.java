package glove.app;

import glove.gateway.Channel;
import glove.gateway.Gateway;
import glove.gateway.GatewayLimits;
import glove.gateway.GatewayPolicy;
import glove.gateway.GatewaySetup;
import glove.gateway.PolicyTools;
import glove.gateway.Root;
import glove.gateway.UpstreamSpec;
import glove.journal.AuditException;
import glove.journal.AuditLog;
import glove.policy.PolicyException;
import glove.policy.PolicyReview;
import glove.policy.ToolPolicy;
import glove.policy.ToolRule;
import glove.sandbox.AgentReach;
import glove.sandbox.Canonical;
import glove.sandbox.Grant;
import glove.sandbox.Grants;
import glove.sandbox.GuestPrograms;
import glove.sandbox.HostPrograms;
import glove.sandbox.Limits;
import glove.sandbox.Profile;
import glove.sandbox.Refusal;
import glove.sandbox.StandardStreams;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Pipe;
import glove.sys.UnixPath;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code glove run}: what goes along with a contained agent is its only way to tools. Confined to
 * the run's thread.
 */
final class ToolGateway implements Companion {
    /** Beyond what the gateway gives an upstream to start. */
    private static final long REQUIRE_SLACK_MILLIS = 500;

    private static final String WORKSPACE = "--workspace";
    private static final String HEXADECIMAL = "0123456789ABCDEF";

    private final Linux linux;
    private final Invocation invocation;
    private final RunOptions options = new RunOptions();
    private final List<Prepared> prepared = new ArrayList<>();
    private final List<AgentReach> reaches = new ArrayList<>(); // of contained upstreams
    private Optional<UnixPath> policyFile = Optional.empty();

    // Null until the run has come so far.
    private @Nullable ToolPolicy policy;
    private @Nullable Notices notices;
    private @Nullable PinDirectory pins;
    private @Nullable GatewayWatch watch;
    private @Nullable GatewayAuditOfRun audit;
    private int socket;
    private @Nullable Pipe toAgent;
    private @Nullable Pipe fromAgent;

    /** An upstream that was looked at. */
    private record Prepared(UpstreamOptions options, UpstreamProgram program) {}

    ToolGateway(Linux linux, Invocation invocation) {
        this.linux = linux;
        this.invocation = invocation;
    }

    private static <T> T made(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("asked before it was made");
        }
        return part;
    }

    @Override
    public String verb() {
        return "run";
    }

    @Override
    public String help() {
        return RunHelp.TEXT;
    }

    @Override
    public boolean take(OptionWords option) throws Refusal {
        return options.take(option);
    }

    @Override
    public void check(ExecOptions exec, Notices heard) throws Refusal, ErrnoException {
        notices = heard;
        options.finish();
        if (options.upstreams.isEmpty()) {
            throw new Refusal(
                    "no upstream is named, so there is no tool to mediate",
                    "--upstream NAME=PROGRAM,ARG,..., or 'glove exec' without tools");
        }
        if (options.speaksOnStreams && exec.limits.limits().outputBytes() != Limits.NONE) {
            throw new Refusal(
                    "--output counts what AGENT prints, and by --mcp-stdio it prints messages",
                    "leave out one of them");
        }
        policy = readPolicy(heard);
        for (UpstreamOptions upstream : options.upstreams.values()) {
            if (upstream.sandbox.isPresent()) {
                reaches.add(ContainedUpstream.reach(linux, upstream));
            }
        }
        List<AgentReach> all = new ArrayList<>(reaches);
        all.add(AgentReach.of(linux, Grants.of(linux, exec.grants)));
        ProfileSetup.Caller caller =
                new ProfileSetup.Caller(linux, invocation, heard, all, new OwnersClients.Answers());
        for (UpstreamOptions upstream : options.upstreams.values()) {
            UpstreamProgram program = upstream.sandbox.isPresent()
                    ? ContainedUpstream.of(caller, upstream)
                    : HostUpstream.of(linux, invocation, upstream);
            prepared.add(new Prepared(upstream, program));
        }
    }

    private ToolPolicy readPolicy(Notices heard) throws Refusal {
        ToolPolicy read;
        try {
            read = ToolPolicy.ofOptions(options.allowed, options.allowedArguments);
            for (ToolRule rule : read.rules()) {
                options.require("--allow " + rule.pattern(), rule.pattern().upstream());
            }
            if (options.policy.isPresent()) {
                UnixPath path = options.policy.get();
                policyFile = Optional.of(Canonical.ofNewFile(linux, path, "--policy"));
                read = read.and(PolicySource.read(linux, path));
            }
        } catch (PolicyException e) {
            throw PolicySource.refusal(e);
        }
        for (ToolRule rule : read.rules()) {
            if (!options.upstreams.containsKey(rule.pattern().upstream())) {
                heard.say(rule.origin() + " is about '" + rule.pattern().upstream()
                        + "', which is no upstream of this run");
            }
        }
        if (read.rules().isEmpty()) {
            heard.say("no tool is allowed, so the agent will see none: --allow UPSTREAM.TOOL, or"
                    + " --policy FILE");
        }
        return read;
    }

    @Override
    public List<AgentReach> others() {
        return List.copyOf(reaches);
    }

    @Override
    public Inside inside() {
        return options.speaksOnStreams
                ? Inside.NOTHING
                : new Inside(
                        List.of(GuestPrograms.MCP), List.of(GuestPrograms.MCP_SOCKET), List.of());
    }

    @Override
    public boolean isRecorded() {
        return true;
    }

    @Override
    public List<String> described() {
        List<String> lines = new ArrayList<>();
        for (UpstreamOptions upstream : options.upstreams.values()) {
            StringBuilder line = new StringBuilder(upstream.name).append(":");
            for (byte[] word : upstream.argv) {
                line.append(' ').append(UnixPath.of(word));
            }
            lines.add(line.append(
                            upstream.sandbox.isPresent()
                                    ? " (in a sandbox of its own)"
                                    : " (with your rights)")
                    .toString());
        }
        for (ToolRule rule : made(policy).rules()) {
            lines.add(PolicyReview.describe(rule));
        }
        return lines;
    }

    /** Whatever decides about the agent must not be the agent's to write. */
    @Override
    public void examine(Profile profile) throws Refusal, ErrnoException {
        if (policyFile.isPresent()) {
            refuseShown(profile, policyFile.get(), "--policy '" + policyFile.get() + "'");
        }
        AgentReach agent = AgentReach.of(linux, profile);
        for (Prepared upstream : prepared) {
            if (upstream.options.sandbox.isEmpty()) {
                UpstreamArguments.warnRelative(agent, upstream.options, made(notices));
            }
            upstream.program.refuseWritable(agent, made(notices));
            // Contained ones do what the agent has them do.
            for (AgentReach other : reaches) {
                if (upstream.options.sandbox.isEmpty()) {
                    upstream.program.refuseWritable(other, made(notices));
                }
            }
        }
    }

    /** Refuses a file of Glove's that the agent, or an upstream that is contained, could see. */
    private void refuseShown(Profile profile, UnixPath file, String what) throws Refusal {
        boolean shown = profile.shows(file);
        for (Prepared upstream : prepared) {
            if (upstream.program instanceof ContainedUpstream contained) {
                shown |= contained.profile().shows(file);
            }
        }
        if (shown) {
            throw new Refusal(
                    what + " lies inside a granted path, where what it decides about could change "
                            + "or read it",
                    "move it out of every grant, or grant less");
        }
    }

    @Override
    public void start(Start start) throws Refusal, AuditException, ErrnoException {
        AuditLog log = start.log().orElseThrow();
        socket = start.profile().sockets().size() - 1;
        PinDirectory opened = PinDirectory.open(linux, invocation);
        pins = opened;
        refuseShown(start.profile(), opened.path(), "what is pinned, '" + opened.path() + "',");
        refuseShown(start.profile(), log.path(), "the audit log '" + log.path() + "'");
        GatewayWatch begun = new GatewayWatch(linux, made(notices), start.verbose());
        String separator = options.separator.text();
        watch = begun;
        GatewayAuditOfRun records = new GatewayAuditOfRun(log, begun, made(notices), separator);
        audit = records;
        GatewayLimits limits = GatewayLimits.standard();
        Gateway gateway = Gateway.open(
                linux,
                new GatewaySetup(
                        policy(start.profile()),
                        limits,
                        records,
                        opened,
                        begun,
                        System::nanoTime,
                        Glove.VERSION));
        for (Prepared upstream : prepared) {
            UpstreamOptions asked = upstream.options;
            gateway.addUpstream(new UpstreamSpec(
                    asked.name,
                    PinDirectory.key(asked),
                    asked.command(),
                    asked.isBare,
                    options.separator));
            begun.add(new Upstream(asked, upstream.program, made(notices), start.verbose()));
        }
        HostPrograms hosts = HostPrograms.of(linux, start.launcher());
        begun.open(
                gateway,
                new UpstreamProgram.Launching(start.launcher(), hosts, log, records, begun));
        if (options.requiresAll) {
            begun.requireAll(limits.times().start() + REQUIRE_SLACK_MILLIS);
        }
    }

    private GatewayPolicy policy(Profile profile) {
        List<Root> roots = new ArrayList<>();
        for (Grant grant : profile.grants().list()) {
            if (grant.reason().equals(WORKSPACE)) {
                roots.add(new Root(uri(grant.path()), grant.path().name().toString()));
            }
        }
        Set<String> withoutRoots = new HashSet<>(options.upstreams.keySet());
        withoutRoots.removeAll(options.roots);
        return new GatewayPolicy(
                new PolicyTools(made(policy), System::nanoTime),
                options.resources,
                options.prompts,
                options.completion,
                options.sampling,
                options.elicitation,
                roots,
                withoutRoots,
                options.requiresPins,
                options.recordsArguments);
    }

    /** RFC 8089, with all but plain letters escaped. */
    private static String uri(UnixPath path) {
        StringBuilder uri = new StringBuilder("file://");
        for (byte b : path.bytes()) {
            boolean plain = (b >= 'a' && b <= 'z')
                    || (b >= 'A' && b <= 'Z')
                    || (b >= '0' && b <= '9')
                    || "/-._~".indexOf(b) >= 0;
            if (plain) {
                uri.append((char) b);
            } else {
                uri.append('%').append(HEXADECIMAL.charAt(b >> 4 & 15));
                uri.append(HEXADECIMAL.charAt(b & 15));
            }
        }
        return uri.toString();
    }

    @Override
    public boolean takesStreams() {
        return options.speaksOnStreams;
    }

    /** Its standard error stays the caller's. */
    @Override
    public StandardStreams streams(StandardStreams callers) throws ErrnoException {
        if (!options.speaksOnStreams) {
            return callers;
        }
        Pipe to = linux.pipe();
        toAgent = to;
        Pipe from = linux.pipe();
        fromAgent = from;
        linux.setNonBlocking(to.write());
        linux.setNonBlocking(from.read());
        return new StandardStreams(to.read(), from.write(), callers.stderr());
    }

    @Override
    public void attend(RunLoop loop) throws ErrnoException {
        GatewayWatch begun = made(watch);
        if (options.speaksOnStreams) {
            Pipe to = made(toAgent);
            Pipe from = made(fromAgent);
            to.read().close();
            from.write().close();
            begun.serve(Channel.of(from.read(), to.write()));
            begun.attend(loop, Optional.empty());
        } else {
            begun.attend(loop, Optional.of(loop.sandbox().takeSocket(socket)));
        }
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
        for (Prepared upstream : prepared) {
            upstream.program.close();
        }
        if (audit != null) {
            audit.tellDenied();
            audit = null; // told once
        }
        if (pins != null) {
            pins.close();
        }
        close(toAgent);
        close(fromAgent);
    }

    private static void close(@Nullable Pipe pipe) {
        if (pipe != null) {
            pipe.close();
        }
    }
}
