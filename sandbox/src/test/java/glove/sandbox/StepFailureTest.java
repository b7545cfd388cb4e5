package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.testkit.Children;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A launch fails once before every one of its steps: it is told exactly, and nothing is left. */
@Tag("privileged")
final class StepFailureTest {
    private static final int HEADER_BYTES = 80;
    private static final int TOTAL_AT = 16;
    private static final int COUNTS_AT = 24;
    private static final int STEP_BYTES = 64;
    private static final short OP_EXPECT = 2;
    private static final short NO_SLOT = (short) 0xffff;
    private static final int EDOM = 33;

    private final Linux linux = Linux.host();

    @Test
    void aFailureBeforeAnyStepIsReportedAndLeavesNoProcessMountDescriptorOrFile(
            @TempDir Path directory) throws Exception {
        Files.createDirectory(directory.resolve("inside"));
        List<GrantRequest> grants = List.of(
                new GrantRequest(UnixPath.of(directory.toString()), Access.WRITE, "--write"),
                new GrantRequest(UnixPath.of(directory + "/inside"), Access.READ, "--read"));
        Profile profile =
                TestProfiles.withLoopback(linux, TestProfiles.shell(linux, "exit 0", grants));
        List<String> mounts = Files.readAllLines(Path.of("/proc/self/mountinfo"));
        try (Launcher launcher = TestProfiles.launcher(linux)) {
            LaunchPlan plan = new Sandbox(linux, launcher).plan(profile);
            FdLeaks.watch();
            for (int step = 0; step < plan.stepCount(); step++) {
                LaunchStatus expected =
                        new LaunchStatus(LaunchStatus.FAILED, stageOf(plan, step), step, EDOM);
                LaunchPlan failing = failingBefore(plan, step);

                assertThatThrownBy(() -> run(launcher, failing))
                        .isInstanceOfSatisfying(
                                LaunchException.class,
                                e -> assertThat(e.status()).isEqualTo(expected));
            }
            assertThat(FdLeaks.stop()).isEmpty();
        }
        assertThat(Children.list()).isEmpty();
        assertThat(Files.readAllLines(Path.of("/proc/self/mountinfo"))).isEqualTo(mounts);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactly(directory.resolve("inside"));
        }
    }

    @Test
    void thePlanItselfRunsWhereNothingIsMadeToFail() throws Exception {
        Profile profile = TestProfiles.shell(linux, "exit 3");
        try (Launcher launcher = TestProfiles.launcher(linux)) {
            LaunchPlan plan = new Sandbox(linux, launcher).plan(profile);

            assertThat(run(launcher, plan)).isEqualTo(new Exit.Exited(3));
        }
    }

    private static Exit run(Launcher launcher, LaunchPlan plan) throws LaunchException {
        try (RunningSandbox running = launcher.start(plan, StandardStreams.inherited())) {
            running.awaitCreated();
            running.release();
            return running.await();
        }
    }

    /** A comparison that cannot hold, put in front of a step. */
    private static LaunchPlan failingBefore(LaunchPlan plan, int step) {
        byte[] old = plan.bytes();
        int at = HEADER_BYTES + step * STEP_BYTES;
        ByteBuffer out =
                ByteBuffer.allocate(old.length + STEP_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        out.put(old, 0, at);
        out.putShort(OP_EXPECT)
                .putShort((short) 0)
                .putShort(NO_SLOT)
                .put(new byte[6])
                .putInt(0);
        out.putLong(0).putLong(0).putLong(1).putLong(EDOM).putLong(0).putLong(0);
        out.put(old, at, old.length - at);
        int count = COUNTS_AT + 4 * phaseOf(plan, step);
        out.putInt(count, out.getInt(count) + 1);
        out.putLong(TOTAL_AT, out.capacity());
        return new LaunchPlan(out.array(), List.of(), plan.handed());
    }

    /** 0 outer, 1 init, 2 agent, 3 settle. */
    private static int phaseOf(LaunchPlan plan, int step) {
        ByteBuffer in = ByteBuffer.wrap(plan.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        int phase = 0;
        int end = in.getInt(COUNTS_AT);
        while (step >= end) {
            phase++;
            end += in.getInt(COUNTS_AT + 4 * phase);
        }
        return phase;
    }

    private static int stageOf(LaunchPlan plan, int step) {
        int[] stages = {
            LaunchStatus.STAGE_OUTER,
            LaunchStatus.STAGE_INIT,
            LaunchStatus.STAGE_AGENT,
            LaunchStatus.STAGE_SETTLE
        };
        return stages[phaseOf(plan, step)];
    }
}
