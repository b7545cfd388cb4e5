package glove.sys;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Calls on sockets of the internet families (ip(7), ipv6(7), tcp(7)): see {@link Linux}. */
abstract class InternetCalls extends SocketCalls {
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;
    public static final int IPPROTO_TCP = 6;
    public static final int SO_REUSEADDR = 2;
    public static final int SO_TYPE = 3;
    public static final int SO_ERROR = 4;
    public static final int SO_ACCEPTCONN = 30;
    public static final int SO_PROTOCOL = 38;
    public static final int SO_DOMAIN = 39;

    InternetCalls(Syscalls syscalls) {
        super(syscalls);
    }

    /**
     * socket(2): an unconnected stream, non-blocking and close-on-exec. EAFNOSUPPORT when the
     * kernel lacks the family.
     *
     * @param domain {@link #AF_INET} or {@link #AF_INET6}
     */
    public OwnedFd streamSocket(int domain) throws ErrnoException {
        int type = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
        return own(checked(Call.SOCKET, "", domain, type, 0));
    }

    /** bind(2); EADDRINUSE when somebody has the port, EACCES below 1024 for most users. */
    public void bind(Fd socket, IpEndpoint local) throws ErrnoException {
        int length = putEndpoint(local);
        long address = CallMemory.get().structureToFill();
        checked(Call.BIND, local, number(socket), address, length);
    }

    /** listen(2). */
    public void listen(Fd socket, int backlog) throws ErrnoException {
        checked(Call.LISTEN, "", number(socket), backlog);
    }

    /**
     * connect(2) of a non-blocking socket.
     *
     * @return whether it is connected; else it is on its way: once it can be written to, {@link
     *     #SO_ERROR} tells how it went
     */
    public boolean connect(Fd socket, IpEndpoint peer) throws ErrnoException {
        int length = putEndpoint(peer);
        long address = CallMemory.get().structureToFill();
        long result = raw(Call.CONNECT, number(socket), address, length);
        // After EINTR it goes on by itself as well.
        if (result == -Errno.EINPROGRESS || result == -Errno.EINTR) {
            return false;
        }
        if (result < 0) {
            throw new ErrnoException(Call.CONNECT, (int) -result, peer.toString());
        }
        return true;
    }

    /** getsockopt(2) of a number. */
    public int getsockopt(Fd socket, int level, int option) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.structure(Long.BYTES);
        memory.structure().putInt(Integer.BYTES, Integer.BYTES);
        long length = address + Integer.BYTES;
        checked(Call.GETSOCKOPT, "", number(socket), level, option, address, length);
        return memory.structure().getInt(0);
    }

    /** setsockopt(2) of a number. */
    public void setsockopt(Fd socket, int level, int option, int value) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.structure(Integer.BYTES);
        memory.structure().putInt(0, value);
        checked(Call.SETSOCKOPT, "", number(socket), level, option, address, Integer.BYTES);
    }

    /** getsockname(2): where it is bound; EAFNOSUPPORT when it is of another family. */
    public IpEndpoint getsockname(Fd socket) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.structure(Layouts.SOCKADDR_IN6_SIZE + Long.BYTES);
        int lengthAt = Layouts.SOCKADDR_IN6_SIZE;
        memory.structure().putInt(lengthAt, Layouts.SOCKADDR_IN6_SIZE);
        checked(Call.GETSOCKNAME, "", number(socket), address, address + lengthAt);
        ByteBuffer structure = memory.structure();
        int family = structure.getShort(0);
        if (family != AF_INET && family != AF_INET6) {
            throw new ErrnoException(Call.GETSOCKNAME, Errno.EAFNOSUPPORT, "family " + family);
        }
        boolean v4 = family == AF_INET;
        byte[] bytes = new byte[v4 ? 4 : 16];
        structure.get(v4 ? Layouts.SOCKADDR_IN_ADDR : Layouts.SOCKADDR_IN6_ADDR, bytes);
        int port = Short.reverseBytes(structure.getShort(Layouts.SOCKADDR_IN_PORT)) & 0xffff;
        return new IpEndpoint(IpAddress.of(bytes), port);
    }

    /** Into the structure of the call's memory; its length. */
    private static int putEndpoint(IpEndpoint endpoint) {
        byte[] encoded = sockaddr(endpoint);
        CallMemory memory = CallMemory.get();
        memory.structure(encoded.length);
        memory.structure().put(0, encoded);
        return encoded.length;
    }

    /** An endpoint as struct sockaddr_in or sockaddr_in6 (ip(7), ipv6(7)). */
    public static byte[] sockaddr(IpEndpoint endpoint) {
        boolean v4 = endpoint.address().isV4();
        byte[] bytes = new byte[v4 ? Layouts.SOCKADDR_IN_SIZE : Layouts.SOCKADDR_IN6_SIZE];
        ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        out.putShort(0, (short) (v4 ? AF_INET : AF_INET6));
        short port = (short) endpoint.port();
        bytes[Layouts.SOCKADDR_IN_PORT] = (byte) (port >> Byte.SIZE);
        bytes[Layouts.SOCKADDR_IN_PORT + 1] = (byte) port;
        out.put(
                v4 ? Layouts.SOCKADDR_IN_ADDR : Layouts.SOCKADDR_IN6_ADDR,
                endpoint.address().bytes());
        return bytes;
    }
}
