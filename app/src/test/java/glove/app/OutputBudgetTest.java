package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sandbox.Limits;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class OutputBudgetTest {
    @Test
    void exactlyTheLimitIsLegalAndOneMoreIsNot() {
        OutputBudget budget = new OutputBudget(10);

        assertThat(budget.allow(10)).isEqualTo(10);
        assertThat(budget.isExceeded()).isFalse();
        assertThat(budget.allow(1)).isZero();
        assertThat(budget.isExceeded()).isTrue();
    }

    @Test
    void whatFitsOfTheLastPieceIsPassedOn() {
        OutputBudget budget = new OutputBudget(10);

        assertThat(budget.allow(7)).isEqualTo(7);
        assertThat(budget.allow(7)).isEqualTo(3);
        assertThat(budget.isExceeded()).isTrue();
    }

    @Test
    void withoutLimitNothingIsCountedAway() {
        OutputBudget budget = new OutputBudget(Limits.NONE);

        assertThat(budget.counts()).isFalse();
        assertThat(budget.allow(Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
        assertThat(budget.isExceeded()).isFalse();
    }
}
