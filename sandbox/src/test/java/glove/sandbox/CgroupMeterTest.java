package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.Call;
import glove.sys.Errno;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.testkit.FaultySyscalls;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Against a directory that looks like a hierarchy; the real one is in the virtual machine lane. */
@Tag("process")
final class CgroupMeterTest {
    private static final int AT_REMOVEDIR = 0x200;
    private static final Limits ALL = new Limits(100 << 20, 1000, 5, Limits.NONE, Limits.NONE);

    @TempDir
    Path directory;

    private Path mount;
    private Path unit;

    /** A kernel for which a new group has its files, and an empty one can be removed. */
    private final class Hierarchy implements Syscalls {
        @Override
        public long call(Call call, long a, long b, long c, long d, long e, long f) {
            try {
                if (call == Call.UNLINKAT && c == AT_REMOVEDIR) {
                    for (Path group : groups()) {
                        removeFiles(group);
                    }
                }
                long result = Syscalls.host().call(call, a, b, c, d, e, f);
                if (call == Call.MKDIRAT && result == 0) {
                    for (Path group : groups()) {
                        addFiles(group);
                    }
                }
                return result;
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    @BeforeEach
    void make() throws IOException {
        mount = Files.createDirectory(directory.resolve("cgroup"));
        unit = Files.createDirectories(mount.resolve("user@7.service/our.service"));
        Files.createDirectory(unit.resolve("main"));
        addFiles(unit);
        addFiles(unit.resolve("main"));
        Files.writeString(directory.resolve("membership"), "0::/user@7.service/our.service/main\n");
    }

    private List<Path> groups() throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(unit, "glove-*")) {
            all.forEach(found::add);
        }
        return found;
    }

    private static void addFiles(Path group) throws IOException {
        Map<String, String> files = new TreeMap<>(Map.of(
                "cgroup.procs", "",
                "cgroup.events", "populated 0\nfrozen 0\n",
                "cgroup.subtree_control", "",
                "cgroup.controllers", "cpu memory pids\n",
                "memory.events", "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n",
                "pids.events", "max 0\n",
                "cpu.stat", "usage_usec 5000\nuser_usec 1\n",
                "memory.max", "",
                "pids.max", ""));
        for (var file : files.entrySet()) {
            Files.writeString(group.resolve(file.getKey()), file.getValue());
        }
    }

    private static void removeFiles(Path group) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(group)) {
            for (Path file : all) {
                Files.delete(file);
            }
        }
    }

    private CgroupHost host() throws Exception {
        UnixPath path = UnixPath.of(mount.toString());
        return new CgroupHost(
                path,
                UnixPath.of(directory.resolve("membership").toString()),
                UnixPath.of(directory.resolve("systemd").toString()),
                Linux.host().statfsType(path));
    }

    private CgroupMeter open(Limits limits) throws Exception {
        Linux linux = new Linux(new Hierarchy());
        return CgroupMeter.open(linux, host(), limits);
    }

    private static String read(Path group, String file) throws IOException {
        return Files.readString(group.resolve(file));
    }

    @Test
    void theGroupOfARunHasItsLimitsAndGoes() throws Exception {
        try (CgroupMeter meter = open(ALL)) {
            meter.place(4711);
            Path group = groups().get(0);

            assertThat(read(unit, "cgroup.subtree_control")).isEqualTo("+memory +pids");
            assertThat(read(group, "memory.max")).isEqualTo("104857600");
            assertThat(read(group, "pids.max")).isEqualTo("6"); // and process 1
            assertThat(read(group, "cgroup.procs")).isEqualTo("4711");
        }

        assertThat(groups()).isEmpty();
    }

    @Test
    void reclaimingIsNoReasonAndKillingIs() throws Exception {
        try (CgroupMeter meter = open(ALL)) {
            meter.released();
            Path events = groups().get(0).resolve("memory.events");

            Files.writeString(events, "low 0\nhigh 0\nmax 99\noom 0\noom_kill 0\n");
            assertThat(meter.check()).isEmpty();
            Files.writeString(events, "low 0\nhigh 0\nmax 99\noom 1\noom_kill 1\n");
            assertThat(meter.check())
                    .hasValueSatisfying(hit -> assertThat(hit.limit()).isEqualTo(Limit.MEMORY));
        }
    }

    @Test
    void aRefusedForkIsAReason() throws Exception {
        try (CgroupMeter meter = open(ALL)) {
            meter.released();
            Files.writeString(groups().get(0).resolve("pids.events"), "max 1\n");

            assertThat(meter.check())
                    .hasValueSatisfying(hit -> assertThat(hit.limit()).isEqualTo(Limit.PROCESSES));
        }
    }

    @Test
    void processorTimeCountsFromTheRelease() throws Exception {
        try (CgroupMeter meter = open(ALL)) {
            meter.released();
            Path stat = groups().get(0).resolve("cpu.stat");

            Files.writeString(stat, "usage_usec 1004999\n");
            assertThat(meter.check()).isEmpty();
            Files.writeString(stat, "usage_usec 1005000\n");
            assertThat(meter.check())
                    .hasValueSatisfying(hit -> assertThat(hit.limit()).isEqualTo(Limit.CPU_TIME));
        }
    }

    @Test
    void staleGroupsAreRemovedAndThoseInUseAreNot() throws Exception {
        Path stale = Files.createDirectory(unit.resolve("glove-exec-1-0"));
        try (CgroupMeter other = open(ALL)) {
            other.place(4711);
            assertThat(stale).doesNotExist();
            Path used = groups().get(0);

            open(ALL).close();

            assertThat(used).isDirectory();
        }
    }

    @Test
    void aSliceIsNeverTaken() throws Exception {
        Path slice = Files.createDirectories(mount.resolve("user@7.service/app.slice"));
        addFiles(slice);
        Files.writeString(directory.resolve("membership"), "0::/user@7.service/app.slice\n");

        assertThatThrownBy(() -> open(ALL))
                .isInstanceOf(CgroupException.class)
                .hasMessageContaining("is not delegated");
    }

    @Test
    void aMissingControllerIsNamed() throws Exception {
        Files.writeString(unit.resolve("cgroup.controllers"), "cpu pids\n");

        assertThatThrownBy(() -> open(ALL))
                .isInstanceOf(CgroupException.class)
                .hasMessageContaining("has no controller 'memory'");
        assertThat(groups()).isEmpty();
    }

    @Test
    void aFailureOfAnyCallLeavesNoGroup() throws Exception {
        boolean fired = true;
        for (int n = 1; fired; n++) {
            FaultySyscalls faulty = new FaultySyscalls(new Hierarchy(), n, Errno.EIO);
            Linux linux = new Linux(faulty);
            CgroupHost host = host();
            try {
                CgroupMeter.open(linux, host, ALL).close();
            } catch (CgroupException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
            fired = faulty.fired();
            // What was not removed because removing failed, the next start removes.
            open(ALL).close();
            assertThat(groups()).as("call " + n).isEmpty();
        }
    }
}
