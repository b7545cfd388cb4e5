package glove.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.session.IdempotencyMemory.Beginning;
import glove.wire.Digest;
import glove.wire.Id128;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

@Tag("unit")
final class IdempotencyMemoryTest {
    private static final long LIFETIME_MS = 1000;

    private final IdempotencyMemory<String> memory = new IdempotencyMemory<>(3, LIFETIME_MS);

    private Beginning<String> begin(String key, String request, long nowMs) {
        Digest digest = Digest.sha256(request.getBytes(StandardCharsets.UTF_8));
        return memory.begin(new Id128(key), digest, nowMs);
    }

    private void carryOut(String key, long nowMs) {
        assertThat(begin(key, "request", nowMs)).isInstanceOf(Beginning.Fresh.class);
        memory.finish(new Id128(key), "answer to " + key, nowMs);
    }

    @Test
    void aRequestRepeatedIsAnsweredAsBeforeAndAnotherOneIsAConflict() {
        carryOut("a", 1);

        assertThat(begin("a", "request", 2)).isEqualTo(new Beginning.Repeated<>("answer to a"));
        assertThat(begin("a", "another", 2)).isInstanceOf(Beginning.Conflict.class);
    }

    @Test
    void whileARequestIsCarriedOutItsKeyIsBusyAndAfterAFailureFree() {
        assertThat(begin("a", "request", 1)).isInstanceOf(Beginning.Fresh.class);
        assertThat(begin("a", "request", 1)).isInstanceOf(Beginning.Busy.class);
        assertThat(begin("a", "another", 1)).isInstanceOf(Beginning.Conflict.class);

        memory.cancel(new Id128("a"));

        assertThat(begin("a", "another", 1)).isInstanceOf(Beginning.Fresh.class);
    }

    /** A plan may live for 2^64 - 1 ms, which is no negative time. */
    @Test
    void aLifetimeWithoutEndForgetsNothingAndAClockThatGoesBackNeither() {
        for (long lifetimeMs : new long[] {Long.MAX_VALUE + 1, -1}) {
            IdempotencyMemory<String> forever = new IdempotencyMemory<>(1, lifetimeMs);
            Digest digest = Digest.sha256(new byte[0]);
            forever.begin(new Id128("a"), digest, 5);
            forever.finish(new Id128("a"), "answer", 5);

            for (long nowMs : new long[] {4, 5, 6, Long.MAX_VALUE}) {
                assertThat(forever.begin(new Id128("b"), digest, nowMs))
                        .isInstanceOf(Beginning.Full.class);
            }
        }
    }

    @Test
    void onlyAnswersOlderThanTheLongestPlanMakeRoomTheOldestFirst() {
        carryOut("a", 1);
        carryOut("b", 2);
        carryOut("c", 3);

        assertThat(begin("d", "request", 1001)).isInstanceOf(Beginning.Full.class);
        assertThat(begin("a", "request", 1001)).isInstanceOf(Beginning.Repeated.class);
        carryOut("d", 1002);

        assertThat(memory.size()).isEqualTo(3);
        assertThat(begin("b", "request", 1002)).isInstanceOf(Beginning.Repeated.class);
        assertThat(begin("a", "request", 1002)).isInstanceOf(Beginning.Full.class);
        assertThat(begin("a", "request", 1003)).isInstanceOf(Beginning.Fresh.class);
    }

    @Test
    void whatIsBeingCarriedOutIsNeverForgotten() {
        for (String key : new String[] {"a", "b", "c"}) {
            assertThat(begin(key, "request", 1)).isInstanceOf(Beginning.Fresh.class);
        }

        assertThat(begin("d", "request", 1_000_000)).isInstanceOf(Beginning.Full.class);
        memory.finish(new Id128("a"), "answer", 1_000_000);
        assertThat(begin("d", "request", 1_001_001)).isInstanceOf(Beginning.Fresh.class);
    }

    @Test
    void finishingWhatNobodyBeganIsABug() {
        carryOut("a", 1);

        assertThatThrownBy(() -> memory.finish(new Id128("a"), "again", 1))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> memory.cancel(new Id128("b")))
                .isInstanceOf(IllegalStateException.class);
    }
}
