package glove.egress;

import glove.sys.ErrnoException;
import glove.sys.IpAddress;
import glove.sys.IpEndpoint;
import glove.sys.OwnedFd;

/** How connections out are begun: a seam, so that tests can stand in for public addresses. */
interface Network {
    /** Begins to connect a non-blocking socket; an event tells how it went. */
    void connect(OwnedFd socket, IpEndpoint endpoint) throws ErrnoException;

    /** Whether an address is one of this machine's interfaces; nothing is sent to find out. */
    boolean isOwn(IpAddress address) throws ErrnoException;
}
