package glove.app;

import glove.egress.Credential;
import glove.egress.EgressAudit;
import glove.egress.EgressException;
import glove.egress.EgressLimits;
import glove.egress.EgressPolicy;
import glove.egress.EgressProxy;
import glove.egress.EgressRule;
import glove.egress.EgressRules;
import glove.egress.Entry;
import glove.egress.LocalService;
import glove.egress.SystemResolver;
import glove.journal.AuditLog;
import glove.sandbox.GuestPrograms;
import glove.sandbox.HomeFile;
import glove.sandbox.Limits;
import glove.sandbox.Loopback;
import glove.sandbox.Refusal;
import glove.sandbox.RunningSandbox;
import glove.sys.ErrnoException;
import glove.sys.IpAddress;
import glove.sys.IpEndpoint;
import glove.sys.Linux;
import glove.sys.OwnedFd;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The network of one run as its options decide it: what may be reached, where clients inside find
 * the way out, and which ports inside this machine may reach. Owns the listeners of published ports
 * until they are attended. Confined to the run's thread.
 */
final class EgressSetup implements AutoCloseable {
    private static final String HIDDEN = "CREDENTIAL";

    /** A connection has two ends and two pipes; while it begins, up to eight attempts. */
    private static final int DESCRIPTORS = 9;

    private final Linux linux;
    private final EgressOptions options;
    private final Optional<WayOut> wayOut;
    private final List<Entry> entries = new ArrayList<>();
    private final List<IpEndpoint> listeners = new ArrayList<>();
    private final List<PublishedPort> published = new ArrayList<>();

    private int descriptors;

    /** What may leave, and what a client shows who wants that. */
    private record WayOut(EgressPolicy policy, Credential credential) {}

    private EgressSetup(Linux linux, EgressOptions options, Optional<WayOut> wayOut) {
        this.linux = linux;
        this.options = options;
        this.wayOut = wayOut;
    }

    /**
     * Reads the options; opens nothing yet.
     *
     * @param clients who know what presets of registries stand for
     */
    static EgressSetup of(Linux linux, EgressOptions options, OwnersClients clients)
            throws Refusal, ErrnoException {
        if (!options.letsOut()) {
            if (!options.bytesOutOfHosts.isEmpty()) {
                throw new Refusal(
                        "--egress-bytes-out " + options.bytesOutOfHosts.get(0).host()
                                + ": nothing is let out, so there is nothing to limit",
                        "--egress-allow " + options.bytesOutOfHosts.get(0).host());
            }
            return new EgressSetup(linux, options, Optional.empty());
        }
        try {
            EgressRules rules = EgressRules.parse(options.allowed, options.allowedPrivate, clients);
            EgressPolicy policy = new EgressPolicy(rules, limits(options, rules));
            WayOut out = new WayOut(policy, Credential.random(linux));
            EgressSetup setup = new EgressSetup(linux, options, Optional.of(out));
            setup.listen(Entry.AUTHENTICATED, EgressClients.AUTHENTICATED_PORT);
            setup.listen(Entry.VOUCHED, EgressClients.VOUCHED_PORT);
            for (LocalService service : rules.localServices()) {
                setup.offer(service);
            }
            setup.refuseOwnPorts();
            return setup;
        } catch (EgressException e) {
            throw refusal(e);
        }
    }

    /** Whoever of this machine reaches them would leave by this run's rules, and on its record. */
    private void refuseOwnPorts() throws Refusal {
        for (EgressOptions.Published ports : options.published) {
            for (IpEndpoint own : listeners) {
                if (own.port() == ports.inside()) {
                    String port = "--publish " + ports.outside() + ":";
                    throw new Refusal(
                            port + ports.inside() + ": inside, port " + ports.inside()
                                    + " is Glove's own, the way out of this run alone",
                            "let the server inside listen on another port: " + port + "8080");
                }
            }
        }
    }

    private void listen(Entry entry, int port) {
        entries.add(entry);
        listeners.add(new IpEndpoint(IpAddress.LOOPBACK_V4, port));
    }

    private static Refusal refusal(EgressException e) {
        return new Refusal(String.valueOf(e.getMessage()), e.hints().toArray(new String[0]));
    }

    private static EgressLimits limits(EgressOptions options, EgressRules rules)
            throws Refusal, EgressException {
        Map<String, Long> ofHost = new HashMap<>();
        for (EgressOptions.BytesOut limit : options.bytesOutOfHosts) {
            String host = rules.limited(limit.host());
            if (ofHost.put(host, limit.bytes()) != null) {
                throw new Refusal(
                        "--egress-bytes-out " + host + " is given twice", "keep one of them");
            }
        }
        return new EgressLimits(
                (int) Math.min(Integer.MAX_VALUE, options.connections),
                options.idleMillis,
                options.wallMillis == Limits.NONE ? 0 : options.wallMillis,
                options.bytesOut,
                ofHost);
    }

    private void offer(LocalService service) throws Refusal {
        IpEndpoint place = service.listener();
        if (listeners.contains(place)) {
            throw new Refusal(
                    "--egress-allow-private " + service.destination() + ": inside, port "
                            + place.port() + " is Glove's own entry to its proxy",
                    "let the service listen on another port");
        }
        if (listeners.size() == Loopback.LISTENERS_MAX) {
            throw new Refusal(
                    "--egress-allow-private " + service.destination() + ": one run can have "
                            + Loopback.LISTENERS_MAX + " listeners inside, two of them Glove's own",
                    "leave out services the command does not need");
        }
        entries.add(Entry.direct(service.destination()));
        listeners.add(place);
    }

    /** Whether anything may leave. */
    boolean letsOut() {
        return wayOut.isPresent();
    }

    /** The interface inside; empty when the run is offline and has none. */
    Optional<Loopback> loopback() throws ErrnoException {
        boolean publishes = !options.published.isEmpty();
        return letsOut() || publishes || options.loopback
                ? Optional.of(Loopback.of(linux, listeners, publishes))
                : Optional.empty();
    }

    /**
     * Tells programs inside where the proxy is.
     *
     * @param explained whether they are shown to a person: without the credential then
     */
    void put(AgentEnvironment environment, boolean explained) {
        if (wayOut.isPresent()) {
            Credential credential = wayOut.get().credential;
            int port = EgressClients.AUTHENTICATED_PORT;
            String url = credential.proxyUrl("127.0.0.1", port);
            EgressClients.put(
                    environment, explained ? url.replace(credential.password(), HIDDEN) : url);
        }
    }

    /** The same for those that read files. */
    List<HomeFile> files() {
        return letsOut() ? EgressClients.files() : List.of();
    }

    /** Names of Glove's own programs that are needed inside. */
    List<String> programs() {
        return letsOut() ? List.of(GuestPrograms.CONNECT) : List.of();
    }

    /**
     * How many descriptors each way in or out may have; refuses a run that has too few.
     *
     * @param sockets of the agent's
     */
    int descriptorsEach(int sockets) throws Refusal, ErrnoException {
        int users = sockets + options.published.size() + (letsOut() ? 1 : 0);
        descriptors = OpenFiles.each(linux, users);
        return descriptors;
    }

    /** Takes the published ports of this machine: before the launch, so that it can be refused. */
    void bindPublished() throws Refusal, ErrnoException {
        for (EgressOptions.Published ports : options.published) {
            published.add(PublishedPort.of(linux, ports.outside(), ports.inside()));
        }
    }

    /**
     * Serves a run from its start.
     *
     * @param log where decisions are recorded; there is one when something may leave
     */
    void attend(RunLoop loop, Optional<AuditLog> log) throws ErrnoException {
        RunningSandbox sandbox = loop.sandbox();
        if (descriptors > 0) {
            // The agent has been started with the caller's limit.
            linux.raiseOpenFileLimit();
        }
        for (PublishedPort port : published) {
            port.serve(sandbox, descriptors);
            loop.add(port);
        }
        published.clear();
        if (letsOut()) {
            EgressAuditOfRun audit =
                    new EgressAuditOfRun(log.orElseThrow(), loop.notices(), options.log, "");
            loop.add(watch(sandbox, loop, audit));
        }
    }

    /**
     * Opens the way out of a sandbox; only when it {@link #letsOut}.
     *
     * @param sandbox of a profile with the {@link #loopback}
     */
    EgressWatch watch(RunningSandbox sandbox, RunEnd run, EgressAuditOfRun audit)
            throws ErrnoException {
        return new EgressWatch(linux, run, proxy(sandbox, audit), audit);
    }

    /** The same without a run: its owner gives the proxy its turns. */
    EgressProxy proxy(RunningSandbox sandbox, EgressAudit audit) throws ErrnoException {
        WayOut out = wayOut.orElseThrow();
        EgressPolicy policy = new EgressPolicy(
                out.policy.rules(),
                out.policy.limits().withConnectionsAtMost(descriptors / DESCRIPTORS));
        EgressProxy proxy =
                EgressProxy.open(linux, policy, out.credential, audit, new SystemResolver(linux));
        for (int i = 0; i < entries.size(); i++) {
            Optional<OwnedFd> listener = sandbox.takeLoopbackListener(i);
            if (listener.isPresent()) {
                proxy.serve(listener.get(), entries.get(i));
            }
        }
        return proxy;
    }

    /** The rules in one line each, for people. */
    List<String> described() {
        List<String> lines = new ArrayList<>();
        if (wayOut.isPresent()) {
            for (EgressRule rule : wayOut.get().policy.rules().rules()) {
                lines.add(rule + " by " + rule.origin());
            }
        }
        return lines;
    }

    @Override
    public void close() {
        for (PublishedPort port : published) {
            port.close();
        }
    }
}
