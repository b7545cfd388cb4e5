package glove.egress;

import glove.sys.ErrnoException;
import glove.sys.IpAddress;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;

/**
 * The host's own resolution: its hosts file, its name servers. A name with a dot is meant as it
 * is: the domains of a search list (resolv.conf(5)) are appended to single names only, or a rule
 * about one host would let another be asked for. Stateless but for the JDK's cache, which this
 * keeps short.
 */
public final class SystemResolver implements Resolver {
    /** An install opens dozens of connections to one host in a moment; a move takes effect soon. */
    private static final String CACHE_SECONDS = "5";

    private static final String FAILURE_CACHE_SECONDS = "1";

    private static final UnixPath HOSTS = UnixPath.of("/etc/hosts");
    private static final int HOSTS_BYTES_MAX = 16 << 20;

    /** What getaddrinfo(3) asks: a seam for tests. */
    interface Services {
        InetAddress[] lookUp(String name) throws UnknownHostException;
    }

    /** A class: the first lambda of a process costs milliseconds. */
    private static final class Getaddrinfo implements Services {
        @Override
        public InetAddress[] lookUp(String name) throws UnknownHostException {
            return Cache.lookUp(name);
        }
    }

    private final Linux linux;
    private final UnixPath hosts;
    private final Services services;

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
    public SystemResolver(Linux linux) {
        this(linux, HOSTS, new Getaddrinfo());
    }

    SystemResolver(Linux linux, UnixPath hosts, Services services) {
        this.linux = linux;
        this.hosts = hosts;
        this.services = services;
    }

    @Override
    public List<IpAddress> resolve(HostName name) {
        if (name.toString().indexOf('.') < 0) {
            return ask(name.toString());
        }
        // getaddrinfo(3) does not find a name with a dot at the end in the file.
        List<IpAddress> own = HostsFile.addresses(hosts(), name);
        return own.isEmpty() ? ask(name + ".") : own;
    }

    private byte[] hosts() {
        try {
            return linux.readFile(hosts, HOSTS_BYTES_MAX);
        } catch (ErrnoException e) {
            return new byte[0]; // then there is none, as for getaddrinfo(3)
        }
    }

    private List<IpAddress> ask(String name) {
        List<IpAddress> addresses = new ArrayList<>();
        try {
            for (InetAddress address : services.lookUp(name)) {
                addresses.add(IpAddress.of(address.getAddress()));
            }
        } catch (UnknownHostException e) {
            return List.of();
        }
        return addresses;
    }
}
