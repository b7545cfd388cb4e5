package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Sandboxes in sandboxes: in Glove's, by {@code --allow-nesting}, and Glove in bubblewrap's. */
@Tag("e2e")
final class NestingTest {
    private static final String NESTED = "unshare -Urm ";

    private final List<WorkRoom> rooms = new ArrayList<>();

    static List<Identity> identities() {
        return Identity.available();
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        for (WorkRoom room : rooms) {
            room.close();
        }
    }

    private WorkRoom room(Identity identity) throws IOException, InterruptedException {
        WorkRoom room = WorkRoom.of(identity);
        rooms.add(room);
        return room;
    }

    private static Command.Result nested(WorkRoom room, String... command)
            throws IOException, InterruptedException {
        return room.exec(List.of("--allow-nesting"), command).run();
    }

    @ParameterizedTest
    @MethodSource("identities")
    void bubblewrapContainsInside(Identity identity) throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("bwrap"), "bubblewrap is not installed");
        WorkRoom room = room(identity);
        String[] bwrap = {
            "bwrap",
            "--unshare-user",
            "--unshare-ipc",
            "--unshare-pid",
            "--unshare-net",
            "--unshare-uts",
            "--ro-bind",
            "/usr",
            "/usr",
            "--symlink",
            "usr/bin",
            "/bin",
            "--symlink",
            "usr/lib64",
            "/lib64",
            "--symlink",
            "usr/lib",
            "/lib",
            "--proc",
            "/proc",
            "--dev",
            "/dev",
            "--tmpfs",
            "/tmp",
            "sh",
            "-c",
            "echo $$; ls /; echo x 2>&1 >/usr/x"
        };

        Command.Result inside = nested(room, bwrap);
        Command.Result without = room.exec(List.of(), bwrap).run();

        assertThat(inside.out())
                .as("%s", inside)
                .contains("\nbin\n", "\nproc\n")
                .doesNotContain("home");
        assertThat(inside.err() + inside.out()).contains("Read-only file system");
        assertThat(without.status()).as("%s", without).isNotZero();
        assertThat(without.out()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("identities")
    void gloveContainsInside(Identity identity) throws Exception {
        WorkRoom room = room(identity);
        Path tree = Path.of(GloveProgram.script(identity)).resolve("..").normalize();
        List<String> options =
                List.of("--allow-nesting", "--read", tree.toString(), "--tool", "java");
        String[] glove = {
            tree + "/glove", "exec", "--", "sh", "-c", "echo in; ls -A /proc/sys | head -1; id -u"
        };
        Lanes.require("e2e", room.hasTool("java"), "there is no java in PATH");

        Command.Result inside = room.exec(options, glove).run();

        assertThat(inside.status()).as("%s", inside).isZero();
        assertThat(inside.out()).startsWith("in\n").endsWith("\n1000\n");
    }

    /** Run by root it covers parts of the proc it mounts: that is the masked one below. */
    @Test
    void gloveRunsInsideAnOrdinaryUsersBubblewrap() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("bwrap"), "bubblewrap is not installed");
        WorkRoom room = room(Identity.ORDINARY);
        String bwrap = "bwrap --unshare-all --bind / / --proc /proc --dev /dev ";
        String glove = "\"$GLOVE\" exec --workspace work -- sh -c 'echo ran >made'";

        Command.Result inside = room.shell(bwrap + glove).run();
        Command.Result closed = room.shell(
                        "bwrap --unshare-user --disable-userns --dev-bind / / " + glove)
                .run();
        Command.Result masked = room.shell(bwrap + "--tmpfs /proc/irq " + glove).run();

        assertThat(inside.status()).as("%s", inside).isZero();
        assertThat(room.work().resolve("made")).hasContent("ran");
        assertThat(closed.status()).as("%s", closed).isEqualTo(125);
        assertThat(closed.err()).contains("there are too many already").hasLineCount(1);
        assertThat(masked.status()).as("%s", masked).isEqualTo(125);
        assertThat(masked.err()).contains("masks its own /proc").hasLineCount(1);
    }

    @ParameterizedTest
    @MethodSource("identities")
    void whatIsMountedStaysAsItIsForTheRootOfNestedNamespaces(Identity identity) throws Exception {
        WorkRoom room = room(identity);
        room.outside("mkdir read; echo kept >read/file; echo secret >secret");
        List<String> options =
                List.of("--allow-nesting", "--read", room.path().resolve("read").toString());
        String read = room.path().resolve("read").toString();
        // Each prints its name when it succeeds.
        String attacks = """
                cd /
                mount -o remount,bind,rw '@' && echo remount
                mount -o remount,rw '@' && echo remount2
                umount '@' && echo umount
                umount -l '@' && echo umount-lazy
                umount /proc && echo umount-proc
                umount -l / && echo umount-root
                echo x >'@/file' && echo write
                mount -o remount,bind,rw /usr && echo x >/usr/x && echo usr
                mkdir /tmp/b && mount --bind '@' /tmp/b && mount -o remount,bind,rw /tmp/b && echo bind
                mount --rbind '@' /tmp/b && echo x >/tmp/b/file && echo write-by-bind
                mount --move '@' /tmp/b && echo move
                test -e '@/../secret' && echo secret
                cat '@/../secret' && echo secret2
                echo 0 >/proc/sys/kernel/randomize_va_space && echo sysctl
                echo h >/proc/sysrq-trigger && echo sysrq
                head -c1 /proc/kcore && echo kcore
                chmod 4755 /bin/sh && echo chmod
                touch made && chmod 4755 made && echo setuid
                mknod /tmp/sda b 8 0 && echo mknod
                mount -t ext4 /dev/vda /tmp/b && echo disk
                mount -t sysfs none /tmp/b && ls /tmp/b/kernel/debug/x && echo sysfs
                nsenter -t 1 -m true && echo nsenter
                """.replace("@", read);

        Command.Result result = room.exec(
                        options,
                        "sh",
                        "-c",
                        NESTED + "bash -c \"$1\" 2>/dev/null; echo end",
                        "sh",
                        attacks)
                .run();
        Command.Result control = room.exec(
                        options,
                        "sh",
                        "-c",
                        NESTED + "sh -c 'mount -t tmpfs none /tmp && echo x >/tmp/x && cat /tmp/x'")
                .run();

        assertThat(result.out()).as("%s", result).isEqualTo("end\n");
        assertThat(control.out()).as("%s", control).isEqualTo("x\n");
        assertThat(Files.readString(room.path().resolve("read/file"))).isEqualTo("kept\n");
        assertThat(room.outside("find work -perm /6000")).isEmpty();
    }

    /** In a control group namespace of its own its root could lift the limits of the run. */
    @ParameterizedTest
    @MethodSource("identities")
    void controlGroupsAreOutOfReach(Identity identity) throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("python3"), "python3 is not installed");
        WorkRoom room = room(identity);
        String mounts = """
                import ctypes, os
                libc = ctypes.CDLL(None, use_errno=True)
                os.mkdir('/tmp/m')
                for kind in (b'cgroup2', b'cgroup', b'tmpfs'):
                    failed = libc.mount(b'none', b'/tmp/m', kind, 0, None)
                    print(kind.decode(), ctypes.get_errno() if failed else 'OK')
                print(libc.unshare(0x02000000), ctypes.get_errno())
                """;
        String made = "unshare -UrmC echo made";

        Command.Result mounted = nested(room, "unshare", "-Urm", "python3", "-c", mounts);
        Command.Result unshared = nested(room, "sh", "-c", made);
        Command.Result plain =
                room.exec(List.of("--allow-userns"), "sh", "-c", made).run();

        assertThat(mounted.out())
                .as("%s", mounted)
                .isEqualTo("cgroup2 1\ncgroup 1\ntmpfs OK\n-1 1\n");
        assertThat(room.outside(made)).isEqualTo("made\n");
        assertThat(unshared.err()).as("%s", unshared).contains("Operation not permitted");
        assertThat(plain.err()).as("%s", plain).contains("Operation not permitted");
        assertThat(unshared.out() + plain.out()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("identities")
    void namesThatCouldNotBeHeldAreRefusedUnlessGivenUp(Identity identity) throws Exception {
        WorkRoom room = room(identity);
        room.outside("mkdir -p work/.git/objects work/.git/refs work/in;"
                + " echo 'ref: refs/heads/main' >work/.git/HEAD; touch work/.git/config");

        Command.Result kept = nested(room, "true");
        Command.Result givenUp = room.exec(
                        List.of("--allow-nesting", "--no-default-protect"), "true")
                .run();
        Command.Result hidden = room.exec(
                        List.of("--allow-nesting", "--no-default-protect", "--hide", "in"), "true")
                .run();
        Command.Result narrower = room.exec(
                        List.of("--allow-nesting", "--no-default-protect", "--read", "work/in"),
                        "true")
                .run();

        assertThat(kept.status()).isEqualTo(2);
        assertThat(kept.err()).contains("--allow-nesting", ".git", "Try: --no-default-protect");
        assertThat(givenUp.status()).as("%s", givenUp).isZero();
        assertThat(hidden.status()).as("%s", hidden).isEqualTo(2);
        assertThat(narrower.status()).isEqualTo(2);
        assertThat(narrower.err()).contains("grant only one of them");
    }

    @ParameterizedTest
    @MethodSource("identities")
    void withoutItNobodyMakesAMountNamespace(Identity identity) throws Exception {
        WorkRoom room = room(identity);
        for (List<String> options : List.of(List.<String>of(), List.of("--allow-userns"))) {
            Command.Result result =
                    room.exec(options, "unshare", "-Urm", "true").run();

            assertThat(result.status()).isNotZero();
            assertThat(result.err()).contains("Operation not permitted");
        }
        assertThat(nested(room, "unshare", "-Urm", "true").status()).isZero();
    }
}
