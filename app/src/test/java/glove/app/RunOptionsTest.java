package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.sandbox.Refusal;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The options of {@code glove run} alone. */
@Tag("unit")
final class RunOptionsTest {
    private static RunOptions parsed(String... words) throws Refusal {
        List<byte[]> bytes = new ArrayList<>();
        for (String word : words) {
            bytes.add(word.getBytes(StandardCharsets.UTF_8));
        }
        OptionWords option = new OptionWords(bytes, RunOptions.SEE_HELP);
        RunOptions options = new RunOptions();
        while (option.advance()) {
            assertThat(options.take(option)).as(option.name()).isTrue();
        }
        options.finish();
        return options;
    }

    private static List<String> texts(List<byte[]> words) {
        return words.stream()
                .map(word -> new String(word, StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void aCommaSeparatesArgumentsAndABackslashKeepsIt() throws Exception {
        RunOptions options = parsed("--upstream", "f=node,--x={\"a\":1\\,\"b\":2},,a\\b,");

        assertThat(texts(options.require("", "f").argv))
                .containsExactly("node", "--x={\"a\":1,\"b\":2}", "", "a\\b", "");
    }

    @Test
    void whatIsSaidOfAnUpstreamMayStandBeforeIt() throws Exception {
        RunOptions options = parsed(
                "--upstream-env=f:A",
                "--upstream-env=f:B=c=d",
                "--upstream-cwd=f:/tmp",
                "--upstream-sandbox=f:read=/a,egress=x.test+y.test",
                "--allow-resources=f:file:///a",
                "--allow-prompts=f",
                "--no-prefix=f",
                "--upstream=f=prog");
        UpstreamOptions upstream = options.require("", "f");

        assertThat(texts(upstream.copiedVariables)).containsExactly("A");
        assertThat(texts(upstream.setVariables)).containsExactly("B=c=d");
        assertThat(upstream.workingDirectory.orElseThrow()).hasToString("/tmp");
        assertThat(texts(upstream.sandbox.orElseThrow()))
                .containsExactly("--read=/a", "--egress-allow=x.test", "--egress-allow=y.test");
        assertThat(options.resources).singleElement().extracting("prefix").isEqualTo("file:///a");
        assertThat(options.prompts).singleElement().extracting("prompt").isEqualTo("");
        assertThat(upstream.isBare).isTrue();
    }

    @Test
    void namesAreSeparatedByUnderscoresUnlessAnotherIsChosen() throws Exception {
        assertThat(parsed("--upstream=a-b_c=x").separator.text()).isEqualTo("__");
        assertThat(parsed("--upstream=a-b_c=x", "--tool-separator=.").separator.text())
                .isEqualTo(".");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --upstream=files                           | has no '='
                    --upstream=files=                          | names no program
                    --upstream=a__b=x                          | does not hold '__'
                    --upstream=a.b=x                           | letters, digits
                    --upstream=f=x --upstream=f=y              | two upstreams have that name
                    --upstream=f=x --upstream-env=g:A          | no upstream is named 'g', only f
                    --upstream=f=x --upstream-env=f            | has no ':'
                    --upstream=f=x --upstream-env=f:=x         | names no variable
                    --upstream=f=x --upstream-cwd=f:           | one directory is wanted
                    --upstream=f=x --upstream-sandbox=f:no=1   | is no KEY=VALUE
                    --upstream=f=x --upstream-sandbox=f:read=  | is no KEY=VALUE
                    --upstream=f=x --allow-sampling=f:all      | nothing behind it
                    --upstream=f=x --allow-prompts=f:          | has nothing behind the colon
                    --upstream=f=x --upstream=g=y --no-prefix=f --no-prefix=g | two could be the same
                    --tool-separator=/                         | none of '__', '.', '-' and '_'
                    --tool-separator=                          | none of '__'
                    --upstream=a-b=x --tool-separator=-        | the name of upstream 'a-b' holds it
                    --tool-separator=_ --upstream=a_b=x        | the name of upstream 'a_b' holds it
                    --policy=a --policy=b                      | given twice
                    --mcp-stdio=yes                            | takes no value
                    """)
    void mistakesAreRefusedWithWhatToType(String words, String sentence) {
        Refusal refusal =
                catchThrowableOfType(Refusal.class, () -> parsed(words.strip().split(" ", -1)));

        assertThat(refusal.getMessage()).contains(sentence.strip());
        assertThat(refusal.hints()).isNotEmpty();
        assertThat(refusal.exitStatus()).isEqualTo(2);
    }
}
