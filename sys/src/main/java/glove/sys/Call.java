package glove.sys;

import java.util.Locale;

/**
 * The system calls Glove makes, here or through a launch plan, with their numbers (asm/unistd.h),
 * checked against the C headers by a test.
 */
public enum Call {
    READ(0, 63),
    WRITE(1, 64),
    CLOSE(3, 57),
    OPENAT(257, 56),
    OPENAT2(437, 437),
    PREAD64(17, 67),
    PWRITE64(18, 68),
    NEWFSTATAT(262, 79),
    FCNTL(72, 25),
    DUP(32, 23),
    PIPE2(293, 59),
    LSEEK(8, 62),
    GETDENTS64(217, 61),
    READLINKAT(267, 78),
    FACCESSAT(269, 48),
    FACCESSAT2(439, 439),
    MEMFD_CREATE(319, 279),
    KILL(62, 129),
    WAIT4(61, 260),
    GETPID(39, 172),
    GETPGID(121, 155),
    GETUID(102, 174),
    GETEUID(107, 175),
    GETGID(104, 176),
    GETEGID(108, 177),
    PRCTL(157, 167),
    PRLIMIT64(302, 261),
    IOCTL(16, 29),
    FLOCK(73, 32),
    FSYNC(74, 82),
    FDATASYNC(75, 83),
    FTRUNCATE(77, 46),
    UNLINKAT(263, 35),
    MKDIRAT(258, 34),
    UNAME(63, 160),
    SYSINFO(99, 179),
    KEYCTL(250, 219),
    PPOLL(271, 73),
    STATFS(137, 43),
    SYMLINKAT(266, 36),
    FCHMOD(91, 52),
    FCHMODAT(268, 53),
    FCHOWN(93, 55),
    OPEN_TREE(428, 428),
    MOVE_MOUNT(429, 429),
    MOUNT_SETATTR(442, 442),
    FSOPEN(430, 430),
    FSCONFIG(431, 431),
    FSMOUNT(432, 432),
    PIVOT_ROOT(155, 41),
    UMOUNT2(166, 39),
    CHDIR(80, 49),
    FCHDIR(81, 50),
    UNSHARE(272, 97),
    SETSID(112, 157),
    SETHOSTNAME(170, 161),
    SETDOMAINNAME(171, 162),
    UMASK(95, 166),
    SETRESUID(117, 147),
    SETRESGID(119, 149),
    SETGROUPS(116, 159),
    CAPSET(126, 91),
    CLOSE_RANGE(436, 436),
    EXECVEAT(322, 281),
    LANDLOCK_CREATE_RULESET(444, 444),
    LANDLOCK_ADD_RULE(445, 445),
    LANDLOCK_RESTRICT_SELF(446, 446),
    PIDFD_OPEN(434, 434),
    PIDFD_SEND_SIGNAL(424, 424),
    WAITID(247, 95),
    GETGROUPS(115, 158),
    SOCKETPAIR(53, 199),
    RENAMEAT2(316, 276),
    FSTATFS(138, 44),
    FGETXATTR(193, 10),
    LGETXATTR(192, 9),
    SCHED_GETAFFINITY(204, 123),
    GETRUSAGE(98, 165),
    SETNS(308, 268),
    SETPGID(109, 154),
    DUP3(292, 24),
    SOCKET(41, 198),
    BIND(49, 200),
    LISTEN(50, 201),
    ACCEPT4(288, 242),
    CONNECT(42, 203),
    RECVMSG(47, 212),
    SHUTDOWN(48, 210),
    PROCESS_VM_READV(310, 270),
    SENDMSG(46, 211),
    INOTIFY_INIT1(294, 26),
    INOTIFY_ADD_WATCH(254, 27),
    EPOLL_CREATE1(291, 20),
    EPOLL_CTL(233, 21),
    EPOLL_PWAIT(281, 22),
    EVENTFD2(290, 19),
    SPLICE(275, 76),
    SENDTO(44, 206),
    RECVFROM(45, 207),
    GETSOCKNAME(51, 204),
    SETSOCKOPT(54, 208),
    GETSOCKOPT(55, 209);

    private final int x86;
    private final int arm;

    Call(int x86, int arm) {
        this.x86 = x86;
        this.arm = arm;
    }

    /** The number on the machine this JVM runs on. */
    public int number() {
        return number(Arch.host());
    }

    /** The number on a machine. */
    public int number(Arch arch) {
        return arch == Arch.X86_64 ? x86 : arm;
    }

    /** As the manual spells it. */
    public String kernelName() {
        String lower = name().toLowerCase(Locale.ROOT);
        return this == NEWFSTATAT ? "fstatat" : lower;
    }
}
