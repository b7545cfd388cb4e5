package glove.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Each rule on text: what it must catch, and what it must leave alone. */
@Tag("unit")
final class TextRulesTest {
    private static final String DECISION = """
            # 1. T

            Status: accepted
            Date: 2026-11-29

            ## Context
            ## Decision
            ## Consequences
            """;

    @Test
    void limitsTheWidthOfCodeInCharacters() {
        assertThat(check("A.java", "é".repeat(100))).isEmpty();
        assertThat(check("A.java", "\n" + "x".repeat(101)))
                .containsExactly(
                        new Finding("A.java", 2, "a line of 101 is too long, use at most 100"));
        assertThat(check("script", "#!/bin/sh\n" + "x".repeat(101))).hasSize(1);
        assertThat(check("a.md", "x".repeat(101))).isEmpty();
    }

    @Test
    void leavesTheInsideOfTextBlocksAlone() {
        String wide = "x".repeat(101) + "\n";
        String block = "a = \"\"\"\n" + wide + "\"\"\";\n";

        assertThat(check("A.java", block)).isEmpty();
        assertThat(check("A.java", block + wide)).hasSize(1);
        assertThat(check("A.java", block + "b = \"\"\"c\"\"\";\n" + wide)).hasSize(1);
    }

    @Test
    void limitsTheLengthOfFiles() {
        assertThat(check("A.java", "\n".repeat(600))).isEmpty();
        assertThat(check("A.java", "\n".repeat(601))).hasSize(1);
        assertThat(check("native/launcher/launcher.c", "\n".repeat(900))).isEmpty();
        assertThat(check("native/launcher/launcher.c", "\n".repeat(901))).hasSize(1);
        assertThat(check("native/guest/guest.c", "\n".repeat(250))).isEmpty();
        assertThat(check("native/guest/guest.c", "\n".repeat(251))).hasSize(1);
    }

    @Test
    void bansLeftovers() {
        assertThat(check("a.c", "// TO" + "DO later")).hasSize(1);
        assertThat(check("a.sh", "# FIX" + "ME")).hasSize(1);
        assertThat(check("a.c", "mkstemp(\"/tmp/XX" + "XXXX\")")).isEmpty();
    }

    @Test
    void findsDeadLinks() {
        String text = "[a](b.md#c) [d](gone.md)\n`[e](no.md)` [f](https://example.org) [g](#h)";

        List<Finding> found =
                TextRules.check(new SourceFile("docs/a.md", text), "docs/b.md"::equals);

        assertThat(found)
                .containsExactly(new Finding(
                        "docs/a.md", 1, "the link 'gone.md' is dead, use a path that exists"));
    }

    @Test
    void decisionsHaveAFormAndALimit() {
        assertThat(check("docs/adr/0001-a.md", DECISION)).isEmpty();
        assertThat(check("docs/adr/0001-a.md", DECISION + "\n".repeat(53))).hasSize(1);
        assertThat(check("docs/adr/0001-a.md", DECISION.replace("Status", "State")))
                .hasSize(1);
        assertThat(check("docs/adr/first.md", DECISION)).hasSize(1);
    }

    @Test
    void decisionsAreNumberedWithoutGapOrTwin() {
        SourceFile one = new SourceFile("docs/adr/0001-a.md", "");
        SourceFile twin = new SourceFile("docs/adr/0001-b.md", "");
        SourceFile two = new SourceFile("docs/adr/0002-c.md", "");
        SourceFile four = new SourceFile("docs/adr/0004-d.md", "");

        assertThat(TextRules.checkDecisions(List.of(one, two))).isEmpty();
        assertThat(TextRules.checkDecisions(List.of(one, twin))).hasSize(1);
        assertThat(TextRules.checkDecisions(List.of(one, two, four))).hasSize(1);
    }

    private static List<Finding> check(String path, String text) {
        return TextRules.check(new SourceFile(path, text), target -> false);
    }
}
