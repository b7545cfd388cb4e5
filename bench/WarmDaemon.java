package glove.host;

import glove.policy.session.ExposureGrants;
import glove.policy.session.PlanRules;
import glove.policy.session.SessionPolicy;
import glove.session.PlanRefusedException;
import glove.session.ReceiptCheck;
import glove.session.SessionRegistry;
import glove.sys.BorrowedFd;
import glove.sys.Linux;
import glove.sys.Pipe;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;
import glove.wire.JsonProblems;
import java.util.ArrayList;
import java.util.List;

/**
 * The daemon with a store that takes more than the 10,000 records a real one may have: so long as
 * that its code can be measured when it is compiled. Patched into glove.host by bench/gloved.
 * Argument: a directory with runtime, state and policy.json. Ends on SIGTERM.
 */
public final class WarmDaemon {
    private static final long BYTES_MAX = 2L << 30;
    private static final long RECORDS_MAX = 1_000_000;
    private static final int SIGTERM = 15;

    private WarmDaemon() {}

    /** Serves. */
    public static void main(String[] args) throws Exception {
        Linux linux = Linux.host();
        DaemonLog log = new DaemonLog(linux, BorrowedFd.STDERR, false);
        HostLooks paths = new HostLooks(linux);
        UnixPath directory = UnixPath.of(args[0]);
        byte[] json = linux.readFile(directory.resolve("policy.json"), SessionPolicy.BYTES_MAX);
        SessionPolicy policy =
                SessionPolicy.parse(json, paths, JsonProblems.first()).orElseThrow();
        PlanMethods plans =
                new PlanMethods(new PlanRules(policy, paths, ExposureGrants.NONE), log);
        SessionRegistry.Checks checks = new SessionRegistry.Checks(
                plans,
                (plan, nowMs) -> {
                    throw new PlanRefusedException("nothing is launched");
                },
                envelope -> ReceiptCheck.Worth.MALFORMED);
        SessionRegistry.Store store = new SessionRegistry.Store(
                directory.resolve("state/warm"), BYTES_MAX, RECORDS_MAX);
        AbsolutePath where = new AbsolutePath(args[0] + "/runtime");
        try (SessionRegistry registry = SessionRegistry.open(linux, store, checks);
                RuntimeDirectory runtime = RuntimeDirectory.open(linux, where)) {
            runtime.lock();
            List<ControlMethod> methods = new ArrayList<>(plans.methods());
            methods.addAll(new SessionMethods(registry, log).methods());
            ControlProtocol protocol = new ControlProtocol(
                    runtime.rotateSecret(), methods, System::currentTimeMillis);
            Pipe signals = linux.pipe();
            linux.catchSignals(signals.write(), SIGTERM);
            try (Crew crew = Crew.start(linux, log, Crew.WORKERS, Crew.INSPECTORS);
                    ControlSocket socket = runtime.bind();
                    ControlServer server = new ControlServer(
                            linux,
                            new ControlServer.Doors(socket, signals.read(), crew),
                            protocol,
                            ServerBounds.USUAL,
                            log)) {
                server.serve(() -> {});
            }
        }
    }
}
