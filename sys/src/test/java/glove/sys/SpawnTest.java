package glove.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

@Tag("process")
@Timeout(300)
class SpawnTest {
    private static final int SIGKILL = 9;
    private static final int SIGUSR1 = 10;
    private static final int HIDDEN_BY_LIBC = 33;
    private static final int OUTPUT_BYTES_MAX = 1 << 20;

    private static Path child = Path.of("");

    private final Linux linux = Linux.host();

    @TempDir
    static Path directory;

    @BeforeAll
    static void compile() throws IOException, InterruptedException {
        child = CCompiler.program(CCompiler.SOURCES.resolve("child.c"), directory);
    }

    @BeforeEach
    void watch() {
        FdLeaks.watch();
    }

    @AfterEach
    void nothingStaysOpen() {
        FdLeaks.assertNone();
    }

    private static List<byte[]> texts(String... texts) {
        List<byte[]> bytes = new ArrayList<>();
        for (String text : texts) {
            bytes.add(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes;
    }

    /** Descriptors of a child besides its output, at the numbers given. */
    private interface Others {
        List<Donation> besides(Fd output);
    }

    /** What a program that succeeds writes to its output. */
    private String output(UnixPath program, List<byte[]> argv, List<byte[]> env, Others others)
            throws ErrnoException {
        try (OwnedFd executable = linux.open(program, OpenFlags.O_PATH, 0);
                Pipe pipe = linux.pipe()) {
            int pid = linux.spawn(executable, argv, env, others.besides(pipe.write()));
            pipe.write().close();
            String text = new String(
                    linux.readAll(pipe.read(), OUTPUT_BYTES_MAX), StandardCharsets.UTF_8);
            assertThat(linux.waitFor(pid)).as("status of %s", text).isZero();
            return text;
        }
    }

    private UnixPath child() {
        return UnixPath.of(child.toString());
    }

    @Test
    void aChildHasExactlyWhatItWasGiven() throws IOException, ErrnoException {
        // A descriptor of the JDK and one that is marked to survive exec must not get through.
        try (var stream = Files.newInputStream(child);
                OwnedFd careless = linux.open(UnixPath.of("/dev/null"), 0, 0)) {
            linux.fcntl(careless, FileCalls.F_SETFD, 0);

            String text = output(
                    child(),
                    texts("name", "", "two words"),
                    texts("A=1", "B="),
                    fd -> List.of(new Donation(fd, 1)));

            assertThat(text).isEqualTo("fd 1\narg name\narg \narg two words\nenv A=1\nenv B=\n");
            assertThat(stream.read()).isEqualTo(0x7f);
        }
    }

    @Test
    void numbersMayHaveGapsAndBeHigh() throws ErrnoException {
        String text = output(
                child(),
                texts("x"),
                texts(),
                fd -> List.of(new Donation(fd, 700), new Donation(fd, 1), new Donation(fd, 5)));

        assertThat(text).isEqualTo("fd 1\nfd 5\nfd 700\narg x\n");
    }

    @Test
    void numbersThatAreInUseHereDoNotCollide() throws ErrnoException {
        try (Pipe first = linux.pipe();
                Pipe second = linux.pipe()) {
            // Each is to stand where the other one is.
            linux.writeFully(first.write(), "first".getBytes(StandardCharsets.UTF_8));
            linux.writeFully(second.write(), "second".getBytes(StandardCharsets.UTF_8));
            first.write().close();
            second.write().close();
            int one = first.read().number();
            int two = second.read().number();

            String script = "cat <&" + two + "; cat <&" + one;
            String text = output(
                    UnixPath.of("/bin/bash"),
                    texts("bash", "-c", script),
                    texts("PATH=/usr/bin:/bin"),
                    fd -> List.of(
                            new Donation(first.read(), two),
                            new Donation(second.read(), one),
                            new Donation(fd, 1)));

            assertThat(text).isEqualTo("firstsecond");
        }
    }

    @Test
    void ourOwnDescriptorsStayAsTheyWere() throws ErrnoException {
        try (OwnedFd careless = linux.open(UnixPath.of("/dev/null"), 0, 0)) {
            linux.fcntl(careless, FileCalls.F_SETFD, 0);

            output(child(), texts("x"), texts(), fd -> List.of(new Donation(fd, 1)));

            int fGetfd = 1;
            assertThat(linux.fcntl(careless, fGetfd, 0)).isZero();
            assertThat(linux.stat(UnixPath.of("/proc/self/fd/0")).mode()).isNotZero();
        }
    }

    @Test
    void aChildStartsWithDefaultSignals() throws IOException, ErrnoException {
        ByteBuffer before10 = ignore(SIGUSR1);
        ByteBuffer before33 = ignore(HIDDEN_BY_LIBC);
        try {
            // Those ignored here, and what the JVM and its parent left: else there is nothing to
            // reset.
            String ours = signals(
                    Files.readString(Path.of("/proc/thread-self/status"), StandardCharsets.UTF_8));
            int mask = ours.indexOf("SigIgn:") + "SigIgn:\t".length();
            long ignored = Long.parseUnsignedLong(ours.substring(mask).strip(), 16);
            long expected = 1L << (SIGUSR1 - 1) | 1L << (HIDDEN_BY_LIBC - 1);
            assertThat(ignored & expected).isEqualTo(expected);
            assertThat(ours)
                    .as("the JVM blocks SIGQUIT")
                    .doesNotContain("SigBlk:\t0000000000000000");

            String text = output(
                    UnixPath.of("/bin/cat"),
                    texts("cat", "/proc/self/status"),
                    texts(),
                    fd -> List.of(new Donation(fd, 1), new Donation(BorrowedFd.STDERR, 2)));

            assertThat(signals(text))
                    .isEqualTo("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
        } finally {
            restore(SIGUSR1, before10);
            restore(HIDDEN_BY_LIBC, before33);
        }
    }

    /** Ignores a signal; the action before, as the kernel keeps it. */
    private static ByteBuffer ignore(int signal) {
        ByteBuffer ignored = sigaction();
        ignored.putLong(0, 1); // SIG_IGN
        return replace(signal, ignored);
    }

    private static void restore(int signal, ByteBuffer before) {
        replace(signal, before);
    }

    private static ByteBuffer replace(int signal, ByteBuffer action) {
        ByteBuffer before = sigaction();
        try {
            assertThat(sigaction(
                            signal, NativeSyscalls.address(action), NativeSyscalls.address(before)))
                    .isZero();
            return before;
        } finally {
            Reference.reachabilityFence(action);
        }
    }

    private static ByteBuffer sigaction() {
        return ByteBuffer.allocateDirect(32).order(ByteOrder.nativeOrder());
    }

    private static long sigaction(int signal, long action, long old) {
        int rtSigaction = Arch.host() == Arch.X86_64 ? 13 : 134;
        return NativeSyscalls.syscall(rtSigaction, signal, action, old, Long.BYTES, 0, 0);
    }

    private static String signals(String status) {
        StringBuilder lines = new StringBuilder();
        for (String line : status.split("\n", -1)) {
            if (line.startsWith("SigBlk:") || line.startsWith("SigIgn:")) {
                lines.append(line).append('\n');
            }
        }
        return lines.toString();
    }

    @Test
    void ourSignalMaskIsAsBefore() throws IOException, ErrnoException {
        String before =
                Files.readString(Path.of("/proc/thread-self/status"), StandardCharsets.UTF_8);

        output(child(), texts("x"), texts(), fd -> List.of(new Donation(fd, 1)));

        String after =
                Files.readString(Path.of("/proc/thread-self/status"), StandardCharsets.UTF_8);
        assertThat(signals(after)).isEqualTo(signals(before));
    }

    @Test
    void aFileThatIsNoProgramIsAnErrorAndLeavesNoChild() throws ErrnoException {
        try (OwnedFd text = linux.memfdCreateProgram("text")) {
            linux.writeFully(text, "not a program".getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> linux.spawn(text, texts("x"), texts(), List.of()))
                    .isInstanceOf(ErrnoException.class)
                    .hasMessageContaining("execveat: ENOEXEC");
        }
        long anyChild = linux.syscalls().call(Call.WAIT4, -1, 0, ProcessCalls.WNOHANG, 0, 0, 0);
        assertThat(anyChild).isEqualTo(-Errno.ECHILD);
    }

    @Test
    void aMemoryFileIsExecuted() throws IOException, ErrnoException {
        try (OwnedFd program = linux.memfdCreateProgram("program");
                Pipe pipe = linux.pipe()) {
            linux.writeFully(program, Files.readAllBytes(child));
            linux.sealAll(program);

            int pid = linux.spawn(
                    program, texts("memory"), texts(), List.of(new Donation(pipe.write(), 1)));
            pipe.write().close();

            assertThat(new String(
                            linux.readAll(pipe.read(), OUTPUT_BYTES_MAX), StandardCharsets.UTF_8))
                    .isEqualTo("fd 1\narg memory\n");
            assertThat(linux.waitFor(pid)).isZero();
        }
    }

    @Test
    void mistakesInTheCallAreBugs() throws ErrnoException {
        try (OwnedFd program = linux.open(child(), OpenFlags.O_PATH, 0)) {
            assertThatThrownBy(() -> linux.spawn(
                            program,
                            texts("x"),
                            texts(),
                            List.of(
                                    new Donation(BorrowedFd.STDOUT, 1),
                                    new Donation(BorrowedFd.STDERR, 1))))
                    .isInstanceOf(Bug.class);
            assertThatThrownBy(() -> linux.spawn(program, texts("a\0b"), texts(), List.of()))
                    .isInstanceOf(Bug.class);
            assertThatThrownBy(() -> linux.spawn(program, texts("a"), texts("A=1\0B=2"), List.of()))
                    .isInstanceOf(Bug.class);
            assertThatThrownBy(() -> new Donation(BorrowedFd.STDOUT, -1)).isInstanceOf(Bug.class);
        }
    }

    @Test
    void aChildIsWaitedForAndKilledByItsPidfd() throws ErrnoException {
        try (OwnedFd sleep = linux.open(UnixPath.of("/bin/sleep"), OpenFlags.O_PATH, 0)) {
            int pid = linux.spawn(sleep, texts("sleep", "50"), texts(), List.of());
            try (OwnedFd process = linux.pidfdOpen(pid)) {
                assertThat(linux.waitid(process, ProcessCalls.WEXITED | ProcessCalls.WNOHANG))
                        .isEmpty();
                linux.pidfdSendSignal(process, SIGKILL);

                WaitResult result = linux.waitid(
                                process, ProcessCalls.WEXITED | ProcessCalls.WNOWAIT)
                        .orElseThrow();

                assertThat(result).isEqualTo(new WaitResult(pid, WaitResult.CLD_KILLED, SIGKILL));
                assertThat(result.signaled()).isTrue();
                assertThat(linux.waitid(pid, ProcessCalls.WEXITED)).hasValue(result);
                assertThatThrownBy(() -> linux.waitid(process, ProcessCalls.WEXITED))
                        .hasMessage("waitid: ECHILD (no child process)");
                assertThatThrownBy(() -> linux.kill(pid, 0)).hasMessageContaining("ESRCH");
            }
        }
    }

    @Test
    void anExitCodeIsTold() throws ErrnoException {
        try (OwnedFd shell = linux.open(UnixPath.of("/bin/sh"), OpenFlags.O_PATH, 0)) {
            int pid = linux.spawn(shell, texts("sh", "-c", "exit 42"), texts(), List.of());

            WaitResult result = linux.waitid(pid, ProcessCalls.WEXITED).orElseThrow();

            assertThat(result.exited()).isTrue();
            assertThat(result.status()).isEqualTo(42);
        }
    }
}
