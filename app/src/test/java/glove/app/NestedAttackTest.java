package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Every attack of {@link Attacks} once more, with {@code --allow-userns} and from the root of every
 * namespace that allows: what such a root may do, and nothing else, is answered otherwise than in
 * {@link AttackTest}, which shows that each attack works outside.
 */
@Tag("e2e")
final class NestedAttackTest {
    /** What differs: the namespaces themselves, and what the filter refuses in their place. */
    private static final Map<String, String> OTHERWISE = parse("""
            unshare_user OK
            unshare_net OK
            unshare_pid OK
            unshare_ipc OK
            unshare_uts OK
            clone_user OK
            clone_user_high_bits OK
            chroot_here OK
            setuid_root OK
            setgid_root OK
            gain_capability OK
            loosen_securebits OK
            network_of_socket OK
            setxattr_readonly EOPNOTSUPP
            setxattrat_readonly EOPNOTSUPP
            file_capability_at EOPNOTSUPP
            guard_setxattr EOPNOTSUPP
            file_capability EOPNOTSUPP
            netlink_uevent ENOSYS
            netlink_netfilter ENOSYS
            netlink_audit ENOSYS
            netlink_add_link ENOSYS
            netlink_sock_diag ENOSYS
            netlink_generic ENOSYS
            netlink_lo_down ENOSYS
            netlink_add_address ENOSYS
            netlink_add_route ENOSYS
            netlink_add_interface ENOSYS
            ioctl_lo_down OK
            sysctl_net EROFS
            sysctl_user_namespaces EROFS
            """);

    @TempDir
    private static Path directory;

    private static final AttackRanges RANGES = new AttackRanges();

    @BeforeAll
    static void attackEverything() throws IOException, InterruptedException {
        RANGES.open(directory);
        RANGES.attackInside(AttackRange.Setting.NESTED);
    }

    @AfterAll
    static void close() throws IOException, InterruptedException {
        RANGES.close();
    }

    private static Map<String, String> parse(String table) {
        Map<String, String> all = new HashMap<>();
        for (String line : table.lines().toList()) {
            int space = line.indexOf(' ');
            all.put(line.substring(0, space), line.substring(space + 1));
        }
        return all;
    }

    @Test
    void whatIsAnsweredOtherwiseIsAnAttack() {
        List<String> names = Attacks.ALL.stream().map(Attacks.Attack::name).toList();

        assertThat(names).containsAll(OTHERWISE.keySet());
    }

    @TestFactory
    Stream<DynamicContainer> theRootOfNestedNamespacesGainsNothingOutsideThem() {
        return RANGES.areAnswered(OTHERWISE);
    }

    @Test
    void theKernelItselfMakesNoNamespaceThatCouldOwnMounts() throws Exception {
        for (Identity identity : Identity.available()) {
            String script = "cd /proc/sys/user; cat max_mnt_namespaces max_cgroup_namespaces"
                    + " max_time_namespaces max_user_namespaces";
            List<String> command = List.of("sh", "-c", script);

            String plain = GloveProgram.exec(identity, List.of(), command).run().out();
            String nesting = GloveProgram.exec(identity, List.of("--allow-userns"), command)
                    .run()
                    .out();

            assertThat(plain).as("as %s", identity).endsWith("\n0\n");
            assertThat(nesting).as("as %s", identity).isEqualTo("0\n0\n0\n64\n");
        }
    }

    /** The classic way out of chroot(2): a second one below a descriptor held from before. */
    @Test
    void aBreakOutOfChrootEndsAtTheRootOfTheSandbox() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("python3"), "python3 is not installed");
        String program = """
                import os
                held = os.open('/', os.O_RDONLY)
                os.makedirs(os.environ['TMPDIR'] + '/jail/inner')
                os.chroot(os.environ['TMPDIR'] + '/jail')
                assert os.listdir('/') == ['inner']
                os.fchdir(held)
                os.chroot('.')
                for _ in range(64):
                    os.chdir('..')
                os.chroot('.')
                print(sorted(os.listdir('/')))
                """;
        for (Identity identity : Identity.available()) {
            List<String> options = List.of("--allow-userns");
            Command.Result root = GloveProgram.exec(
                            identity,
                            options,
                            List.of("python3", "-c", "import os; print(sorted(os.listdir('/')))"))
                    .run();
            Command.Result escaped = GloveProgram.exec(
                            identity, options, List.of("unshare", "-Ur", "python3", "-c", program))
                    .run();

            assertThat(escaped.status()).as("as %s: %s", identity, escaped).isZero();
            assertThat(escaped.out()).contains("'usr'").isEqualTo(root.out());
        }
    }
}
