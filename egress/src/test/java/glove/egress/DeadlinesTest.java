package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Seed;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The heap of moments against a plain list. */
@Tag("unit")
class DeadlinesTest {
    private static final class Moment extends Timed {
        @Override
        void overdue() {}
    }

    @Test
    void theEarliestComesFirstWhateverIsMovedOrRemoved() {
        Random random = Seed.random(1);
        Deadlines deadlines = new Deadlines();
        List<Moment> all = new ArrayList<>();
        // Around the overflow of the clock: only differences count.
        long base = Long.MAX_VALUE - 500;
        for (int i = 0; i < 20_000; i++) {
            int action = random.nextInt(5);
            if (action < 2 || all.isEmpty()) {
                Moment moment = new Moment();
                deadlines.set(moment, base + random.nextInt(1000));
                all.add(moment);
            } else if (action == 2) {
                deadlines.set(all.get(random.nextInt(all.size())), base + random.nextInt(1000));
            } else if (action == 3) {
                deadlines.remove(all.remove(random.nextInt(all.size())));
            } else {
                checkTake(deadlines, all, base + random.nextInt(300));
            }
            assertThat(deadlines.size()).as(Seed.words()).isEqualTo(all.size());
        }
    }

    private static void checkTake(Deadlines deadlines, List<Moment> all, long now) {
        Timed taken = deadlines.take(now);
        long first = Long.MAX_VALUE;
        for (Moment moment : all) {
            first = Math.min(first, moment.due - now);
        }
        if (taken == null) {
            assertThat(first).isPositive();
        } else {
            assertThat(taken.due - now).isEqualTo(first).isNotPositive();
            assertThat(all.remove(taken)).isTrue();
            assertThat(taken.place).isEqualTo(Timed.NOWHERE);
        }
    }

    @Test
    void whatIsRemovedTwiceOrNeverSetIsNoMatter() {
        Deadlines deadlines = new Deadlines();
        Moment moment = new Moment();
        deadlines.remove(moment);
        deadlines.set(moment, 1);
        deadlines.remove(moment);
        deadlines.remove(moment);

        assertThat(deadlines.isEmpty()).isTrue();
        assertThat(deadlines.take(10)).isNull();
    }
}
