package glove.sys;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/** Calls on TCP sockets (tcp(7), ip(7), ipv6(7)): see {@link Linux}. */
abstract class InetCalls extends SocketCalls {
    public static final int AF_INET = 2;
    public static final int AF_INET6 = 10;
    public static final int IPPROTO_TCP = 6;
    public static final int SOL_SOCKET = 1;
    public static final int SO_TYPE = 3;
    public static final int SO_KEEPALIVE = 9;
    public static final int SO_OOBINLINE = 10;
    public static final int SO_ACCEPTCONN = 30;
    public static final int SO_PROTOCOL = 38;
    public static final int SO_DOMAIN = 39;
    public static final int TCP_NODELAY = 1;

    /** Of {@link #recv}: what is read stays there. */
    public static final int MSG_PEEK = 2;

    /** Of calls that move bytes: there are none yet, or there is no room yet. */
    public static final int WOULD_BLOCK = -1;

    private static final int SO_REUSEADDR = 2;
    private static final int SO_ERROR = 4;
    private static final int SO_LINGER = 13;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_V6ONLY = 26;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_NONBLOCK = 04000;

    /** Of a connect(2) that sends nothing. */
    private static final int SOME_PORT = 9;

    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_NOSIGNAL = 0x4000;

    /** Behind a socket address of either family. */
    private static final int LENGTH_AT = 32;

    InetCalls(Syscalls syscalls) {
        super(syscalls);
    }

    /**
     * A non-blocking TCP socket (socket(2)).
     *
     * @param family AF_INET or AF_INET6
     */
    public OwnedFd tcpSocket(int family) throws ErrnoException {
        int type = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
        return own(checked(Call.SOCKET, "", family, type, IPPROTO_TCP));
    }

    /**
     * Whether an address is one of this machine's: what it would send there, it would send from
     * there (ip(7)). No packet leaves. False for one to which there is no way.
     */
    public boolean isOwnAddress(IpAddress address) throws ErrnoException {
        int type = SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC;
        try (OwnedFd socket = own(checked(Call.SOCKET, "", family(address), type, 0))) {
            connect(socket, new IpEndpoint(address, SOME_PORT));
            Optional<IpEndpoint> source = localEndpoint(socket);
            return source.isPresent() && source.get().address().equals(address);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENETUNREACH
                    || e.errno() == Errno.EHOSTUNREACH
                    || e.errno() == Errno.EADDRNOTAVAIL
                    || e.errno() == Errno.EAFNOSUPPORT) {
                return false;
            }
            throw e;
        }
    }

    /** The family an address belongs to. */
    public static int family(IpAddress address) {
        return address.isV4() ? AF_INET : AF_INET6;
    }

    /**
     * connect(2) of a non-blocking socket.
     *
     * @return false: it goes on, epoll(7) tells of the end by EPOLLOUT and {@link #socketError} how
     */
    public boolean connect(Fd socket, IpEndpoint peer) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.structure(Layouts.SOCKADDR_IN6_SIZE);
        int length = encode(peer, memory.structure());
        long result = once(Call.CONNECT, number(socket), address, length);
        if (result == -Errno.EINPROGRESS || result == -Errno.EINTR) {
            return false;
        }
        if (result < 0) {
            throw new ErrnoException(Call.CONNECT, (int) -result, peer.toString());
        }
        return true;
    }

    /** A non-blocking listener there and nowhere else (bind(2), listen(2)). */
    public OwnedFd listenTcp(IpEndpoint local, int backlog) throws ErrnoException {
        OwnedFd socket = tcpSocket(family(local.address()));
        try {
            setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, 1);
            if (!local.address().isV4()) {
                setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, 1);
            }
            CallMemory memory = CallMemory.get();
            long address = memory.structure(Layouts.SOCKADDR_IN6_SIZE);
            int length = encode(local, memory.structure());
            checked(Call.BIND, local, number(socket), address, length);
            checked(Call.LISTEN, local, number(socket), backlog);
            return socket;
        } catch (ErrnoException e) {
            socket.close();
            throw e;
        }
    }

    /** sockaddr_in or sockaddr_in6; how many bytes. */
    private static int encode(IpEndpoint endpoint, ByteBuffer into) {
        IpAddress address = endpoint.address();
        into.putShort(0, (short) family(address));
        into.put(Layouts.SOCKADDR_IN_PORT, (byte) (endpoint.port() >> 8));
        into.put(Layouts.SOCKADDR_IN_PORT + 1, (byte) endpoint.port());
        into.put(
                address.isV4() ? Layouts.SOCKADDR_IN_ADDR : Layouts.SOCKADDR_IN6_ADDR,
                address.bytes());
        return address.isV4() ? Layouts.SOCKADDR_IN_SIZE : Layouts.SOCKADDR_IN6_SIZE;
    }

    /** struct sockaddr_in or sockaddr_in6 of an endpoint, as bytes for a launch plan. */
    public static byte[] sockaddr(IpEndpoint endpoint) {
        ByteBuffer structure = ByteBuffer.allocate(Layouts.SOCKADDR_IN6_SIZE);
        structure.order(ByteOrder.nativeOrder());
        return Arrays.copyOf(structure.array(), encode(endpoint, structure));
    }

    /** Where a TCP socket is bound (getsockname(2)); empty for one of another family. */
    public Optional<IpEndpoint> localEndpoint(Fd socket) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.structure(LENGTH_AT + Integer.BYTES);
        ByteBuffer structure = memory.structure();
        structure.putInt(LENGTH_AT, LENGTH_AT);
        checked(Call.GETSOCKNAME, "", number(socket), address, address + LENGTH_AT);
        int family = structure.getShort(0);
        if (family != AF_INET && family != AF_INET6) {
            return Optional.empty();
        }
        byte[] bytes = new byte[family == AF_INET ? 4 : 16];
        structure.get(
                family == AF_INET ? Layouts.SOCKADDR_IN_ADDR : Layouts.SOCKADDR_IN6_ADDR, bytes);
        int port = (structure.get(Layouts.SOCKADDR_IN_PORT) & 0xff) << 8
                | (structure.get(Layouts.SOCKADDR_IN_PORT + 1) & 0xff);
        return Optional.of(new IpEndpoint(IpAddress.of(bytes), port));
    }

    /** getsockopt(2) of an option that is a number. */
    public int getsockopt(Fd socket, int level, int option) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.structure(2 * Integer.BYTES);
        memory.structure().putInt(Integer.BYTES, Integer.BYTES);
        checked(
                Call.GETSOCKOPT,
                "",
                number(socket),
                level,
                option,
                address,
                address + Integer.BYTES);
        return memory.structure().getInt(0);
    }

    /** setsockopt(2) of an option that is a number. */
    public void setsockopt(Fd socket, int level, int option, int value) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.structure(Integer.BYTES);
        memory.structure().putInt(0, value);
        checked(Call.SETSOCKOPT, "", number(socket), level, option, address, Integer.BYTES);
    }

    /** The error that waits on a socket, which is taken from it (SO_ERROR); 0 for none. */
    public int socketError(Fd socket) throws ErrnoException {
        return getsockopt(socket, SOL_SOCKET, SO_ERROR);
    }

    /** Small writes leave at once (TCP_NODELAY). */
    public void sendAtOnce(Fd socket) throws ErrnoException {
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, 1);
    }

    /** Its close will reset the connection: the peer sees an error, not an end (SO_LINGER). */
    public void resetOnClose(Fd socket) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.structure(2 * Integer.BYTES);
        memory.structure().putInt(0, 1);
        checked(
                Call.SETSOCKOPT,
                "",
                number(socket),
                SOL_SOCKET,
                SO_LINGER,
                address,
                2 * Integer.BYTES);
    }

    /**
     * recv(2) of a non-blocking socket, EINTR retried.
     *
     * @param max bytes, at most 64 KiB and what is free behind {@code at}
     * @param flags 0 or {@link #MSG_PEEK}
     * @return bytes; 0 at the end; {@link #WOULD_BLOCK}
     */
    public int recv(Fd socket, byte[] into, int at, int max, int flags) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        int room = Math.min(Math.min(max, into.length - at), CallMemory.CHUNK_BYTES);
        int count = moved(Call.RECVFROM, number(socket), memory.bulk(), room, flags);
        if (count > 0) {
            memory.bulkBuffer().get(0, into, at, count);
        }
        return count;
    }

    /**
     * Takes bytes from a non-blocking TCP socket and forgets them (MSG_TRUNC of tcp(7)).
     *
     * @return bytes; 0 at the end; {@link #WOULD_BLOCK}
     */
    public int discard(Fd socket, int max) throws ErrnoException {
        return moved(Call.RECVFROM, number(socket), 0, max, MSG_TRUNC);
    }

    /** Takes exactly so many bytes, which were seen to be there, and forgets them; else ENODATA. */
    public void discardWhole(Fd socket, int count) throws ErrnoException {
        int left = count;
        while (left > 0) {
            int taken = discard(socket, left);
            if (taken <= 0) {
                throw new ErrnoException(Call.RECVFROM, Errno.ENODATA, "");
            }
            left -= taken;
        }
    }

    /**
     * send(2) to a non-blocking socket, without SIGPIPE, EINTR retried.
     *
     * @param length bytes; of more than 64 KiB only so many
     * @return bytes taken, or {@link #WOULD_BLOCK}
     */
    public int send(Fd socket, byte[] bytes, int at, int length) throws ErrnoException {
        int count = Math.min(length, CallMemory.CHUNK_BYTES);
        long address = CallMemory.get().bulk(bytes, at, count);
        return moved(Call.SENDTO, number(socket), address, count, MSG_NOSIGNAL);
    }

    /** With EAGAIN as a value: an exception each time nothing is there would cost too much. */
    final int moved(Call call, long... args) throws ErrnoException {
        long result = raw(call, args);
        if (result == -Errno.EAGAIN) {
            return WOULD_BLOCK;
        }
        if (result < 0) {
            throw new ErrnoException(call, (int) -result, "");
        }
        return (int) result;
    }
}
