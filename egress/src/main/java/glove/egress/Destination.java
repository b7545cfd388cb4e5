package glove.egress;

import glove.sys.IpAddress;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.Optional;

/**
 * Where a client wants to go: a name or an address, and a port. An IPv4 address written as a mapped
 * IPv6 one is that IPv4 address. Immutable; equal when both parts are.
 */
public final class Destination {
    static final int PORT_MAX = 65535;

    private static final int PORT_DIGITS_MAX = 5;
    private static final int HTTP_BAD_REQUEST = 400;

    // Exactly one of the two is not null.
    private final @Nullable HostName name;
    private final @Nullable IpAddress address;
    private final int port;

    private Destination(@Nullable HostName name, @Nullable IpAddress address, int port) {
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("no port: " + port);
        }
        this.name = name;
        this.address = address;
        this.port = port;
    }

    /** A port, 1..65535, of a host by name. */
    public static Destination of(HostName name, int port) {
        return new Destination(name, null, port);
    }

    /** A port, 1..65535, of an address. */
    public static Destination of(IpAddress address, int port) {
        return new Destination(null, AddressClass.unmapped(address), port);
    }

    /**
     * From what a client sent: {@code host:port} or {@code [address]:port}.
     *
     * @throws MalformedException when it is neither, or the port is missing or none
     */
    public static Destination parse(String authority) throws MalformedException {
        return parse(authority, 0);
    }

    /** The same; a missing port is {@code defaultPort}, unless that is 0. */
    static Destination parse(String authority, int defaultPort) throws MalformedException {
        int close = authority.startsWith("[") ? authority.indexOf(']') : -1;
        int colon = authority.indexOf(':', Math.max(close, 0));
        int hostEnd = colon < 0 ? authority.length() : colon;
        if (authority.startsWith("[") && (close < 0 || close + 1 != hostEnd)) {
            throw malformed("what should be an address in brackets is none");
        }
        int port = defaultPort;
        if (colon >= 0) {
            port = AddressBlock.decimal(authority, colon + 1, PORT_DIGITS_MAX);
        }
        if (port < 1 || port > PORT_MAX) {
            throw malformed("there is no port from 1 to " + PORT_MAX + " behind the host");
        }
        if (close >= 0) {
            Optional<IpAddress> address = IpAddress.parse(authority.substring(1, close));
            if (address.isEmpty() || address.get().isV4()) {
                throw malformed("what stands in brackets is no IPv6 address");
            }
            return of(address.get(), port);
        }
        return host(authority.substring(0, hostEnd), port);
    }

    /**
     * From a host a client sent without brackets and port.
     *
     * @throws MalformedException when it is neither a name nor an IPv4 address
     */
    static Destination host(String host, int port) throws MalformedException {
        Optional<IpAddress> address = IpAddress.parse(host);
        if (address.isPresent()) {
            if (!address.get().isV4()) {
                throw malformed("an IPv6 address has to stand in brackets");
            }
            return of(address.get(), port);
        }
        return of(HostName.ofWire(host), port);
    }

    private static MalformedException malformed(String sentence) {
        return new MalformedException(HTTP_BAD_REQUEST, sentence);
    }

    /** Whether it has to be resolved. */
    public boolean isName() {
        return name != null;
    }

    /** The name, when {@link #isName}; a bug else. */
    public HostName name() {
        return Objects.requireNonNull(name, "an address has no name");
    }

    /** The address, unless {@link #isName}; a bug else. */
    public IpAddress address() {
        return Objects.requireNonNull(address, "a name has no address yet");
    }

    public int port() {
        return port;
    }

    /** Name or address, without brackets: as limits by host are keyed. */
    public String host() {
        return name != null ? name.toString() : address().toString();
    }

    /** As it stands in a Host field; the port is left out when it is that of the scheme. */
    String authority(int defaultPort) {
        String host = address != null && !address.isV4() ? "[" + address + "]" : host();
        return port == defaultPort ? host : host + ":" + port;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Destination destination
                && port == destination.port
                && Objects.equals(name, destination.name)
                && Objects.equals(address, destination.address);
    }

    @Override
    public int hashCode() {
        return 31 * host().hashCode() + port;
    }

    /** {@code host:port} or {@code [address]:port}. */
    @Override
    public String toString() {
        return authority(0);
    }
}
