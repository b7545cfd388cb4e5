package glove.session.exposure;

import static org.assertj.core.api.Assertions.assertThat;

import glove.session.Deadline;
import glove.session.RegistryCall;
import glove.session.exposure.ExposureRefusedException.Reason;
import glove.wire.Id128;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** What is asked for in time and comes to its turn too late is not written, and said so. */
@Tag("unit")
@Timeout(900)
final class ExposureDeadlineTest {
    private static final long NOW = 1_000_000;

    @TempDir
    private Path parent;

    private static RegistryCall call(String key, Deadline deadline) {
        return new RegistryCall(new Id128(key), NOW, deadline);
    }

    private static Reason reason(ExposureReply reply) {
        assertThat(reply).isInstanceOf(ExposureReply.Refused.class);
        return ((ExposureReply.Refused) reply).reason();
    }

    @Test
    void nothingIsWrittenAfterTheDeadlineAndWhatWasIsToldAfterIt() throws Exception {
        Grounds grounds = new Grounds(parent);
        try (ExposureRegistry registry = grounds.open()) {
            var wish = grounds.wish("a", grounds.project);

            assertThat(reason(registry.create(wish, call("k", () -> true)))).isEqualTo(Reason.LATE);
            assertThat(registry.list(NOW)).isEmpty();
            Grounds.done(registry.create(wish, call("k", Deadline.NONE)));
            Grounds.done(registry.create(wish, call("k", () -> true))); // it was done in time

            assertThat(reason(registry.revoke("a", 1, call("r", () -> true))))
                    .isEqualTo(Reason.LATE);
            assertThat(registry.list(NOW).get(0).state()).isEqualTo(ExposureState.ACTIVE);
            Grounds.done(registry.revoke("a", 1, call("r", Deadline.NONE)));
            Grounds.done(registry.revoke("a", 1, call("r", () -> true)));
        }
    }
}
