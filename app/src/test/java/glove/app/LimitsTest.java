package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Each limit ends a run with its own exit status and one line that names it; the same run below the
 * limit is the control. Holds whatever mechanism this machine offers.
 */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class LimitsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String FILL = "head -c \"$0\" /dev/zero | tail | wc -c";
    private static final String BURN = "while :; do :; done";

    /** As many sleeping children as asked for, all at once. */
    private static final String CHILDREN =
            "i=0; while [ $i -lt \"$0\" ]; do sleep 1 & i=$((i+1)); done; wait; echo all";

    private final Identity identity;

    LimitsTest(Identity identity) {
        this.identity = identity;
    }

    private Command.Result run(List<String> options, String script, String argument)
            throws IOException, InterruptedException {
        return GloveProgram.exec(identity, options, List.of("sh", "-c", script, argument))
                .within(PATIENCE)
                .run();
    }

    private static void assertEnded(Command.Result result, int status, String option) {
        assertThat(result.status()).as("%s", result).isEqualTo(status);
        assertThat(lines(result, "ended: ")).as("%s", result).isEqualTo(1);
        assertThat(result.err()).contains(option + " sets it");
    }

    private static long lines(Command.Result result, String part) {
        return result.err().lines().filter(line -> line.contains(part)).count();
    }

    private static void assertFree(Command.Result result, String said) {
        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out().strip()).isEqualTo(said);
        assertThat(result.err()).isEmpty();
    }

    @Test
    void moreMemoryThanAllowedEndsTheRun() throws Exception {
        // It holds what it has: at its own limit of data it would end by itself.
        String hold = "head -c 150M /dev/zero | tail | sleep 1000";

        assertEnded(run(List.of("--memory", "100M"), hold, ""), 123, "--memory");
    }

    @Test
    void memoryBelowTheLimitIsFree() throws Exception {
        assertFree(run(List.of("--memory", "100M"), FILL, "30M"), "31457280");
    }

    @Test
    void memoryOfAllProcessesCountsTogether() throws Exception {
        String three =
                "for i in 1 2 3; do (head -c 60M /dev/zero | tail | sleep 1000) & done; wait";

        assertEnded(run(List.of("--memory", "120M"), three, ""), 123, "--memory");
    }

    @Test
    void readingALargeFileIsNotUsingMemory() throws Exception {
        String read = "cat /usr/bin/* /usr/lib/*/* 2>/dev/null | head -c 200M | wc -c";

        Command.Result result = run(List.of("--memory", "60M"), read, "");

        assertThat(result.status()).as("%s", result).isZero();
    }

    @Test
    void moreProcessorTimeThanAllowedEndsTheRun() throws Exception {
        assertEnded(run(List.of("--cpu-time", "1s"), BURN, ""), 122, "--cpu-time");
    }

    @Test
    void processorTimeOfChildrenThatEndedCounts() throws Exception {
        String many = "while :; do (i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done); done";

        assertEnded(run(List.of("--cpu-time", "1s"), many, ""), 122, "--cpu-time");
    }

    @Test
    void sleepingUsesNoProcessorTime() throws Exception {
        assertFree(run(List.of("--cpu-time", "1s"), "sleep 2; echo rested", ""), "rested");
    }

    @Test
    void longerThanTheWallTimeEndsTheRun() throws Exception {
        assertEnded(run(List.of("--wall", "1s"), "sleep 1000", ""), 124, "--wall");
    }

    @Test
    void anAgentThatIgnoresTheFirstSignalIsKilled() throws Exception {
        assertEnded(
                run(List.of("--wall", "1s"), "trap '' TERM; while :; do sleep 1; done", ""),
                124,
                "--wall");
    }

    @Test
    void anAgentMayUseTheGraceOfTheWallTime() throws Exception {
        String tidy = "trap 'echo tidied; exit 0' TERM; sleep 1000 & wait";

        Command.Result result = run(List.of("--wall", "5s"), tidy, "");

        assertThat(result.out()).isEqualTo("tidied\n");
        assertEnded(result, 124, "--wall");
    }

    @Test
    void aRunWithinItsWallTimeIsFree() throws Exception {
        assertFree(run(List.of("--wall", "50s"), "echo quick", ""), "quick");
    }

    /** Under RLIMIT_NPROC only who stays at the limit is seen: bash waits and tries again. */
    @Test
    void moreProcessesThanAllowedEndTheRun() throws Exception {
        String six = "for i in 1 2 3 4 5; do sleep 1000 & done; wait";

        Command.Result result = GloveProgram.exec(
                        identity, List.of("--pids", "5"), List.of("bash", "-c", six))
                .within(PATIENCE)
                .run();

        assertEnded(result, 121, "--pids");
    }

    @Test
    void processesUpToTheLimitAreFree() throws Exception {
        assertFree(run(List.of("--pids", "5"), CHILDREN, "4"), "all");
    }

    @Test
    void aForkBeyondTheLimitIsRefused() throws Exception {
        Command.Result result =
                run(List.of("--pids", "5"), CHILDREN.replace("sleep 1 ", "sleep 1000 "), "5");

        assertThat(result.status()).as("%s", result).isNotZero();
        assertThat(result.out()).doesNotContain("all");
    }

    @Test
    void exactlyTheLimitOfOutputIsLegal() throws Exception {
        Command.Result result = run(List.of("--output", "10"), "printf 0123456789", "");

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out()).isEqualTo("0123456789");
    }

    @Test
    void outputBeyondTheLimitIsNotPassedOn() throws Exception {
        Command.Result result =
                run(List.of("--output", "10"), "printf 01234567890; sleep 1000", "");

        assertThat(result.out()).isEqualTo("0123456789");
        assertEnded(result, 120, "--output");
    }

    @Test
    void bothStreamsCountAsOutput() throws Exception {
        assertEnded(
                run(List.of("--output", "10"), "printf 012345; printf 012345 >&2; sleep 1000", ""),
                120,
                "--output");
    }

    @Test
    void countedOutputIsCompleteAndInOrder() throws Exception {
        Command.Result result = run(List.of("--output", "1G"), "seq 300000 2>&1", "");

        assertThat(result.status()).isZero();
        assertThat(result.out().lines().count()).isEqualTo(300_000);
        assertThat(result.out()).endsWith("299999\n300000\n");
    }

    /** A reader that goes away ends a writer, with a relay between them as without. */
    @Test
    void aWriterWithoutReaderEndsThroughTheRelayToo() throws Exception {
        String script = "timeout 200 \"$0\" exec --output 1G -- yes | head -n 1;"
                + " [ ${PIPESTATUS[0]} != 124 ]";

        Command.Result result = new Command(identity.command(
                        List.of("bash", "-c", script, GloveProgram.script(identity))))
                .within(PATIENCE)
                .run();

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out()).isEqualTo("y\n");
    }

    @Test
    void theExitStatusPassesThroughEveryWatch() throws Exception {
        List<String> all =
                List.of("--memory=1G", "--cpu-time=1h", "--pids=100", "--wall=1h", "--output=1M");

        assertThat(run(all, "exit 37", "").status()).isEqualTo(37);
        assertThat(run(all, "kill -9 $$", "").status()).isEqualTo(137);
    }

    @Test
    void theSummaryNamesTheMechanismOfEachLimit() throws Exception {
        Command.Result result = run(
                List.of("-v", "--limit-memory", "1G", "--limit-pids", "100", "--scratch", "10M"),
                "exit 0",
                "");

        assertThat(result.err())
                .containsPattern("limits: memory 1G by (cgroup v2|watching the processes)")
                .containsPattern("pids 100 by (cgroup v2|RLIMIT_NPROC)")
                .contains("scratch 10M by the size of a tmpfs");
    }

    @Test
    void theExplanationNamesTheMechanismToo() throws Exception {
        for (String form : List.of("--verbose", "--json")) {
            Command.Result result =
                    run(List.of("--explain", form, "--memory", "1G", "--wall", "2h"), "exit 9", "");

            assertThat(result.status()).as("%s", result).isZero();
            assertThat(result.out())
                    .containsPattern("limits.*memory 1G by (cgroup v2|watching the processes)")
                    .contains("wall 2h by a timer");
        }
    }

    @Test
    void thePrivateDirectoriesHaveTheSizeAskedFor() throws Exception {
        String write = "head -c 4M /dev/zero > /tmp/file && echo fits";

        assertThat(run(List.of("--scratch", "1M"), write, "").err())
                .contains("No space left on device");
        assertFree(run(List.of("--scratch", "8M"), write, ""), "fits");
    }

    @Test
    void whatIsNoAmountIsRefusedWithAnExample() throws Exception {
        for (String option : List.of(
                "--memory=0",
                "--memory=-1",
                "--memory=4X",
                "--memory=",
                "--memory=9999999999G",
                "--wall=5d",
                "--cpu-time=1.5s",
                "--pids=many",
                "--output=99999999999999999999",
                "--scratch=G")) {
            Command.Result result = run(List.of(option), "echo ran", "");

            assertThat(result.status()).as(option).isEqualTo(2);
            assertThat(result.out()).as(option).isEmpty();
            assertThat(result.err()).as(option).contains("it takes ").contains("Try: --");
        }
    }
}
