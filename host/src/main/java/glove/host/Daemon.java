package glove.host;

import glove.journal.AppendLogException;
import glove.journal.DurableFileException;
import glove.journal.ProtectedFile;
import glove.policy.session.ExposureGrants;
import glove.policy.session.PlanRules;
import glove.policy.session.SessionPolicy;
import glove.session.PlanRefusedException;
import glove.session.ReceiptCheck;
import glove.session.SessionRegistry;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.Pipe;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;
import glove.wire.JsonProblems;
import glove.wire.SecretKey32;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * One run of the daemon, in the order of sheet 20, 7.2: what may fail comes before the secret is
 * changed, and the secret before the socket. Owns all it opens; confined to the main thread.
 */
final class Daemon implements AutoCloseable {
    private static final int SIGHUP = 1;
    private static final int SIGINT = 2;
    private static final int SIGTERM = 15;
    private static final int KEY_BYTES = 65;
    private static final String KEY_DOMAIN = "glove.audit-key-id";

    private final Linux linux;
    private final DaemonConfig config;
    private final DaemonLog log;
    private final Deque<Runnable> opened = new ArrayDeque<>();
    private final List<ControlMethod> methods = new ArrayList<>();

    Daemon(Linux linux, DaemonConfig config, DaemonLog log) {
        this.linux = linux;
        this.config = config;
        this.log = log;
    }

    /** Starts, serves until a signal comes, and stops. */
    void run(ServiceManager manager) throws StartException {
        Optional<SessionPolicy> policy = readPolicy();
        RuntimeDirectory runtime = RuntimeDirectory.open(linux, config.base().runtimeDirectory());
        opened.push(runtime::close);
        runtime.lock();
        SecretKey32 key = readKey();
        openRoots();
        constructSessions(policy);
        Capabilities capabilities = new Capabilities(
                key.id(KEY_DOMAIN),
                policy.isPresent(),
                config.sessions().store().isPresent(),
                false);
        methods.add(ControlMethod.quick("health", (call, result) -> {
            call.requireNothing("health requires a null read-only payload");
            result.beginObject()
                    .member("schema_version", 1)
                    .member("status", "ready")
                    .endObject();
        }));
        methods.add(ControlMethod.quick("capabilities", (call, result) -> {
            call.requireNothing("capabilities requires a null read-only payload");
            capabilities.write(result);
        }));
        runtime.removeStaleSocket();
        BootstrapSecret secret = runtime.rotateSecret();
        serve(runtime, new ControlProtocol(secret, methods, System::currentTimeMillis), manager);
    }

    private void serve(RuntimeDirectory runtime, ControlProtocol protocol, ServiceManager manager)
            throws StartException {
        try {
            Pipe signals = linux.pipe(); // the handler has its write end for ever
            linux.catchSignals(signals.write(), SIGHUP, SIGINT, SIGTERM);
            ControlSocket socket = runtime.bind();
            opened.push(socket::close);
            serve(new ControlServer.Doors(socket, signals.read()), protocol, manager);
        } catch (ErrnoException e) {
            throw StartException.failed("serving failed: " + e.getMessage());
        }
    }

    private void serve(ControlServer.Doors doors, ControlProtocol protocol, ServiceManager manager)
            throws ErrnoException {
        try (ControlServer server =
                new ControlServer(linux, doors, protocol, ControlServer.Bounds.USUAL, log)) {
            log.info(
                    "ready",
                    "socket",
                    config.base().runtimeDirectory() + "/" + RuntimeDirectory.SOCKET,
                    "methods",
                    String.join(
                            " ",
                            methods.stream().map(ControlMethod::name).sorted().toList()));
            manager.ready();
            server.serve(() -> {
                log.info("stopping");
                manager.stopping();
            });
        }
        log.info("stopped");
    }

    private Optional<SessionPolicy> readPolicy() throws StartException {
        Optional<AbsolutePath> path = config.sessions().policy();
        if (path.isEmpty()) {
            return Optional.empty();
        }
        String what = "the session policy";
        byte[] json = protectedFile(what, path.get(), SessionPolicy.BYTES_MAX);
        JsonProblems problems = JsonProblems.first();
        Optional<SessionPolicy> policy = SessionPolicy.parse(json, new HostLooks(linux), problems);
        if (policy.isEmpty()) {
            throw StartException.failed(what + " '" + path.get() + "': " + problems.firstInWords()
                    + "; 'glove policy validate --file " + path.get() + "' tells all");
        }
        return policy;
    }

    private byte[] protectedFile(String what, AbsolutePath path, int bytesMax)
            throws StartException {
        try {
            return ProtectedFile.read(linux, what, UnixPath.of(path.text()), bytesMax);
        } catch (DurableFileException e) {
            throw StartException.failed(e.getMessage());
        }
    }

    private SecretKey32 readKey() throws StartException {
        AbsolutePath path = config.base().auditKey();
        byte[] content = protectedFile("the audit key", path, KEY_BYTES);
        String text = new String(content, StandardCharsets.ISO_8859_1);
        return SecretKey32.parse(text.endsWith("\n") ? text.substring(0, text.length() - 1) : text)
                .orElseThrow(() -> StartException.failed("the audit key '" + path
                        + "' holds something other than 64 lower-case hexadecimal digits"));
    }

    /** Roots are held open: what stands in their place later is not used. */
    private void openRoots() throws StartException {
        DaemonConfig.Sessions sessions = config.sessions();
        if (sessions.bundleRoot().isPresent()) {
            hold("the library bundle root", sessions.bundleRoot().get());
        }
        if (sessions.materializationRoot().isPresent()) {
            hold("the materialization root", sessions.materializationRoot().get());
        }
    }

    private void hold(String what, AbsolutePath path) throws StartException {
        OwnedFd root = RuntimeDirectory.openOwnerOnly(linux, what, UnixPath.of(path.text()));
        opened.push(root::close);
    }

    private void constructSessions(Optional<SessionPolicy> policy) throws StartException {
        if (policy.isEmpty()) {
            return;
        }
        PlanMethods plans = new PlanMethods(
                new PlanRules(policy.get(), new HostLooks(linux), ExposureGrants.NONE), log);
        methods.addAll(plans.methods());
        Optional<AbsolutePath> store = config.sessions().store();
        if (store.isPresent()) {
            SessionRegistry registry = openStore(store.get(), plans);
            opened.push(registry::close);
            methods.addAll(new SessionMethods(registry, log).methods());
        }
    }

    private SessionRegistry openStore(AbsolutePath path, PlanMethods plans) throws StartException {
        SessionRegistry.Checks checks = new SessionRegistry.Checks(
                plans,
                (plan, nowMs) -> {
                    throw new PlanRefusedException("this daemon has no runtime to launch it in");
                },
                envelope -> ReceiptCheck.Worth.UNKNOWN);
        try {
            SessionRegistry registry = SessionRegistry.open(
                    linux, SessionRegistry.Store.at(UnixPath.of(path.text())), checks);
            registry.repaired()
                    .ifPresent(tail -> log.warning(
                            "session_store_repaired",
                            "store",
                            path.text(),
                            "tail",
                            tail.toString()));
            return registry;
        } catch (AppendLogException e) {
            throw StartException.failed(e.getMessage());
        }
    }

    /** Gives back what was opened, the last first. */
    @Override
    public void close() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
    }
}
