package glove.sys;

/**
 * Sizes and offsets in bytes of the kernel's structures that are the same on both machines, and
 * the numbers that go with them. Each is checked against the C headers by a test; struct stat
 * differs and has {@link StatLayout}. Constants only, so that using them loads no class.
 */
final class Layouts {
    /** struct open_how (linux/openat2.h, since 5.6), of u64; the flags come first. */
    static final int OPEN_HOW_SIZE = 24;

    static final int OPEN_HOW_MODE = 8;
    static final int OPEN_HOW_RESOLVE = 16;

    /** struct linux_dirent64 (getdents64(2)). */
    static final int DIRENT64_RECLEN = 16;

    static final int DIRENT64_TYPE = 18;
    static final int DIRENT64_NAME = 19;

    /** struct siginfo as waitid(2) fills it (asm-generic/siginfo.h). */
    static final int SIGINFO_SIZE = 128;

    static final int SIGINFO_CODE = 8;
    static final int SIGINFO_PID = 16;
    static final int SIGINFO_STATUS = 24;

    /** struct rlimit64 (linux/resource.h). */
    static final int RLIMIT64_SIZE = 16;

    static final int RLIMIT64_MAX = 8;

    /** struct statfs (asm-generic/statfs.h). */
    static final int STATFS_SIZE = 120;

    static final int STATFS_TYPE = 0;
    static final int STATFS_FLAGS = 80;

    /** struct sysinfo (linux/sysinfo.h). */
    static final int SYSINFO_SIZE = 112;

    static final int SYSINFO_TOTALRAM = 32;
    static final int SYSINFO_MEM_UNIT = 104;

    /** struct pollfd (asm-generic/poll.h). */
    static final int POLLFD_SIZE = 8;

    static final int POLLFD_EVENTS = 4;
    static final int POLLFD_REVENTS = 6;

    /** struct __kernel_timespec (linux/time_types.h). */
    static final int TIMESPEC_SIZE = 16;

    static final int TIMESPEC_NSEC = 8;

    /** struct new_utsname (linux/utsname.h): six texts of this many bytes. */
    static final int UTSNAME_TEXT = 65;

    static final int UTSNAME_SIZE = 6 * UTSNAME_TEXT;
    static final int UTSNAME_RELEASE = 2 * UTSNAME_TEXT;

    /** struct rusage (linux/resource.h): its two times, each of seconds and microseconds. */
    static final int RUSAGE_SIZE = 144;

    static final int RUSAGE_STIME = 16;
    static final int TIMEVAL_USEC = 8;

    /** struct sockaddr_un (linux/un.h): the family, and a path of at most this many bytes. */
    static final int SOCKADDR_UN_SIZE = 110;

    static final int SOCKADDR_UN_PATH = 2;

    /** struct ucred (linux/socket.h): pid, uid, gid. */
    static final int UCRED_SIZE = 12;

    static final int UCRED_UID = 4;

    /** struct sockaddr_in and sockaddr_in6 (linux/in.h, linux/in6.h); the family comes first. */
    static final int SOCKADDR_IN_SIZE = 16;

    static final int SOCKADDR_IN_PORT = 2;
    static final int SOCKADDR_IN_ADDR = 4;
    static final int SOCKADDR_IN6_SIZE = 28;
    static final int SOCKADDR_IN6_PORT = SOCKADDR_IN_PORT;
    static final int SOCKADDR_IN6_ADDR = 8;

    /** struct user_msghdr (linux/socket.h) and the one control message Glove reads, SCM_RIGHTS. */
    static final int MSGHDR_SIZE = 56;

    static final int MSGHDR_IOV = 16;
    static final int MSGHDR_IOVLEN = 24;
    static final int MSGHDR_CONTROL = 32;
    static final int MSGHDR_CONTROLLEN = 40;
    static final int IOVEC_SIZE = 16;
    static final int IOVEC_LENGTH = 8;
    static final int CMSG_DATA = 16;
    static final int CMSG_LEVEL = 8;
    static final int CMSG_TYPE = 12;
    static final int CMSG_SPACE_OF_FD = 24;

    /** struct winsize (asm-generic/termios.h): rows, columns, pixels, of u16. */
    static final int WINSIZE_SIZE = 8;

    /** struct termios of the kernel (asm-generic/termbits.h), without speeds. */
    static final int TERMIOS_SIZE = 36;

    /** struct seccomp_notif and its answer (linux/seccomp.h, since 5.0; CONTINUE 5.5). */
    static final int SECCOMP_NOTIF_SIZE = 80;

    static final int SECCOMP_NOTIF_PID = 8;
    static final int SECCOMP_NOTIF_NR = 16;
    static final int SECCOMP_NOTIF_ARGS = 32;
    static final int SECCOMP_NOTIF_RESP_SIZE = 24;
    static final int SECCOMP_NOTIF_RESP_ERROR = 16;
    static final int SECCOMP_NOTIF_RESP_FLAGS = 20;

    private Layouts() {}
}
