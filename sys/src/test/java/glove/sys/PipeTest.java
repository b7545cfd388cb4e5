package glove.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Arrays;

/** Reads and writes that do not wait. */
@Tag("process")
@Timeout(60)
final class PipeTest {
    private static final int PIPE_BYTES = 64 << 10;

    private final Linux linux = Linux.host();

    @BeforeEach
    void watch() {
        FdLeaks.watch();
    }

    @AfterEach
    void nothingStaysOpen() {
        FdLeaks.assertNone();
    }

    @Test
    void anEmptyPipeWouldBlockAndAClosedOneIsAtItsEnd() throws ErrnoException {
        try (Pipe pipe = linux.pipe()) {
            linux.setNonBlocking(pipe.read());
            byte[] buffer = new byte[4];

            assertThat(linux.readNow(pipe.read(), buffer, 0, 4)).isEqualTo(Linux.WOULD_BLOCK);
            pipe.write().close();
            assertThat(linux.readNow(pipe.read(), buffer, 0, 4)).isZero();
        }
    }

    @Test
    void bytesGoWhereTheyWereAskedFor() throws ErrnoException {
        try (Pipe pipe = linux.pipe()) {
            linux.setNonBlocking(pipe.write());
            byte[] from = {1, 2, 3, 4, 5};
            byte[] into = {9, 9, 9, 9};

            assertThat(linux.writeNow(pipe.write(), from, 1, 3)).isEqualTo(3);
            assertThat(linux.readNow(pipe.read(), into, 1, 2)).isEqualTo(2);
            assertThat(into).containsExactly(9, 2, 3, 9);
            assertThat(linux.readNow(pipe.read(), into, 3, 100)).isEqualTo(1);
            assertThat(into).containsExactly(9, 2, 3, 4);
        }
    }

    @Test
    void aFullPipeWouldBlockAndTakesPartOfWhatFits() throws ErrnoException {
        try (Pipe pipe = linux.pipe()) {
            linux.setNonBlocking(pipe.write());
            byte[] much = new byte[PIPE_BYTES + 1];
            Arrays.fill(much, (byte) 'x');

            assertThat(linux.writeNow(pipe.write(), much, 0, much.length)).isEqualTo(PIPE_BYTES);
            assertThat(linux.writeNow(pipe.write(), much, 0, 1)).isEqualTo(Linux.WOULD_BLOCK);
            assertThat(linux.read(pipe.read(), PIPE_BYTES)).hasSize(PIPE_BYTES);
            assertThat(linux.writeNow(pipe.write(), much, 0, 1)).isEqualTo(1);
        }
    }

    @Test
    void whatNobodyReadsAnyMoreFailsWithEpipeAndTheJvmLives() throws ErrnoException {
        try (Pipe pipe = linux.pipe()) {
            linux.setNonBlocking(pipe.write());
            pipe.read().close();

            assertThatThrownBy(() -> linux.writeNow(pipe.write(), new byte[1], 0, 1))
                    .isInstanceOfSatisfying(
                            ErrnoException.class,
                            e -> assertThat(e.errno()).isEqualTo(Errno.EPIPE));
        }
    }

    @Test
    void onlyTheOpenFileThatWasAskedForIsNonBlocking() throws ErrnoException {
        try (Pipe pipe = linux.pipe()) {
            linux.setNonBlocking(pipe.write());

            assertThat(linux.fcntl(pipe.read(), Linux.F_GETFL, 0) & OpenFlags.O_NONBLOCK)
                    .isZero();
            assertThat(linux.fcntl(pipe.write(), Linux.F_GETFL, 0))
                    .isEqualTo(OpenFlags.O_WRONLY | OpenFlags.O_NONBLOCK);
        }
    }
}
