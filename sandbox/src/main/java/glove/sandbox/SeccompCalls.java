package glove.sandbox;

import glove.sys.Arch;

/**
 * The calls the seccomp filters speak of (asm/unistd.h): a constant by the call's name holds its
 * number on x86-64 in the high half and on aarch64 in the low half. A test compares every one with
 * the C headers.
 *
 * <p>Constants of the compiler's, because a filter is made in a process that has a few
 * milliseconds: an enum of this many, or text, takes longer to set up than the whole program.
 */
final class SeccompCalls {
    /**
     * open_tree_attr, the last call of Linux 6.15 and 6.16. Newer ones have not been looked at and
     * are answered as a kernel without them would: ENOSYS.
     */
    static final int NEWEST_KNOWN = 467;

    /** In the low half: aarch64 has no such call. x86-64 has all. */
    private static final int NONE = 0xffff;

    // Allowed or not by their arguments.
    static final int OPENAT = 257 << 16 | 56;
    static final int OPEN = 2 << 16 | NONE;
    static final int IOCTL = 16 << 16 | 29;
    static final int FCNTL = 72 << 16 | 25;
    static final int SOCKET = 41 << 16 | 198;
    static final int CLONE = 56 << 16 | 220;
    static final int PRLIMIT64 = 302 << 16 | 261;
    static final int SETRLIMIT = 160 << 16 | 164;
    static final int MKDIR = 83 << 16 | NONE;
    static final int CHMOD = 90 << 16 | NONE;
    static final int FCHMOD = 91 << 16 | 52;
    static final int CREAT = 85 << 16 | NONE;
    static final int MKNOD = 133 << 16 | NONE;
    static final int MKDIRAT = 258 << 16 | 34;
    static final int FCHMODAT = 268 << 16 | 53;
    static final int FCHMODAT2 = 452 << 16 | 452;
    static final int MKNODAT = 259 << 16 | 33;
    static final int MQ_OPEN = 240 << 16 | 180;
    static final int UNSHARE = 272 << 16 | 97;
    static final int SOCKETPAIR = 53 << 16 | 199;
    static final int PERSONALITY = 135 << 16 | 92;
    static final int SETSOCKOPT = 54 << 16 | 208;
    static final int SETXATTR = 188 << 16 | 5;
    static final int LSETXATTR = 189 << 16 | 6;
    static final int FSETXATTR = 190 << 16 | 7;
    static final int SETXATTRAT = 463 << 16 | 463;
    static final int SETPRIORITY = 141 << 16 | 140;
    static final int IOPRIO_SET = 251 << 16 | 30;
    static final int SCHED_SETPARAM = 142 << 16 | 118;
    static final int SCHED_SETSCHEDULER = 144 << 16 | 119;
    static final int SCHED_SETATTR = 314 << 16 | 274;
    static final int SCHED_SETAFFINITY = 203 << 16 | 122;

    // Reported when the agent is watched.
    static final int EXECVE = 59 << 16 | 221;
    static final int EXECVEAT = 322 << 16 | 281;
    static final int CONNECT = 42 << 16 | 203;
    static final int UNLINK = 87 << 16 | NONE;
    static final int UNLINKAT = 263 << 16 | 35;
    static final int RMDIR = 84 << 16 | NONE;
    static final int RENAME = 82 << 16 | NONE;
    static final int RENAMEAT = 264 << 16 | 38;
    static final int RENAMEAT2 = 316 << 16 | 276;

    // Namespaces and mounts, other processes, kernel surface no build or agent needs.
    static final int SETNS = 308 << 16 | 268;
    static final int MOUNT = 165 << 16 | 40;
    static final int UMOUNT2 = 166 << 16 | 39;
    static final int PIVOT_ROOT = 155 << 16 | 41;
    static final int CHROOT = 161 << 16 | 51;
    static final int OPEN_TREE = 428 << 16 | 428;
    static final int MOVE_MOUNT = 429 << 16 | 429;
    static final int FSOPEN = 430 << 16 | 430;
    static final int FSCONFIG = 431 << 16 | 431;
    static final int FSMOUNT = 432 << 16 | 432;
    static final int FSPICK = 433 << 16 | 433;
    static final int MOUNT_SETATTR = 442 << 16 | 442;
    static final int STATMOUNT = 457 << 16 | 457;
    static final int LISTMOUNT = 458 << 16 | 458;
    static final int OPEN_TREE_ATTR = 467 << 16 | 467;
    static final int PTRACE = 101 << 16 | 117;
    static final int PROCESS_VM_READV = 310 << 16 | 270;
    static final int PROCESS_VM_WRITEV = 311 << 16 | 271;
    static final int PIDFD_GETFD = 438 << 16 | 438;
    static final int KCMP = 312 << 16 | 272;
    static final int PROCESS_MADVISE = 440 << 16 | 440;
    static final int PROCESS_MRELEASE = 448 << 16 | 448;
    static final int MOVE_PAGES = 279 << 16 | 239;
    static final int MIGRATE_PAGES = 256 << 16 | 238;
    static final int KEYCTL = 250 << 16 | 219;
    static final int ADD_KEY = 248 << 16 | 217;
    static final int REQUEST_KEY = 249 << 16 | 218;
    static final int BPF = 321 << 16 | 280;
    static final int PERF_EVENT_OPEN = 298 << 16 | 241;
    static final int USERFAULTFD = 323 << 16 | 282;
    static final int MEMFD_SECRET = 447 << 16 | 447;
    static final int FANOTIFY_INIT = 300 << 16 | 262;
    static final int FANOTIFY_MARK = 301 << 16 | 263;
    static final int NAME_TO_HANDLE_AT = 303 << 16 | 264;
    static final int OPEN_BY_HANDLE_AT = 304 << 16 | 265;
    static final int QUOTACTL = 179 << 16 | 60;
    static final int QUOTACTL_FD = 443 << 16 | 443;
    static final int LOOKUP_DCOOKIE = 212 << 16 | 18;
    static final int KEXEC_LOAD = 246 << 16 | 104;
    static final int KEXEC_FILE_LOAD = 320 << 16 | 294;
    static final int INIT_MODULE = 175 << 16 | 105;
    static final int FINIT_MODULE = 313 << 16 | 273;
    static final int DELETE_MODULE = 176 << 16 | 106;
    static final int REBOOT = 169 << 16 | 142;
    static final int SWAPON = 167 << 16 | 224;
    static final int SWAPOFF = 168 << 16 | 225;
    static final int SYSLOG = 103 << 16 | 116;
    static final int ACCT = 163 << 16 | 89;
    static final int VHANGUP = 153 << 16 | 58;
    static final int SETHOSTNAME = 170 << 16 | 161;
    static final int SETDOMAINNAME = 171 << 16 | 162;
    static final int SETTIMEOFDAY = 164 << 16 | 170;
    static final int CLOCK_SETTIME = 227 << 16 | 112;
    static final int ADJTIMEX = 159 << 16 | 171;
    static final int CLOCK_ADJTIME = 305 << 16 | 266;
    static final int NFSSERVCTL = 180 << 16 | 42;
    static final int IOPL = 172 << 16 | NONE;
    static final int IOPERM = 173 << 16 | NONE;
    static final int MODIFY_LDT = 154 << 16 | NONE;
    static final int USELIB = 134 << 16 | NONE;
    static final int USTAT = 136 << 16 | NONE;
    static final int SYSFS = 139 << 16 | NONE;
    static final int _SYSCTL = 156 << 16 | NONE;

    // Arguments behind a pointer, or calls no filter sees.
    static final int CLONE3 = 435 << 16 | 435;
    static final int OPENAT2 = 437 << 16 | 437;
    static final int IO_URING_SETUP = 425 << 16 | 425;
    static final int IO_URING_ENTER = 426 << 16 | 426;
    static final int IO_URING_REGISTER = 427 << 16 | 427;

    // For allow-lists: what a small loop in C calls.
    static final int READ = 0 << 16 | 63;
    static final int WRITE = 1 << 16 | 64;
    static final int CLOSE = 3 << 16 | 57;
    static final int POLL = 7 << 16 | NONE;
    static final int PPOLL = 271 << 16 | 73;
    static final int WAIT4 = 61 << 16 | 260;
    static final int WAITID = 247 << 16 | 95;
    static final int KILL = 62 << 16 | 129;
    static final int EXIT = 60 << 16 | 93;
    static final int EXIT_GROUP = 231 << 16 | 94;
    static final int RT_SIGRETURN = 15 << 16 | 139;
    static final int RT_SIGPROCMASK = 14 << 16 | 135;
    static final int RESTART_SYSCALL = 219 << 16 | 128;
    static final int GETPID = 39 << 16 | 172;
    static final int ACCEPT4 = 288 << 16 | 242;
    static final int SENDMSG = 46 << 16 | 211;

    private SeccompCalls() {}

    /** The number of a call on an architecture, negative when it has none. */
    static int number(int call, Arch arch) {
        if (arch == Arch.X86_64) {
            return call >> 16;
        }
        int number = call & 0xffff;
        return number == NONE ? -1 : number;
    }
}
