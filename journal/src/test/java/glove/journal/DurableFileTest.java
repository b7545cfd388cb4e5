package glove.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.Call;
import glove.sys.ErrnoException;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.testkit.FaultySyscalls;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

@Tag("unit")
final class DurableFileTest {
    private static final int EIO = 5;
    private static final int BYTES_MAX = 1000;

    @TempDir
    private Path directory;

    /** Something done to the file {@code pins}. */
    private interface Use {
        void on(DurableFile file) throws DurableFileException;
    }

    /** Not a failure of a call but the end of the process: nothing is cleaned up after it. */
    private static final class Crash extends Error {
        private static final long serialVersionUID = 1L;
    }

    private void use(Syscalls kernel, Use use) throws DurableFileException, ErrnoException {
        UnixPath path = UnixPath.of(directory.toString());
        int flags = OpenFlags.O_PATH | OpenFlags.O_DIRECTORY;
        try (OwnedFd opened = Linux.host().open(path, flags, 0)) {
            use.on(new DurableFile(new Linux(kernel), opened, UnixPath.of("pins"), BYTES_MAX));
        }
    }

    private void use(Use use) throws DurableFileException, ErrnoException {
        use(Syscalls.host(), use);
    }

    private String content() throws IOException {
        return Files.readString(directory.resolve("pins"));
    }

    private List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            all.forEach(path -> names.add(path.getFileName().toString()));
        }
        return names;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void whatWasWrittenIsReadAndOwnerOnly() throws Exception {
        use(file -> {
            assertThat(file.read()).isEmpty();
            file.replace(bytes("one"));
            file.replace(bytes("two"));
            assertThat(file.read()).hasValue(bytes("two"));
        });

        assertThat(content()).isEqualTo("two");
        assertThat(names()).containsExactly("pins");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(directory.resolve("pins"))))
                .isEqualTo("rw-------");
    }

    @Test
    void aFailureOfAnyCallLeavesTheOldContentOrTheNewAndNothingElse() throws Exception {
        use(file -> file.replace(bytes("old")));
        for (int nth = 1; ; nth++) {
            FaultySyscalls kernel = new FaultySyscalls(Syscalls.host(), nth, EIO);
            FdLeaks.watch();
            boolean failed = false;
            try {
                use(kernel, file -> file.replace(bytes("new")));
            } catch (DurableFileException e) {
                failed = true;
                assertThat(e).hasMessageContaining("pins'");
            }
            assertThat(FdLeaks.stop()).isEmpty();
            assertThat(content()).isIn("old", "new");
            // A failing unlink is of what a crash left: it is never there in this test.
            assertThat(names()).containsExactly("pins");
            assertThat(failed).as("call %d", nth).isEqualTo(kernel.fired());
            if (!kernel.fired()) {
                assertThat(nth).isGreaterThan(8);
                return;
            }
            use(file -> file.replace(bytes("old")));
        }
    }

    /** The process ends before a call. */
    private static final class Crashing implements Syscalls {
        private final int last;
        private int calls;

        Crashing(int last) {
            this.last = last;
        }

        @Override
        public long call(Call call, long a, long b, long c, long d, long e, long f) {
            // The descriptors of a process that ends are closed.
            if (call != Call.CLOSE && ++calls >= last) {
                throw new Crash();
            }
            return Syscalls.host().call(call, a, b, c, d, e, f);
        }
    }

    @Test
    void aCrashBeforeAnyCallLeavesTheOldContentOrTheNewAndTheNextWriteCleansUp() throws Exception {
        use(file -> file.replace(bytes("old")));
        int news = 0;
        for (int nth = 1; ; nth++) {
            Syscalls kernel = new Crashing(nth);
            boolean crashed = false;
            try {
                use(kernel, file -> file.replace(bytes("new")));
            } catch (Crash e) {
                crashed = true;
            }
            assertThat(content()).isIn("old", "new");
            news += content().equals("new") ? 1 : 0;
            use(file -> file.replace(bytes("old")));
            assertThat(names()).containsExactly("pins");
            if (!crashed) {
                assertThat(news).isBetween(2, 3);
                return;
            }
        }
    }

    @Test
    void changesOfSeveralThreadsAreMadeOneAfterTheOther() throws Exception {
        use(file -> file.replace(bytes("")));
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            writers.add(Thread.ofPlatform().start(() -> {
                for (int k = 0; k < 10; k++) {
                    addOne();
                }
            }));
        }
        for (Thread writer : writers) {
            writer.join();
        }

        assertThat(content()).isEqualTo("x".repeat(40));
    }

    private void addOne() {
        try {
            use(
                    Records.UNSYNCED,
                    file -> file.change(old -> Optional.of(
                            bytes(new String(old.orElseThrow(), StandardCharsets.UTF_8) + "x"))));
        } catch (DurableFileException | ErrnoException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatOthersMayHaveWrittenIsNotRead() throws Exception {
        use(file -> file.replace(bytes("one")));
        Path pins = directory.resolve("pins");
        Files.setPosixFilePermissions(pins, PosixFilePermissions.fromString("rw-r-----"));
        refused("is not owner-only");
        Files.delete(pins);
        Files.createDirectory(pins);
        refused("is no regular file");
        Files.delete(pins);
        Files.createSymbolicLink(pins, Path.of("/etc/hostname"));
        refused("ELOOP");
        Files.delete(pins);
        Files.write(pins, new byte[BYTES_MAX + 1]);
        Files.setPosixFilePermissions(pins, PosixFilePermissions.fromString("rw-------"));
        refused("1001 bytes, more than 1000");
    }

    private void refused(String words) {
        assertThatThrownBy(() -> use(DurableFile::read))
                .isInstanceOf(DurableFileException.class)
                .hasMessageContaining(words);
    }

    @Test
    void aChangeThatGivesNothingOrTooMuchLeavesTheFile() throws Exception {
        use(file -> file.replace(bytes("one")));
        use(file -> file.change(old -> Optional.empty()));

        assertThat(content()).isEqualTo("one");
        assertThatThrownBy(() -> use(file -> file.replace(new byte[BYTES_MAX + 1])))
                .isInstanceOf(DurableFileException.class)
                .hasMessageContaining("takes no 1001 bytes");
        assertThat(content()).isEqualTo("one");
    }
}
