package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sandbox.Refusal;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class OpenFilesTest {
    @Test
    void someAreKeptForGloveAndTheRestIsShared() throws Exception {
        assertThat(OpenFiles.each(1024, 2)).isEqualTo((1024 - OpenFiles.RESERVED) / 2);
        assertThat(OpenFiles.each(-1, 1)).isGreaterThan(100_000);
    }

    @Test
    void tooFewAreRefusedWithTheLimitByName() {
        assertThatThrownBy(() -> OpenFiles.each(64, 1))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("only 64 files")
                .hasMessageContaining("ulimit -Hn")
                .hasMessageContaining("160");
    }
}
