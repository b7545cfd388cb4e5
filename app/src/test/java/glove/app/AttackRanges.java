package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** An {@link AttackRange} for each identity there is, and the tests of each attack on each. */
final class AttackRanges {
    private final List<AttackRange> all = new ArrayList<>();

    /**
     * Prepares them; nothing is attacked yet.
     *
     * @return the program of the attacks
     */
    Path open(Path directory) throws IOException, InterruptedException {
        Path program = directory.resolve("attacks");
        compile(program);
        Command.of("chmod", "755", directory.toString()).run();
        for (Identity identity : Identity.available()) {
            all.add(AttackRange.open(identity, directory.resolve(identity.name()), program));
        }
        return program;
    }

    private static void compile(Path program) throws IOException, InterruptedException {
        Command.Result compiled = Command.of(
                        "gcc",
                        "-O1",
                        "-Wall",
                        "-Wextra",
                        "-Werror",
                        "-o",
                        program.toString(),
                        System.getProperty("glove.root") + "/app/src/test/native/attacks.c",
                        "-lrt")
                .run();
        assertThat(compiled.status()).as(compiled.err()).isZero();
    }

    List<AttackRange> all() {
        return all;
    }

    /** Attacks on all of them, inside. */
    void attackInside(AttackRange.Setting setting) throws IOException, InterruptedException {
        for (AttackRange range : all) {
            range.attackInside(setting);
        }
    }

    /** A test of each attack that can be made here, on each of them. */
    Stream<DynamicContainer> test(BiFunction<AttackRange, Attacks.Attack, DynamicTest> test) {
        return all.stream()
                .map(range -> dynamicContainer(
                        "as " + range.identity(),
                        Attacks.ALL.stream()
                                .filter(attack -> !attack.needsRoot() || Identity.isRoot())
                                .map(attack -> test.apply(range, attack))));
    }

    /**
     * That each is refused as its row says.
     *
     * @param otherwise answers of those that are not, by name
     */
    Stream<DynamicContainer> areAnswered(Map<String, String> otherwise) {
        return test((range, attack) -> {
            String answers = otherwise.getOrDefault(attack.name(), attack.refusal());
            return dynamicTest(
                    attack.name() + ": " + answers,
                    () -> assertThat(range.inside(attack)).isIn((Object[]) answers.split("\\|")));
        });
    }

    void close() throws IOException, InterruptedException {
        for (AttackRange range : all) {
            range.close();
        }
    }
}
