package glove.sandbox;

import glove.sys.Arch;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What the filters must answer, written down a second time: the numbers as spec sheet 60, appendix
 * A, prints them (x86-64/aarch64) and the argument rules as predicates. Shares nothing with the
 * program under test.
 */
final class SeccompExpectation {
    static final int NEWEST_KNOWN = 467;

    private static final String DENIED = """
            mount 165/40 umount2 166/39 pivot_root 155/41 setns 308/268
            bpf 321/280 kexec_load 246/104 kexec_file_load 320/294 init_module 175/105
            finit_module 313/273 delete_module 176/106 ptrace 101/117
            process_vm_readv 310/270 process_vm_writev 311/271 keyctl 250/219
            add_key 248/217 request_key 249/218 reboot 169/142 swapon 167/224
            swapoff 168/225 open_tree 428/428 move_mount 429/429 fsopen 430/430
            fsconfig 431/431 fsmount 432/432 fspick 433/433 mount_setattr 442/442
            statmount 457/457 listmount 458/458 open_tree_attr 467/467
            pidfd_getfd 438/438 kcmp 312/272 process_madvise 440/440
            process_mrelease 448/448 userfaultfd 323/282 perf_event_open 298/241
            fanotify_init 300/262 fanotify_mark 301/263 open_by_handle_at 304/265
            name_to_handle_at 303/264 quotactl 179/60 quotactl_fd 443/443 syslog 103/116
            acct 163/89 sethostname 170/161 setdomainname 171/162 clock_settime 227/112
            settimeofday 164/170 adjtimex 159/171 clock_adjtime 305/266 iopl 172/-
            ioperm 173/- modify_ldt 154/- vhangup 153/58 lookup_dcookie 212/18
            move_pages 279/239 migrate_pages 256/238 nfsservctl 180/42 memfd_secret 447/447
            uselib 134/- ustat 136/- sysfs 139/- _sysctl 156/-
            """;

    /** Of those, what the root of a mount or UTS namespace of the agent's own may do. */
    private static final Set<String> OPENED = Set.of(
            "mount",
            "umount2",
            "pivot_root",
            "open_tree",
            "move_mount",
            "fsopen",
            "fsconfig",
            "fsmount",
            "fspick",
            "mount_setattr",
            "statmount",
            "listmount",
            "open_tree_attr",
            "sethostname",
            "setdomainname");

    private static final String ABSENT = """
            clone3 435/435 openat2 437/437 io_uring_setup 425/425 io_uring_enter 426/426
            io_uring_register 427/427
            """;

    private static final String CHECKED = """
            openat 257/56 open 2/- ioctl 16/29 socket 41/198 socketpair 53/199 clone 56/220
            unshare 272/97 prlimit64 302/261 setrlimit 160/164 personality 135/92 mkdir 83/- chmod 90/-
            fchmod 91/52 creat 85/- mknod 133/- mkdirat 258/34 fchmodat 268/53
            fchmodat2 452/452 mknodat 259/33 chroot 161/51 setsockopt 54/208 setxattr 188/5
            lsetxattr 189/6 fsetxattr 190/7 setxattrat 463/463 mq_open 240/180
            fcntl 72/25 setpriority 141/140 ioprio_set 251/30 sched_setparam 142/118
            sched_setscheduler 144/119 sched_setattr 314/274 sched_setaffinity 203/122
            """;

    private final Map<Integer, Integer> constant = new HashMap<>();
    private final Map<String, Integer> checkedByName;
    private final Map<Integer, String> checkedByNumber = new HashMap<>();
    private final boolean egress;
    private final boolean nesting;
    private final boolean mounting;

    SeccompExpectation(Arch arch, SeccompProgram.Sockets sockets, Nesting nesting) {
        this.nesting = nesting != Nesting.NONE;
        this.mounting = nesting == Nesting.MOUNT_NAMESPACES;
        egress = sockets == SeccompProgram.Sockets.LOOPBACK_EGRESS;
        parse(DENIED, arch).forEach((name, number) -> {
            if (!mounting || !OPENED.contains(name)) {
                constant.put(number, BpfMachine.EPERM);
            }
        });
        for (int number : parse(ABSENT, arch).values()) {
            constant.put(number, BpfMachine.ENOSYS);
        }
        checkedByName = parse(CHECKED, arch);
        checkedByName.forEach((name, number) -> checkedByNumber.put(number, name));
    }

    /** The calls whose arguments count, by name. */
    Map<String, Integer> checked() {
        return checkedByName;
    }

    /** The answer to a call. */
    int answer(int number, long[] arguments) {
        if (number < 0 || number > NEWEST_KNOWN) {
            return BpfMachine.ENOSYS;
        }
        String name = checkedByNumber.get(number);
        if (name != null && setsCoreLimit(name, arguments)) {
            return BpfMachine.DONE;
        }
        if (name != null && nesting && name.contains("setxattr")) {
            return BpfMachine.EOPNOTSUPP;
        }
        if (name != null
                && nesting
                && !mounting
                && name.equals("socket")
                && (int) arguments[0] == 16) {
            return BpfMachine.ENOSYS;
        }
        if (name != null) {
            return allowed(name, arguments) ? BpfMachine.ALLOW : BpfMachine.EPERM;
        }
        return constant.getOrDefault(number, BpfMachine.ALLOW);
    }

    private static boolean setsCoreLimit(String call, long[] a) {
        return switch (call) {
            case "setrlimit" -> (int) a[0] == 4;
            case "prlimit64" -> (int) a[0] == 0 && (int) a[1] == 4 && a[2] != 0;
            default -> false;
        };
    }

    private boolean allowed(String call, long[] a) {
        return switch (call) {
            case "mkdir", "chmod", "fchmod", "creat", "mknod" -> (a[1] & 06000) == 0;
            case "mkdirat", "fchmodat", "fchmodat2", "mknodat" -> (a[2] & 06000) == 0;
            case "open", "mq_open" -> (a[1] & 020000100) == 0 || (a[2] & 06000) == 0;
            case "openat" -> (a[2] & 020000100) == 0 || (a[3] & 06000) == 0;
            case "clone" ->
                (a[0] & (mounting ? 0x02000000 : nesting ? 0x02020000 : 0x7E020000)) == 0;
            case "unshare" ->
                (a[0] & (mounting ? 0x02000080 : nesting ? 0x02020080 : 0x7E020080)) == 0;
            case "prlimit64" -> (int) a[0] == 0;
            case "setrlimit", "setxattr", "lsetxattr", "fsetxattr", "setxattrat" -> true;
            case "chroot" -> nesting;
            case "fcntl" -> (int) a[1] != 1024 && (int) a[1] != 1040;
            case "sched_setparam", "sched_setscheduler", "sched_setattr", "sched_setaffinity" ->
                !nesting || (int) a[0] != 1;
            case "setpriority" -> !nesting || ((int) a[0] == 0 && (int) a[1] != 1);
            case "ioprio_set" -> !nesting || ((int) a[0] == 1 && (int) a[1] != 1);
            case "setsockopt" -> !(nesting && egress && makesPacketFilter((int) a[1], (int) a[2]));
            case "socketpair" -> (int) a[0] == 1;
            case "ioctl" ->
                switch ((int) a[1]) {
                    case 0x5412, 0x541C, 0x5423, 0x541D, 0x540C -> false;
                    case 0x8940, 0x8941, 0x8946, 0x8982, 0x8983, 0x89A0, 0x89A1, 0x89A2, 0x89A3 ->
                        !nesting;
                    case 0x8990, 0x8991, 0x8992, 0x8993, 0x8994, 0x8995, 0x89B0 -> !nesting;
                    default -> true;
                };
            case "personality" ->
                switch ((int) a[0]) {
                    case 0, 0x8, 0x20000, 0x20008, -1 -> true;
                    default -> false;
                };
            case "socket" -> socketAllowed((int) a[0], (int) a[1] & 0xf, (int) a[2]);
            default -> throw new AssertionError(call);
        };
    }

    /** SOL_IP and SOL_IPV6; SET_REPLACE and SET_ADD_COUNTERS of iptables, arptables, ebtables. */
    private static boolean makesPacketFilter(int level, int option) {
        return (level == 0 || level == 41)
                && switch (option) {
                    case 64, 65, 96, 97, 128, 129 -> true;
                    default -> false;
                };
    }

    private boolean socketAllowed(int family, int type, int protocol) {
        return switch (family) {
            case 1 -> type == 1 || type == 2 || type == 5;
            case 16 -> protocol == 0;
            case 2, 10 -> egress && type == 1 && (protocol == 0 || protocol == 6);
            default -> false;
        };
    }

    private static Map<String, Integer> parse(String table, Arch arch) {
        Map<String, Integer> numbers = new HashMap<>();
        String[] words = table.strip().split("[\\s/]+");
        for (int i = 0; i < words.length; i += 3) {
            String name = words[i];
            String x86 = words[i + 1];
            String aarch64 = words[i + 2];
            String number = arch == Arch.X86_64 ? x86 : aarch64;
            if (!number.equals("-")) {
                numbers.put(name, Integer.valueOf(number));
            }
        }
        return numbers;
    }
}
