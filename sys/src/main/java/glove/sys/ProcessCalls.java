package glove.sys;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Calls on processes and waiting: see {@link Linux}. */
abstract class ProcessCalls extends NameCalls {
    public static final int WNOHANG = 1;
    public static final int WSTOPPED = 2;
    public static final int WEXITED = 4;
    public static final int WNOWAIT = 0x01000000;

    private static final int P_PID = 1;
    private static final int P_PIDFD = 3; // since Linux 5.4
    private static final int GROUP_BYTES = 4;

    ProcessCalls(Syscalls syscalls) {
        super(syscalls);
    }

    /**
     * Executes a program in a new process that has the given descriptors and no others, default
     * signal dispositions and an empty signal mask. Blocks until it has executed. A program that is
     * a {@code #!} script fails with ENOENT: its interpreter could not open the descriptor.
     *
     * @param donations each number at most once; they stay open here
     * @return its process id
     */
    public int spawn(Fd program, List<byte[]> argv, List<byte[]> env, List<Donation> donations)
            throws ErrnoException {
        int[] fds = new int[2 * donations.size()];
        for (int i = 0; i < donations.size(); i++) {
            int target = donations.get(i).number();
            for (int j = 0; j < i; j++) {
                if (fds[2 * j + 1] == target) {
                    throw new Bug("two descriptors are to become number " + target);
                }
            }
            fds[2 * i] = number(donations.get(i).fd());
            fds[2 * i + 1] = target;
        }
        ByteBuffer strings = ByteBuffer.allocateDirect(bytes(argv) + bytes(env) + 1);
        put(argv, strings);
        put(env, strings);
        NativeSyscalls.load();
        int pid = NativeSyscalls.spawn(number(program), fds, strings, argv.size(), env.size());
        if (pid < 0) {
            throw new ErrnoException(Call.EXECVEAT, -pid, "");
        }
        return pid;
    }

    private static int bytes(List<byte[]> texts) {
        int bytes = 0;
        for (byte[] text : texts) {
            bytes = Math.addExact(bytes, text.length + 1);
        }
        return bytes;
    }

    /** A NUL inside would begin a new argument, or a new variable of the environment. */
    private static void put(List<byte[]> texts, ByteBuffer strings) {
        for (byte[] text : texts) {
            for (byte b : text) {
                if (b == 0) {
                    throw new Bug("an argument or variable holds no NUL");
                }
            }
            strings.put(text).put((byte) 0);
        }
    }

    /** Waits for a child's end, EINTR retried (waitpid(2)); its status as wait(2) encodes it. */
    public int waitFor(int pid) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        checked(Call.WAIT4, "", pid, memory.structure(4), 0, 0);
        return memory.structure().getInt(0);
    }

    /** waitid(2) for a child, EINTR retried; empty when WNOHANG found nothing to tell. */
    public Optional<WaitResult> waitid(int pid, int options) throws ErrnoException {
        return waitid(P_PID, pid, options);
    }

    /** The same by its pidfd. */
    public Optional<WaitResult> waitid(Fd pidfd, int options) throws ErrnoException {
        return waitid(P_PIDFD, number(pidfd), options);
    }

    private Optional<WaitResult> waitid(int type, int id, int options) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        checked(Call.WAITID, "", type, id, memory.structure(Layouts.SIGINFO_SIZE), options);
        ByteBuffer info = memory.structure();
        int pid = info.getInt(Layouts.SIGINFO_PID);
        return pid == 0
                ? Optional.empty()
                : Optional.of(new WaitResult(
                        pid,
                        info.getInt(Layouts.SIGINFO_CODE),
                        info.getInt(Layouts.SIGINFO_STATUS)));
    }

    /** kill(2). */
    public void kill(int pid, int signal) throws ErrnoException {
        checked(Call.KILL, "", pid, signal);
    }

    /** pidfd_open(2): always the same process, even when its id is given out again. */
    public OwnedFd pidfdOpen(int pid) throws ErrnoException {
        return own(checked(Call.PIDFD_OPEN, "", pid, 0));
    }

    /** pidfd_send_signal(2). */
    public void pidfdSendSignal(Fd pidfd, int signal) throws ErrnoException {
        checked(Call.PIDFD_SEND_SIGNAL, "", number(pidfd), signal);
    }

    /** This process. */
    public int getpid() {
        return (int) raw(Call.GETPID);
    }

    /** Real user id. */
    public int getuid() {
        return (int) raw(Call.GETUID);
    }

    /** Permission bits no file gets that is made from now on (umask(2)); those before. */
    public int umask(int mask) {
        return (int) raw(Call.UMASK, mask);
    }

    /** Effective user id. */
    public int geteuid() {
        return (int) raw(Call.GETEUID);
    }

    /** Real group id. */
    public int getgid() {
        return (int) raw(Call.GETGID);
    }

    /** Effective group id. */
    public int getegid() {
        return (int) raw(Call.GETEGID);
    }

    /** Supplementary groups (getgroups(2)); EINVAL for more than 16384, which the kernel allows. */
    public int[] getgroups() throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.bulk();
        int[] groups = new int
                [(int) checked(Call.GETGROUPS, "", CallMemory.CHUNK_BYTES / GROUP_BYTES, address)];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = memory.bulkBuffer().getInt(i * GROUP_BYTES);
        }
        return groups;
    }

    /** prctl(2) with one argument, for the options that take numbers; what it returns. */
    public int prctl(int option, long argument) throws ErrnoException {
        return (int) checked(Call.PRCTL, "", option, argument, 0, 0, 0);
    }

    /**
     * poll(2). EINTR is not retried but thrown: the caller knows what is left of its time.
     *
     * @param millis at most; negative: without limit
     * @return what happened on each, {@code POLL*}, in order; all 0 when the time is over
     */
    public int[] poll(List<PollFd> fds, long millis) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.bulk();
        if (fds.size() > CallMemory.CHUNK_BYTES / Layouts.POLLFD_SIZE) {
            throw new Bug(fds.size() + " descriptors are too many for one poll");
        }
        ByteBuffer buffer = memory.bulkBuffer();
        for (int i = 0; i < fds.size(); i++) {
            int at = i * Layouts.POLLFD_SIZE;
            buffer.putInt(at, number(fds.get(i).fd()));
            buffer.putShort(at + Layouts.POLLFD_EVENTS, (short) fds.get(i).events());
            buffer.putShort(at + Layouts.POLLFD_REVENTS, (short) 0);
        }
        checkedOnce(Call.PPOLL, "", address, fds.size(), timeout(memory, millis), 0, 0);
        int[] happened = new int[fds.size()];
        for (int i = 0; i < happened.length; i++) {
            happened[i] = buffer.getShort(i * Layouts.POLLFD_SIZE + Layouts.POLLFD_REVENTS);
        }
        return happened;
    }

    /** Waits until something may be written; false when that took too long (poll(2)). */
    public boolean awaitRoom(Fd fd, long millis) throws ErrnoException {
        try {
            return poll(List.of(new PollFd(fd, PollFd.POLLOUT)), millis)[0] != 0;
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EINTR) {
                return true; // the caller tries, and waits again
            }
            throw e;
        }
    }

    /** Address of a timespec; 0, without limit, for a negative time. */
    private static long timeout(CallMemory memory, long millis) {
        if (millis < 0) {
            return 0;
        }
        long address = memory.structure(Layouts.TIMESPEC_SIZE);
        memory.structure().putLong(0, millis / 1000);
        memory.structure().putLong(Layouts.TIMESPEC_NSEC, millis % 1000 * 1_000_000);
        return address;
    }
}
