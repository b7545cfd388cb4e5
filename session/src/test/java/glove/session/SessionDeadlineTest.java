package glove.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.Digest;
import glove.wire.Id128;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** What is asked for in time and comes to its turn too late is not written, and said so. */
@Tag("unit")
@Timeout(900)
final class SessionDeadlineTest {
    @TempDir
    private Path parent;

    private static RegistryReply create(SessionRegistry registry, Deadline deadline) {
        return registry.create(
                new Id128("session"),
                new Digest(Room.CONTROLLER),
                Room.PLAN.getBytes(StandardCharsets.UTF_8),
                new RegistryCall(new Id128("key"), 1000, deadline));
    }

    @Test
    void nothingIsWrittenAfterTheDeadlineAndWhatWasIsToldAfterIt() throws Exception {
        Room room = new Room(parent);
        try (SessionRegistry registry = room.open()) {
            long empty = Files.size(room.file);
            AtomicInteger looks = new AtomicInteger();

            RegistryReply late = create(registry, () -> looks.incrementAndGet() > 0);

            assertThat(looks).as("the last look is the committer's").hasValue(1);
            assertThat(late).isInstanceOf(RegistryReply.Refused.class);
            assertThat(((RegistryReply.Refused) late).code()).isEqualTo(RegistryCode.DEADLINE);
            assertThat(RegistryCode.DEADLINE.wireCode()).isEqualTo("deadline_exceeded");
            assertThat(Files.size(room.file)).isEqualTo(empty);
            assertThat(registry.find(new Id128("session"))).isEqualTo(Optional.empty());

            assertThat(create(registry, Deadline.NONE)).isInstanceOf(RegistryReply.Done.class);
            assertThat(create(registry, () -> true))
                    .as("it was done in time")
                    .isInstanceOf(RegistryReply.Done.class);
        }
    }
}
