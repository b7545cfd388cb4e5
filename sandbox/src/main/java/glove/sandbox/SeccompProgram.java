package glove.sandbox;

import static glove.sandbox.BpfAssembler.JEQ;
import static glove.sandbox.BpfAssembler.JGE;
import static glove.sandbox.BpfAssembler.JGT;
import static glove.sandbox.BpfAssembler.JSET;
import static glove.sandbox.BpfAssembler.NEXT;

import glove.sys.Arch;
import glove.sys.Bug;

/**
 * The agent's seccomp filter (seccomp(2)) as classic BPF: an array of {@code struct sock_filter},
 * ready for SECCOMP_SET_MODE_FILTER. What no rule names is allowed; what a rule denies fails with
 * EPERM, or with ENOSYS where callers know another way; a call in the numbers of another
 * architecture (i386, x32) ends the process.
 *
 * <p>Read from top to bottom: architecture, the calls whose arguments decide (the frequent ones
 * first), the calls denied outright, the numbers too new to be known. About 150 instructions for
 * x86-64. Since Linux 5.11 the kernel works out once, at load, which calls are allowed whatever
 * their arguments, and does not run the filter for them; so a plain list is as fast as a search
 * tree.
 *
 * <p>Only the low 32 bits of arguments are compared, because all compared ones are at most that
 * wide in the kernel: {@code int} (socket, socketpair; the flags of open; whose priority), {@code
 * unsigned int} (commands of ioctl and fcntl, the persona), {@code pid_t} (prlimit64, sched_*),
 * {@code umode_t}, 16 bits (every mode). clone takes an {@code unsigned long} and uses its low
 * half; unshare takes one too and refuses any bit in the high half. Comparing 64 bits would let
 * {@code 1 << 32 | TIOCSTI} through.
 *
 * <p>Making it and process 1's takes about 0.1 ms in a cold JVM with an AOT cache. Stateless; the
 * arrays returned belong to the caller.
 */
final class SeccompProgram {
    /** Which sockets the agent may make. */
    enum Sockets {
        /** Unix sockets, and route netlink for run-times that list interfaces. */
        OFFLINE,

        /**
         * Also TCP over IPv4 and IPv6, bind and listen included: in a network namespace with
         * nothing but loopback that reaches the egress proxy and the sandbox's own servers. UDP
         * stays denied, nothing there would answer it.
         */
        LOOPBACK_EGRESS
    }

    /** SECCOMP_RET_* (linux/seccomp.h). */
    static final int KILL_PROCESS = 0x8000_0000;

    private static final int USER_NOTIF = 0x7fc0_0000;

    static final int ALLOW = 0x7fff_0000;
    private static final int ERRNO = 0x0005_0000;
    private static final int EPERM = 1;
    private static final int ENOSYS = 38;
    private static final int EOPNOTSUPP = 95;

    private static final int RLIMIT_CORE = 4;

    /** Offsets in {@code struct seccomp_data}; of an argument's two words the low one is first. */
    private static final int NR = 0;

    private static final int ARCH = 4;
    private static final int FIRST_ARGUMENT = 16;
    private static final int ARGUMENT_BYTES = 8;

    private static final int NO_CALL = -1;
    private static final int X32_SYSCALL_BIT = 0x4000_0000;

    /** S_ISUID and S_ISGID. */
    private static final int SET_ID_BITS = 06000;

    /** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
    private static final int CLONE_NAMESPACES = 0x7E02_0000;

    private static final int CLONE_NEWNS = 0x0002_0000;

    /**
     * Never made, whatever the nesting: its root could mount cgroup2 (cgroup_namespaces(7)) and
     * there lift limits of the run, freeze or kill what else is in the group, because the files of
     * a delegated group belong to the user.
     */
    private static final int CLONE_NEWCGROUP = 0x0200_0000;

    /** For unshare only: in clone the same bit belongs to the exit signal. */
    private static final int CLONE_NEWTIME = 0x80;

    /**
     * O_CREAT, and __O_TMPFILE without the O_DIRECTORY that O_TMPFILE adds (it differs between the
     * architectures): the bits that make the kernel look at open's mode at all.
     */
    private static final int O_MAKING = 0100 | 020000000;

    /**
     * TIOCSTI and TIOCLINUX type into a terminal, TIOCSETD attaches line disciplines (and loads
     * their modules), TIOCCONS takes the console's output, TIOCEXCL locks others out of one.
     */
    private static final int[] DENIED_IOCTLS = {0x5412, 0x541C, 0x5423, 0x541D, 0x540C};

    /**
     * The same, and what a Unix socket, too, lets the root of a network namespace do to it
     * (linux/sockios.h): bridges (SIOCGIFBR, SIOCSIFBR, SIOCBR*), VLANs (SIOCGIFVLAN,
     * SIOCSIFVLAN), bonds (SIOCBOND*), SIOCETHTOOL and SIOCSHWTSTAMP.
     */
    private static final int[] DENIED_IOCTLS_NESTING = {
        0x5412, 0x541C, 0x5423, 0x541D, 0x540C, 0x8940, 0x8941, 0x8946, 0x8982, 0x8983, 0x8990,
        0x8991, 0x8992, 0x8993, 0x8994, 0x8995, 0x89A0, 0x89A1, 0x89A2, 0x89A3, 0x89B0,
    };

    /**
     * F_SETLEASE and, of directories, F_SETDELEG (linux/fcntl.h): whoever opens a file on which its
     * owner holds a lease waits for it to be given back, 45 seconds as a rule (fcntl(2)). A file
     * that is granted read-only would do, and the host waits.
     */
    private static final int[] LEASES = {1024, 1040};

    /** The sandbox's own init (pid_namespaces(7)). */
    private static final int PROCESS_1 = 1;

    private static final int PRIO_PROCESS = 0;
    private static final int IOPRIO_WHO_PROCESS = 1;

    /** PER_LINUX and PER_LINUX32, with and without UNAME26, and the query. */
    private static final int[] PERSONAS = {0, 0x8, 0x20000, 0x20008, 0xffff_ffff};

    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int AF_NETLINK = 16;
    private static final int NETLINK_ROUTE = 0;
    private static final int IPPROTO_TCP = 6;
    private static final int SOL_IP = 0;
    private static final int SOL_IPV6 = 41;

    /** IPT_, ARPT_ and EBT_BASE_CTL, and the number after each: a packet filter's new tables. */
    private static final int[] PACKET_FILTERS = {64, 65, 96, 97, 128, 129};

    /** The type without SOCK_CLOEXEC and SOCK_NONBLOCK; the kernel refuses other bits above it. */
    private static final int SOCK_TYPE_MASK = 0xf;

    private static final int SOCK_STREAM = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_SEQPACKET = 5;

    private final BpfAssembler filter = new BpfAssembler();
    private final Arch arch;
    private final int kill = filter.label();
    private final int eperm = filter.label();
    private final int enosys = filter.label();
    private final int eopnotsupp = filter.label();
    private final int allow = filter.label();
    private final int done = filter.label();

    /** For a call that would be allowed, and one that asks for the network, when watched. */
    private final int reported = filter.label();

    private final boolean watched;
    private final boolean nesting;
    private final boolean mounting;

    private SeccompProgram(Arch arch, Nesting nesting, boolean watched) {
        this.arch = arch;
        this.nesting = nesting != Nesting.NONE;
        this.mounting = nesting.allowsMounts();
        this.watched = watched;
    }

    /** What the agent and all it starts may call: no namespaces, and nobody hears of it. */
    static byte[] forAgent(Arch arch, Sockets sockets) {
        return forAgent(arch, sockets, Nesting.NONE, false);
    }

    /**
     * What the agent and all it starts may call.
     *
     * @param watched whether who holds the filter's listener hears of the calls that fail most
     *     (seccomp_unotify(2)); he must refuse those for a socket, as allowed ones are not reported
     */
    static byte[] forAgent(Arch arch, Sockets sockets, Nesting nesting, boolean watched) {
        SeccompProgram program = new SeccompProgram(arch, nesting, watched);
        begin(program.filter, arch, program.kill);
        program.checkArguments(sockets);
        program.answer(SeccompLists.DENIED, program.eperm);
        if (!program.mounting) {
            program.answer(SeccompLists.OF_NAMESPACE_ROOTS, program.eperm);
        }
        program.answer(SeccompLists.ABSENT, program.enosys);
        if (watched) {
            program.answer(SeccompLists.WATCHED, program.reported);
        }
        program.filter.jump(JGT, SeccompCalls.NEWEST_KNOWN, program.enosys, program.allow);
        program.end();
        return program.filter.bytes();
    }

    /**
     * What process 1 may call while it serves; anything else ends it.
     *
     * @param publishes whether it makes TCP sockets for who is outside
     */
    static byte[] forInit(Arch arch, boolean publishes) {
        return publishes ? InitSeccomp.publishing(arch) : InitSeccomp.program(arch);
    }

    /** Bits of clone and unshare. */
    private int neverMade() {
        if (!nesting) {
            return CLONE_NAMESPACES;
        }
        return mounting ? CLONE_NEWCGROUP : CLONE_NEWCGROUP | CLONE_NEWNS;
    }

    /** The start of every filter: a foreign architecture is killed, A holds the call's number. */
    static void begin(BpfAssembler filter, Arch arch, int kill) {
        filter.load(ARCH);
        filter.jump(JEQ, arch.auditArch(), NEXT, kill);
        filter.load(NR);
        if (arch == Arch.X86_64) {
            // x32 has the same AUDIT_ARCH; its numbers would pass by every comparison below.
            filter.jump(JGE, X32_SYSCALL_BIT, kill, NEXT);
        }
    }

    private void end() {
        filter.place(kill);
        filter.ret(KILL_PROCESS);
        filter.place(eperm);
        filter.ret(ERRNO | EPERM);
        filter.place(enosys);
        filter.ret(ERRNO | ENOSYS);
        if (nesting) {
            filter.place(eopnotsupp);
            filter.ret(ERRNO | EOPNOTSUPP);
        }
        filter.place(done);
        filter.ret(ERRNO); // errno 0: success, and the kernel does nothing
        if (watched) {
            filter.place(reported);
            filter.ret(USER_NOTIF);
        }
        filter.place(allow);
        filter.ret(ALLOW);
    }

    private void checkArguments(Sockets sockets) {
        // No file with a set-user-id or set-group-id bit can be made: granted directories are
        // the host's, where such a file would work.
        checkOpen(2, 3, SeccompCalls.OPENAT);
        if (arch == Arch.X86_64) {
            checkOpen(1, 2, SeccompCalls.OPEN);
        }
        // A message queue is a file, too: of a file system that may be mounted, and copied from.
        checkOpen(1, 2, SeccompCalls.MQ_OPEN);
        int[] ioctls = nesting ? DENIED_IOCTLS_NESTING : DENIED_IOCTLS;
        decide(1, ioctls, eperm, allow, SeccompCalls.IOCTL);
        decide(1, LEASES, eperm, allow, SeccompCalls.FCNTL);
        denyBits(0, neverMade(), allow, SeccompCalls.CLONE);
        checkSocket(sockets);
        checkLimits();
        denyBits(1, SET_ID_BITS, watched ? reported : allow, SeccompLists.MODE_SECOND);
        denyBits(2, SET_ID_BITS, watched ? reported : allow, SeccompLists.MODE_THIRD);
        denyBits(0, neverMade() | CLONE_NEWTIME, allow, SeccompCalls.UNSHARE);
        decide(0, new int[] {AF_UNIX}, allow, eperm, SeccompCalls.SOCKETPAIR);
        decide(0, PERSONAS, allow, eperm, SeccompCalls.PERSONALITY);
        if (!nesting) {
            answer(new int[] {SeccompCalls.CHROOT}, eperm);
            return;
        }
        // Browsers give up all files by chroot; it shows none that was not there before.
        answer(SeccompLists.ATTRIBUTES, eopnotsupp);
        checkScheduling();
        if (sockets == Sockets.LOOPBACK_EGRESS) {
            checkSocketOptions();
        }
    }

    /**
     * The root of a user namespace has the capability that keeps process 1 from being slowed by
     * others of its user. Whoever has that number in a pid namespace of the agent's own is taken
     * for it; it may still name itself 0. Groups and users may hold process 1.
     */
    private void checkScheduling() {
        int other = beginCalls(SeccompLists.SCHEDULING);
        loadArgument(0);
        filter.jump(JEQ, PROCESS_1, eperm, allow);
        filter.place(other);
        checkPriority(PRIO_PROCESS, SeccompCalls.SETPRIORITY);
        checkPriority(IOPRIO_WHO_PROCESS, SeccompCalls.IOPRIO_SET);
    }

    private void checkPriority(int kindOfOne, int call) {
        int other = beginCalls(call);
        loadArgument(0);
        filter.jump(JEQ, kindOfOne, NEXT, eperm);
        loadArgument(1);
        filter.jump(JEQ, PROCESS_1, eperm, allow);
        filter.place(other);
    }

    /** The root of a network namespace may give it packet filters, by any internet socket. */
    private void checkSocketOptions() {
        int options = filter.label();
        int other = beginCalls(SeccompCalls.SETSOCKOPT);
        loadArgument(1);
        filter.jump(JEQ, SOL_IP, options, NEXT);
        filter.jump(JEQ, SOL_IPV6, NEXT, allow);
        filter.place(options);
        loadArgument(2);
        decideA(PACKET_FILTERS, eperm, allow);
        filter.place(other);
    }

    /**
     * Not of another process: it would starve process 1 of descriptors. And the limit of core files
     * stays 1: with 0, which an agent may always choose, a core_pattern that pipes would start its
     * program on the host (core(5)). The answer is success, because what is asked for with 0, that
     * no core be written, holds already, and programs that keep secrets give up otherwise.
     */
    private void checkLimits() {
        int other = beginCalls(SeccompCalls.PRLIMIT64);
        loadArgument(0);
        filter.jump(JEQ, 0, NEXT, eperm);
        loadArgument(1);
        filter.jump(JEQ, RLIMIT_CORE, NEXT, allow);
        // Both halves of the pointer to the new limit: none is a question.
        loadArgument(2);
        filter.jump(JEQ, 0, NEXT, done);
        filter.load(FIRST_ARGUMENT + ARGUMENT_BYTES * 2 + ARGUMENT_BYTES / 2);
        filter.jump(JEQ, 0, allow, done);
        filter.place(other);
        decide(0, new int[] {RLIMIT_CORE}, done, allow, SeccompCalls.SETRLIMIT);
    }

    /** EPERM when the argument has one of the bits. */
    private void denyBits(int argument, int bits, int fine, int... calls) {
        int other = beginCalls(calls);
        loadArgument(argument);
        filter.jump(JSET, bits, eperm, fine);
        filter.place(other);
    }

    private void checkOpen(int flags, int mode, int call) {
        int other = beginCalls(call);
        loadArgument(flags);
        int fine = watched ? reported : allow;
        filter.jump(JSET, O_MAKING, NEXT, fine);
        loadArgument(mode);
        filter.jump(JSET, SET_ID_BITS, eperm, fine);
        filter.place(other);
    }

    /** One label when the argument is one of the values, the other when it is none. */
    private void decide(int argument, int[] values, int match, int none, int call) {
        int other = beginCalls(call);
        loadArgument(argument);
        decideA(values, match, none);
        filter.place(other);
    }

    private void checkSocket(Sockets sockets) {
        boolean inet = sockets == Sockets.LOOPBACK_EGRESS;
        int unix = filter.label();
        int tcp = filter.label();
        int other = beginCalls(SeccompCalls.SOCKET);
        loadArgument(0);
        filter.jump(JEQ, AF_UNIX, unix, NEXT);
        if (inet) {
            filter.jump(JEQ, AF_INET, tcp, NEXT);
            filter.jump(JEQ, AF_INET6, tcp, NEXT);
        }
        if (watched && !inet) {
            filter.jump(JEQ, AF_INET, reported, NEXT);
            filter.jump(JEQ, AF_INET6, reported, NEXT);
        }
        if (nesting && !mounting) {
            // With the capabilities of a namespace of one's own it would configure qdiscs and
            // tunnels. ENOSYS makes run-times list no interfaces, and go on.
            filter.jump(JEQ, AF_NETLINK, enosys, eperm);
        } else {
            filter.jump(JEQ, AF_NETLINK, NEXT, eperm);
            // Without a capability in the namespace it reads addresses and routes, no more.
            loadArgument(2);
            filter.jump(JEQ, NETLINK_ROUTE, allow, eperm);
        }
        if (inet) {
            filter.place(tcp);
            loadArgument(1);
            filter.and(SOCK_TYPE_MASK);
            filter.jump(JEQ, SOCK_STREAM, NEXT, watched ? reported : eperm);
            // Not MPTCP, SCTP or SMC, which are streams too.
            loadArgument(2);
            decideA(new int[] {0, IPPROTO_TCP}, allow, eperm);
        }
        filter.place(unix);
        loadArgument(1);
        filter.and(SOCK_TYPE_MASK);
        decideA(new int[] {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET}, allow, eperm);
        filter.place(other);
    }

    /**
     * Instructions up to the place of the returned label are for these calls only. They end in
     * jumps away, so that behind the label A still holds the call's number.
     */
    private int beginCalls(int... calls) {
        int rule = filter.label();
        int other = filter.label();
        int last = NO_CALL;
        for (int call : calls) {
            int number = SeccompCalls.number(call, arch);
            if (number < 0) {
                continue;
            }
            if (last != NO_CALL) {
                filter.jump(JEQ, last, rule, NEXT);
            }
            last = number;
        }
        if (last == NO_CALL) {
            throw new Bug("a rule for no call of " + arch);
        }
        filter.jump(JEQ, last, NEXT, other);
        filter.place(rule);
        return other;
    }

    private void decideA(int[] values, int match, int none) {
        int last = values.length - 1;
        for (int i = 0; i < last; i++) {
            filter.jump(JEQ, values[i], match, NEXT);
        }
        filter.jump(JEQ, values[last], match, none);
    }

    private void answer(int[] calls, int answer) {
        for (int call : calls) {
            int number = SeccompCalls.number(call, arch);
            if (number >= 0) {
                filter.jump(JEQ, number, answer, NEXT);
            }
        }
    }

    private void loadArgument(int index) {
        loadArgument(filter, index);
    }

    /** A := the low half of an argument of the call. */
    static void loadArgument(BpfAssembler filter, int index) {
        filter.load(FIRST_ARGUMENT + ARGUMENT_BYTES * index);
    }
}
