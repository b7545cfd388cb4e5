package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.Errno;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.testkit.Children;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Each trial tells what this kernel does, in the time it has, and leaves nothing. */
@Tag("privileged")
final class KernelTrialTest {
    private static final long SECOND = 1_000_000_000L;

    private static final Linux LINUX = Linux.host();
    private static Launcher launcher;
    private static List<String> mounts;

    @BeforeAll
    static void open() throws Exception {
        launcher = TestProfiles.launcher(LINUX);
        mounts = Files.readAllLines(Path.of("/proc/self/mountinfo"));
    }

    @AfterAll
    static void close() throws Exception {
        launcher.close();
        assertThat(Children.list()).isEmpty();
        assertThat(Files.readAllLines(Path.of("/proc/self/mountinfo"))).isEqualTo(mounts);
    }

    private static long in(long nanos) {
        return System.nanoTime() + nanos;
    }

    @ParameterizedTest
    @EnumSource
    void aKernelThatRunsTheOtherTestsDoesAllThatIsTried(KernelTrial trial) throws Exception {
        FdLeaks.watch();

        String obstacle = trial.obstacle(LINUX, launcher, in(5 * SECOND));

        assertThat(obstacle).isEmpty();
        assertThat(FdLeaks.stop()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotKnownInTimeIsAFailureThatLeavesNothing(KernelTrial trial) throws Exception {
        FdLeaks.watch();

        assertThatThrownBy(() -> trial.obstacle(LINUX, launcher, in(-SECOND)))
                .isInstanceOf(LaunchException.class)
                .hasMessage("it was not ready in time");

        assertThat(FdLeaks.stop()).isEmpty();
        assertThat(Children.list()).isEmpty();
    }

    @Test
    void aLaunchAndAWaitBeyondTheirTimeAreKilledWithAllTheyStarted() throws Exception {
        Profile profile = TestProfiles.shell(LINUX, "sleep 1000 & sleep 1000");
        Sandbox sandbox = new Sandbox(LINUX, launcher);
        sandbox.setDeadline(in(SECOND));
        FdLeaks.watch();

        try (RunningSandbox running = sandbox.launch(profile, StandardStreams.inherited())) {
            assertThatThrownBy(running::await)
                    .isInstanceOf(LaunchException.class)
                    .hasMessage("it was not ready in time");
        }
        assertThatThrownBy(() -> sandbox.launch(profile, StandardStreams.inherited()))
                .isInstanceOf(LaunchException.class);

        assertThat(FdLeaks.stop()).isEmpty();
        assertThat(Children.list()).isEmpty();
    }

    @Test
    void aKernelWithoutLandlockIsTold() throws LaunchException {
        Linux without = new Linux((call, a, b, c, d, e, f) -> -Errno.ENOSYS);

        assertThat(KernelTrial.LANDLOCK.obstacle(without, launcher, in(SECOND)))
                .contains("no Landlock");
    }
}
