package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sandbox.Refusal;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;

@Tag("unit")
final class QuantityTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void sizesAreBytesOrPowersOf1024() throws Refusal {
        assertThat(Quantity.size("-", bytes("7"))).isEqualTo(7);
        assertThat(Quantity.size("-", bytes("100K"))).isEqualTo(100 << 10);
        assertThat(Quantity.size("-", bytes("512m"))).isEqualTo(512L << 20);
        assertThat(Quantity.size("-", bytes("4G"))).isEqualTo(4L << 30);
        assertThat(Quantity.size("-", bytes("2T"))).isEqualTo(2L << 40);
    }

    @Test
    void timesAreSecondsMinutesOrHours() throws Refusal {
        assertThat(Quantity.time("-", bytes("90"))).isEqualTo(90_000);
        assertThat(Quantity.time("-", bytes("90s"))).isEqualTo(90_000);
        assertThat(Quantity.time("-", bytes("10m"))).isEqualTo(600_000);
        assertThat(Quantity.time("-", bytes("2h"))).isEqualTo(7_200_000);
    }

    @Test
    void theLargestThatFitsIsTakenAndTheNextRefused() throws Refusal {
        long largest = Long.MAX_VALUE - 1;

        assertThat(Quantity.size("-", bytes(Long.toString(largest)))).isEqualTo(largest);
        assertThatThrownBy(() -> Quantity.size("-", bytes(Long.toString(Long.MAX_VALUE))))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("too large");
        assertThatThrownBy(() -> Quantity.size("-", bytes("9223372036854775808")))
                .hasMessageContaining("too large");
    }

    @Test
    void garbageIsRefusedWithTheOptionAndWhatItSays() {
        for (String text :
                List.of("", "K", "s", "4GB", "-1", "+1", " 1", "1e3", "0x10", "\u0661")) {
            assertThatThrownBy(() -> Quantity.size("--memory", bytes(text)))
                    .as(text)
                    .isInstanceOf(Refusal.class)
                    .hasMessageStartingWith("--memory '");
        }
    }
}
