package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class CgroupTextTest {
    @Test
    void thePlaceIsThatOfTheUnifiedHierarchy() {
        assertThat(CgroupText.place("0::/user.slice/a.scope\n")).isEqualTo("/user.slice/a.scope");
        assertThat(CgroupText.place("4:memory:/x\n1:cpu:/y\n0::/\n")).isEqualTo("/");
    }

    @Test
    void aPlaceOutsideTheNamespaceOrNoneIsNoPlace() {
        assertThat(CgroupText.place("0::/../../other\n")).isEmpty();
        assertThat(CgroupText.place("4:memory:/x\n")).isEmpty();
        assertThat(CgroupText.place("")).isEmpty();
        assertThat(CgroupText.place("10::/x\n")).isEmpty();
    }

    @Test
    void wordsAreWholeWords() {
        assertThat(CgroupText.hasWord("cpu memory pids\n", "pids")).isTrue();
        assertThat(CgroupText.hasWord("cpuset io", "cpu")).isFalse();
        assertThat(CgroupText.hasWord("cpuset cpu", "cpu")).isTrue();
        assertThat(CgroupText.hasWord("", "cpu")).isFalse();
    }

    @Test
    void aCounterIsTheLineOfItsWholeName() {
        String events = "low 0\nmax 12\noom 3\noom_kill 1\noom_group_kill 0\n";

        assertThat(CgroupText.counter(events, "max")).hasValue(12);
        assertThat(CgroupText.counter(events, "oom")).hasValue(3);
        assertThat(CgroupText.counter(events, "oom_kill")).hasValue(1);
        assertThat(CgroupText.counter(events, "high")).isEmpty();
    }

    @Test
    void whatIsNoNumberIsNoCounter() {
        assertThat(CgroupText.counter("max \n", "max")).isEmpty();
        assertThat(CgroupText.counter("max 1x\n", "max")).isEmpty();
        assertThat(CgroupText.counter("max -1\n", "max")).isEmpty();
        assertThat(CgroupText.counter("max 9223372036854775808\n", "max")).isEmpty();
        assertThat(CgroupText.counter("max 9223372036854775807\n", "max")).hasValue(Long.MAX_VALUE);
    }
}
