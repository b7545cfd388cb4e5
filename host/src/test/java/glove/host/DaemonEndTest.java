package glove.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.session.stage.RetainedStages;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Pipe;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Nothing that hangs keeps the daemon from its work or from its end, or another one out. */
@Tag("process")
@Timeout(900)
final class DaemonEndTest {
    private final Linux linux = Linux.host();

    @TempDir
    private Path directory;

    @Test
    void nobodyWaitsForWhoeverReadsTheLog() throws Exception {
        try (Pipe pipe = linux.pipe()) {
            DaemonLog log = new DaemonLog(linux, pipe.write(), false);
            int lines = 20_000; // more than a pipe and the queue take
            for (int i = 0; i < lines; i++) {
                log.info("event", "number", Integer.toString(i));
            }
            long start = System.nanoTime();
            log.close();
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.MINUTES.toNanos(5));

            StringBuilder read = new StringBuilder();
            while (!read.toString().contains("log_lines_dropped")) {
                read.append(new String(linux.read(pipe.read(), 65_536), StandardCharsets.UTF_8));
            }
            assertThat(read.toString()).contains("gloved: event number=\"0\"\n");
        }
    }

    @Test
    void aValueFromAPeerIsCut() throws Exception {
        try (Pipe pipe = linux.pipe();
                DaemonLog log = new DaemonLog(linux, pipe.write(), true)) {
            log.error("event", "why", "x".repeat(1 << 20));

            String line = new String(linux.read(pipe.read(), 65_536), StandardCharsets.UTF_8);

            assertThat(line).hasSizeLessThan(1200).contains("... (1048576)").endsWith("\"}\n");
        }
    }

    @Test
    void theEndComesThoughWhatIsInWorkDoesNotEnd() throws Exception {
        CountDownLatch forced = new CountDownLatch(1);
        try (Pipe caught = linux.pipe();
                Pipe handed = linux.pipe()) {
            Ending ending = ending(caught, handed, new Ending.Patience(300, 100), forced);
            assertThat(forced.await(500, TimeUnit.MILLISECONDS))
                    .as("the control: nothing without a signal")
                    .isFalse();

            linux.write(caught.write(), new byte[] {15});

            assertThat(linux.read(handed.read(), 1)).containsExactly(15);
            assertThat(forced.await(5, TimeUnit.MINUTES)).isTrue();
            ending.close();
        }
    }

    private Ending ending(Pipe caught, Pipe handed, Ending.Patience patience, CountDownLatch forced)
            throws Exception {
        return new Ending(
                linux, new Ending.Doors(caught, handed.write()), patience, forced::countDown);
    }

    @Test
    void aSecondSignalIsHandedOverTooAndMakesItSooner() throws Exception {
        CountDownLatch forced = new CountDownLatch(1);
        try (Pipe caught = linux.pipe();
                Pipe handed = linux.pipe()) {
            Ending ending = ending(caught, handed, new Ending.Patience(3_600_000, 100), forced);

            linux.write(caught.write(), new byte[] {15});
            assertThat(linux.read(handed.read(), 1)).containsExactly(15);
            linux.write(caught.write(), new byte[] {2});

            assertThat(linux.read(handed.read(), 1)).containsExactly(2);
            assertThat(forced.await(5, TimeUnit.MINUTES)).isTrue();
            ending.close();
        }
    }

    @Test
    void nothingIsForcedWhenAllEndedInTime() throws Exception {
        CountDownLatch forced = new CountDownLatch(1);
        try (Pipe caught = linux.pipe();
                Pipe handed = linux.pipe()) {
            Ending ending = ending(caught, handed, new Ending.Patience(3_600_000, 100), forced);
            linux.write(caught.write(), new byte[] {15});
            assertThat(linux.read(handed.read(), 1)).containsExactly(15);

            ending.close();

            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().equals("ending")) {
                    thread.join(); // or it would wait for an hour, and then force it
                }
            }
            assertThat(forced.getCount()).as("nobody did").isEqualTo(1);
        }
    }

    private RuntimeDirectory runtime() throws Exception {
        Path place = directory.resolve("runtime");
        if (!Files.exists(place)) {
            Files.createDirectory(place);
            Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwx------"));
        }
        return RuntimeDirectory.open(linux, new AbsolutePath(place.toString()));
    }

    /** As a daemon leaves it that is killed right behind bind(2), of this version or an older. */
    private void leaveSocket(String mode) throws Exception {
        Path place = directory.resolve("runtime");
        int flags = OpenFlags.O_PATH | OpenFlags.O_DIRECTORY;
        try (OwnedFd here = linux.open(UnixPath.of(place.toString()), flags, 0)) {
            linux.listenUnix(here, UnixPath.of(RuntimeDirectory.SOCKET), 1).close();
        }
        Files.setPosixFilePermissions(
                place.resolve(RuntimeDirectory.SOCKET), PosixFilePermissions.fromString(mode));
    }

    @Test
    void whateverSocketAKilledOneLeftIsReplaced() throws Exception {
        for (String mode : new String[] {"rw-------", "rwx------", "---------"}) {
            try (RuntimeDirectory runtime = runtime()) {
                leaveSocket(mode);
                runtime.lock();

                runtime.removeStaleSocket();

                runtime.bind().close();
            }
        }
        try (RuntimeDirectory runtime = runtime()) {
            leaveSocket("rw-rw-rw-");
            runtime.lock();
            assertThatThrownBy(runtime::removeStaleSocket)
                    .as("none a gloved ever made")
                    .hasMessageContaining("no socket of a gloved");
        }
    }

    @Test
    void theSocketHasItsModeFromTheFirstMomentOn() throws Exception {
        int mask = linux.umask(0);
        try (RuntimeDirectory runtime = runtime();
                ControlSocket socket = runtime.bind()) {
            assertThat(Files.getPosixFilePermissions(directory.resolve("runtime/gloved.sock")))
                    .as("%s", socket)
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        } finally {
            linux.umask(mask);
        }
    }

    @Test
    void aLockWhoseNameIsRemovedStillKeepsASecondOneOut() throws Exception {
        try (RuntimeDirectory first = runtime();
                RuntimeDirectory second = runtime()) {
            first.lock();
            try (ControlSocket socket = first.bind()) {
                assertThatThrownBy(second::lock).hasMessageContaining("another gloved has");
                Files.delete(directory.resolve("runtime/gloved.lock"));
                try (RuntimeDirectory third = runtime()) {
                    third.lock();

                    assertThatThrownBy(third::removeStaleSocket)
                            .as("%s", socket)
                            .hasMessageContaining("another program serves");
                }
            }
        }
    }

    @Test
    void clientsGetAShareOfTheDescriptorsAndWorkTheRest() throws Exception {
        DescriptorShare plenty = DescriptorShare.of(1 << 20, 40, 1024);
        assertThat(plenty.clients()).isEqualTo(1024);
        assertThat(plenty.workers()).isEqualTo(Crew.WORKERS);
        assertThat(plenty.inspection())
                .isEqualTo(new DescriptorShare.Inspection(
                        Crew.INSPECTORS, RetainedStages.DESCRIPTORS_MAX));
        for (long limit = 76; limit < 2000; limit++) {
            DescriptorShare share = DescriptorShare.of(limit, 40, 1024);
            DescriptorShare.Inspection inspection = share.inspection();
            long work = (long) share.workers() * DescriptorShare.OF_A_WORKER
                    + (long) inspection.inspectors() * inspection.descriptors();
            assertThat(40 + DescriptorShare.OWN + share.clients() + work)
                    .as("limit %s: all at once", limit)
                    .isLessThanOrEqualTo(limit);
            assertThat(share.clients()).isGreaterThanOrEqualTo(6);
            assertThat(share.workers()).isBetween(1, Crew.WORKERS);
            assertThat(inspection.inspectors()).isBetween(1, Crew.INSPECTORS);
            assertThat(inspection.descriptors())
                    .isBetween(RetainedStages.DESCRIPTORS_LEAST, RetainedStages.DESCRIPTORS_MAX);
        }
        assertThatThrownBy(() -> DescriptorShare.of(75, 40, 1024))
                .hasMessageContaining("ulimit -n");
    }
}
