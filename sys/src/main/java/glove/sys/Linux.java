package glove.sys;

import java.nio.charset.StandardCharsets;

/**
 * Typed system calls, one method each, named as the manual names them. Nothing here decides or
 * logs; EINTR is retried where a method says so. Thread-safe: memory for a call is the calling
 * thread's.
 */
public final class Linux extends WatchCalls {
    public static final int RLIMIT_DATA = 2;
    public static final int RLIMIT_CORE = 4;
    public static final int RLIMIT_SIGPENDING = 11;
    public static final int RLIMIT_MSGQUEUE = 12;
    public static final int RLIMIT_NPROC = 6;
    public static final int RLIMIT_NOFILE = 7;

    private static final int LANDLOCK_CREATE_RULESET_VERSION = 1;
    private static final int AUXV_BYTES_MAX = 4096;
    private static final int AT_PAGESZ = 6;
    private static final int RUSAGE_CHILDREN = -1;
    private static final int CPU_SET_BYTES_MAX = 8192; // of 65536 processors
    private static final int KEYCTL_GET_KEYRING_ID = 0;
    private static final int KEY_SPEC_SESSION_KEYRING = -3;

    private static final Linux HOST = new Linux(NativeSyscalls.INSTANCE);

    /** Over any kernel. */
    public Linux(Syscalls syscalls) {
        super(syscalls);
    }

    /** Over the real one; a {@link Bug} when the native library is not where it should be. */
    public static Linux host() {
        NativeSyscalls.load();
        return HOST;
    }

    /** Why {@link #host} would be a {@link Bug}, as a sentence; empty when it is none. */
    public static String lacks() {
        return NativeSyscalls.lacks();
    }

    /** A soft and a hard limit (getrlimit(2)); -1 is without limit. */
    public record Limit(long soft, long hard) {}

    /** RLIMIT_NOFILE of this process. */
    public Limit openFileLimit() throws ErrnoException {
        return getrlimit(RLIMIT_NOFILE);
    }

    /** RLIMIT_NPROC of this process: processes and threads of its user. */
    public Limit processLimit() throws ErrnoException {
        return getrlimit(RLIMIT_NPROC);
    }

    /** A limit of this process, {@code RLIMIT_*} (prlimit(2)). */
    public Limit getrlimit(int resource) throws ErrnoException {
        CallMemory memory = CallMemory.get();
        checked(Call.PRLIMIT64, "", 0, resource, 0, memory.structure(Layouts.RLIMIT64_SIZE));
        return new Limit(
                memory.structure().getLong(0), memory.structure().getLong(Layouts.RLIMIT64_MAX));
    }

    /**
     * Lets this process open as many files as its hard limit allows (RLIMIT_NOFILE). Children
     * started later inherit that: call it when there will be none.
     *
     * @return how many that are
     */
    public long raiseOpenFileLimit() throws ErrnoException {
        Limit limit = openFileLimit();
        if (limit.soft() == limit.hard()) {
            return limit.hard();
        }
        CallMemory memory = CallMemory.get();
        long address = memory.structure(Layouts.RLIMIT64_SIZE);
        memory.structure().putLong(0, limit.hard());
        memory.structure().putLong(Layouts.RLIMIT64_MAX, limit.hard());
        checked(Call.PRLIMIT64, "", 0, RLIMIT_NOFILE, address, 0);
        return limit.hard();
    }

    /**
     * From now on these signals are not delivered but written, a byte each, to a pipe (signal(7));
     * those that were ignored stay ignored. Once in a process, before its first child.
     *
     * @param pipe write end; the caller keeps it open for ever
     */
    public void catchSignals(Fd pipe, int... signals) {
        NativeSyscalls.load();
        NativeSyscalls.catchSignals(number(pipe), signals);
    }

    /** Physical memory in bytes (sysinfo(2)). */
    public long totalRam() throws ErrnoException {
        CallMemory memory = CallMemory.get();
        checked(Call.SYSINFO, "", memory.structure(Layouts.SYSINFO_SIZE));
        long unit = memory.structure().getInt(Layouts.SYSINFO_MEM_UNIT) & 0xffffffffL;
        return memory.structure().getLong(Layouts.SYSINFO_TOTALRAM) * unit;
    }

    /** Size of a page of memory (getauxval(3), AT_PAGESZ); 4096 on most machines. */
    public int pageBytes() throws ErrnoException {
        byte[] pairs = readFile(UnixPath.of("/proc/self/auxv"), AUXV_BYTES_MAX);
        for (int at = 0; at + 2 * Long.BYTES <= pairs.length; at += 2 * Long.BYTES) {
            if (pairs[at] == AT_PAGESZ && pairs[at + 1] == 0) {
                int value = at + Long.BYTES; // little-endian, like both machines
                return (pairs[value] & 0xff)
                        | (pairs[value + 1] & 0xff) << 8
                        | (pairs[value + 2] & 0xff) << 16;
            }
        }
        throw new ErrnoException(Call.READ, Errno.EINVAL, "/proc/self/auxv without AT_PAGESZ");
    }

    /** How many processors this process may run on (sched_getaffinity(2)). */
    public int processors() throws ErrnoException {
        CallMemory memory = CallMemory.get();
        long address = memory.bulk();
        int bytes = (int) checked(Call.SCHED_GETAFFINITY, "", 0, CPU_SET_BYTES_MAX, address);
        int count = 0;
        for (int i = 0; i < bytes; i += Long.BYTES) {
            count += Long.bitCount(memory.bulkBuffer().getLong(i));
        }
        return count;
    }

    /**
     * Processor time, user and system, of all children waited for, of theirs, and so on
     * (getrusage(2)).
     *
     * @return microseconds
     */
    public long childrenCpuMicros() throws ErrnoException {
        CallMemory memory = CallMemory.get();
        checked(Call.GETRUSAGE, "", RUSAGE_CHILDREN, memory.structure(Layouts.RUSAGE_SIZE));
        return micros(memory, 0) + micros(memory, Layouts.RUSAGE_STIME);
    }

    private static long micros(CallMemory memory, int timeval) {
        return memory.structure().getLong(timeval) * 1_000_000
                + memory.structure().getLong(timeval + Layouts.TIMEVAL_USEC);
    }

    /** The kernel's release, as {@code uname -r} prints it (uname(2)). */
    public String release() throws ErrnoException {
        CallMemory memory = CallMemory.get();
        checked(Call.UNAME, "", memory.structure(Layouts.UTSNAME_SIZE));
        byte[] text = new byte[Layouts.UTSNAME_TEXT];
        memory.structure().get(Layouts.UTSNAME_RELEASE, text);
        int length = 0;
        while (length < text.length && text[length] != 0) {
            length++;
        }
        return new String(text, 0, length, StandardCharsets.ISO_8859_1);
    }

    /** Version of Landlock; 0 when the kernel has none or it is switched off. */
    public int landlockAbi() {
        long version = raw(Call.LANDLOCK_CREATE_RULESET, 0, 0, LANDLOCK_CREATE_RULESET_VERSION);
        return version < 0 ? 0 : (int) version;
    }

    /** Whether keyctl(2) may be called here: asks for the session's keyring, creating none. */
    public boolean hasKeyrings() {
        return raw(Call.KEYCTL, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0) >= 0;
    }
}
