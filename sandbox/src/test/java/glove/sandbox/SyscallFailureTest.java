package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import glove.sys.ErrnoException;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.testkit.Children;
import glove.testkit.FaultySyscalls;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;

/**
 * Every system call Java makes for a run fails once: a typed failure, and no descriptor is left.
 */
@Tag("privileged")
final class SyscallFailureTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 12, 13, 23, 24, 28})
    void aFailingCallIsATypedFailureOrNoMatterAndLeaksNothing(int errno, @TempDir Path directory)
            throws Exception {
        List<GrantRequest> grants = List.of(
                new GrantRequest(UnixPath.of(directory.toString()), Access.WRITE, "--write"));
        int completed = 0;
        for (int nth = 1; ; nth++) {
            FaultySyscalls kernel = new FaultySyscalls(Syscalls.host(), nth, errno);
            FdLeaks.watch();
            try {
                assertThat(contain(new Linux(kernel), grants)).isEqualTo(new Exit.Exited(7));
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
            if (nth == 5000) {
                fail("no end of calls");
            }
        }
    }

    private static Exit contain(Linux linux, List<GrantRequest> grants)
            throws ErrnoException, Refusal, LaunchException {
        Profile profile =
                TestProfiles.withLoopback(linux, TestProfiles.shell(linux, "exit 7", grants));
        try (Launcher launcher = TestProfiles.launcher(linux);
                RunningSandbox running =
                        new Sandbox(linux, launcher).launch(profile, StandardStreams.inherited())) {
            try (AskedSocket asked = running.askSocket(Linux.AF_INET)) {
                Exit exit = running.await();
                // The agent may have been faster than the question.
                assertThat(asked.errno()).isZero();
                return exit;
            }
        }
    }
}
