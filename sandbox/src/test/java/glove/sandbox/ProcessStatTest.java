package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

@Tag("unit")
final class ProcessStatTest {
    private static final String REST =
            "S 7 42 42 34816 42 4194304 100 200 0 0 11 22 33 44 20 0 5 0 "
                    + "987654 10000000 321 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0\n";

    private static ProcessStat parse(String line) {
        return ProcessStat.parse(line.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void theFieldsAreThoseOfTheManual() {
        assertThat(parse("42 (sh) " + REST)).isEqualTo(new ProcessStat(7, 5, 987654, 33, 77, 321));
    }

    @Test
    void aNameMayLookLikeTheRestOfTheLine() {
        assertThat(parse("42 (a) R 1 1 1 ) (b\n) " + REST))
                .isEqualTo(new ProcessStat(7, 5, 987654, 33, 77, 321));
    }

    @Test
    void aLineThatIsCutOrNoneIsNoProcess() {
        assertThat(parse("")).isEqualTo(ProcessStat.NONE);
        assertThat(parse("42 (sh")).isEqualTo(ProcessStat.NONE);
        assertThat(parse("42 (sh) S 7 42")).isEqualTo(ProcessStat.NONE);
        assertThat(parse("42 (sh) " + REST.replace("987654", "98x"))).isEqualTo(ProcessStat.NONE);
    }
}
