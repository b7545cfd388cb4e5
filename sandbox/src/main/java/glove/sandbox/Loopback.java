package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.IpAddress;
import glove.sys.IpEndpoint;
import glove.sys.Linux;

import java.util.List;

/**
 * The loopback interface of a sandbox's network namespace, which has no other and no route: what
 * listens on it for the host's relay before the agent exists. A profile without one has the
 * interface down, and its agent no internet sockets at all. Immutable.
 *
 * @param listeners each taken by {@link RunningSandbox#takeLoopbackListener} under its index
 * @param publishes whether {@link RunningSandbox#askSocket} may be called
 * @param ipv6 whether the kernel has IPv6; without it listeners on ::1 are left out
 */
public record Loopback(List<IpEndpoint> listeners, boolean publishes, boolean ipv6) {
    private static final int LOOPBACK_NETWORK = 127;

    /** More than any run asks for; each is a descriptor of Glove's, of which it has 1,024. */
    public static final int LISTENERS_MAX = 256;

    /** Copies; refuses addresses that are not loopback, port 0, and what stands there twice. */
    public Loopback {
        listeners = List.copyOf(listeners);
        if (listeners.size() > LISTENERS_MAX) {
            throw new IllegalArgumentException(listeners.size() + " listeners");
        }
        for (int i = 0; i < listeners.size(); i++) {
            IpEndpoint listener = listeners.get(i);
            if (!isLoopback(listener.address()) || listener.port() == 0) {
                throw new IllegalArgumentException("not a port of loopback: " + listener);
            }
            if (listeners.indexOf(listener) != i) {
                throw new IllegalArgumentException("twice: " + listener);
            }
        }
    }

    /** With these listeners, of which those on IPv6 need a kernel that has it. */
    public static Loopback of(Linux linux, List<IpEndpoint> listeners, boolean publishes)
            throws ErrnoException {
        boolean asked = publishes;
        for (IpEndpoint listener : listeners) {
            asked |= !listener.address().isV4();
        }
        return new Loopback(listeners, publishes, asked && hasIpv6(linux));
    }

    private static boolean hasIpv6(Linux linux) throws ErrnoException {
        try {
            linux.tcpSocket(Linux.AF_INET6).close();
            return true;
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EAFNOSUPPORT) {
                return false;
            }
            throw e;
        }
    }

    /** Whether an address is one of this machine's own that never leaves it. */
    static boolean isLoopback(IpAddress address) {
        return address.isV4()
                ? address.bytes()[0] == LOOPBACK_NETWORK
                : address.equals(IpAddress.LOOPBACK_V6);
    }

    /** Whether a listener can be made here. */
    boolean makes(IpEndpoint listener) {
        return ipv6 || listener.address().isV4();
    }
}
