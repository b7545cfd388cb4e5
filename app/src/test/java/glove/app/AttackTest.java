package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Every attack of {@link Attacks} from inside the sandbox, as every identity: it must be refused
 * with the errno its row names, and must work outside, where the row says. An attack that does not
 * work outside proves nothing and fails the test, unless the kernel here lacks what is attacked.
 */
@Tag("e2e")
final class AttackTest {
    @TempDir
    private static Path directory;

    private static final AttackRanges RANGES = new AttackRanges();

    @BeforeAll
    static void attackEverything() throws IOException, InterruptedException {
        Path program = RANGES.open(directory);
        RANGES.attackInside(AttackRange.Setting.PLAIN);
        for (AttackRange range : RANGES.all()) {
            range.attackOutside(program);
        }
    }

    @AfterAll
    static void close() throws IOException, InterruptedException {
        RANGES.close();
    }

    @TestFactory
    Stream<DynamicContainer> everyAttackIsRefusedInsideAndWorksOutside() {
        return RANGES.test(AttackTest::test);
    }

    private static DynamicTest test(AttackRange range, Attacks.Attack attack) {
        return dynamicTest(attack.name() + ": " + attack.refusal(), () -> {
            String outside = range.outside(attack);
            Assumptions.assumeFalse(
                    attack.isUnknown(outside),
                    "this kernel lacks it: " + attack.name() + " " + outside);
            assertThat(outside).as("control: %s outside", attack.name()).isEqualTo("OK");
            assertThat(range.inside(attack)).isIn((Object[]) attack.refusal().split("\\|"));
        });
    }

    @Test
    void theThreatModelNamesEveryAttack() throws IOException {
        String page =
                Files.readString(Path.of(System.getProperty("glove.root"), "docs/threat-model.md"));

        assertThat(Attacks.ALL).allMatch(attack -> page.contains("`" + attack.name() + "`"));
    }
}
