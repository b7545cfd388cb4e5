package glove.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** For n = 1, 2, ...: the n-th call fails; nothing stays open and the failure says which it was. */
@Tag("process")
class FaultsTest {
    private static final int CALLS_MAX = 40;

    @TempDir
    Path directory;

    /** What is tried under faults. */
    private interface Operation {
        void run(Linux linux) throws ErrnoException;
    }

    /** How many calls the operation makes, each of which failed once. */
    private static int failEachCall(Operation operation) {
        for (int n = 1; n <= CALLS_MAX; n++) {
            FaultyKernel kernel = new FaultyKernel(n, Errno.EIO);
            FdLeaks.watch();
            Throwable thrown = catchThrowable(() -> operation.run(kernel.linux()));
            FdLeaks.assertNone();
            if (!kernel.fired()) {
                assertThat(thrown).as("without a fault").isNull();
                return n - 1;
            }
            assertThat(thrown)
                    .as("call %d of %s fails", n, kernel.made)
                    .isInstanceOf(ErrnoException.class);
            assertThat(((ErrnoException) thrown).errno()).isEqualTo(Errno.EIO);
        }
        throw new AssertionError("more than " + CALLS_MAX + " calls");
    }

    @Test
    void readingAFileLeavesNothingOpen() {
        assertThat(failEachCall(linux -> linux.readFile(UnixPath.of("/proc/self/status"), 1 << 20)))
                .isGreaterThanOrEqualTo(3);
    }

    @Test
    void listingADirectoryLeavesNothingOpen() {
        assertThat(failEachCall(linux -> linux.listDirectory(UnixPath.of("/proc/self"))))
                .isGreaterThanOrEqualTo(3);
    }

    @Test
    void makingAndSealingAMemoryFileLeavesNothingOpen() {
        int calls = failEachCall(linux -> {
            try (OwnedFd fd = linux.memfdCreate("glove")) {
                linux.writeFully(fd, new byte[100_000]);
                linux.sealAll(fd);
                linux.fstat(fd);
            }
        });

        assertThat(calls).isEqualTo(5);
    }

    @Test
    void pipesSocketsAndCopiesLeaveNothingOpen() {
        int calls = failEachCall(linux -> {
            try (Pipe pipe = linux.pipe();
                    SocketPair sockets = linux.socketpair(FileCalls.SOCK_SEQPACKET);
                    OwnedFd copy = linux.dup(pipe.read())) {
                linux.writeFully(sockets.first(), new byte[] {1});
                linux.fstat(copy);
            }
        });

        assertThat(calls).isEqualTo(5);
    }

    @Test
    void replacingAFileLeavesNothingOpen() {
        UnixPath place = UnixPath.of(directory.toString());
        int calls = failEachCall(linux -> {
            try (OwnedFd dir = linux.open(place, OpenFlags.O_DIRECTORY, 0)) {
                try (OwnedFd fd = linux.openat(
                        dir,
                        UnixPath.of("new"),
                        OpenFlags.O_WRONLY | OpenFlags.O_CREAT | OpenFlags.O_TRUNC,
                        0600)) {
                    linux.writeFully(fd, new byte[] {1});
                    linux.fchmod(fd, 0600);
                    linux.ftruncate(fd, 0);
                    linux.fdatasync(fd);
                }
                linux.renameat2(dir, UnixPath.of("new"), dir, UnixPath.of("old"), 0);
                linux.fsync(dir);
                linux.unlinkat(dir, UnixPath.of("old"), 0);
            }
        });

        assertThat(calls).isEqualTo(9);
    }

    @Test
    void interruptedReadsAndWritesAreMadeAgain() throws ErrnoException {
        Linux host = Linux.host();
        try (Pipe pipe = host.pipe()) {
            FaultyKernel kernel = new FaultyKernel(1, Errno.EINTR);
            kernel.linux().writeFully(pipe.write(), new byte[] {7});
            assertThat(kernel.made).containsExactly(Call.WRITE, Call.WRITE);

            kernel = new FaultyKernel(1, Errno.EINTR);
            assertThat(kernel.linux().read(pipe.read(), 10)).containsExactly(7);
            assertThat(kernel.made).containsExactly(Call.READ, Call.READ);
        }
    }

    @Test
    void anInterruptedSyncIsAFailure() throws ErrnoException {
        try (OwnedFd fd = Linux.host().memfdCreate("glove")) {
            FaultyKernel kernel = new FaultyKernel(1, Errno.EINTR);

            Throwable thrown = catchThrowable(() -> kernel.linux().fsync(fd));

            assertThat(thrown).hasMessage("fsync: EINTR (interrupted)");
            assertThat(kernel.made).containsExactly(Call.FSYNC);
        }
    }

    @Test
    void aFailureNamesTheFile() {
        Throwable thrown = catchThrowable(() -> new FaultyKernel(2, Errno.EIO)
                .linux()
                .readFile(UnixPath.of("/proc/self/status"), 1 << 20));

        assertThat(thrown).hasMessage("read '/proc/self/status': EIO (input/output error)");
    }
}
