package glove.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Each kind of thing a run could leave is seen when it is left, and only then. */
@Tag("process")
final class LeftoversTest {
    private static final long PATIENCE_MILLIS = 500;

    @TempDir
    Path directory;

    private Leftovers.Place place() throws IOException {
        Path groups = Files.createDirectories(directory.resolve("groups"));
        Path names = Files.createDirectories(directory.resolve("names"));
        return new Leftovers.Place(Path.of("/proc/self"), List.of(names), groups);
    }

    private Path name(String name) {
        return directory.resolve("names").resolve(name);
    }

    @Test
    void nothingIsFoundWhereNothingWasLeft() throws IOException {
        assertThat(Leftovers.since(place(), PATIENCE_MILLIS).found()).isEmpty();
    }

    @Test
    void aProcess() throws IOException, InterruptedException {
        Leftovers leftovers = Leftovers.since(place(), PATIENCE_MILLIS);
        Process left = new ProcessBuilder("sleep", "30").start();
        try {
            assertThat(leftovers.found()).anyMatch(what -> what.startsWith("process "));
        } finally {
            left.destroyForcibly().waitFor();
        }
    }

    @Test
    void aThread() throws IOException, InterruptedException {
        Leftovers leftovers = Leftovers.since(place(), PATIENCE_MILLIS);
        CountDownLatch end = new CountDownLatch(1);
        Thread left = new Thread(() -> await(end), "left over");
        left.start();
        assertThat(leftovers.found()).singleElement().asString().endsWith(" left over");
        end.countDown();
        left.join();
        assertThat(leftovers.found()).isEmpty();
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aDescriptorAFileAndALock() throws IOException {
        Leftovers leftovers = Leftovers.since(place(), PATIENCE_MILLIS);
        Path file = Files.createFile(name("file"));
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
            assertThat(open.lock().isValid()).isTrue();
            assertThat(leftovers.found())
                    .anyMatch(what -> what.startsWith("descriptor "))
                    .anyMatch(what -> what.startsWith("lock "))
                    .contains("name " + file);
        }
    }

    @Test
    void aDirectoryAndASocket() throws IOException {
        Leftovers leftovers = Leftovers.since(place(), PATIENCE_MILLIS);
        Path made = Files.createDirectory(name("made"));
        Path socket = name("s");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            assertThat(leftovers.found()).contains("name " + made, "name " + socket);
        }
    }

    @Test
    void aControlGroup() throws IOException {
        Leftovers leftovers = Leftovers.since(place(), PATIENCE_MILLIS);
        String name = "glove-exec-" + ProcessHandle.current().pid();
        Path group = Files.createDirectory(directory.resolve("groups/" + name + "-0"));
        Path other = Files.createDirectory(directory.resolve("groups/" + name + "1-0"));

        assertThat(leftovers.found()).contains("cgroup " + group).doesNotContain("cgroup " + other);
    }

    /** In a mount namespace of somebody else's, which is looked into from here. */
    @Test
    void aMount() throws IOException, InterruptedException {
        String script = "echo ready; read go; mount -t tmpfs none /mnt && echo done; read go";
        Process other = new ProcessBuilder("unshare", "-Urm", "sh", "-c", script).start();
        try (var in = other.inputReader();
                var out = other.outputWriter()) {
            Lanes.require(
                    "process", "ready".equals(in.readLine()), "no user namespaces for this user");
            Path process = Path.of("/proc", Long.toString(other.pid()));
            Leftovers leftovers = Leftovers.since(
                    new Leftovers.Place(process, place().directories(), place().cgroups()),
                    PATIENCE_MILLIS);
            out.write("\n");
            out.flush();
            assertThat(in.readLine()).isEqualTo("done");
            assertThat(leftovers.found()).anyMatch(what -> what.startsWith("mount "));
        } finally {
            other.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }
}
