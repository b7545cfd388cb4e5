package glove.session.exposure;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.Id128;
import glove.wire.U64;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A journal that is full: what stands in it can be taken back all the same. */
@Tag("unit")
@Timeout(900)
final class ExposureRoomTest {
    private static final long NOW = 1_000_000;

    @TempDir
    private Path parent;

    private Grounds grounds;
    private ExposureRegistry registry;

    @BeforeEach
    void openRegistry() throws Exception {
        grounds = new Grounds(parent);
        registry = grounds.open();
    }

    @AfterEach
    void closeRegistry() {
        registry.close();
    }

    private String create(String id, String key, long nowMs) {
        return Grounds.words(
                registry.create(grounds.wish(id, grounds.project), new Id128(key), nowMs));
    }

    private String revoke(String id, long generation, String key, long nowMs) {
        return Grounds.words(registry.revoke(id, generation, new Id128(key), nowMs));
    }

    /** Whatever the keys and the names, and whatever was exposed in between. */
    @Test
    void allThatStandsCanBeTakenBackFromAFullJournalWhichIsToldBefore() throws Exception {
        registry.close();
        grounds.bytesMax = 60_000;
        registry = grounds.open();
        boolean low = false;
        List<String> standing = new ArrayList<>();
        for (int i = 0; create(name(i), "k" + i, NOW).equals("done 1 active"); i++) {
            low = registry.roomSpokenFor().isLow();
            standing.add(name(i));
        }
        assertThat(low).isTrue();
        assertThat(standing).hasSizeBetween(15, 40);
        assertThat(create("one-more", "k", NOW)).isEqualTo("CAPACITY");
        registry.close();
        registry = grounds.open();
        assertThat(create("one-more", "k", NOW)).isEqualTo("CAPACITY");

        for (int i = 0; i < standing.size(); i++) {
            String key = "r" + i + "-".repeat(126 - Integer.toString(i).length());
            assertThat(revoke(standing.get(i), 1, key, U64.MAX)).isEqualTo("done 1 expired");
        }

        assertThat(registry.roomSpokenFor().bytes()).isEqualTo(Files.size(grounds.file));
        assertThat(Files.size(grounds.file)).isBetween(59_000L - 2_000, 60_000L);
        registry.close();
        registry = grounds.open();
        assertThat(registry.list(NOW))
                .hasSameSizeAs(standing)
                .allMatch(view -> view.state() == ExposureState.EXPIRED);
    }

    private static String name(int number) {
        return "e" + number + "x".repeat(number * 5 % 120);
    }

    /** Nothing was kept for that: its successor has taken its room. */
    @Test
    void whatHasASuccessorIsNotTakenBackAtTheCostOfOthers() throws Exception {
        create("a", "k1", NOW);
        create("a", "k2", NOW + 200_000);
        registry.close();
        grounds.bytesMax = registry.roomSpokenFor().bytes(); // and no byte more
        registry = grounds.open();

        assertThat(revoke("a", 1, "r1", NOW + 200_001)).isEqualTo("CAPACITY");
        assertThat(revoke("a", 2, "r2", NOW + 200_001)).isEqualTo("done 2 revoked");
    }
}
