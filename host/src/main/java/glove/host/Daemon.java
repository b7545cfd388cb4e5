package glove.host;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Pipe;

import java.util.stream.Collectors;

/**
 * One run of the daemon, in the order of sheet 20, 7.2: what may fail comes before the secret is
 * changed, and the secret before the socket. Immutable; confined to the main thread.
 */
final class Daemon {
    private static final int SIGHUP = 1;
    private static final int SIGINT = 2;
    private static final int SIGTERM = 15;

    private final Linux linux;
    private final DaemonConfig config;
    private final DaemonLog log;

    Daemon(Linux linux, DaemonConfig config, DaemonLog log) {
        this.linux = linux;
        this.config = config;
        this.log = log;
    }

    /** Starts, serves until a signal comes, and stops. */
    void run(ServiceNotice manager) throws StartException {
        DaemonParts parts = new DaemonParts(linux, config, log);
        try {
            parts.openPolicies();
            try (RuntimeDirectory runtime =
                    RuntimeDirectory.open(linux, config.base().runtimeDirectory())) {
                runtime.lock();
                parts.openStores();
                runtime.removeStaleSocket();
                BootstrapSecret secret = runtime.rotateSecret();
                serve(
                        runtime,
                        new ControlProtocol(secret, parts.methods(), System::currentTimeMillis),
                        manager);
                parts.release(); // before another daemon may have the lock
            }
        } finally {
            parts.release();
        }
        log.info("stopped");
    }

    private void serve(RuntimeDirectory runtime, ControlProtocol protocol, ServiceNotice manager)
            throws StartException {
        try {
            Pipe signals = linux.pipe(); // the handler has its write end for ever
            linux.catchSignals(signals.write(), SIGHUP, SIGINT, SIGTERM);
            try (ControlSocket socket = runtime.bind();
                    ControlServer server = new ControlServer(
                            linux,
                            new ControlServer.Doors(socket, signals.read()),
                            protocol,
                            ControlServer.Bounds.USUAL,
                            log)) {
                log.info(
                        "ready",
                        "socket",
                        config.base().runtimeDirectory() + "/" + RuntimeDirectory.SOCKET,
                        "methods",
                        protocol.methodNames().stream().sorted().collect(Collectors.joining(" ")));
                manager.ready();
                server.serve(() -> {
                    log.info("stopping");
                    manager.stopping();
                });
            }
        } catch (ErrnoException e) {
            throw StartException.failed("serving failed: " + e.getMessage());
        }
    }
}
