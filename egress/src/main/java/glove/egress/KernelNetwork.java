package glove.egress;

import glove.sys.ErrnoException;
import glove.sys.IpAddress;
import glove.sys.IpEndpoint;
import glove.sys.Linux;
import glove.sys.OwnedFd;

/** The network of this machine. Stateless. */
final class KernelNetwork implements Network {
    private final Linux linux;

    KernelNetwork(Linux linux) {
        this.linux = linux;
    }

    @Override
    public void connect(OwnedFd socket, IpEndpoint endpoint) throws ErrnoException {
        linux.connect(socket, endpoint);
    }

    @Override
    public boolean isOwn(IpAddress address) throws ErrnoException {
        return linux.isOwnAddress(address);
    }
}
