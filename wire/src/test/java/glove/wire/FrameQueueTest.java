package glove.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

@Tag("unit")
final class FrameQueueTest {
    private final FrameQueue queue = new FrameQueue(20);

    @Test
    void framesLeaveInOrderThroughWritesOfAnySize() {
        queue.offer(utf8("{\"a\":1}"));
        queue.offer(utf8("{}"));
        StringBuilder left = new StringBuilder();

        while (!queue.isEmpty()) {
            int count = Math.min(3, queue.first().length - queue.offset());
            left.append(new String(queue.first(), queue.offset(), count, StandardCharsets.UTF_8));
            queue.wrote(count);
        }

        assertThat(left).hasToString("{\"a\":1}\n{}\n");
        assertThat(queue.waitingBytes()).isZero();
    }

    @Test
    void aFullQueueTakesNothingUntilSomeOfItLeft() {
        assertThat(queue.offer(utf8("0123456789"))).isTrue();
        assertThat(queue.offer(utf8("0123456789"))).isFalse();
        assertThat(queue.offer(utf8("01234567"))).isTrue();
        assertThat(queue.waitingBytes()).isEqualTo(20);
        assertThat(queue.hasRoomFor(0)).isFalse();

        queue.wrote(1);

        assertThat(queue.hasRoomFor(0)).isTrue();
        assertThat(queue.hasRoomFor(1)).isFalse();
    }

    @Test
    void oneFrameLargerThanTheQueueStillGetsThrough() {
        assertThat(queue.offer(new byte[100])).isTrue();
        assertThat(queue.offer(new byte[0])).isFalse();
        assertThat(queue.hasRoomFor(Integer.MAX_VALUE)).isFalse();
    }

    @Test
    void aFrameThatWouldBeTwoIsABugOfTheCaller() {
        assertThatIllegalArgumentException().isThrownBy(() -> queue.offer(utf8("{}\n{}")));
        assertThat(queue.isEmpty()).isTrue();
        queue.offer(utf8("{}"));
        assertThatIllegalArgumentException().isThrownBy(() -> queue.wrote(4));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
