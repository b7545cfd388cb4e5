package glove.sys;

import java.nio.charset.StandardCharsets;

/**
 * Typed system calls, one method each, named as the manual names them. Nothing here decides or
 * logs; EINTR is retried where a method says so. Thread-safe: memory for a call is the calling
 * thread's.
 */
public final class Linux extends ProcessCalls {
    public static final int RLIMIT_NPROC = 6;
    public static final int RLIMIT_NOFILE = 7;

    private static final int LANDLOCK_CREATE_RULESET_VERSION = 1;
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
