package glove.session.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.session.bundle.BundleException.Fault;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.testkit.FaultySyscalls;
import glove.testkit.Identity;
import glove.wire.AbsolutePath;
import glove.wire.Digest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Bundles are what their names say, whatever somebody does to the directory they are in. */
@Tag("unit")
@Timeout(900)
final class LibraryBundleStoreTest {
    private static final byte[] CONTENT = "a bundle".getBytes(StandardCharsets.UTF_8);
    private static final Digest DIGEST = Digest.sha256(CONTENT);
    private static final int EIO = 5;

    @TempDir
    private Path parent;

    private Path root;
    private Path file;

    @BeforeEach
    void makeStore() throws Exception {
        root = Files.createDirectory(parent.toRealPath().resolve("bundles"));
        chmod(root, "rwx------");
        file = root.resolve(DIGEST + ".json");
        put(file, CONTENT);
        FdLeaks.watch();
    }

    @AfterEach
    void nothingIsOpen() {
        FdLeaks.assertNone();
    }

    private static void put(Path path, byte[] content) throws Exception {
        Files.write(path, content);
        chmod(path, "rw-------");
    }

    private static void chmod(Path path, String mode) throws Exception {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private LibraryBundleStore store() throws BundleException {
        return store(Syscalls.host());
    }

    private LibraryBundleStore store(Syscalls kernel) throws BundleException {
        return LibraryBundleStore.open(new Linux(kernel), new AbsolutePath(root.toString()));
    }

    private Fault refusalOfRoot() {
        BundleException refused =
                catchThrowableOfType(BundleException.class, () -> store().close());
        return refused.fault();
    }

    private static Fault refusal(LibraryBundleStore store) {
        BundleException refused = catchThrowableOfType(
                BundleException.class, () -> store.open(DIGEST).close());
        return refused.fault();
    }

    @Test
    void aBundleIsOpenedAndReadAsOftenAsWanted() throws Exception {
        try (LibraryBundleStore store = store();
                LibraryBundle bundle = store.open(DIGEST)) {
            assertThat(bundle.content()).isEqualTo(CONTENT);
            assertThat(bundle.content()).isEqualTo(CONTENT);
            assertThat(bundle.digest()).isEqualTo(DIGEST);
            assertThat(Linux.host().fstat(bundle.verified()).size()).isEqualTo(CONTENT.length);
        }
    }

    @Test
    void aDirectoryOthersCouldWriteOrReadIsRefused() throws Exception {
        for (String mode : new String[] {"rwxr-x---", "rwx-----x", "r-x------"}) {
            chmod(root, mode);
            assertThat(refusalOfRoot()).as(mode).isEqualTo(Fault.ROOT);
        }
        chmod(root, "rwx------");
        Path link = Files.createSymbolicLink(parent.toRealPath().resolve("link"), root);
        assertThat(catchThrowableOfType(
                                BundleException.class,
                                () -> LibraryBundleStore.open(
                                        Linux.host(), new AbsolutePath(link.toString())))
                        .fault())
                .isEqualTo(Fault.ROOT);
        Files.delete(file);
        Files.delete(root);
        assertThat(refusalOfRoot()).isEqualTo(Fault.ROOT);
        put(root, CONTENT);
        assertThat(refusalOfRoot()).isEqualTo(Fault.ROOT);
    }

    @Test
    void filesThatOthersMayHaveWrittenAreRefused() throws Exception {
        try (LibraryBundleStore store = store()) {
            for (String mode : new String[] {"rw-r-----", "rwx------", "r--------"}) {
                chmod(file, mode);
                assertThat(refusal(store)).as(mode).isEqualTo(Fault.UNSAFE);
            }
            chmod(file, "rw-------");
            Path second = Files.createLink(root.resolve("second"), file);
            assertThat(refusal(store)).isEqualTo(Fault.UNSAFE);
            Files.delete(second);
            store.open(DIGEST).close();
            Path target = root.resolve("target");
            Files.move(file, target);
            assertThat(refusal(store)).isEqualTo(Fault.MISSING);
            Files.createSymbolicLink(file, target);
            assertThat(Files.readAllBytes(file)).as("control").isEqualTo(CONTENT);
            assertThat(refusal(store)).isEqualTo(Fault.UNSAFE);
            Files.delete(file);
            Files.createDirectory(file);
            assertThat(refusal(store)).isEqualTo(Fault.UNSAFE);
        }
    }

    @Test
    void aFifoDoesNotKeepItWaiting() throws Exception {
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", "-m", "600", file.toString())
                        .start()
                        .waitFor())
                .isZero();
        try (LibraryBundleStore store = store()) {
            assertThat(refusal(store)).isEqualTo(Fault.UNSAFE);
        }
    }

    @Test
    void filesOfOthersAreRefused() throws Exception {
        Assumptions.assumeTrue(Identity.isRoot(), "only root can give files away");
        try (LibraryBundleStore store = store()) {
            Files.setAttribute(file, "unix:uid", 54321);
            assertThat(refusal(store)).isEqualTo(Fault.UNSAFE);
            Files.setAttribute(root, "unix:uid", 54321);
            assertThat(refusal(store)).isEqualTo(Fault.ROOT);
        }
        assertThat(refusalOfRoot()).isEqualTo(Fault.ROOT);
    }

    @Test
    void contentThatIsNotWhatTheNameSaysIsRefused() throws Exception {
        try (LibraryBundleStore store = store()) {
            put(file, "a bundlE".getBytes(StandardCharsets.UTF_8));
            assertThat(refusal(store)).isEqualTo(Fault.CONTENT);
            put(file, new byte[0]);
            assertThat(refusal(store)).isEqualTo(Fault.UNSAFE);
            try (RandomAccessFile large = new RandomAccessFile(file.toFile(), "rw")) {
                large.setLength(LibraryBundle.BYTES_MAX);
                assertThat(refusal(store)).isEqualTo(Fault.CONTENT);
                large.setLength(LibraryBundle.BYTES_MAX + 1L);
                assertThat(refusal(store)).isEqualTo(Fault.UNSAFE);
            }
        }
    }

    @Test
    void aBundleThatIsWrittenToWhileItIsHeldIsNoticed() throws Exception {
        try (LibraryBundleStore store = store();
                LibraryBundle bundle = store.open(DIGEST)) {
            Files.write(file, "a bundlE".getBytes(StandardCharsets.UTF_8));

            assertThat(catchThrowableOfType(BundleException.class, bundle::verified)
                            .fault())
                    .isEqualTo(Fault.CHANGED);
        }
    }

    /** A held bundle is the file that was opened; one put in its place later is not taken. */
    @Test
    void aFilePutInItsPlaceDoesNotChangeAHeldBundle() throws Exception {
        Path other = root.resolve("other");
        put(other, "other".getBytes(StandardCharsets.UTF_8));
        try (LibraryBundleStore store = store();
                LibraryBundle bundle = store.open(DIGEST)) {
            Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);

            assertThat(Files.readString(file)).as("control").isEqualTo("other");
            assertThat(catchThrowableOfType(BundleException.class, bundle::content)
                            .fault())
                    .isEqualTo(Fault.CHANGED); // it has no name any more
            assertThat(refusal(store)).isEqualTo(Fault.CONTENT);
        }
    }

    @Test
    void aDirectoryThatWasMovedOrReplacedIsOfNoMoreUse() throws Exception {
        Path away = parent.toRealPath().resolve("away");
        try (LibraryBundleStore store = store()) {
            Files.move(root, away);
            assertThat(refusal(store)).isEqualTo(Fault.ROOT);
            Files.createDirectory(root);
            chmod(root, "rwx------");
            put(file, CONTENT);
            assertThat(refusal(store)).isEqualTo(Fault.ROOT);
            Files.delete(file);
            Files.delete(root);
            Files.createSymbolicLink(root, away);
            assertThat(Files.readAllBytes(file)).as("control").isEqualTo(CONTENT);
            assertThat(refusal(store)).isEqualTo(Fault.ROOT);
            Files.delete(root);
            Files.move(away, root);
            store.open(DIGEST).close();
        }
    }

    @Test
    void whicheverCallFailsNothingStaysOpen() {
        int nth = 1;
        for (boolean fired = true; fired; nth++) {
            FaultySyscalls kernel = new FaultySyscalls(Syscalls.host(), nth, EIO);
            BundleException refused = catchThrowableOfType(BundleException.class, () -> {
                try (LibraryBundleStore store = store(kernel);
                        LibraryBundle bundle = store.open(DIGEST)) {
                    assertThat(bundle.content()).isEqualTo(CONTENT);
                }
            });
            fired = kernel.fired();
            assertThat(refused != null).as("call " + nth).isEqualTo(fired);
        }
        assertThat(nth).isGreaterThan(10);
    }
}
