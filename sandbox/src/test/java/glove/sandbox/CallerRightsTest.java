package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

@Tag("unit")
final class CallerRightsTest {
    private static long effective(String status) {
        return CallerRights.effective(status.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void theEffectiveSetIsReadAndNoOther() {
        assertThat(effective("Name:\tx\nCapPrm:\tffff\nCapEff:\t0000000000200001\nCapBnd:\t1\n"))
                .isEqualTo(0x200001);
    }

    @Test
    void allBitsAreRead() {
        assertThat(effective("\nCapEff:\tffffffffffffffff\n")).isEqualTo(-1);
    }

    @Test
    void aStatusWithoutOneTellsOfNoCapability() {
        assertThat(effective("Name:\tCapEff:\t1\n")).isZero();
        assertThat(effective("")).isZero();
        assertThat(effective("\nCapEff:\t")).isZero();
    }
}
