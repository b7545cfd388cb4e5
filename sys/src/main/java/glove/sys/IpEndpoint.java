package glove.sys;

/**
 * An address and a port.
 *
 * @param port 0..65535; 0 leaves the choice to the kernel where one listens
 */
public record IpEndpoint(IpAddress address, int port) {
    private static final int PORT_MAX = 65535;

    /** Refuses ports that are none. */
    public IpEndpoint {
        if (port < 0 || port > PORT_MAX) {
            throw new IllegalArgumentException("no port: " + port);
        }
    }

    /** {@code 192.0.2.1:443} or {@code [2001:db8::1]:443}. */
    @Override
    public String toString() {
        return address.isV4() ? address + ":" + port : "[" + address + "]:" + port;
    }
}
