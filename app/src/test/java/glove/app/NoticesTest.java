package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.Pipe;
import glove.sys.PollFd;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Whoever does not read what Glove says holds up nothing, and is told of what is missing. */
@Tag("process")
@Timeout(120)
final class NoticesTest {
    private static final int LINES = 3000;

    private final Linux linux = Linux.host();
    private Pipe pipe;

    @BeforeEach
    void open() throws Exception {
        FdLeaks.watch();
        pipe = linux.pipe();
    }

    @AfterEach
    void close() {
        pipe.close();
        FdLeaks.assertNone();
    }

    private Notices speaking() {
        return speaking(200);
    }

    private Notices speaking(long restMillis) {
        Notices notices = new Notices("exec", linux, pipe.write(), restMillis);
        for (int i = 0; i < LINES; i++) {
            notices.say("line " + i + " of some length, so that all of them find no room anywhere");
        }
        return notices;
    }

    /** What is there to read now. */
    private String read() throws Exception {
        OwnedFd from = pipe.read();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (linux.poll(List.of(new PollFd(from, PollFd.POLLIN)), 0)[0] == PollFd.POLLIN) {
            all.write(linux.read(from, 65536));
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    @Test
    void nobodyReadsAndNothingWaits() throws Exception {
        try (Notices notices = speaking()) {
            assertThat(linux.fcntl(pipe.write(), Linux.F_GETFL, 0) & 04000)
                    .as("O_NONBLOCK of the caller's descriptor")
                    .isZero();
            StringBuilder all = new StringBuilder(read());
            for (int i = 0; i < 100 && !notices.awaited().isEmpty(); i++) {
                notices.attend(new int[] {PollFd.POLLOUT}, 0);
                all.append(read());
            }
            List<String> lines = all.toString().lines().toList();

            assertThat(all.length()).isGreaterThan(2 * Notices.WAITING_BYTES_MAX - 8192);
            for (int i = 0; i < lines.size() - 1; i++) {
                assertThat(lines.get(i)).startsWith("glove exec: line " + i + " of some length");
            }
            assertThat(lines.getLast())
                    .isEqualTo("glove exec: " + (LINES - lines.size() + 1)
                            + " lines of Glove's are missing here: nothing read its stderr");
            notices.say("and on");
            assertThat(read()).isEqualTo("glove exec: and on\n");
        }
    }

    @Test
    void theEndWaitsAMomentOnly() {
        Notices notices = speaking();
        long start = System.nanoTime();

        notices.close();

        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isGreaterThanOrEqualTo(Duration.ofMillis(190));
    }

    @Test
    void whatFindsRoomAtTheEndIsWrittenThoughTheMomentIsOver() throws Exception {
        Notices notices = speaking(-1000); // as when this process has had no turn since
        read();

        notices.close();

        assertThat(read()).isNotEmpty();
    }

    @Test
    void aReaderThatIsGoneIsNoReasonToWait() throws Exception {
        Notices notices = speaking(Duration.ofHours(1).toMillis());
        pipe.read().close();

        notices.close();

        assertThat(linux.poll(List.of(new PollFd(pipe.write(), PollFd.POLLOUT)), 0)[0]
                        & PollFd.POLLERR)
                .as("control: nobody reads")
                .isNotZero();
    }

    @Test
    void whatFindsRoomIsThereAtOnce() throws Exception {
        try (Notices notices = new Notices("exec", linux, pipe.write())) {
            notices.say("one");
            notices.suggest("two");

            assertThat(read()).isEqualTo("glove exec: one\nTry: two\n");
            assertThat(notices.awaited()).isEmpty();
        }
    }
}
