package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Fd;
import glove.sys.IpAddress;
import glove.sys.IpEndpoint;
import glove.sys.Linux;

/**
 * What a socket that came out of a sandbox is, asked of the kernel (socket(7)): a relay that served
 * another than it asked for would let the sandbox choose what is relayed. Immutable.
 *
 * @param listening SO_ACCEPTCONN: 1 or 0
 */
record HandedSocket(int domain, int type, int protocol, int listening, IpEndpoint local) {
    /** This one; EAFNOSUPPORT, ENOTSOCK when it is none of the internet families. */
    static HandedSocket of(Linux linux, Fd socket) throws ErrnoException {
        return new HandedSocket(
                linux.getsockopt(socket, Linux.SOL_SOCKET, Linux.SO_DOMAIN),
                linux.getsockopt(socket, Linux.SOL_SOCKET, Linux.SO_TYPE),
                linux.getsockopt(socket, Linux.SOL_SOCKET, Linux.SO_PROTOCOL),
                linux.getsockopt(socket, Linux.SOL_SOCKET, Linux.SO_ACCEPTCONN),
                linux.getsockname(socket));
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
        return new HandedSocket(domain, Linux.SOCK_STREAM, Linux.IPPROTO_TCP, listening, local);
    }
}
