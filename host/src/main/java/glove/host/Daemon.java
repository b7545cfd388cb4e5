package glove.host;

import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.Linux;
import glove.sys.Pipe;
import glove.sys.UnixPath;

import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

/**
 * One run of the daemon, in the order of sheet 20, 7.2: what may fail comes before the secret is
 * changed, and the secret before the socket. Confined to the main thread.
 */
final class Daemon {
    private static final int SIGHUP = 1;
    private static final int SIGINT = 2;
    private static final int SIGTERM = 15;

    /** From the end of serving until the stores are closed, which may wait for a disk. */
    private static final long RELEASE_MILLIS = 1000;

    /** After a second signal. */
    private static final long SECOND_MILLIS = 500;

    private final Linux linux;
    private final DaemonConfig config;
    private final DaemonLog log;
    private final IntConsumer end;
    private Optional<Ending> ending = Optional.empty();

    /**
     * Of one configuration.
     *
     * @param end ends the process at once, with a status: for when it does not end in order
     */
    Daemon(Linux linux, DaemonConfig config, DaemonLog log, IntConsumer end) {
        this.end = end;
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
                serve(runtime, parts, manager);
                parts.release(); // before another daemon may have the lock
            }
        } finally {
            parts.release();
            ending.ifPresent(Ending::close);
        }
        log.info("stopped");
    }

    /** All that it needs is there before the secret is changed. */
    private void serve(RuntimeDirectory runtime, DaemonParts parts, ServiceNotice manager)
            throws StartException {
        DescriptorShare share = share();
        ServerBounds usual = ServerBounds.USUAL;
        ServerBounds bounds = usual.withConnectionsMax(share.clients());
        try (Crew crew =
                Crew.start(linux, log, share.workers(), share.inspection().inspectors())) {
            Fd signals = catchSignals(bounds.stopMillis());
            BootstrapSecret secret = runtime.rotateSecret();
            ControlProtocol protocol = new ControlProtocol(
                    secret,
                    parts.methods(share.inspection().descriptors()),
                    System::currentTimeMillis);
            try (ControlSocket socket = runtime.bind();
                    ControlServer server = new ControlServer(
                            linux,
                            new ControlServer.Doors(socket, signals, crew),
                            protocol,
                            bounds,
                            log)) {
                tellReady(protocol);
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

    private DescriptorShare share() throws StartException {
        try {
            long limit = linux.raiseOpenFileLimit(); // it starts no other program
            long open = linux.listDirectory(UnixPath.of("/proc/self/fd")).size();
            return DescriptorShare.of(limit, open, ServerBounds.USUAL.connectionsMax());
        } catch (ErrnoException e) {
            throw StartException.failed("its open files cannot be counted: " + e.getMessage());
        }
    }

    /** From now on a signal ends it in order, and in a bounded time; where they come out. */
    private Fd catchSignals(long stopMillis) throws StartException, ErrnoException {
        Pipe caught = linux.pipe(); // the handler has its write end for ever
        Pipe handed = linux.pipe();
        Ending begun = new Ending(
                linux,
                new Ending.Doors(caught, handed.write()),
                new Ending.Patience(stopMillis + RELEASE_MILLIS, SECOND_MILLIS),
                this::endByForce);
        ending = Optional.of(begun);
        linux.catchSignals(caught.write(), SIGHUP, SIGINT, SIGTERM);
        return handed.read();
    }

    private void endByForce() {
        log.error(
                "ended_by_force",
                "why",
                "something did not end in time: what was not answered may not be done");
        log.close();
        end.accept(StartException.STATUS_FAILED);
    }

    private void tellReady(ControlProtocol protocol) {
        log.info(
                "ready",
                "socket",
                config.base().runtimeDirectory() + "/" + RuntimeDirectory.SOCKET,
                "methods",
                protocol.methodNames().stream().sorted().collect(Collectors.joining(" ")));
    }
}
