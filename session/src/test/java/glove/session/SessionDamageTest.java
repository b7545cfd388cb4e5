package glove.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.journal.AppendLogException;
import glove.sys.Call;
import glove.sys.Syscalls;
import glove.testkit.EveryBit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** No bit of a store can change unseen; a cut leaves what an interrupted append would leave. */
@Tag("unit")
@Timeout(900)
final class SessionDamageTest {
    /** What is synced here is read back before any power can fail. */
    private static final Syscalls UNSYNCED = (call, a, b, c, d, e, f) -> {
        boolean sync = call == Call.FSYNC || call == Call.FDATASYNC;
        return sync ? 0 : Syscalls.host().call(call, a, b, c, d, e, f);
    };

    @TempDir
    private Path parent;

    private Room room;
    private byte[] whole = {};
    private int lastAt; // where the second record begins

    @BeforeEach
    void writeTwo() throws Exception {
        room = new Room(parent);
        try (SessionRegistry registry = room.open()) {
            Room.create(registry, "a", "create-a", 1000);
            lastAt = Math.toIntExact(registry.room().bytes());
            Room.create(registry, "b", "create-b", 1001);
        }
        whole = Files.readAllBytes(room.file);
        room.open().close();
    }

    private boolean refuses() {
        return catchThrowableOfType(AppendLogException.class, () -> room.open().close()) != null;
    }

    @Test
    void noBitCanChangeUnseen() throws Exception {
        assertThat(EveryBit.flippedUnseen(room.file, this::refuses)).isEmpty();
    }

    @Test
    void aCutIsRefusedOrLeavesTheBeginningOfOneRecordWhichIsKept() throws Exception {
        for (int size = 0; size < whole.length; size++) {
            room.write(Arrays.copyOf(whole, size));
            if (size < SessionRegistry.HEADER.length()) {
                assertThat(refuses()).as("%d bytes", size).isTrue();
                continue;
            }
            try (SessionRegistry registry = room.open(UNSYNCED)) {
                int kept = size < lastAt ? SessionRegistry.HEADER.length() : lastAt;
                assertThat(registry.repaired().isPresent()).isEqualTo(size != kept);
                assertThat(Files.readAllBytes(room.file)).isEqualTo(Arrays.copyOf(whole, kept));
                if (size != kept) {
                    Path aside =
                            Path.of(registry.repaired().orElseThrow().setAside().toString());
                    assertThat(Files.readAllBytes(aside))
                            .isEqualTo(Arrays.copyOfRange(whole, kept, size));
                    Files.delete(aside);
                }
            }
        }
    }
}
