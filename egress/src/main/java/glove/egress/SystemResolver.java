package glove.egress;

import glove.sys.IpAddress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;

/**
 * The host's own resolution (getaddrinfo(3)): its hosts file, its name servers. Stateless but for
 * the JDK's cache, which this keeps short.
 */
public final class SystemResolver implements Resolver {
    /** An install opens dozens of connections to one host in a moment; a move takes effect soon. */
    private static final String CACHE_SECONDS = "5";

    private static final String FAILURE_CACHE_SECONDS = "1";

    /** Set on first use, by a thread that waits for the network anyway: it loads much. */
    private static final class Cache {
        static {
            Security.setProperty("networkaddress.cache.ttl", CACHE_SECONDS);
            Security.setProperty("networkaddress.cache.negative.ttl", FAILURE_CACHE_SECONDS);
        }

        private Cache() {}

        static InetAddress[] lookUp(String name) throws UnknownHostException {
            return InetAddress.getAllByName(name);
        }
    }

    /** The host's. */
    public SystemResolver() {}

    @Override
    public List<IpAddress> resolve(HostName name) {
        List<IpAddress> addresses = new ArrayList<>();
        try {
            for (InetAddress address : Cache.lookUp(name.toString())) {
                addresses.add(IpAddress.of(address.getAddress()));
            }
        } catch (UnknownHostException e) {
            return List.of();
        }
        return addresses;
    }
}
