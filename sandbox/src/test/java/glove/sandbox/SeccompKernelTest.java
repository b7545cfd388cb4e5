package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sandbox.SeccompProgram.Sockets;
import glove.sys.Arch;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The filters in the running kernel: a C program loads them and tries calls, and tries the same
 * calls without, so that a refusal is known to be the filter's.
 */
@Tag("process")
class SeccompKernelTest {
    private static final int EPERM = 1;
    private static final int ENOSYS = 38;
    private static final int SIGSYS = -31;

    private static final Set<String> REFUSED = Set.of(
            "fchmod_4755",
            "fchmod_2755_high",
            "fchmodat_6755",
            "fchmodat2_4755",
            "openat_creat_4755",
            "openat_tmpfile_4700",
            "mkdirat_2755",
            "mknodat_fifo_4644",
            "chmod_4755",
            "creat_4755",
            "open_creat_2755",
            "tiocsti",
            "tiocsti_high",
            "prlimit_parent",
            "personality_no_randomize",
            "socket_uevent",
            "socket_udp",
            "socket_udp_high",
            "clone_user_fs",
            "unshare_user_bad",
            "setns",
            "mount",
            "open_tree",
            "mount_setattr",
            "statmount",
            "ptrace",
            "process_vm_readv",
            "pidfd_getfd",
            "add_key");

    private static final Set<String> ABSENT = Set.of("clone3", "openat2");

    private static final Set<String> KILLED = Set.of("x32_getpid", "i386_getpid");

    /** Only built for x86-64. */
    private static final Set<String> X86_ONLY =
            Set.of("chmod_4755", "creat_4755", "open_creat_2755", "x32_getpid", "i386_getpid");

    @TempDir
    Path directory;

    private Path probe = Path.of("not compiled yet");

    @BeforeEach
    void compileTheProbe() throws Exception {
        CProgram.requireCompiler("gcc");
        Path source = directory.resolve("seccomp_probe.c");
        try (var resource = SeccompKernelTest.class.getResourceAsStream("seccomp_probe.c")) {
            Files.copy(Objects.requireNonNull(resource), source);
        }
        probe = CProgram.compile(directory, source, directory.resolve("seccomp_probe"));
    }

    @Test
    void offlineTheKernelAnswersAsTheTableSays() throws Exception {
        Set<String> refused = new HashSet<>(REFUSED);
        refused.add("socket_tcp");

        checkAgent(Sockets.OFFLINE, refused);
    }

    @Test
    void withEgressTcpSocketsCanBeMade() throws Exception {
        checkAgent(Sockets.LOOPBACK_EGRESS, REFUSED);
    }

    @Test
    void process1IsKilledForWhatItNeverNeeds() throws Exception {
        Map<String, Integer> control = run("init", "none");
        Map<String, Integer> filtered = run("init", filter(InitSeccomp.program(Arch.host())));
        Set<String> killed = Set.of("tgkill", "openat", "execve", "clone", "mmap", "prctl");

        assertThat(filtered).hasSize(12).containsKeys(killed.toArray(new String[0]));
        filtered.forEach((call, result) -> {
            int expected = killed.contains(call) ? SIGSYS : resultOf(control, call);
            assertThat(result).as(call).isEqualTo(expected);
            assertThat(resultOf(control, call)).as(call).isNotEqualTo(SIGSYS);
        });
    }

    private void checkAgent(Sockets sockets, Set<String> refused) throws Exception {
        Map<String, Integer> control = run("agent", "none");
        Map<String, Integer> filtered =
                run("agent", filter(SeccompProgram.forAgent(Arch.host(), sockets)));

        Set<String> named = new HashSet<>(refused);
        named.addAll(ABSENT);
        named.addAll(KILLED);
        if (Arch.host() != Arch.X86_64) {
            named.removeAll(X86_ONLY);
        }
        assertThat(filtered).hasSizeGreaterThan(40).containsKeys(named.toArray(new String[0]));
        assertThat(filtered.keySet()).isEqualTo(control.keySet());
        filtered.forEach((call, result) -> {
            int without = resultOf(control, call);
            if (!named.contains(call)) {
                assertThat(result).as("%s, which is allowed", call).isEqualTo(without);
                return;
            }
            int expected = KILLED.contains(call) ? SIGSYS : ABSENT.contains(call) ? ENOSYS : EPERM;
            assertThat(result).as(call).isEqualTo(expected);
            if (without != ENOSYS) { // else the kernel has no such call
                assertThat(without).as("%s without the filter", call).isNotEqualTo(expected);
            }
        });
    }

    private static int resultOf(Map<String, Integer> results, String call) {
        Integer result = results.get(call);
        return Objects.requireNonNull(result, call);
    }

    private String filter(byte[] program) throws IOException {
        return Files.write(directory.resolve("filter.bpf"), program).toString();
    }

    private Map<String, Integer> run(String attempts, String filter)
            throws IOException, InterruptedException {
        Path work = Files.createTempDirectory(directory, "work");
        // The probe becomes an ordinary user when root runs the tests.
        Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxrwxrwx"));
        Map<String, Integer> results = new LinkedHashMap<>();
        for (String line : CProgram.run(work, probe.toString(), attempts, filter)) {
            int blank = line.indexOf(' ');
            results.put(line.substring(0, blank), Integer.valueOf(line.substring(blank + 1)));
        }
        return results;
    }
}
