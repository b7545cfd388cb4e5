package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;

@Tag("unit")
final class IdsTest {
    @Test
    void concurrentRunsOfRootHaveIdsOfTheirOwnFarFromUsers() {
        Set<Integer> seen = new HashSet<>();
        for (int pid : new int[] {1, 2, 63, 64, 65, 4194303}) {
            for (int run = 0; run < 64; run++) {
                Ids ids = Ids.highRange(pid, run);
                assertThat(seen.add(ids.initId())).isTrue();
                assertThat(seen.add(ids.agentId())).isTrue();
                assertThat(ids.initId()).isGreaterThan(1_000_000_000);
            }
        }
    }

    @Test
    void anOrdinaryUserLendsOneIdAndDeniesSetgroups() {
        Ids ids = Ids.ofCaller(1001, 1002);

        assertThat(ids.initUidMap()).isEqualTo("0 1001 1\n");
        assertThat(ids.initGidMap()).isEqualTo("0 1002 1\n");
        assertThat(ids.agentMap()).isEqualTo("1000 0 1\n");
        assertThat(ids.deniesSetgroups()).isTrue();
    }

    @Test
    void rootMapsProcessOneAndTheAgentToDifferentIds() {
        Ids ids = new Ids(70000, 70001, 80000, 80001);

        assertThat(ids.initUidMap()).isEqualTo("0 70000 1\n1000 70001 1\n");
        assertThat(ids.initGidMap()).isEqualTo("0 80000 1\n1000 80001 1\n");
        assertThat(ids.initUidMapShown())
                .isEqualTo("         0      70000          1\n      1000      70001          1\n");
        assertThat(ids.agentMapShown()).isEqualTo("      1000       1000          1\n");
    }
}
