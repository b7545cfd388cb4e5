package glove.app;

import glove.sandbox.Limits;
import glove.sandbox.Refusal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a command line says about the network, as it says it. Confined to one thread. */
final class EgressOptions {
    private static final int PORT_MAX = 65535;

    /** Each open one costs two descriptors. */
    private static final int CONNECTIONS_DEFAULT = 1024;

    private static final long IDLE_MILLIS_DEFAULT = 15 * 60_000;

    /**
     * A port of the agent's that this machine may reach.
     *
     * @param outside on 127.0.0.1 of this machine
     * @param inside on the loopback of the sandbox
     */
    record Published(int outside, int inside) {}

    /** How much may be sent to one host. */
    record BytesOut(String host, long bytes) {}

    final List<String> allowed = new ArrayList<>();
    final List<String> allowedPrivate = new ArrayList<>();
    final List<BytesOut> bytesOutOfHosts = new ArrayList<>();
    final List<Published> published = new ArrayList<>();
    long bytesOut = Limits.NONE;
    long connections = CONNECTIONS_DEFAULT;
    long idleMillis = IDLE_MILLIS_DEFAULT;
    long wallMillis = Limits.NONE;
    boolean log;
    boolean loopback;

    /** Whether something may be reached at all. */
    boolean letsOut() {
        return !allowed.isEmpty() || !allowedPrivate.isEmpty();
    }

    void allow(byte[] value) {
        allowed.add(text(value));
    }

    void allowPrivate(byte[] value) {
        allowedPrivate.add(text(value));
    }

    /** {@code HOST=SIZE}, or {@code SIZE} for all hosts together. */
    void setBytesOut(String name, byte[] value) throws Refusal {
        String text = text(value);
        int equals = text.lastIndexOf('=');
        byte[] size = text.substring(equals + 1).getBytes(StandardCharsets.UTF_8);
        long bytes = Quantity.size(name, size);
        if (equals < 0) {
            bytesOut = bytes;
        } else {
            bytesOutOfHosts.add(new BytesOut(text.substring(0, equals), bytes));
        }
    }

    void setConnections(String name, byte[] value) throws Refusal {
        connections = Quantity.count(name, value);
    }

    void setIdle(String name, byte[] value) throws Refusal {
        idleMillis = Quantity.time(name, value);
    }

    void setWall(String name, byte[] value) throws Refusal {
        wallMillis = Quantity.time(name, value);
    }

    /** {@code PORT}, or {@code HOSTPORT:PORT}. */
    void publish(String name, byte[] value) throws Refusal {
        String text = text(value);
        int colon = text.indexOf(':');
        int inside = port(name, text, text.substring(colon + 1));
        int outside = colon < 0 ? inside : port(name, text, text.substring(0, colon));
        for (Published earlier : published) {
            if (earlier.outside() == outside) {
                throw new Refusal(
                        name + " '" + text + "': port " + outside + " of this machine is given "
                                + "twice",
                        name + " " + (outside == PORT_MAX ? outside - 1 : outside + 1) + ":"
                                + inside);
            }
        }
        published.add(new Published(outside, inside));
    }

    private static int port(String name, String whole, String text) throws Refusal {
        int port = 0;
        for (int i = 0; i < text.length() && port <= PORT_MAX; i++) {
            char c = text.charAt(i);
            port = c < '0' || c > '9' ? PORT_MAX + 1 : port * 10 + c - '0';
        }
        if (port == 0 || port > PORT_MAX) {
            throw new Refusal(
                    name + " '" + whole + "': a port is a number from 1 to " + PORT_MAX,
                    name + " 8080, or " + name + " 9090:8080 for 9090 on this machine");
        }
        return port;
    }

    /** Names may be international; what is no UTF-8 is no name, and refused as one. */
    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }
}
