package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import glove.testkit.Command;
import glove.testkit.Identity;

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
import java.util.stream.Stream;

/**
 * Hosts that break others, each made in a throw-away namespace as an ordinary user: a contained
 * command runs, or one line says what to change, with status 125; and nothing is left. The
 * namespaces are of this machine's kernel: what they stand for is not run here.
 */
@Tag("e2e")
final class HostsTest {
    private static final Path ROOT = Path.of(System.getProperty("glove.root"));
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    /** It runs. */
    private static final String RUNS = "";

    /** What a script below calls to try it. */
    private static final String TRY = "\"$GLOVE\" exec --workspace . -- sh -c 'echo ran >made'";

    /**
     * A host.
     *
     * @param name as the table of docs/hosts.md has it
     * @param script shell text that makes it and calls {@code t}
     * @param line what the one line says; {@link #RUNS}
     */
    private record Host(String name, String script, String line) {}

    /** Root of a user namespace with mounts and processes of its own. */
    private static final String NAMESPACE = "unshare -Urmpf --mount-proc bash -ec ";

    private static final List<Host> IN_NAMESPACES = List.of(
            new Host(
                    "user namespaces switched off (`user.max_user_namespaces`)",
                    "echo 0 >/proc/sys/user/max_user_namespaces; t",
                    "sysctl -w user.max_user_namespaces=10000"),
            new Host(
                    "mount namespaces switched off (`user.max_mnt_namespaces`)",
                    "echo 0 >/proc/sys/user/max_mnt_namespaces; t",
                    "sysctl -w user.max_mnt_namespaces=10000"),
            new Host(
                    "Docker, Kubernetes: /proc masked",
                    "mount -o bind,ro /proc/sys /proc/sys; mount -t tmpfs none /proc/irq; t",
                    "systempaths=unconfined"),
            new Host(
                    "root of a container without capabilities",
                    "exec setpriv --bounding-set=-all --inh-caps=-all sh -c \"$T\"",
                    "Docker: --user 1000"),
            new Host(
                    "a chroot",
                    "mount -t tmpfs none /mnt; mkdir /mnt/r; mount --rbind / /mnt/r;"
                            + " PATH=$PATH:/usr/sbin; exec chroot /mnt/r sh -c \"cd '$PWD'; $T\"",
                    "a chroot"),
            new Host("/tmp read-only", "mount -t tmpfs -o ro none /tmp; t", RUNS),
            new Host(
                    "/tmp full",
                    "mount -t tmpfs -o size=4k none /tmp; head -c 9000 /dev/zero >/tmp/x 2>/dev/null || true; t",
                    RUNS),
            new Host("no /dev/shm", "mount -t tmpfs -o ro,mode=0 none /dev/shm; t", RUNS),
            new Host("no /sys", "mount -t tmpfs none /sys; t", RUNS),
            new Host("no /proc", "umount -l /proc; mount -t tmpfs none /proc; t", "mount one"),
            new Host("a /dev without devices", "mount -t tmpfs none /dev; t", "in /dev"),
            new Host(
                    "overlayfs as the root",
                    "mount -t tmpfs none /mnt; for d in usr etc; do mkdir -p /mnt/u$d /mnt/w$d;"
                            + " mount -t overlay -o lowerdir=/$d,upperdir=/mnt/u$d,workdir=/mnt/w$d,"
                            + "userxattr none /$d; done; mkdir /mnt/lower /mnt/u /mnt/w /mnt/all;"
                            + " mount -t overlay -o lowerdir=/mnt/lower,upperdir=/mnt/u,"
                            + "workdir=/mnt/w,userxattr none /mnt/all; here=$PWD; cd /mnt/all;"
                            + " sh -c \"$T\"; cp made \"$here/made\"",
                    RUNS),
            new Host("few processes (`ulimit -u 20`)", "ulimit -u 24; t", RUNS),
            new Host("too few processes (`ulimit -u 8`)", "ulimit -u 8; t", "ulimit -u"));

    private static final List<Host> AS_ONESELF = List.of(
            new Host("HOME unset", "unset HOME; t", RUNS),
            new Host("HOME missing", "export HOME=/nonexistent; t", RUNS),
            new Host("HOME relative", "export HOME=home; t", RUNS),
            new Host(
                    "an empty environment",
                    "T=$T; exec env -i GLOVE=\"$GLOVE\" /bin/sh -c \"$T\"",
                    RUNS),
            new Host("LC_ALL=nonsense", "exec env LC_ALL=nonsense sh -c \"$T\"", RUNS),
            new Host("the POSIX locale", "export LC_ALL=C; t", RUNS),
            new Host(
                    "names that are no UTF-8",
                    "d=$(printf 'n\\377\\376'); mkdir \"$d\"; cd \"$d\";"
                            + " sh -c \"$T\"; mv made ..",
                    RUNS),
            new Host("NoNewPrivileges=yes", "exec setpriv --no-new-privs sh -c \"$T\"", RUNS),
            new Host("LimitCORE=0", "ulimit -c 0; t", RUNS),
            new Host(
                    "LimitMEMLOCK=0, LimitSIGPENDING=0, LimitMSGQUEUE=0",
                    "ulimit -l 0; ulimit -i 0; ulimit -q 0; t",
                    RUNS),
            new Host("a small stack (`ulimit -s 64`)", "ulimit -s 64; t", RUNS),
            new Host("little data (`ulimit -d 140000`)", "ulimit -d 140000; t", RUNS),
            new Host("too little data (`ulimit -d 50000`)", "ulimit -d 50000; t", "ulimit -d"),
            new Host("few open files (`ulimit -n 64`)", "ulimit -n 64; t", RUNS),
            new Host("too few open files (`ulimit -n 20`)", "ulimit -n 20; t", "ulimit -n 256"),
            new Host(
                    "no files to be written (`ulimit -f 0`)",
                    "ulimit -f 0; t",
                    "ulimit -f unlimited"),
            new Host("little address space (`ulimit -v 3000000`)", "ulimit -v 3000000; t", RUNS),
            new Host(
                    "too little address space (`ulimit -v 2000000`)",
                    "ulimit -v 2000000; t",
                    "ulimit -v"),
            new Host(
                    "WSL2: Windows directories in PATH, an empty user name in one",
                    "export PATH=\"/mnt/c/Users//AppData/Local/Microsoft/WindowsApps:"
                            + "/mnt/c/Program Files (x86)/x:$PATH:\" WSL_DISTRO_NAME=Ubuntu; t",
                    RUNS),
            new Host(
                    "an outer user namespace without capabilities",
                    "exec unshare --user --map-user=1000 --map-group=1000 sh -c \"$T\"",
                    RUNS));

    @TestFactory
    Stream<DynamicTest> aHostMadeInANamespaceRunsItOrSaysWhatToChange() {
        return IN_NAMESPACES.stream()
                .map(host ->
                        dynamicTest(host.name(), () -> examine(host, Identity.ORDINARY, true)));
    }

    @TestFactory
    Stream<DynamicTest> aHostMadeByLimitsAndEnvironmentRunsItOrSaysWhatToChange() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Host host : AS_ONESELF) {
            for (Identity identity : Identity.available()) {
                boolean outer = host.script().contains("unshare");
                if (identity == Identity.ORDINARY || !outer) {
                    tests.add(dynamicTest(
                            host.name() + ", as " + identity,
                            () -> examine(host, identity, false)));
                }
            }
        }
        return tests.stream();
    }

    private static void examine(Host host, Identity identity, boolean namespace)
            throws IOException, InterruptedException {
        WorkRoom room = WorkRoom.of(identity);
        try {
            String script = "t() { exec sh -c \"$T\"; }\ncd work\n" + host.script();
            String whole = namespace ? NAMESPACE + quoted(script) : "bash -ec " + quoted(script);
            Command.Result result = room.shell("set +e\n" + whole)
                    .with("T", TRY)
                    .within(PATIENCE)
                    .run();

            if (host.line().isEmpty()) {
                assertThat(result.status()).as("%s", result).isZero();
                assertThat(result.err()).isEmpty();
                assertThat(room.work().resolve("made")).hasContent("ran");
            } else {
                assertThat(result.status()).as("%s", result).isEqualTo(125);
                assertThat(result.err().lines().toList())
                        .singleElement()
                        .asString()
                        .startsWith("glove")
                        .contains(host.line());
                assertThat(room.work().resolve("made")).doesNotExist();
            }
            assertThat(result.out()).isEmpty();
            assertThat(room.outside("find work -mindepth 1 ! -name made  ! -name 'n*'"))
                    .isEmpty();
        } finally {
            room.close();
        }
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    @Test
    void theTableOfTheDocumentationHasEachOfThem() throws IOException {
        String table = Files.readString(ROOT.resolve("docs/hosts.md"));

        for (List<Host> hosts : List.of(IN_NAMESPACES, AS_ONESELF)) {
            for (Host host : hosts) {
                assertThat(table).contains("| " + host.name() + " |");
            }
        }
    }
}
