package glove.host;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Whoever started the daemon and wants to know how it is (sd_notify(3)): a datagram socket named by
 * the environment; nobody when there is none. Immutable.
 */
final class ServiceNotice {
    private final Linux linux;
    private final DaemonLog log;
    private final Optional<UnixPath> socket;

    /**
     * Of an environment.
     *
     * @param log told of what cannot be told: a manager that waits for it ends the daemon
     * @param notifySocket value of {@code NOTIFY_SOCKET}
     */
    ServiceNotice(Linux linux, DaemonLog log, Optional<String> notifySocket) {
        this.linux = linux;
        this.log = log;
        this.socket = notifySocket.flatMap(ServiceNotice::address);
    }

    /** Other kinds of address are none this can reach. */
    private static Optional<UnixPath> address(String value) {
        boolean local = value.startsWith("/") || value.startsWith("@");
        return local && value.length() > 1 ? Optional.of(UnixPath.of(value)) : Optional.empty();
    }

    /** Controllers can connect. */
    void ready() {
        send("READY=1\nSTATUS=serving controllers\n");
    }

    /** It ends. */
    void stopping() {
        send("STOPPING=1\n");
    }

    private void send(String state) {
        if (socket.isEmpty()) {
            return;
        }
        try {
            linux.sendToUnix(socket.get(), state.getBytes(StandardCharsets.US_ASCII));
        } catch (ErrnoException e) {
            String notice = state.substring(0, state.indexOf('='));
            log.warning(
                    "manager_not_told", "notice", notice, "why", String.valueOf(e.getMessage()));
        }
    }
}
