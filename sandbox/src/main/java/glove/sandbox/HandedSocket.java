package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.IpAddress;
import glove.sys.IpEndpoint;
import glove.sys.Linux;

import java.util.Optional;

/**
 * What a socket that came out of a sandbox is, asked of the kernel (socket(7)): a relay that served
 * another than it asked for would let the sandbox choose what is relayed. Immutable.
 *
 * @param listening SO_ACCEPTCONN: 1 or 0
 * @param local where it is bound; empty for another family than IPv4 and IPv6
 */
record HandedSocket(int domain, int type, int protocol, int listening, Optional<IpEndpoint> local) {
    /** This one; ENOTSOCK when it is none. */
    static HandedSocket of(Linux linux, Fd socket) throws ErrnoException {
        return new HandedSocket(
                linux.getsockopt(socket, Linux.SOL_SOCKET, Linux.SO_DOMAIN),
                linux.getsockopt(socket, Linux.SOL_SOCKET, Linux.SO_TYPE),
                linux.getsockopt(socket, Linux.SOL_SOCKET, Linux.SO_PROTOCOL),
                linux.getsockopt(socket, Linux.SOL_SOCKET, Linux.SO_ACCEPTCONN),
                linux.localEndpoint(socket));
    }

    /** A TCP listener on an endpoint. */
    static HandedSocket listener(IpEndpoint endpoint) {
        return tcp(endpoint.address().isV4() ? Linux.AF_INET : Linux.AF_INET6, 1, endpoint);
    }

    /** A TCP socket that is neither bound nor connected. */
    static HandedSocket fresh(int domain) {
        IpAddress any = IpAddress.of(new byte[domain == Linux.AF_INET ? 4 : 16]);
        return tcp(domain, 0, new IpEndpoint(any, 0));
    }

    private static HandedSocket tcp(int domain, int listening, IpEndpoint local) {
        return new HandedSocket(
                domain, Linux.SOCK_STREAM, Linux.IPPROTO_TCP, listening, Optional.of(local));
    }
}
