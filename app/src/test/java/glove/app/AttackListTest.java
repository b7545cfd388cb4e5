package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** docs/attacks.md counts the attacks that are there. */
@Tag("unit")
final class AttackListTest {
    private static final Path DOCS = Path.of(System.getProperty("glove.root"), "docs");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| [^|]* \\| \\[\\w+\\]\\(([^)]*)\\)[^|]* \\| (\\d+) \\|$");

    /** Controls that stand alone are no attacks. */
    private static final Pattern TEST =
            Pattern.compile("@Test\\s+void (?!aRequestByItselfArrives|theHonestCallArrives)\\w+");

    @Test
    void thePageCountsEveryAttack() throws IOException {
        Matcher rows = ROW.matcher(Files.readString(DOCS.resolve("attacks.md")));
        int areas = 0;
        while (rows.find()) {
            String source = Files.readString(DOCS.resolve(rows.group(1)));
            long tests = source.contains("enum Control")
                    ? Attacks.ALL.size()
                    : TEST.matcher(source).results().count();
            assertThat(rows.group(2)).as(rows.group(1)).isEqualTo(Long.toString(tests));
            areas++;
        }
        assertThat(areas).isEqualTo(4);
    }
}
