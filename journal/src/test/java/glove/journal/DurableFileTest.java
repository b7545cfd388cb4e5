package glove.journal;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.Call;
import glove.sys.ErrnoException;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.testkit.FaultySyscalls;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

@Tag("unit")
final class DurableFileTest {
    private static final int EIO = 5;
    private static final String OLD = "old ".repeat(20_000);
    private static final String NEW = "new ".repeat(30_000);
    private static final UnixPath NAME = UnixPath.of("pins");

    @TempDir
    private Path directory;

    /** From its n-th call on the process does nothing any more, as one that was killed. */
    private static final class Crash implements Syscalls {
        private final Syscalls kernel;
        private final int nth;
        private final List<Call> made = new ArrayList<>();

        Crash(Syscalls kernel, int nth) {
            this.kernel = kernel;
            this.nth = nth;
        }

        @Override
        public long call(Call call, long a, long b, long c, long d, long e, long f) {
            made.add(call);
            boolean ended = made.size() >= nth && call != Call.CLOSE;
            return ended ? -EIO : kernel.call(call, a, b, c, d, e, f);
        }
    }

    private void replace(Linux linux, String content) throws ErrnoException {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        UnixPath path = UnixPath.of(directory.toString());
        // As the state directory is opened.
        try (OwnedFd opened =
                Linux.host().open(path, OpenFlags.O_PATH | OpenFlags.O_DIRECTORY, 0)) {
            DurableFile.replace(linux, opened, NAME, bytes);
        }
    }

    private String content() throws IOException {
        return Files.readString(directory.resolve("pins"));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void makesAFileForItsOwnerAlone() throws Exception {
        replace(Linux.host(), NEW);

        assertThat(content()).isEqualTo(NEW);
        assertThat(names()).containsExactly("pins");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(directory.resolve("pins"))))
                .isEqualTo("rw-------");
    }

    @Test
    void whicheverCallFailsThereIsTheOldContentOrTheNewAndNothingElse() throws Exception {
        int failed = 0;
        for (int n = 1; ; n++) {
            replace(Linux.host(), OLD);
            FdLeaks.watch();
            FaultySyscalls faulty = new FaultySyscalls(Linux.host().syscalls(), n, EIO);
            boolean done = replaced(new Linux(faulty));

            assertThat(names()).as("call %d", n).containsExactly("pins");
            assertThat(content()).as("call %d", n).isIn(OLD, NEW);
            assertThat(FdLeaks.stop()).as("call %d", n).isEmpty();
            if (done) {
                assertThat(content()).isEqualTo(NEW);
                break;
            }
            failed++;
        }
        assertThat(failed).isGreaterThan(5);
    }

    @Test
    void whereverItIsKilledThereIsTheOldContentOrTheNewAndTheNextTimeItWorks() throws Exception {
        boolean sawOld = false;
        boolean sawNew = false;
        for (int n = 1; ; n++) {
            replace(Linux.host(), OLD);
            Crash crash = new Crash(Linux.host().syscalls(), n);
            boolean done = replaced(new Linux(crash));

            assertThat(content()).as("call %d", n).isIn(OLD, NEW);
            sawOld |= content().equals(OLD);
            sawNew |= content().equals(NEW);
            if (done) {
                assertThat(crash.made)
                        .containsSubsequence(Call.WRITE, Call.FSYNC, Call.RENAMEAT2, Call.FSYNC);
                break;
            }
        }
        assertThat(sawOld && sawNew).isTrue();
        replace(Linux.host(), "after");
        assertThat(content()).isEqualTo("after");
    }

    private boolean replaced(Linux linux) {
        try {
            replace(linux, NEW);
            return true;
        } catch (ErrnoException e) {
            return false;
        }
    }
}
