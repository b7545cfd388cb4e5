package glove.sandbox;

import static glove.sandbox.BpfMachine.ALLOW;
import static glove.sandbox.BpfMachine.DONE;
import static glove.sandbox.BpfMachine.ENOSYS;
import static glove.sandbox.BpfMachine.EOPNOTSUPP;
import static glove.sandbox.BpfMachine.EPERM;
import static glove.sandbox.BpfMachine.KILL_PROCESS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sandbox.SeccompProgram.Sockets;
import glove.sys.Arch;
import glove.testkit.Seed;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;

@Tag("unit")
class SeccompProgramTest {
    /** Bits the kernel drops from every argument that is compared. */
    private static final long HIGH = 0xdead_beef_0000_0000L;

    private static final int TIOCSTI = 0x5412;
    private static final int TCGETS = 0x5401;

    /** One filter, its machine, and the second description of what it must do. */
    record Filter(Arch arch, Sockets sockets, Nesting nesting) {
        int run(String call, long... arguments) {
            return machine().run(arch, number(call), arguments);
        }

        int number(String call) {
            Integer number = expectation().checked().get(call);
            return Objects.requireNonNull(number, call);
        }

        boolean has(String call) {
            return expectation().checked().containsKey(call);
        }

        BpfMachine machine() {
            return new BpfMachine(SeccompProgram.forAgent(arch, sockets, nesting, false));
        }

        SeccompExpectation expectation() {
            return new SeccompExpectation(arch, sockets, nesting);
        }
    }

    static List<Filter> filters() {
        List<Filter> all = new ArrayList<>();
        for (Arch arch : Arch.values()) {
            for (Sockets sockets : Sockets.values()) {
                for (Nesting nesting : Nesting.values()) {
                    all.add(new Filter(arch, sockets, nesting));
                }
            }
        }
        return all;
    }

    private static List<Filter> nesting(Nesting nesting) {
        return filters().stream().filter(filter -> filter.nesting() == nesting).toList();
    }

    static List<Filter> plain() {
        return nesting(Nesting.NONE);
    }

    static List<Filter> nestingFilters() {
        return nesting(Nesting.USER_NAMESPACES);
    }

    @ParameterizedTest
    @MethodSource("filters")
    void theProgramIsOneTheKernelTakesAndShort(Filter filter) {
        // The machine's constructor checks codes, loads and jump targets; every jump fits a byte.
        assertThat(filter.machine().length()).isLessThan(220);
    }

    @ParameterizedTest
    @EnumSource
    void withoutAskingThereAreNoNamespaces(Arch arch) {
        assertThat(SeccompProgram.forAgent(arch, Sockets.OFFLINE))
                .isEqualTo(SeccompProgram.forAgent(arch, Sockets.OFFLINE, Nesting.NONE, false));
    }

    @ParameterizedTest
    @MethodSource("filters")
    void everyNumberGetsTheTablesAnswer(Filter filter) {
        BpfMachine machine = filter.machine();
        SeccompExpectation expectation = filter.expectation();
        long[] zeros = new long[6];
        long[] ones = {-1, -1, -1, -1, -1, -1};
        for (int number = 0; number <= 600; number++) {
            for (long[] arguments : List.of(zeros, ones)) {
                assertThat(machine.run(filter.arch(), number, arguments))
                        .as("call %d of %s", number, filter)
                        .isEqualTo(expectation.answer(number, arguments));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("filters")
    void checkedCallsFollowTheRulesForAnyArguments(Filter filter) {
        BpfMachine machine = filter.machine();
        SeccompExpectation expectation = filter.expectation();
        Random random = Seed.random(1);
        for (int number : expectation.checked().values()) {
            for (int round = 0; round < 500; round++) {
                long[] arguments = arguments(random);
                assertThat(machine.run(filter.arch(), number, arguments))
                        .as(
                                "call %d of %s, %s; %s",
                                number, filter, Arrays.toString(arguments), Seed.words())
                        .isEqualTo(expectation.answer(number, arguments));
            }
        }
    }

    /** Values near the rules' own, with and without a high half. */
    private static long[] arguments(Random random) {
        long[] values = {
            0,
            1,
            2,
            5,
            6,
            8,
            10,
            16,
            0644,
            04755,
            02000,
            0100,
            020000000,
            0x80,
            0x20000,
            0x20008,
            0x10000000,
            0x40000000,
            TIOCSTI,
            0x541C,
            0x541D,
            0x5423,
            0x540C,
            1024,
            1040,
            TCGETS,
            0x8940,
            0x8946,
            0x8995,
            0x89A3,
            41,
            64,
            129,
            0x80801,
            0xffff_ffffL,
        };
        long[] arguments = new long[6];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = switch (random.nextInt(4)) {
                case 0 -> random.nextLong();
                case 1 -> values[random.nextInt(values.length)] | HIGH;
                default -> values[random.nextInt(values.length)];
            };
        }
        return arguments;
    }

    @ParameterizedTest
    @MethodSource("filters")
    void theNumbersOfOtherArchitecturesKill(Filter filter) {
        BpfMachine machine = filter.machine();
        int i386 = 0x4000_0003;
        int arm = 0x4000_0028;
        int bigEndianAarch64 = 0x8000_00B7;
        int other =
                filter.arch() == Arch.X86_64 ? Arch.AARCH64.auditArch() : Arch.X86_64.auditArch();

        for (int auditArch : new int[] {i386, arm, bigEndianAarch64, other, 0}) {
            assertThat(machine.run(auditArch, 39)).as("%x", auditArch).isEqualTo(KILL_PROCESS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void x32Kills(Sockets sockets) {
        BpfMachine machine = new BpfMachine(SeccompProgram.forAgent(Arch.X86_64, sockets));

        for (int number :
                new int[] {0x4000_0000, 0x4000_0000 | 39, 0x4000_0000 | 512, 0x7fff_ffff, -1}) {
            assertThat(machine.run(Arch.X86_64, number)).as("%x", number).isEqualTo(KILL_PROCESS);
        }
        assertThat(machine.run(Arch.X86_64, 0x3fff_ffff)).isEqualTo(ENOSYS);
    }

    @ParameterizedTest
    @MethodSource("filters")
    void callsNewerThanTheNewestKnownDoNotExist(Filter filter) {
        BpfMachine machine = filter.machine();

        assertThat(machine.run(filter.arch(), 466)).isEqualTo(ALLOW);
        for (int number : new int[] {468, 469, 470, 1000, 0x3fff_ffff}) {
            assertThat(machine.run(filter.arch(), number)).as("%d", number).isEqualTo(ENOSYS);
        }
        if (filter.arch() == Arch.AARCH64) {
            assertThat(machine.run(filter.arch(), -1)).isEqualTo(ENOSYS);
        }
    }

    @ParameterizedTest
    @MethodSource("filters")
    void noModeCarriesASetIdBit(Filter filter) {
        for (String call : List.of("mkdir", "chmod", "fchmod", "creat", "mknod")) {
            checkMode(filter, call, 1);
        }
        for (String call : List.of("mkdirat", "fchmodat", "fchmodat2", "mknodat")) {
            checkMode(filter, call, 2);
        }
    }

    private static void checkMode(Filter filter, String call, int argument) {
        if (!filter.has(call)) {
            assertThat(filter.arch()).as(call).isEqualTo(Arch.AARCH64);
            return;
        }
        long[] arguments = {-1, -1, -1, -1, -1, -1};
        for (long mode : new long[] {
            04755, 02755, 06000, 04000, 0104644, 04755 | HIGH, 0xffff_8000_0000_0800L
        }) {
            arguments[argument] = mode;
            assertThat(filter.run(call, arguments)).as("%s %o", call, mode).isEqualTo(EPERM);
        }
        for (long mode :
                new long[] {0, 0755, 01777, 0010644, 0100644, 0644 | HIGH, 0xffff_ffff_ffff_f1ffL
                }) {
            arguments[argument] = mode;
            assertThat(filter.run(call, arguments)).as("%s %o", call, mode).isEqualTo(ALLOW);
        }
    }

    @ParameterizedTest
    @MethodSource("filters")
    void openLooksAtTheModeOnlyWhereAFileMayBeMade(Filter filter) {
        int oDirectory = filter.arch() == Arch.X86_64 ? 0200000 : 040000;
        long oTmpfile = 020000000 | oDirectory;

        assertThat(filter.run("openat", -100, 1, 0, 07777)).isEqualTo(ALLOW);
        assertThat(filter.run("openat", -100, 1, oDirectory, 07777)).isEqualTo(ALLOW);
        assertThat(filter.run("openat", -100, 1, 0101, 0644)).isEqualTo(ALLOW);
        assertThat(filter.run("openat", -100, 1, 0101, 04755)).isEqualTo(EPERM);
        assertThat(filter.run("openat", -100, 1, 0101 | HIGH, 02755 | HIGH)).isEqualTo(EPERM);
        assertThat(filter.run("openat", -100, 1, 2 | oTmpfile, 0600)).isEqualTo(ALLOW);
        assertThat(filter.run("openat", -100, 1, 2 | oTmpfile, 04700)).isEqualTo(EPERM);
        if (filter.has("open")) {
            assertThat(filter.run("open", 1, 0, 07777)).isEqualTo(ALLOW);
            assertThat(filter.run("open", 1, 0101, 0644, 06000)).isEqualTo(ALLOW);
            assertThat(filter.run("open", 1, 0101, 02755)).isEqualTo(EPERM);
            assertThat(filter.run("open", 1, 2 | oTmpfile, 04700)).isEqualTo(EPERM);
        }
    }

    @ParameterizedTest
    @MethodSource("filters")
    void terminalInjectionIsDeniedWhateverTheHighHalf(Filter filter) {
        for (long command : new long[] {TIOCSTI, 0x541C, 0x5423, 0x541D}) {
            assertThat(filter.run("ioctl", 0, command)).isEqualTo(EPERM);
            assertThat(filter.run("ioctl", 0, command | HIGH)).isEqualTo(EPERM);
            assertThat(filter.run("ioctl", command, TCGETS, command)).isEqualTo(ALLOW);
        }
        assertThat(filter.run("ioctl", 0, 0x5413)).isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @MethodSource("filters")
    void nobodyIsMadeToWaitForALease(Filter filter) {
        for (long command : new long[] {1024, 1040, 1024 | HIGH}) {
            assertThat(filter.run("fcntl", 3, command, 0)).isEqualTo(EPERM);
        }
        for (long command : new long[] {0, 1, 2, 3, 4, 7, 38, 1025, 1030, 1031, 1033}) {
            assertThat(filter.run("fcntl", 1024, command, 1024)).isEqualTo(ALLOW);
        }
    }

    @ParameterizedTest
    @MethodSource("filters")
    void theRootOfANestedNamespaceDoesNotSlowProcess1(Filter filter) {
        int answer = filter.nesting() == Nesting.NONE ? ALLOW : EPERM;

        for (String call : List.of(
                "sched_setparam", "sched_setscheduler", "sched_setattr", "sched_setaffinity")) {
            assertThat(filter.run(call, 1 | HIGH, 1, 1)).as(call).isEqualTo(answer);
            assertThat(filter.run(call, 0, 1, 1)).as(call).isEqualTo(ALLOW);
            assertThat(filter.run(call, 17, 1, 1)).as(call).isEqualTo(ALLOW);
        }
        assertThat(filter.run("setpriority", 0, 1, 5)).isEqualTo(answer);
        assertThat(filter.run("setpriority", 2, 0, 5)).as("all of the user's").isEqualTo(answer);
        assertThat(filter.run("setpriority", 0, 0, 5)).isEqualTo(ALLOW);
        assertThat(filter.run("ioprio_set", 1, 1, 5)).isEqualTo(answer);
        assertThat(filter.run("ioprio_set", 2, 0, 5)).as("of a group").isEqualTo(answer);
        assertThat(filter.run("ioprio_set", 1, 0, 5)).isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @MethodSource("plain")
    void cloneMakesProcessesAndThreadsButNoNamespace(Filter filter) {
        long thread = 0x003d_0f00;
        long vfork = 0x4111;

        assertThat(filter.run("clone", thread)).isEqualTo(ALLOW);
        assertThat(filter.run("clone", vfork)).isEqualTo(ALLOW);
        assertThat(filter.run("clone", 0x80 | 17)).isEqualTo(ALLOW);
        for (long flag : namespaces()) {
            assertThat(filter.run("clone", flag | 17)).as("%x", flag).isEqualTo(EPERM);
            assertThat(filter.run("clone", flag | 17 | HIGH)).as("%x", flag).isEqualTo(EPERM);
        }
    }

    @ParameterizedTest
    @MethodSource("plain")
    void unshareTakesApartFilesButMakesNoNamespace(Filter filter) {
        assertThat(filter.run("unshare", 0x600)).isEqualTo(ALLOW);
        assertThat(filter.run("unshare", 0x80)).isEqualTo(EPERM);
        for (long flag : namespaces()) {
            assertThat(filter.run("unshare", flag | 0x600 | HIGH))
                    .as("%x", flag)
                    .isEqualTo(EPERM);
        }
    }

    @ParameterizedTest
    @MethodSource("nestingFilters")
    void nestingMakesNamespacesButNoneOfMountsGroupsOrTime(Filter filter) {
        for (long flag : namespaces()) {
            int answer = flag == 0x2_0000 || flag == 0x200_0000 ? EPERM : ALLOW;
            assertThat(filter.run("clone", flag | 17 | HIGH)).as("%x", flag).isEqualTo(answer);
            assertThat(filter.run("unshare", flag | HIGH)).as("%x", flag).isEqualTo(answer);
        }
        assertThat(filter.run("clone", 0x1002_0000 | 17)).isEqualTo(EPERM);
        assertThat(filter.run("unshare", 0x1000_0080)).isEqualTo(EPERM);
        assertThat(filter.run("chroot", 1)).isEqualTo(ALLOW);
        BpfMachine machine = filter.machine();
        int setns = filter.arch() == Arch.X86_64 ? 308 : 268;
        int mount = filter.arch() == Arch.X86_64 ? 165 : 40;
        assertThat(machine.run(filter.arch(), setns)).isEqualTo(EPERM);
        assertThat(machine.run(filter.arch(), mount)).isEqualTo(EPERM);
        assertThat(machine.run(filter.arch(), 435)).as("clone3").isEqualTo(ENOSYS);
    }

    @ParameterizedTest
    @MethodSource("nestingFilters")
    void theRootOfANestedNamespaceConfiguresNoNetworkAndGivesNoFileACapability(Filter filter) {
        assertThat(filter.run("socket", 16, 3, 0)).isEqualTo(ENOSYS);
        assertThat(filter.run("socket", 16 | HIGH, 3, 12)).isEqualTo(ENOSYS);
        assertThat(filter.run("ioctl", 3, 0x89A0 | HIGH)).as("SIOCBRADDBR").isEqualTo(EPERM);
        assertThat(filter.run("ioctl", 3, 0x8983)).as("SIOCSIFVLAN").isEqualTo(EPERM);
        assertThat(filter.run("ioctl", 3, 0x8946)).as("SIOCETHTOOL").isEqualTo(EPERM);
        assertThat(filter.run("ioctl", 3, 0x8912)).as("SIOCGIFCONF").isEqualTo(ALLOW);
        for (String call : List.of("setxattr", "lsetxattr", "fsetxattr", "setxattrat")) {
            assertThat(filter.run(call, 1, 2, 3)).as(call).isEqualTo(EOPNOTSUPP);
        }
        int filters = filter.sockets() == Sockets.LOOPBACK_EGRESS ? EPERM : ALLOW;
        assertThat(filter.run("setsockopt", 3, 0, 64 | HIGH)).isEqualTo(filters);
        assertThat(filter.run("setsockopt", 3, 41 | HIGH, 64)).isEqualTo(filters);
        assertThat(filter.run("setsockopt", 3, 1, 64)).as("SOL_SOCKET").isEqualTo(ALLOW);
        assertThat(filter.run("setsockopt", 3, 6, 1)).as("TCP_NODELAY").isEqualTo(ALLOW);
    }

    private static long[] namespaces() {
        return new long[] {
            0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000
        };
    }

    @ParameterizedTest
    @MethodSource("filters")
    void limitsAreOnesOwn(Filter filter) {
        assertThat(filter.run("prlimit64", 0, 7, 1, 1)).isEqualTo(ALLOW);
        assertThat(filter.run("prlimit64", HIGH, 7, 1, 1)).isEqualTo(ALLOW);
        assertThat(filter.run("prlimit64", 1, 7, 1, 1)).isEqualTo(EPERM);
        assertThat(filter.run("prlimit64", 1 | HIGH, 7, 1, 1)).isEqualTo(EPERM);
        assertThat(filter.run("prlimit64", -1, 7, 1, 1)).isEqualTo(EPERM);
    }

    @ParameterizedTest
    @MethodSource("filters")
    void theLimitOfCoreFilesIsSaidToBeSetAndStays(Filter filter) {
        assertThat(filter.run("prlimit64", 0, 4, 1, 0)).isEqualTo(DONE);
        assertThat(filter.run("prlimit64", 0, 4 | HIGH, HIGH, 1)).isEqualTo(DONE);
        assertThat(filter.run("prlimit64", 0, 4, 0, 1)).isEqualTo(ALLOW);
        assertThat(filter.run("prlimit64", 1, 4, 1, 0)).isEqualTo(EPERM);
        assertThat(filter.run("setrlimit", 4, 1)).isEqualTo(DONE);
        assertThat(filter.run("setrlimit", 4 | HIGH, 1)).isEqualTo(DONE);
        assertThat(filter.run("setrlimit", 7, 1)).isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @MethodSource("filters")
    void personaIsLinuxOrAQuestion(Filter filter) {
        for (long persona : new long[] {0, 8, 0x20000, 0x20008, 0xffff_ffffL, -1, 8 | HIGH}) {
            assertThat(filter.run("personality", persona)).as("%x", persona).isEqualTo(ALLOW);
        }
        for (long persona :
                new long[] {1, 0x40000, 0x400000, 0x20009, 0xffff_fffeL, 0x40000 | HIGH}) {
            assertThat(filter.run("personality", persona)).as("%x", persona).isEqualTo(EPERM);
        }
    }

    @ParameterizedTest
    @MethodSource("filters")
    void unixSocketsAreFree(Filter filter) {
        for (long type : new long[] {1, 2, 5, 0x80001, 0x80802, 5 | HIGH}) {
            assertThat(filter.run("socket", 1, type, 0)).as("%x", type).isEqualTo(ALLOW);
            assertThat(filter.run("socketpair", 1 | HIGH, type, 0)).isEqualTo(ALLOW);
        }
        for (long type : new long[] {0, 3, 4, 6, 10, 0x80003}) {
            assertThat(filter.run("socket", 1, type, 0)).as("%x", type).isEqualTo(EPERM);
        }
        for (long family : new long[] {0, 2, 10, 16, 17, 38, 40, 2 | HIGH}) {
            assertThat(filter.run("socketpair", family, 1, 0)).as("%d", family).isEqualTo(EPERM);
        }
    }

    @ParameterizedTest
    @MethodSource("plain")
    void netlinkIsForRoutesOnly(Filter filter) {
        assertThat(filter.run("socket", 16, 0x80003, 0)).isEqualTo(ALLOW);
        assertThat(filter.run("socket", 16 | HIGH, 2, HIGH)).isEqualTo(ALLOW);
        for (long protocol : new long[] {4, 6, 9, 12, 15, 16, 15 | HIGH}) {
            assertThat(filter.run("socket", 16, 3, protocol)).as("%d", protocol).isEqualTo(EPERM);
        }
    }

    @ParameterizedTest
    @MethodSource("filters")
    void tcpNeedsEgressAndOtherSocketsAreDenied(Filter filter) {
        int tcp = filter.sockets() == Sockets.LOOPBACK_EGRESS ? ALLOW : EPERM;
        for (long family : new long[] {2, 10, 2 | HIGH}) {
            assertThat(filter.run("socket", family, 1, 0)).isEqualTo(tcp);
            assertThat(filter.run("socket", family, 0x80801, 6 | HIGH)).isEqualTo(tcp);
            for (long protocol : new long[] {1, 17, 132, 256, 262}) {
                assertThat(filter.run("socket", family, 1, protocol))
                        .as("%d", protocol)
                        .isEqualTo(EPERM);
            }
            for (long type : new long[] {0, 2, 3, 4, 5, 6, 10, 0x80002}) {
                assertThat(filter.run("socket", family, type, 0)).as("%x", type).isEqualTo(EPERM);
            }
        }
        for (long family = 0; family < 64; family++) {
            if (family != 1 && family != 2 && family != 10 && family != 16) {
                assertThat(filter.run("socket", family, 1, 0)).as("%d", family).isEqualTo(EPERM);
            }
        }
    }

    @Test
    void theMachineNoticesAJumpOutOfTheProgram() {
        byte[] program = SeccompProgram.forAgent(Arch.X86_64, Sockets.OFFLINE);
        program[8 + 3] = (byte) 255;

        assertThatThrownBy(() -> new BpfMachine(program))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("jump");
    }
}
