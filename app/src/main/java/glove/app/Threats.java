package glove.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The threat table of the documentation, row by row, with what each mechanism stands on: the one
 * source of what {@code glove doctor} says of it. Immutable.
 */
final class Threats {
    private static final String FILE = "threats.txt";

    private Threats() {}

    /**
     * A row.
     *
     * @param attack what somebody tries
     * @param mechanism what stops it
     * @param second what would if that failed; begins with a dash or "none" where nothing would
     * @param checks codes the mechanism stands on; none: it holds wherever Glove runs
     * @param secondChecks the same of the second
     */
    record Row(
            String attack,
            String mechanism,
            String second,
            List<String> checks,
            List<String> secondChecks) {
        /** Copies the lists. */
        Row {
            checks = List.copyOf(checks);
            secondChecks = List.copyOf(secondChecks);
        }

        /** What checks say of it. */
        Standing standing(List<Check> made) {
            List<String> refused = refused(made);
            if (!refused.isEmpty()) {
                return new Standing(this, State.REFUSED, refused);
            }
            List<String> lost = lost(checks, made);
            List<String> secondLost = lost(secondChecks, made);
            boolean alone = secondChecks.isEmpty();
            if (!lost.isEmpty() && (alone || !secondLost.isEmpty())) {
                return new Standing(this, State.LOST, both(lost, secondLost));
            }
            List<String> untried = both(untried(checks, made), untried(secondChecks, made));
            if (!untried.isEmpty()) {
                return new Standing(this, State.UNTRIED, untried);
            }
            List<String> all = both(lost, secondLost);
            return new Standing(this, all.isEmpty() ? State.HOLDS : State.WEAKENED, all);
        }

        private static List<String> both(List<String> one, List<String> other) {
            List<String> all = new ArrayList<>(one);
            for (String code : other) {
                if (!all.contains(code)) {
                    all.add(code);
                }
            }
            return all;
        }

        /** What Glove does not begin without: then there is nothing to attack. */
        private List<String> refused(List<Check> made) {
            if (checks.isEmpty() || !isOk(ContainedProbes.LAUNCH, made)) {
                return checks.isEmpty() ? List.of() : List.of(ContainedProbes.LAUNCH);
            }
            for (String code : List.of(StateProbe.AUDIT, StateProbe.STATE)) {
                if (checks.contains(code) && !isOk(code, made)) {
                    return List.of(code);
                }
            }
            return List.of();
        }

        private static List<String> lost(List<String> codes, List<Check> made) {
            List<String> lost = new ArrayList<>();
            for (String code : codes) {
                if (!isOk(code, made) && !isUntried(code, made)) {
                    lost.add(code);
                }
            }
            return lost;
        }

        private static List<String> untried(List<String> codes, List<Check> made) {
            List<String> untried = new ArrayList<>();
            for (String code : codes) {
                if (isUntried(code, made)) {
                    untried.add(code);
                }
            }
            return untried;
        }

        /** Or not even reached. */
        private static boolean isUntried(String code, List<Check> made) {
            return Check.of(made, code).map(Check::isUntried).orElse(true);
        }

        private static boolean isOk(String code, List<Check> made) {
            return Check.of(made, code).map(Check::isOk).orElse(false);
        }
    }

    /** How a row stands on a host. */
    enum State {
        /** By all the documentation names. */
        HOLDS("holds"),
        /** One of two mechanisms is not there; the other holds. */
        WEAKENED("weakened"),
        /** Neither is. */
        LOST("lost"),
        /** What it stands on could not be tried, and it is not lost for certain. */
        UNTRIED("untried"),
        /** Glove refuses here what the attack would need: nothing is let in. */
        REFUSED("refused");

        private final String word;

        State(String word) {
            this.word = word;
        }

        /** As it is printed. */
        String word() {
            return word;
        }
    }

    /**
     * A row on a host.
     *
     * @param lost codes of the checks that fail it, were not tried, or have Glove refuse
     */
    record Standing(Row row, State state, List<String> lost) {
        /** Copies the list. */
        Standing {
            lost = List.copyOf(lost);
        }
    }

    /** All rows, in the order of the documentation. */
    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (String line : text().split("\n", -1)) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                rows.add(row(line));
            }
        }
        return List.copyOf(rows);
    }

    /** How all stand. */
    static List<Standing> standing(List<Check> made) {
        List<Standing> all = new ArrayList<>();
        for (Row row : rows()) {
            all.add(row.standing(made));
        }
        return all;
    }

    private static Row row(String line) {
        String[] columns = line.split(" \\| ", -1);
        if (columns.length != 4) {
            throw new IllegalStateException("no row: " + line);
        }
        String[] checks = columns[0].split(";", -1);
        return new Row(columns[1], columns[2], columns[3], words(checks[0]), words(checks[1]));
    }

    private static List<String> words(String text) {
        String stripped = text.strip();
        return stripped.isEmpty() ? List.of() : List.of(stripped.split(" ", -1));
    }

    private static String text() {
        try (InputStream in = Objects.requireNonNull(
                Threats.class.getResourceAsStream(FILE), "it is in this module")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
