package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.Call;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.PollFd;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.testkit.Children;
import glove.testkit.MarkedProcesses;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The pipes and the status of programs, in one thread that may never wait for one of them. */
@Tag("process")
@Timeout(900)
final class HostProgramStreamsTest {
    private static final int PIPE_BYTES = 64 << 10;
    private static final int PATIENCE_MILLIS = 240_000;

    private final Linux linux = Linux.host();
    private final MarkedProcesses marked = new MarkedProcesses();

    @BeforeEach
    void watch() {
        FdLeaks.watch();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        FdLeaks.assertNone();
        assertThat(Children.list()).isEmpty();
    }

    /** A program under test and what it is tested by. */
    private interface Trial {
        void with(RunningProgram running) throws Exception;
    }

    private void run(String script, Trial trial) throws Exception {
        try (Launcher launcher = TestProfiles.launcher(linux);
                RunningProgram running = HostPrograms.of(linux, launcher)
                        .launch(TestPrograms.shell(linux, script))) {
            running.setCloseMillis(PATIENCE_MILLIS);
            trial.with(running);
        }
    }

    private void await(OwnedFd fd, int events) throws ErrnoException {
        assertThat(linux.poll(List.of(new PollFd(fd, events)), PATIENCE_MILLIS)[0])
                .isNotZero();
    }

    private String line(OwnedFd from) throws ErrnoException {
        StringBuilder line = new StringBuilder();
        byte[] one = new byte[1];
        for (; ; ) {
            await(from, PollFd.POLLIN);
            if (linux.readNow(from, one, 0, 1) < 1 || one[0] == '\n') {
                return line.toString();
            }
            line.append((char) one[0]);
        }
    }

    private Exit exit(RunningProgram running) throws Exception {
        Optional<Exit> exit = running.nextExit();
        while (exit.isEmpty()) {
            int[] happened = linux.poll(List.of(running.statusToRead()), PATIENCE_MILLIS);
            assertThat(happened[0]).isNotZero();
            exit = running.nextExit();
        }
        return exit.get();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whatIsWrittenArrivesAndTheEndOfInputIsSeen() throws Exception {
        run("cat; echo bye >&2; exit 3", running -> {
            assertThat(linux.writeNow(running.stdin(), bytes("hello\n"), 0, 6)).isEqualTo(6);
            assertThat(line(running.stdout())).isEqualTo("hello");

            running.stdin().close();

            assertThat(line(running.stderr())).isEqualTo("bye");
            assertThat(exit(running)).isEqualTo(new Exit.Exited(3));
            assertThat(running.hasStarted()).isTrue();
            assertThat(running.nextExit()).contains(new Exit.Exited(3));
            assertThat(linux.readNow(running.stdout(), new byte[1], 0, 1)).isZero();
        });
    }

    @Test
    void readingWhatIsNotThereYetDoesNotWait() throws Exception {
        run("read line; echo got", running -> {
            byte[] buffer = new byte[10];
            assertThat(linux.readNow(running.stdout(), buffer, 0, 10)).isEqualTo(Linux.WOULD_BLOCK);
            assertThat(linux.readNow(running.stderr(), buffer, 0, 10)).isEqualTo(Linux.WOULD_BLOCK);
            assertThat(running.nextExit()).isEmpty();

            assertThat(linux.writeNow(running.stdin(), bytes("\n"), 0, 1)).isEqualTo(1);

            assertThat(line(running.stdout())).isEqualTo("got");
        });
    }

    @Test
    void writingToOneThatNeverReadsStopsAtTheSizeOfThePipeAndDoesNotWait() throws Exception {
        run("echo up; sleep 1000", running -> {
            assertThat(line(running.stdout())).isEqualTo("up");
            byte[] much = new byte[PIPE_BYTES];

            assertThat(linux.writeNow(running.stdin(), much, 0, much.length)).isEqualTo(PIPE_BYTES);
            assertThat(linux.writeNow(running.stdin(), much, 0, 1)).isEqualTo(Linux.WOULD_BLOCK);
        });
    }

    @Test
    void writingToOneThatHasClosedItsInputFailsWithEpipeAndNoSignal() throws Exception {
        run("exec <&-; echo closed; sleep 1000", running -> {
            assertThat(line(running.stdout())).isEqualTo("closed");

            assertThatThrownBy(() -> linux.writeNow(running.stdin(), bytes("x"), 0, 1))
                    .isInstanceOfSatisfying(
                            ErrnoException.class,
                            e -> assertThat(e.errno()).isEqualTo(Errno.EPIPE));
        });
    }

    @Test
    void oneThatClosesItsOutputIsSeenToDoSoWhileItRuns() throws Exception {
        run("exec >&-; exec 2>&-; read line; exit 4", running -> {
            await(running.stdout(), PollFd.POLLIN);
            assertThat(linux.readNow(running.stdout(), new byte[1], 0, 1)).isZero();
            await(running.stderr(), PollFd.POLLIN);
            assertThat(linux.readNow(running.stderr(), new byte[1], 0, 1)).isZero();
            assertThat(running.nextExit()).isEmpty();

            running.stdin().close();

            assertThat(exit(running)).isEqualTo(new Exit.Exited(4));
        });
    }

    @Test
    void onlyOurEndsOfThePipesAreNonBlocking() throws Exception {
        run("grep -h flags /proc/$$/fdinfo/[012]; read line", running -> {
            assertThat(line(running.stdout())).isEqualTo("flags:\t00");
            assertThat(line(running.stdout())).isEqualTo("flags:\t01");
            assertThat(line(running.stdout())).isEqualTo("flags:\t01");
        });
    }

    @Test
    void closingEndsTheWholeTree() throws Exception {
        run(marked.tree() + "sleep 1000", running -> {
            assertThat(line(running.stdout())).isEqualTo("ready");
            marked.await(3);

            running.close();

            assertThat(marked.list()).isEmpty();
        });
    }

    @Test
    void killingDoesNotWaitAndTheEndIsToldLater() throws Exception {
        run("trap '' TERM; echo up; while :; do sleep 0.1; done", running -> {
            assertThat(line(running.stdout())).isEqualTo("up");

            running.kill();

            assertThat(exit(running)).isEqualTo(new Exit.Signaled(9));
            running.terminate(); // nobody is there, and nothing happens
        });
    }

    @Test
    void sigtermIsToldAsTheSignalThatEndedIt() throws Exception {
        run("echo up; exec sleep 1000", running -> {
            assertThat(line(running.stdout())).isEqualTo("up");

            running.terminate();

            assertThat(exit(running)).isEqualTo(new Exit.Signaled(15));
        });
    }

    @Test
    void oneThatIsStoppedIsEndedAllTheSame() throws Exception {
        String stopped = "until grep -q '^State:.T' /proc/$$/status; do :; done; echo stopped";
        run("(" + stopped + ") & kill -STOP $$", running -> {
            assertThat(line(running.stdout())).isEqualTo("stopped");
            OrderlyEnd.of(linux, List.of(running));

            assertThat(running.nextExit()).contains(new Exit.Signaled(9));
        });
    }

    @Test
    void aProgramThatIsReplacedAfterItWasLookedUpIsNotRun() throws Exception {
        HostProgram sleep = TestPrograms.find(linux, "sleep", "1000");
        HostProgram other = TestPrograms.find(linux, "true");
        Program swapped =
                new Program(sleep.program().path(), other.program().identity(), List.of());
        HostProgram stale = new HostProgram(
                "upstream 'files'", swapped, sleep.argv(), sleep.environment(), sleep.origin());
        try (Launcher launcher = TestProfiles.launcher(linux);
                RunningProgram running = HostPrograms.of(linux, launcher).launch(stale)) {
            running.setCloseMillis(PATIENCE_MILLIS);
            assertThatThrownBy(() -> exit(running))
                    .isInstanceOf(LaunchException.class)
                    .hasMessageContaining(
                            "upstream 'files': cannot set up program '/usr/bin/sleep'")
                    .hasMessageContaining("it was replaced since it was looked at");
            assertThat(running.hasStarted()).isFalse();
        }
    }

    @Test
    void tenAreSetUpAtTheSameTimeAndHaveNothingOfEachOther() throws Exception {
        List<Call> waits = new ArrayList<>();
        Linux watched = new Linux((call, a, b, c, d, e, f) -> {
            if (call == Call.PPOLL || call == Call.RECVMSG || call == Call.WAIT4) {
                waits.add(call);
            }
            return Syscalls.host().call(call, a, b, c, d, e, f);
        });
        List<RunningProgram> ten = new ArrayList<>();
        try (Launcher launcher = TestProfiles.launcher(watched)) {
            HostPrograms programs = HostPrograms.of(watched, launcher);
            HostProgram each = TestPrograms.shell(watched, "ls -m /proc/$$/fd; cat");
            for (int i = 0; i < 10; i++) {
                ten.add(programs.launch(each));
                ten.getLast().setCloseMillis(PATIENCE_MILLIS);
            }
            assertThat(waits).as("waits of ten launches").isEmpty();

            for (RunningProgram running : ten) {
                assertThat(line(running.stdout())).isEqualTo("0, 1, 2");
                linux.writeNow(running.stdin(), bytes("hello\n"), 0, 6);
                assertThat(line(running.stdout())).isEqualTo("hello");
            }
            OrderlyEnd.of(linux, ten, PATIENCE_MILLIS, 0);
            for (RunningProgram running : ten) {
                assertThat(running.nextExit()).contains(new Exit.Exited(0));
            }
        } finally {
            for (RunningProgram running : ten) {
                running.close();
            }
        }
    }

    @Test
    void aSandboxMayHaveTheSameHandle() throws Exception {
        Profile profile = TestProfiles.shell(
                linux,
                "setsid sleep MARK & cat; echo end; exit 6"
                        .replace("MARK", marked.marker() + " > /dev/null 2>&1"));
        try (Launcher launcher = TestProfiles.launcher(linux);
                RunningProgram running = new Sandbox(linux, launcher)
                        .launchWithPipes(profile, "upstream 'files'", Optional.empty())) {
            running.setCloseMillis(PATIENCE_MILLIS);
            assertThat(running.hasStarted()).isTrue();
            linux.writeNow(running.stdin(), bytes("hello\n"), 0, 6);
            assertThat(line(running.stdout())).isEqualTo("hello");
            marked.await(1);

            running.stdin().close();

            assertThat(line(running.stdout())).isEqualTo("end");
            assertThat(exit(running)).isEqualTo(new Exit.Exited(6));
            assertThat(marked.list()).isEmpty();
        }
    }

    @Test
    void aSandboxThatCannotBeMadeIsNamed() throws Exception {
        Profile profile = TestProfiles.shell(linux, "true");
        Program stale =
                new Program(profile.program().path(), new Identity(1, 1, 0100000), List.of());
        Profile broken = new Profile(
                profile.host(),
                profile.grants(),
                profile.home(),
                profile.directories(),
                profile.scratch(),
                profile.ids(),
                stale,
                profile.argv(),
                profile.environment(),
                UnixPath.of("/"),
                Optional.empty(),
                List.of(),
                Guards.NONE,
                false,
                Nesting.NONE,
                Optional.empty(),
                GuestPrograms.NONE);
        try (Launcher launcher = TestProfiles.launcher(linux)) {
            Sandbox sandbox = new Sandbox(linux, launcher);

            assertThatThrownBy(() ->
                            sandbox.launchWithPipes(broken, "upstream 'files'", Optional.empty()))
                    .isInstanceOf(LaunchException.class)
                    .hasMessageContaining("upstream 'files': cannot set up program");
        }
    }
}
