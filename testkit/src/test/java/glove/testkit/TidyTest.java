package glove.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/** The rules of the repository, on the repository. */
@Tag("unit")
final class TidyTest {
    @Test
    void theTreeKeepsItsOwnRules() throws IOException {
        SourceTree tree = SourceTree.find();

        List<Finding> found = tree.check();

        assertThat(tree.files()).anyMatch(file -> file.path().endsWith("TidyTest.java"));
        String all = found.stream().map(Finding::toString).collect(Collectors.joining("\n"));
        assertThat(all).as("broken rules").isEmpty();
    }

    @Test
    void longFilesThatAreStillAllowedAreNamed() throws IOException {
        List<SourceFile> files = SourceTree.find().files();

        for (SourceFile file : files) {
            int lines = file.lines().size();
            if (file.isJava() && lines > TextRules.FILE_LINES_WANTED) {
                System.out.println(file.path() + ":1: warning: " + lines + " lines, split it soon");
            }
            assertThat(file.isJava() ? lines : 0)
                    .as(file.path())
                    .isLessThanOrEqualTo(TextRules.FILE_LINES_MAX);
        }
    }
}
