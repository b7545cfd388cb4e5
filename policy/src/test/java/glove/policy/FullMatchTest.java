package glove.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Pattern;

import glove.testkit.ProcessorTime;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

@Tag("unit")
final class FullMatchTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a{3}",
                "(ab|c){2,50}",
                "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
                "\\Qa{9}\\E{3}",
                "\\x{1F600}{2}",
                "[]a]{3}",
                "[^]{]{100}",
                "[[:alpha:]{}]{7}",
                "(?:(?:a{10}){10}){10}",
                "x*",
                "(x+){3}",
                "a{0,200}",
                "((a|b){3}c){4}",
                "\\p{Greek}{5}",
                "\\{{100}",
                "(?i)straße{9}",
                "a{2,}",
                "()",
                "a|"
            })
    void theGuessIsNearTheTruth(String pattern) {
        assertThat(RepetitionSize.of(pattern) * 10)
                .isGreaterThanOrEqualTo(Pattern.compile(pattern).programSize() - 4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "((a{1000}){1000}){1000}",
                "(((((((((a{9}){9}){9}){9}){9}){9}){9}){9}){9})",
                "a{1000}a{1000}a{1000}",
                "([a]{1000}){1000}",
                "((?:\\x{41}{900}){900})",
                "((a*){1000}){1000}",
                "a{99999999999999999999}"
            })
    void whatWouldTakeAllMemoryIsRefusedBeforeItIsCompiled(String pattern) {
        assertThatThrownBy(() -> FullMatch.compile(pattern, ""))
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining("repeats too much");
    }

    @Test
    void theWorstPairOfPatternAndTextIsDecidedSoon() throws Exception {
        FullMatch match =
                FullMatch.compile("(x+x+)+y|(a|aa|aaa){1,60}b|(.*)*c|((a?){30}a{30}){8}d", "");
        byte[] text = ("\"" + "a".repeat(FullMatch.TEXT_CHARS_MAX) + "\"")
                .getBytes(StandardCharsets.UTF_8);
        JsonValue value = JsonText.value(text, JsonLimits.FRAME).root();

        long start = ProcessorTime.millis();
        boolean holds = match.holds(value);

        assertThat(holds).isFalse();
        // Backtracking would not end in this universe.
        assertThat(ProcessorTime.millis() - start).isLessThan(10_000);
    }
}
