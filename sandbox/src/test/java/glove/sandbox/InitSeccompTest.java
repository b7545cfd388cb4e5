package glove.sandbox;

import static glove.sandbox.BpfMachine.ALLOW;
import static glove.sandbox.BpfMachine.KILL_PROCESS;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.Arch;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Set;

@Tag("unit")
class InitSeccompTest {
    /** read write close poll ppoll wait4 waitid kill exit exit_group sigreturn sigprocmask ... */
    private static final Set<Integer> X86_64 =
            Set.of(0, 1, 3, 7, 271, 61, 247, 62, 60, 231, 15, 14, 219, 39);

    private static final Set<Integer> AARCH64 =
            Set.of(63, 64, 57, 73, 260, 95, 129, 93, 94, 139, 135, 128, 172);

    @ParameterizedTest
    @EnumSource
    void process1MayCallItsListAndIsKilledForAnythingElse(Arch arch) {
        BpfMachine machine = new BpfMachine(InitSeccomp.program(arch));
        Set<Integer> allowed = arch == Arch.X86_64 ? X86_64 : AARCH64;

        for (int number = 0; number <= 600; number++) {
            assertThat(machine.run(arch, number, -1, -1, -1, -1, -1, -1))
                    .as("call %d", number)
                    .isEqualTo(allowed.contains(number) ? ALLOW : KILL_PROCESS);
        }
        assertThat(machine.run(arch, -1)).isEqualTo(KILL_PROCESS);
        assertThat(machine.run(arch, 0x4000_0000)).isEqualTo(KILL_PROCESS);
    }

    @ParameterizedTest
    @EnumSource
    void anotherArchitectureKills(Arch arch) {
        BpfMachine machine = new BpfMachine(InitSeccomp.program(arch));
        int other = arch == Arch.X86_64 ? Arch.AARCH64.auditArch() : Arch.X86_64.auditArch();

        for (int number = 0; number <= 600; number++) {
            assertThat(machine.run(other, number)).isEqualTo(KILL_PROCESS);
        }
    }

    /** AF_INET or AF_INET6, SOCK_STREAM|SOCK_NONBLOCK|SOCK_CLOEXEC, no protocol: nothing else. */
    @ParameterizedTest
    @EnumSource
    void aPublishingProcess1MayAlsoMakeTcpSocketsAndSendThemToWhoStartedIt(Arch arch) {
        BpfMachine machine = new BpfMachine(InitSeccomp.publishing(arch));
        BpfMachine without = new BpfMachine(InitSeccomp.program(arch));
        int socket = arch == Arch.X86_64 ? 41 : 198;
        int sendmsg = arch == Arch.X86_64 ? 46 : 211;
        int type = 1 | 04000 | 02000000;

        for (int family = 0; family <= 64; family++) {
            boolean fine = family == 2 || family == 10;
            assertThat(machine.run(arch, socket, family, type, 0))
                    .isEqualTo(fine ? ALLOW : KILL_PROCESS);
            assertThat(machine.run(arch, socket, family, 3 | 04000 | 02000000, 0))
                    .isEqualTo(KILL_PROCESS);
            assertThat(machine.run(arch, socket, family, type, 132)).isEqualTo(KILL_PROCESS);
        }
        for (int fd = 0; fd <= 64; fd++) {
            assertThat(machine.run(arch, sendmsg, fd, -1, 0))
                    .isEqualTo(fd == 4 ? ALLOW : KILL_PROCESS);
            assertThat(machine.run(arch, sendmsg, fd, -1, 1)).isEqualTo(KILL_PROCESS);
        }
        for (int number = -1; number <= 600; number++) {
            if (number != socket && number != sendmsg) {
                assertThat(machine.run(arch, number, -1, -1, -1, -1, -1, -1))
                        .as("call %d", number)
                        .isEqualTo(without.run(arch, number));
            }
        }
    }

    @Test
    void theListCanBeAnother() {
        BpfMachine machine = new BpfMachine(
                InitSeccomp.program(Arch.X86_64, SeccompCalls.SENDMSG, SeccompCalls.ACCEPT4));

        assertThat(machine.run(Arch.X86_64, 46)).isEqualTo(ALLOW);
        assertThat(machine.run(Arch.X86_64, 288)).isEqualTo(ALLOW);
        assertThat(machine.run(Arch.X86_64, 0)).isEqualTo(KILL_PROCESS);
    }

    @Test
    void aCallTheArchitectureLacksIsLeftOut() {
        BpfMachine machine = new BpfMachine(
                InitSeccomp.program(Arch.AARCH64, SeccompCalls.POLL, SeccompCalls.READ));

        assertThat(machine.run(Arch.AARCH64, 63)).isEqualTo(ALLOW);
        assertThat(machine.run(Arch.AARCH64, 7)).isEqualTo(KILL_PROCESS);
        assertThat(machine.run(Arch.AARCH64, -1)).isEqualTo(KILL_PROCESS);
        assertThat(machine.run(Arch.AARCH64, 0xffff)).isEqualTo(KILL_PROCESS);
    }

    @ParameterizedTest
    @EnumSource
    void theProgramsFrontDoorIsTheSame(Arch arch) {
        assertThat(SeccompProgram.forInit(arch, false)).isEqualTo(InitSeccomp.program(arch));
        assertThat(SeccompProgram.forInit(arch, true)).isEqualTo(InitSeccomp.publishing(arch));
    }
}
