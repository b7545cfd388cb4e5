package glove.session.exposure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.journal.AppendLogException;
import glove.testkit.EveryBit;
import glove.wire.Id128;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** What was exposed, and above all what was taken back, cannot be undone by a bit. */
@Tag("unit")
@Timeout(900)
final class ExposureDamageTest {
    private static final long NOW = 1_000_000;

    @TempDir
    private Path parent;

    private Grounds grounds;

    @BeforeEach
    void exposeAndTakeBack() throws Exception {
        grounds = new Grounds(parent);
        try (ExposureRegistry registry = grounds.open()) {
            registry.create(grounds.wish("a", grounds.project), new Id128("k1"), NOW);
            registry.revoke("a", 1, new Id128("k2"), NOW + 1);
        }
        grounds.open().close();
    }

    private boolean refuses() {
        return catchThrowableOfType(
                        AppendLogException.class, () -> grounds.open().close())
                != null;
    }

    @Test
    void noBitCanChangeUnseen() throws Exception {
        assertThat(EveryBit.flippedUnseen(grounds.file, this::refuses)).isEmpty();
    }
}
