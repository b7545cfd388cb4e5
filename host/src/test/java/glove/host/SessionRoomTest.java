package glove.host;

import static org.assertj.core.api.Assertions.assertThat;

import glove.session.CanonicalPlan;
import glove.session.PlanRefusedException;
import glove.session.ReceiptCheck;
import glove.session.RegistryCall;
import glove.session.SessionRegistry;
import glove.sys.Linux;
import glove.sys.Pipe;
import glove.sys.UnixPath;
import glove.wire.Digest;
import glove.wire.Id128;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The bound of the session store is reported before it is hit. */
@Tag("unit")
@Timeout(900)
final class SessionRoomTest {
    private static final String PLAN = "{\"p\":1}";

    @TempDir
    private Path directory;

    private SessionRegistry open(long recordsMax) throws Exception {
        Path own = directory.resolve("own");
        if (!Files.exists(own)) {
            Files.createDirectory(own);
            Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
        }
        return SessionRegistry.open(
                Linux.host(),
                new SessionRegistry.Store(UnixPath.of(own + "/store"), 1 << 20, recordsMax),
                new SessionRegistry.Checks(
                        (plan, nowMs) -> CanonicalPlan.of(PLAN, 1, 1000),
                        (plan, nowMs) -> {
                            throw new PlanRefusedException("nothing is launched");
                        },
                        envelope -> ReceiptCheck.Worth.MALFORMED));
    }

    private String told(SessionRegistry registry) throws Exception {
        Linux linux = Linux.host();
        Pipe pipe = linux.pipe();
        try {
            DaemonLog log = new DaemonLog(linux, pipe.write(), false);
            SessionMethods methods = new SessionMethods(registry, log);
            methods.tellIfLow();
            methods.tellIfLow(); // the same percent
            log.info("end");
            log.close();
            return new String(linux.read(pipe.read(), 1 << 16), StandardCharsets.UTF_8);
        } finally {
            pipe.read().close();
            pipe.write().close();
        }
    }

    @Test
    void nineTenthsAreTold() throws Exception {
        try (SessionRegistry registry = open(10)) {
            for (int i = 1; i <= 9; i++) {
                assertThat(told(registry)).as("%s", i).doesNotContain("session_store_low");
                registry.create(
                        new Id128("s" + i),
                        Digest.ZERO,
                        PLAN.getBytes(StandardCharsets.UTF_8),
                        new RegistryCall(new Id128("k" + i), 1));
            }
            assertThat(registry.room().records()).isEqualTo(9);

            assertThat(told(registry))
                    .containsOnlyOnce("session_store_low")
                    .contains("records=\"9\" records_max=\"10\"");
        }
    }
}
