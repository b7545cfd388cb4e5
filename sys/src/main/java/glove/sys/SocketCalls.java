package glove.sys;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Calls on sockets: see {@link Linux}. */
abstract class SocketCalls extends FileCalls {
    private static final int MSG_CMSG_CLOEXEC = 0x4000_0000;
    private static final int AF_UNIX = 1;
    private static final int SOCK_NONBLOCK_CLOEXEC = 04000 | 02000000;
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
     * A stream socket connected to a Unix socket (connect(2)), close-on-exec and non-blocking: a
     * listener with a full queue is EAGAIN.
     *
     * @param path at most 107 bytes, else EINVAL
     */
    public OwnedFd connectUnix(UnixPath path) throws ErrnoException {
        if (path.length() >= Layouts.SOCKADDR_UN_SIZE - Layouts.SOCKADDR_UN_PATH) {
            throw new ErrnoException(Call.CONNECT, Errno.EINVAL, path.toString());
        }
        OwnedFd socket =
                own(checked(Call.SOCKET, path, AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK_CLOEXEC, 0));
        try {
            CallMemory memory = CallMemory.get();
            long address = memory.structure(Layouts.SOCKADDR_UN_SIZE);
            memory.structure().putShort(0, (short) AF_UNIX);
            memory.structure().put(Layouts.SOCKADDR_UN_PATH, path.bytes());
            checked(Call.CONNECT, path, number(socket), address, Layouts.SOCKADDR_UN_SIZE);
            return socket;
        } catch (ErrnoException e) {
            socket.close();
            throw e;
        }
    }
}
