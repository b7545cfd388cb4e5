package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.testkit.Seed;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The syntax of git-config(1). */
@Tag("unit")
final class GitConfigReaderTest {
    private static List<String> read(String text) throws GitConfigReader.SyntaxException {
        GitConfigReader reader = new GitConfigReader(text.getBytes(StandardCharsets.UTF_8));
        List<String> entries = new ArrayList<>();
        while (reader.next()) {
            String value = new String(reader.value(), StandardCharsets.UTF_8);
            entries.add(reader.name() + "=" + value);
        }
        return entries;
    }

    @Test
    void sectionsAndNamesAreWithoutCaseAndSubsectionsAreNot() throws Exception {
        assertThat(read("[User] NAME=x\n[user \"A\\\"b]\"]\nName=y\n[a.b]c\n"))
                .containsExactly("user.name=x", "user\"A\"b]\".name=y", "a.b.c=");
    }

    @Test
    void aSubsectionNeverLooksLikeASection() throws Exception {
        assertThat(read("[user \"\"] name=x\n")).containsExactly("user\"\".name=x");
    }

    @Test
    void valuesAreTrimmedUnquotedAndContinued() throws Exception {
        assertThat(
                        read(
                                "[s]\na =  x  y  # c\nb=\" x \" ;c\nc=1\\\n 2\\t\\n\\\"\\\\\nd=\ne=\"#;\"x\r\n"))
                .containsExactly("s.a=x  y", "s.b= x ", "s.c=1 2\t\n\"\\", "s.d=", "s.e=#;x");
    }

    @Test
    void theLastLineNeedsNoEnd() throws Exception {
        assertThat(read("\ufeff[s]a=b")).containsExactly("s.a=b");
        assertThat(read("# only a comment")).isEmpty();
        assertThat(read("")).isEmpty();
    }

    @Test
    void whatGitDoesNotTakeIsRefusedWithItsLine() {
        for (String bad : List.of(
                "[s]\na=\"x\n",
                "[s]\na=\\x\n",
                "[s]\n1=x\n",
                "[s]\na b\n",
                "[s\n",
                "a=b\n[s]\n",
                "[s \"x\n\"]",
                "[s \"x\" ]",
                "[s x]",
                "[s]\n=x\n")) {
            assertThatThrownBy(() -> read(bad))
                    .as(bad)
                    .isInstanceOf(GitConfigReader.SyntaxException.class);
        }
        assertThatThrownBy(() -> read("[s]\n\n!\n")).hasMessage("bad line 3");
    }

    @Test
    void anyBytesEndInEntriesOrARefusal() {
        byte[] alphabet = "[]ab\"\\\n=#; \t\r.".getBytes(StandardCharsets.US_ASCII);
        for (int n = 0; n < 300; n++) {
            Random random = Seed.random(n);
            byte[] bytes = new byte[random.nextInt(60)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = alphabet[random.nextInt(alphabet.length)];
            }
            GitConfigReader reader = new GitConfigReader(bytes);
            int entries = 0;
            try {
                while (reader.next()) {
                    entries++;
                }
            } catch (GitConfigReader.SyntaxException e) {
                assertThat(e.line()).as(Seed.words()).isPositive();
            }
            assertThat(entries).as(Seed.words()).isLessThanOrEqualTo(bytes.length);
        }
    }
}
