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
        int length = (int) restarted(Call.RECVMSG, "", number(socket), header, MSG_CMSG_CLOEXEC);
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
            restarted(Call.SENDMSG, "", number(pair.first()), header, 0);
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
        } while (fd == -Errno.ECONNABORTED || fd == -Errno.EINTR);
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
        if (path.length() >= Layouts.SOCKADDR_UN_SIZE - Layouts.SOCKADDR_UN_PATH) {
            throw new ErrnoException(Call.CONNECT, Errno.EINVAL, path.toString());
        }
        OwnedFd stream = own(
                checked(Call.SOCKET, path, AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        try {
            CallMemory memory = CallMemory.get();
            long address = memory.structure(Layouts.SOCKADDR_UN_SIZE);
            memory.structure().putShort(0, (short) AF_UNIX);
            memory.structure().put(Layouts.SOCKADDR_UN_PATH, path.bytes());
            checked(Call.CONNECT, path, number(stream), address, Layouts.SOCKADDR_UN_SIZE);
            return stream;
        } catch (ErrnoException e) {
            stream.close();
            throw e;
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
