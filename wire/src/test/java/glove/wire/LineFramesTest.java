package glove.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

@Tag("unit")
final class LineFramesTest {
    @Test
    void linesComeOutAsTheyWereSentHoweverTheyArrive() throws FrameException {
        Random random = new Random(7);
        for (int round = 0; round < 200; round++) {
            List<String> sent = new ArrayList<>();
            StringBuilder stream = new StringBuilder();
            for (int i = random.nextInt(12); i >= 0; i--) {
                String line = "x\r\u00e9".repeat(random.nextInt(round % 10 == 0 ? 9000 : 12));
                sent.add(line);
                stream.append(line).append('\n');
            }
            byte[] bytes = utf8(stream.toString());
            LineFrames frames = new LineFrames(64 << 10);
            List<String> got = new ArrayList<>();

            int at = 0;
            while (at < bytes.length) {
                int count = Math.min(
                        bytes.length - at, 1 + random.nextInt(round % 3 == 0 ? 3 : 20_000));
                frames.add(Arrays.copyOfRange(bytes, at, at + count));
                at += count;
                takeAll(frames, got);
            }

            assertThat(got).isEqualTo(sent);
            assertThat(frames.heldBytes()).isZero();
            frames.end();
        }
    }

    @Test
    void onlyLfEndsALine() throws FrameException {
        LineFrames frames = new LineFrames(100);

        frames.add(utf8("a\rb\u2028c\u0085d\f\r\n\n"));

        assertThat(text(frames.take())).isEqualTo("a\rb\u2028c\u0085d\f\r");
        assertThat(text(frames.take())).isEmpty();
        assertThat(frames.take()).isEmpty();
    }

    @Test
    void aLineOfTheBoundIsTakenAndALongerOneIsNot() throws FrameException {
        LineFrames frames = new LineFrames(10);
        frames.add(utf8("0123456789"));
        assertThat(frames.take()).isEmpty();
        frames.add(utf8("\n01234567890\n"));

        assertThat(text(frames.take())).isEqualTo("0123456789");
        assertThatThrownBy(frames::take).hasMessage("a line of more than 10 bytes");
        assertThatThrownBy(frames::take).hasMessage("a line of more than 10 bytes");
    }

    @Test
    void aLineIsTooLongBeforeItsEndIsThere() throws FrameException {
        LineFrames frames = new LineFrames(10);
        frames.add(utf8("01234"));
        assertThat(frames.take()).isEmpty();

        frames.add(utf8("567890"));

        assertThatThrownBy(frames::take).isInstanceOf(FrameException.class);
    }

    @Test
    void manySmallPiecesOfALineCostNoMoreThanTheLine() throws FrameException {
        LineFrames frames = new LineFrames(8 << 20);
        for (int i = 0; i < 2 << 20; i++) {
            frames.add(new byte[] {'x'}); // as objects of their own, 2 million are 48 MiB
        }

        Runtime runtime = Runtime.getRuntime();
        runtime.gc();
        long used = runtime.totalMemory() - runtime.freeMemory();

        frames.add(new byte[] {'\n'});
        assertThat(frames.take().orElseThrow()).hasSize(2 << 20);
        assertThat(used).isLessThan(40L << 20);
    }

    @Test
    void aStreamThatEndsWithinALineIsTold() throws FrameException {
        LineFrames frames = new LineFrames(10);
        frames.add(utf8("a\nbc"));
        frames.take();
        frames.take();

        assertThatThrownBy(frames::end)
                .hasMessage("the stream ended within a line, after 2 bytes of it");
    }

    private static void takeAll(LineFrames frames, List<String> got) throws FrameException {
        Optional<byte[]> next = frames.take();
        while (next.isPresent()) {
            got.add(text(next));
            next = frames.take();
        }
    }

    private static String text(Optional<byte[]> frame) {
        return new String(frame.orElseThrow(), StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
