package glove.policy;

import java.util.List;
import java.util.Optional;

/** {@code host_in}: an http or https address of one of these hosts. */
record HostIn(List<Host> hosts) implements OnStrings {
    private static final int ANY_DEFAULT = 0;

    /**
     * @param name as {@link WebAddress} has it; with a leading dot: all names below
     * @param port 0 for the one of the scheme
     */
    record Host(String name, int port) {
        boolean covers(WebAddress address) {
            boolean below = name.startsWith(".");
            boolean named =
                    below ? address.host().endsWith(name) : address.host().equals(name);
            int open = port == ANY_DEFAULT ? address.defaultPort() : port;
            return named && address.port() == open;
        }

        @Override
        public String toString() {
            return port == ANY_DEFAULT ? name : name + ":" + port;
        }

        /** Reads {@code host}, {@code host:port}, {@code .domain}; empty when it is neither. */
        static Optional<Host> parse(String text) {
            boolean below = text.startsWith(".");
            Optional<WebAddress> parsed =
                    WebAddress.parse("http://" + (below ? text.substring(1) : text));
            if (parsed.isEmpty() || !parsed.get().isWhole()) {
                return Optional.empty();
            }
            WebAddress address = parsed.get();
            if (below && address.isNumeric()) {
                return Optional.empty();
            }
            int port = address.portWritten() ? address.port() : ANY_DEFAULT;
            return Optional.of(new Host((below ? "." : "") + address.host(), port));
        }
    }

    HostIn {
        hosts = List.copyOf(hosts);
    }

    @Override
    public boolean allows(String text) {
        Optional<WebAddress> address = WebAddress.parse(text);
        if (address.isEmpty()) {
            return false;
        }
        for (Host host : hosts) {
            if (host.covers(address.get())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String rule() {
        StringBuilder all = new StringBuilder("a URL of ");
        String between = "";
        for (Host host : hosts) {
            all.append(between).append(host);
            between = " or ";
        }
        return all.toString();
    }

    @Override
    public String advice() {
        return "a plain http or https URL of a host that is allowed, without user name";
    }
}
