package glove.sys;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Calls on system calls of others that wait (seccomp_unotify(2)): see {@link Linux}. */
abstract class WatchCalls extends ProcessCalls {
    private static final long SECCOMP_IOCTL_NOTIF_RECV = 0xC050_2100L;
    private static final long SECCOMP_IOCTL_NOTIF_SEND = 0xC018_2101L;
    private static final int SECCOMP_USER_NOTIF_FLAG_CONTINUE = 1;
    private static final int ARGUMENTS = 6;
    private static final int PAGE_BYTES = 4096;
    private static final int REMOTE_AT = 2 * Layouts.IOVEC_SIZE;

    WatchCalls(Syscalls syscalls) {
        super(syscalls);
    }

    /** The next waiting call; empty when there is none any more. Waits for one when none is. */
    public Optional<Notification> receiveNotification(Fd listener) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.structure(Layouts.SECCOMP_NOTIF_SIZE);
        long result = once(Call.IOCTL, number(listener), SECCOMP_IOCTL_NOTIF_RECV, address);
        if (result == -Errno.ENOENT || result == -Errno.EINTR) {
            return Optional.empty();
        }
        if (result < 0) {
            throw new ErrnoException(Call.IOCTL, (int) -result, "");
        }
        ByteBuffer structure = memory.structure();
        long[] arguments = new long[ARGUMENTS];
        for (int i = 0; i < ARGUMENTS; i++) {
            arguments[i] = structure.getLong(Layouts.SECCOMP_NOTIF_ARGS + i * Long.BYTES);
        }
        return Optional.of(new Notification(
                structure.getLong(0),
                structure.getInt(Layouts.SECCOMP_NOTIF_PID),
                structure.getInt(Layouts.SECCOMP_NOTIF_NR),
                arguments));
    }

    /**
     * Answers one; nothing happens when its process has ended.
     *
     * @param errno the call fails with, or 0: it goes on as if it had not been seen
     */
    public void answer(Fd listener, Notification call, int errno) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.structure(Layouts.SECCOMP_NOTIF_RESP_SIZE);
        ByteBuffer structure = memory.structure();
        structure.putLong(0, call.id());
        structure.putInt(Layouts.SECCOMP_NOTIF_RESP_ERROR, -errno);
        structure.putInt(
                Layouts.SECCOMP_NOTIF_RESP_FLAGS,
                errno == 0 ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0);
        long result = once(Call.IOCTL, number(listener), SECCOMP_IOCTL_NOTIF_SEND, address);
        if (result < 0 && result != -Errno.ENOENT && result != -Errno.EINTR) {
            throw new ErrnoException(Call.IOCTL, (int) -result, "");
        }
    }

    /**
     * Memory of another process (process_vm_readv(2)), up to where it ends.
     *
     * @param max bytes, at most 4,096
     */
    public byte[] readMemory(int pid, long address, int max) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long iov = memory.structure(REMOTE_AT + 2 * Layouts.IOVEC_SIZE);
        ByteBuffer structure = memory.structure();
        int wanted = Math.min(max, PAGE_BYTES);
        long first = Math.min(wanted, PAGE_BYTES - (address & (PAGE_BYTES - 1)));
        structure.putLong(0, memory.bulk());
        structure.putLong(Layouts.IOVEC_LENGTH, wanted);
        // In two parts, because one that reaches into a page that is not there gives nothing.
        structure.putLong(REMOTE_AT, address);
        structure.putLong(REMOTE_AT + Layouts.IOVEC_LENGTH, first);
        structure.putLong(REMOTE_AT + Layouts.IOVEC_SIZE, address + first);
        structure.putLong(REMOTE_AT + Layouts.IOVEC_SIZE + Layouts.IOVEC_LENGTH, wanted - first);
        long read = raw(
                Call.PROCESS_VM_READV, pid, iov, 1, iov + REMOTE_AT, first == wanted ? 1 : 2, 0);
        if (read < 0) {
            throw new ErrnoException(Call.PROCESS_VM_READV, (int) -read, "");
        }
        return memory.bulkBytes((int) read);
    }
}
