package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.Call;
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
import java.util.concurrent.TimeUnit;

/** Each trial tells what this kernel does, in the time it has, and leaves nothing. */
@Tag("privileged")
final class KernelTrialTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long PATIENCE = 240 * SECOND;

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

    /** What is not gone in the moment Glove waits for what it killed, ends all the same. */
    private static void awaitNoChild() throws Exception {
        long end = in(PATIENCE);
        while (!Children.list().isEmpty() && System.nanoTime() < end) {
            LINUX.syscalls().call(Call.WAIT4, -1, 0, Linux.WNOHANG, 0, 0, 0);
            TimeUnit.MILLISECONDS.sleep(2);
        }
        assertThat(Children.list()).isEmpty();
    }

    private static long in(long nanos) {
        return System.nanoTime() + nanos;
    }

    @ParameterizedTest
    @EnumSource
    void aKernelThatRunsTheOtherTestsDoesAllThatIsTried(KernelTrial trial) throws Exception {
        FdLeaks.watch();

        String obstacle = trial.obstacle(LINUX, launcher, in(PATIENCE));

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
        awaitNoChild();
    }

    @Test
    void aLaunchAndAWaitBeyondTheirTimeAreKilledWithAllTheyStarted() throws Exception {
        Profile profile = TestProfiles.shell(LINUX, "sleep 1000 & sleep 1000");
        Sandbox sandbox = new Sandbox(LINUX, launcher);
        sandbox.setDeadline(in(SECOND));
        FdLeaks.watch();

        // On a busy machine it is the launch that takes too long, and that is told alike.
        assertThatThrownBy(() -> {
                    try (RunningSandbox running =
                            sandbox.launch(profile, StandardStreams.inherited())) {
                        running.await();
                    }
                })
                .isInstanceOf(LaunchException.class)
                .hasMessage("it was not ready in time");
        assertThatThrownBy(() -> sandbox.launch(profile, StandardStreams.inherited()))
                .isInstanceOf(LaunchException.class);

        assertThat(FdLeaks.stop()).isEmpty();
        awaitNoChild();
    }

    @Test
    void aKernelWithoutLandlockIsTold() throws LaunchException {
        Linux without = new Linux((call, a, b, c, d, e, f) -> -Errno.ENOSYS);

        assertThat(KernelTrial.LANDLOCK.obstacle(without, launcher, in(SECOND)))
                .contains("no Landlock");
    }
}
