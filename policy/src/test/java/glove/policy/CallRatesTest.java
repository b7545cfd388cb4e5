package glove.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Optional;

@Tag("unit")
final class CallRatesTest {
    private static final long SECOND = 1_000_000_000L;

    private long now = Long.MAX_VALUE - 10 * SECOND; // clocks may wrap
    private final CallRates rates = new CallRates(() -> now);

    @Test
    void aFullBucketHoldsTheCallsAndFillsEvenly() {
        ToolRule rule = rule(10, 60);
        assertThat(taken(rule, 20)).isEqualTo(10);

        now += 6 * SECOND - 1;
        assertThat(taken(rule, 5)).isZero();
        now += 1;
        assertThat(taken(rule, 5)).isEqualTo(1);
        now += 30 * SECOND;
        assertThat(taken(rule, 10)).isEqualTo(5);
        now += 100_000 * SECOND;
        assertThat(taken(rule, 20)).isEqualTo(10);
    }

    @Test
    void nothingIsLostToRounding() {
        ToolRule rule = rule(7, 3);
        assertThat(taken(rule, 7)).isEqualTo(7);
        int taken = 0;

        for (int i = 0; i < 3000; i++) {
            now += SECOND / 1000;
            taken += taken(rule, 1);
        }

        assertThat(taken).isEqualTo(7);
    }

    @Test
    void theLargestRateCountsRight() {
        ToolRule rule = rule(Rate.CALLS_MAX, Rate.SECONDS_MAX);
        assertThat(taken(rule, Rate.CALLS_MAX + 1)).isEqualTo(Rate.CALLS_MAX);

        now += Rate.SECONDS_MAX * SECOND / Rate.CALLS_MAX * 3;

        assertThat(taken(rule, 10)).isEqualTo(3);
    }

    @Test
    void aClockThatGoesBackGivesNothing() {
        ToolRule rule = rule(1, 1);
        assertThat(taken(rule, 2)).isEqualTo(1);

        now -= 5 * SECOND;

        assertThat(taken(rule, 2)).isZero();
    }

    @Test
    void eachRuleHasItsOwnBucketAndOneWithoutRateIsNeverEmpty() {
        assertThat(taken(rule(1, 60), 3)).isEqualTo(1);
        assertThat(taken(rule(2, 60), 3)).isEqualTo(2);
        ToolRule free = new ToolRule(
                new ToolPattern("a", "b"),
                new ToolRule.Origin("x", true),
                ToolRule.Arguments.ANY,
                ToolRule.Bounds.NONE);
        assertThat(taken(free, 1000)).isEqualTo(1000);
    }

    private int taken(ToolRule rule, int tries) {
        int taken = 0;
        for (int i = 0; i < tries; i++) {
            taken += rates.take(rule) ? 1 : 0;
        }
        return taken;
    }

    private static ToolRule rule(int calls, int seconds) {
        ToolRule.Bounds bounds = new ToolRule.Bounds(
                Optional.of(new Rate(calls, seconds)), ToolRule.UNBOUNDED, ToolRule.UNBOUNDED);
        return new ToolRule(
                new ToolPattern("a", "b"),
                new ToolRule.Origin("x", true),
                ToolRule.Arguments.ANY,
                bounds);
    }
}
