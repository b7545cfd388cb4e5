package glove.sys;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Calls on sockets: see {@link Linux}. */
abstract class SocketCalls extends FileCalls {
    private static final int MSG_CMSG_CLOEXEC = 0x4000_0000;
    private static final int SOCK_NONBLOCK = 04000;
    private static final int SHUT_WR = 1;
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;
    private static final int CONTROL_AT = 128;
    private static final int IOV_AT = 64;
    private static final int SO_PEERCRED = 17;
    private static final int SOCK_DGRAM = 2;
    private static final int MSG_DONTWAIT_NOSIGNAL = 0x40 | 0x4000;

    SocketCalls(Syscalls syscalls) {
        super(syscalls);
    }

    /**
     * recvmsg(2) of one message and the descriptor that may come with it (unix(7), SCM_RIGHTS),
     * EINTR retried.
     *
     * @param max bytes, at most 64 KiB
     */
    public Received receive(Fd socket, int max) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long header = memory.structure(CONTROL_AT + Layouts.CMSG_SPACE_OF_FD);
        ByteBuffer structure = memory.structure();
        structure.putLong(Layouts.MSGHDR_IOV, header + IOV_AT);
        structure.putLong(Layouts.MSGHDR_IOVLEN, 1);
        structure.putLong(Layouts.MSGHDR_CONTROL, header + CONTROL_AT);
        structure.putLong(Layouts.MSGHDR_CONTROLLEN, Layouts.CMSG_SPACE_OF_FD);
        structure.putLong(IOV_AT, memory.bulk());
        structure.putLong(IOV_AT + Layouts.IOVEC_LENGTH, Math.min(max, CallMemory.CHUNK_BYTES));
        int length = (int) checked(Call.RECVMSG, "", number(socket), header, MSG_CMSG_CLOEXEC);
        Optional<OwnedFd> fd = Optional.empty();
        if (structure.getLong(Layouts.MSGHDR_CONTROLLEN) >= Layouts.CMSG_DATA + Integer.BYTES
                && structure.getInt(CONTROL_AT + Layouts.CMSG_LEVEL) == SOL_SOCKET
                && structure.getInt(CONTROL_AT + Layouts.CMSG_TYPE) == SCM_RIGHTS) {
            fd = Optional.of(own(structure.getInt(CONTROL_AT + Layouts.CMSG_DATA)));
        }
        return new Received(memory.bulkBytes(length), fd);
    }

    /**
     * Closes a descriptor whose end takes the kernel long, in the kernel's own time: that of an
     * inotify instance with many watches takes up to 15 ms, and the caller would wait even when it
     * exits. Sent over a pair of sockets that is sent with it, nobody can receive it any more, and
     * the collector of such messages closes all three (unix(7), SCM_RIGHTS; in the background since
     * Linux 6.9, before that at once).
     */
    public void closeInBackground(OwnedFd closing) throws ErrnoException {
        try (closing;
                SocketPair pair = socketpair(SOCK_SEQPACKET)) {
            int[] fds = {number(closing), number(pair.first()), number(pair.second())};
            int length = Layouts.CMSG_DATA + fds.length * Integer.BYTES;
            CallMemory memory = CallMemory.get();
            long header = memory.structure(CONTROL_AT + length + Integer.BYTES);
            long message = memory.bulk();
            ByteBuffer structure = memory.structure();
            structure.putLong(Layouts.MSGHDR_IOV, header + IOV_AT);
            structure.putLong(Layouts.MSGHDR_IOVLEN, 1);
            structure.putLong(Layouts.MSGHDR_CONTROL, header + CONTROL_AT);
            structure.putLong(Layouts.MSGHDR_CONTROLLEN, length);
            structure.putLong(IOV_AT, message);
            structure.putLong(IOV_AT + Layouts.IOVEC_LENGTH, 1);
            structure.putLong(CONTROL_AT, length);
            structure.putInt(CONTROL_AT + Layouts.CMSG_LEVEL, SOL_SOCKET);
            structure.putInt(CONTROL_AT + Layouts.CMSG_TYPE, SCM_RIGHTS);
            for (int i = 0; i < fds.length; i++) {
                structure.putInt(CONTROL_AT + Layouts.CMSG_DATA + i * Integer.BYTES, fds[i]);
            }
            checked(Call.SENDMSG, "", number(pair.first()), header, 0);
        }
    }

    /**
     * accept4(2) on a non-blocking listener: a non-blocking connection; empty when none waits. Such
     * that were given up meanwhile are passed over.
     */
    public Optional<OwnedFd> accept(Fd listener) throws ErrnoException {
        long fd;
        do {
            fd = raw(Call.ACCEPT4, number(listener), 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
        } while (fd == -Errno.ECONNABORTED);
        if (fd == -Errno.EAGAIN) {
            return Optional.empty();
        }
        if (fd < 0) {
            throw new ErrnoException(Call.ACCEPT4, (int) -fd, "");
        }
        return Optional.of(own(fd));
    }

    /**
     * A non-blocking stream connected to a Unix socket (unix(7)); EAGAIN when its queue is full.
     *
     * @param socket of its file, O_PATH: so it is that very one
     */
    public OwnedFd connectUnix(Fd socket) throws ErrnoException {
        return connectUnix(UnixPath.of("/proc/self/fd/" + number(socket)));
    }

    /**
     * The same by name.
     *
     * @param path at most 107 bytes, else EINVAL
     */
    public OwnedFd connectUnix(UnixPath path) throws ErrnoException {
        checkLength(Call.CONNECT, path);
        OwnedFd stream = own(
                checked(Call.SOCKET, path, AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        try {
            CallMemory memory = CallMemory.get();
            long address = memory.structure(Layouts.SOCKADDR_UN_SIZE);
            encode(path, memory.structure());
            checked(Call.CONNECT, path, number(stream), address, Layouts.SOCKADDR_UN_SIZE);
            return stream;
        } catch (ErrnoException e) {
            stream.close();
            throw e;
        }
    }

    /**
     * A non-blocking listener under a new name in a directory (unix(7)): EADDRINUSE when something
     * has that name. Bound through /proc, so the directory is that very one.
     *
     * @param name a single one
     */
    public OwnedFd listenUnix(Fd directory, UnixPath name, int backlog) throws ErrnoException {
        UnixPath path = UnixPath.of("/proc/self/fd/" + number(directory)).resolve(name);
        checkLength(Call.BIND, path);
        OwnedFd socket = own(
                checked(Call.SOCKET, path, AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        try {
            long address = CallMemory.get().structure(Layouts.SOCKADDR_UN_SIZE);
            encode(path, CallMemory.get().structure());
            checked(Call.BIND, path, number(socket), address, Layouts.SOCKADDR_UN_SIZE);
            checked(Call.LISTEN, path, number(socket), backlog);
            return socket;
        } catch (ErrnoException e) {
            socket.close();
            throw e;
        }
    }

    /** A short or abstract name would not fill the structure: what follows it is zero. */
    private static void encode(UnixPath path, ByteBuffer into) {
        into.putShort(0, (short) AF_UNIX);
        into.put(Layouts.SOCKADDR_UN_PATH, path.bytes());
    }

    private static void checkLength(Call call, UnixPath path) throws ErrnoException {
        if (path.length() >= Layouts.SOCKADDR_UN_SIZE - Layouts.SOCKADDR_UN_PATH) {
            throw new ErrnoException(call, Errno.EINVAL, path.toString());
        }
    }

    /**
     * Who made the other end of a connected Unix socket, as of then (unix(7), SO_PEERCRED).
     * Immutable.
     *
     * @param pid 0 when it is of another pid namespace
     * @param uid effective
     */
    public record Peer(int pid, int uid) {}

    /** Of a connected Unix socket. */
    public Peer peer(Fd socket) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.structure(Layouts.UCRED_SIZE + Integer.BYTES);
        memory.structure().putInt(Layouts.UCRED_SIZE, Layouts.UCRED_SIZE);
        long length = address + Layouts.UCRED_SIZE;
        checked(Call.GETSOCKOPT, "", number(socket), SOL_SOCKET, SO_PEERCRED, address, length);
        return new Peer(memory.structure().getInt(0), memory.structure().getInt(Layouts.UCRED_UID));
    }

    /**
     * One datagram to a Unix socket (unix(7)), without waiting for room.
     *
     * @param path at most 107 bytes, else EINVAL; with {@code @} in front it is an abstract name
     */
    public void sendToUnix(UnixPath path, byte[] message) throws ErrnoException {
        checkLength(Call.SENDTO, path);
        try (OwnedFd socket =
                own(checked(Call.SOCKET, path, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0))) {
            CallMemory memory = CallMemory.get();
            long bytes = memory.bulk(message, 0, message.length);
            long address = memory.structure(Layouts.SOCKADDR_UN_SIZE);
            encode(path, memory.structure());
            if (path.length() > 0 && path.bytes()[0] == '@') {
                memory.structure().put(Layouts.SOCKADDR_UN_PATH, (byte) 0);
            }
            int length = Layouts.SOCKADDR_UN_PATH + path.length();
            checked(
                    Call.SENDTO,
                    path,
                    number(socket),
                    bytes,
                    message.length,
                    MSG_DONTWAIT_NOSIGNAL,
                    address,
                    length);
        }
    }

    /** shutdown(2), SHUT_WR: the other side reads the end; it may be gone already. */
    public void endWriting(Fd socket) throws ErrnoException {
        long result = raw(Call.SHUTDOWN, number(socket), SHUT_WR);
        if (result < 0 && result != -Errno.ENOTCONN) {
            throw new ErrnoException(Call.SHUTDOWN, (int) -result, "");
        }
    }
}
