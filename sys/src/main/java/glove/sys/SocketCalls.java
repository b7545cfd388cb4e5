package glove.sys;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Calls on sockets: see {@link Linux}. */
abstract class SocketCalls extends FileCalls {
    private static final int MSG_CMSG_CLOEXEC = 0x4000_0000;
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
}
