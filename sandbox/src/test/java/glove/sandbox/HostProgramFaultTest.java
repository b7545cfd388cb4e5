package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import glove.sys.ErrnoException;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.PollFd;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.testkit.Children;
import glove.testkit.FaultySyscalls;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Optional;

/** Everything that can fail for a host program fails once: it is told, and nothing is left. */
@Tag("process")
@Timeout(900)
final class HostProgramFaultTest {
    private static final int EDOM = 33;
    private static final long PATIENCE_MILLIS = 240_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 11, 12, 24})
    void aFailingCallIsATypedFailureOrNoMatterAndLeaksNothing(int errno) throws Exception {
        int completed = 0;
        for (int nth = 1; ; nth++) {
            FaultySyscalls kernel = new FaultySyscalls(Syscalls.host(), nth, errno);
            FdLeaks.watch();
            try {
                assertThat(exit(new Linux(kernel))).isEqualTo(new Exit.Exited(7));
                completed++;
            } catch (ErrnoException | Refusal | LaunchException e) {
                assertThat(e.getMessage()).as("call %d", nth).isNotBlank();
            }
            assertThat(FdLeaks.stop()).as("after call %d", nth).isEmpty();
            assertThat(Children.list()).as("after call %d", nth).isEmpty();
            if (!kernel.fired()) {
                assertThat(completed).isPositive();
                return;
            }
            if (nth == 1000) {
                fail("no end of calls");
            }
        }
    }

    private static Exit exit(Linux linux) throws ErrnoException, Refusal, LaunchException {
        try (Launcher launcher = TestProfiles.launcher(linux);
                RunningProgram running = HostPrograms.of(linux, launcher)
                        .launch(TestPrograms.shell(linux, "exit 7"))) {
            running.setCloseMillis(PATIENCE_MILLIS);
            for (; ; ) {
                Optional<Exit> exit = running.nextExit();
                if (exit.isPresent()) {
                    return exit.get();
                }
                linux.poll(List.of(running.statusToRead()), -1);
            }
        }
    }

    @Test
    void aStepThatFailsIsToldByItsPurpose() throws Exception {
        Linux linux = Linux.host();
        HostProgram program = TestPrograms.shell(linux, "exit 7");
        HostProgram elsewhere = new HostProgram(
                program.subject(),
                program.program(),
                program.argv(),
                program.environment(),
                new HostProgram.Origin(
                        UnixPath.of("/gone"),
                        UnixPath.of("/gone"),
                        program.origin().identity(),
                        List.of()));
        try (Launcher launcher = TestProfiles.launcher(linux);
                RunningProgram running = HostPrograms.of(linux, launcher).launch(elsewhere)) {
            running.setCloseMillis(PATIENCE_MILLIS);
            assertThatThrownBy(() -> awaitEnd(linux, running))
                    .hasMessageStartingWith(
                            "upstream 'files': cannot set up working directory '/gone': ENOENT");
            assertThatThrownBy(running::nextExit).isInstanceOf(LaunchException.class);
        }
        assertThat(Children.list()).isEmpty();
    }

    private static void awaitEnd(Linux linux, RunningProgram running) throws Exception {
        while (running.nextExit().isEmpty()) {
            List<PollFd> status = List.of(running.statusToRead());
            assertThat(linux.poll(status, PATIENCE_MILLIS)[0]).isNotZero();
        }
    }

    @Test
    void aHostThatRefusesNamespacesIsToldWithWhatToChange() {
        Linux linux = Linux.host();
        LaunchPlan ordinary = plan(false);
        LaunchPlan root = plan(true);

        assertThat(LaunchFailure.words(linux, ordinary, cloneFailed(1)))
                .startsWith("cannot make a user namespace: EPERM");
        assertThat(LaunchFailure.words(linux, root, cloneFailed(28)))
                .startsWith("cannot make namespaces: ENOSPC")
                .contains("user.max_pid_namespaces");
        assertThat(LaunchFailure.words(linux, root, cloneFailed(11)))
                .startsWith("cannot start a process: EAGAIN");
        assertThat(LaunchFailure.words(linux, root, cloneFailed(EDOM)))
                .startsWith("cannot make namespaces: errno 33");
    }

    private static LaunchStatus cloneFailed(int errno) {
        return new LaunchStatus(LaunchStatus.FAILED, LaunchStatus.STAGE_CLONE, -1, errno);
    }

    private static LaunchPlan plan(boolean mayMount) {
        Linux linux = Linux.host();
        try {
            CallerRights rights = CallerRights.read(linux);
            HostProgram program = TestPrograms.shell(linux, "true");
            return HostProgramPlan.of(
                    program,
                    new CallerRights(rights.arch(), mayMount, 1000, 1000, rights.openFiles()));
        } catch (ErrnoException | Refusal e) {
            throw new AssertionError(e);
        }
    }
}
