package glove.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.journal.DurableFileException;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.testkit.EveryBit;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;

/** A store is read beside the daemon that has it, and left alone. */
@Tag("unit")
final class SessionSnapshotTest {
    @TempDir
    private Path parent;

    private Room room;

    @BeforeEach
    void makeRoom() throws Exception {
        room = new Room(parent);
    }

    private List<SessionRecord> read() throws DurableFileException {
        return SessionSnapshot.read(Linux.host(), UnixPath.of(room.file.toString()));
    }

    @Test
    void itIsWhatTheRegistryHasWhileThatIsOpen() throws Exception {
        try (SessionRegistry registry = room.open()) {
            assertThat(read()).isEmpty();
            Room.create(registry, "b", "k-1", 1000);
            Room.create(registry, "a", "k-2", 1001);
            registry.reserveStart(Room.authorization("a", 1002, 5000), Room.call("k-3", 1002));

            List<SessionRecord> lean = registry.sessions().stream()
                    .map(session -> session.sharing(session.plan().withText("")))
                    .toList();
            assertThat(read()).isEqualTo(lean).hasSize(2);
            assertThat(read().get(0).state()).isEqualTo(SessionState.PREPARING);
        }
    }

    @Test
    void aRecordThatIsBeingWrittenIsNotThereYet() throws Exception {
        try (SessionRegistry registry = room.open()) {
            Room.create(registry, "a", "k-1", 1000);
        }
        long first = Files.size(room.file);
        try (SessionRegistry registry = room.open()) {
            Room.create(registry, "b", "k-2", 1001);
        }
        byte[] whole = Files.readAllBytes(room.file);
        for (int cut = (int) first; cut < whole.length; cut += 97) {
            room.write(Arrays.copyOf(whole, cut));

            assertThat(read()).hasSize(1);
            assertThat(Files.size(room.file)).as("left alone").isEqualTo(cut);
        }
    }

    /** Also not the length of the last record, which makes it look like one that is written. */
    @Test
    void noBitCanChangeUnseen() throws Exception {
        try (SessionRegistry registry = room.open()) {
            Room.create(registry, "a", "k-1", 1000);
            registry.reserveStart(Room.authorization("a", 1002, 5000), Room.call("k-2", 1002));
        }
        assertThat(read()).as("control").hasSize(1);

        assertThat(EveryBit.flippedUnseen(
                        room.file,
                        () -> catchThrowableOfType(DurableFileException.class, this::read) != null))
                .isEmpty();
    }

    @Test
    void aChangedRecordIsToldWithItsPlace() throws Exception {
        try (SessionRegistry registry = room.open()) {
            Room.create(registry, "a", "k-1", 1000);
        }
        byte[] whole = Files.readAllBytes(room.file);
        whole[whole.length / 2] ^= 1;
        room.write(whole);

        assertThat(catchThrowableOfType(DurableFileException.class, this::read))
                .hasMessageContaining("at byte 8");
    }

    @Test
    void aFileOthersMayReadOrThatIsNoneIsRefused() throws Exception {
        room.write(new byte[] {1, 2, 3});
        assertThat(catchThrowableOfType(DurableFileException.class, this::read))
                .hasMessageContaining("does not begin as one");

        Files.setPosixFilePermissions(room.file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(catchThrowableOfType(DurableFileException.class, this::read))
                .hasMessageContaining("yours alone");
    }
}
