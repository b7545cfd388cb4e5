package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Kernels that lack a call, and filters that refuse one, by strace(1): each call Glove makes that
 * is younger than Linux 5.1 in turn, in every process of a run, the JVM's, the launcher's and the
 * command's.
 */
@Tag("e2e")
final class OldKernelTest {
    private static final Path ROOT = Path.of(System.getProperty("glove.root"));
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    /** A call Glove does without, or what the one line says. */
    private record Young(String call, String error, String line) {}

    private static final String WITHOUT = "";
    private static final String NEWER = "Linux 5.12 or newer is needed";
    private static final String FILTER = "seccomp";

    private static final List<Young> CALLS = List.of(
            new Young("landlock_create_ruleset", "ENOSYS", WITHOUT),
            new Young("landlock_create_ruleset", "EOPNOTSUPP", WITHOUT),
            new Young("landlock_create_ruleset", "EPERM", WITHOUT),
            new Young("landlock_add_rule", "EPERM", FILTER),
            new Young("landlock_restrict_self", "EPERM", FILTER),
            new Young("clone3", "ENOSYS", WITHOUT),
            new Young("faccessat2", "ENOSYS", WITHOUT),
            new Young("pidfd_send_signal", "ENOSYS", WITHOUT),
            new Young("pidfd_getfd", "ENOSYS", WITHOUT),
            new Young("epoll_pwait2", "ENOSYS", WITHOUT),
            new Young("rseq", "ENOSYS", WITHOUT),
            new Young("futex_waitv", "ENOSYS", WITHOUT),
            new Young("keyctl", "ENOSYS", WITHOUT),
            new Young("keyctl", "EPERM", WITHOUT),
            new Young("pidfd_open", "ENOSYS", NEWER),
            new Young("openat2", "ENOSYS", NEWER),
            new Young("openat2", "EPERM", FILTER),
            new Young("close_range", "ENOSYS", NEWER),
            new Young("mount_setattr", "ENOSYS", NEWER),
            new Young("mount_setattr", "EPERM", FILTER),
            new Young("open_tree", "ENOSYS", NEWER),
            new Young("open_tree", "EPERM", FILTER),
            new Young("move_mount", "ENOSYS", NEWER),
            new Young("move_mount", "EPERM", FILTER),
            new Young("fsopen", "ENOSYS", NEWER),
            new Young("fsopen", "EPERM", FILTER),
            new Young("fsconfig", "ENOSYS", NEWER),
            new Young("fsmount", "ENOSYS", NEWER),
            new Young("pivot_root", "EPERM", FILTER),
            new Young("unshare", "EPERM", FILTER),
            new Young("seccomp", "ENOSYS", NEWER),
            new Young("seccomp", "EPERM", FILTER),
            // AppArmor gives the namespace, and takes its capabilities away.
            new Young("sethostname", "EPERM", "--security-opt seccomp=unconfined"),
            new Young("memfd_create", "EACCES", "/usr/libexec/glove/launcher"),
            new Young("memfd_create", "EINVAL:when=1", WITHOUT),
            new Young("execveat", "EACCES", "/usr/libexec/glove/launcher"));

    /** Younger than many a strace knows: no source of Glove's names them. */
    private static final List<String> NEVER_MADE = List.of(
            "fchmodat2",
            "cachestat",
            "statmount",
            "listmount",
            "mseal",
            "setxattrat",
            "open_tree_attr",
            "listns",
            "file_getattr",
            "map_shadow_stack");

    @BeforeAll
    static void require() {
        Lanes.require("e2e", WorkRoom.isInstalled("strace"), "strace is not installed");
    }

    @TestFactory
    Stream<DynamicTest> aRunDoesWithoutACallOrSaysWhichKernelItNeeds() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Young young : CALLS) {
            tests.add(dynamicTest(young.call() + ": " + young.error(), () -> examine(young)));
        }
        return tests.stream();
    }

    private static void examine(Young young) throws IOException, InterruptedException {
        WorkRoom room = WorkRoom.of(Identity.ORDINARY);
        try {
            String script = "cd work; set +e; strace -f --seccomp-bpf -qq -o /dev/null -e trace="
                    + young.call() + " -e inject=" + young.call() + ":error=" + young.error()
                    + " \"$GLOVE\" exec --workspace . -- sh -c 'echo ran >made'";

            Command.Result result = room.shell(script).within(PATIENCE).run();

            boolean runs = young.line().isEmpty();
            assertThat(result.status()).as("%s", result).isEqualTo(runs ? 0 : 125);
            if (runs) {
                assertThat(room.work().resolve("made")).hasContent("ran");
            } else {
                assertThat(result.err().lines().toList())
                        .singleElement()
                        .asString()
                        .startsWith("glove exec: ")
                        .contains(young.line());
                assertThat(room.work()).isEmptyDirectory();
            }
            assertThat(result.out()).isEmpty();
        } finally {
            room.close();
        }
    }

    /** Without a fault of the same kind the same command runs: what refuses is the fault. */
    @Test
    void underStraceAloneItRuns() throws IOException, InterruptedException {
        examine(new Young("getcpu", "ENOSYS", WITHOUT));
    }

    @Test
    void noSourceNamesACallYoungerThanTheOldestKernel() throws IOException {
        String calls = Files.readString(ROOT.resolve("sys/src/main/java/glove/sys/Call.java"))
                + Files.readString(ROOT.resolve("native/launcher/launcher.c"))
                + Files.readString(ROOT.resolve("native/sys/glove_sys.c"))
                + Files.readString(ROOT.resolve("native/guest/guest.c"));

        for (String call : NEVER_MADE) {
            assertThat(calls.toLowerCase(Locale.ROOT))
                    .doesNotContain(call + "(")
                    .doesNotContain("__nr_" + call + ",");
        }
    }
}
