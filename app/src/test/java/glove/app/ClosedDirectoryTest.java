package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

/**
 * Root grants a directory in which others have theirs, as /tmp: what only its owner can enter the
 * agent cannot, so protected names in there need no mount, and none could be made. What somebody
 * else might enter is looked through.
 */
@Tag("e2e")
final class ClosedDirectoryTest {
    private WorkRoom room;

    @BeforeEach
    void makeARepositoryOfSomebodyElse() throws Exception {
        Lanes.require("e2e", Identity.isRoot(), "only root can list what others have closed");
        room = WorkRoom.of(Identity.ROOT);
        room.outside("mkdir -p work/theirs/.git/hooks work/mine/.git; cd work;"
                + " echo x | tee theirs/.git/config >mine/.git/config; chmod -R a+rwX theirs;"
                + " chown -R " + Identity.ORDINARY.owner() + " theirs; chmod 700 theirs");
    }

    @AfterEach
    void close() throws Exception {
        if (room != null) {
            room.close();
        }
    }

    private Command.Result inside(List<String> options, String script) throws Exception {
        return room.exec(options, "sh", "-c", script).run();
    }

    @Test
    void whatOnlyItsOwnerCanEnterNeitherStopsARunNorIsOpenToTheAgent() throws Exception {
        String attack = """
                for act in 'ls theirs' 'cat theirs/.git/config' 'echo y >theirs/.git/config' \\
                    'echo y >theirs/.git/hooks/pre-commit' 'chmod 777 theirs' 'mkdir theirs/x' \\
                    'echo y >mine/.git/config'; do
                    LC_ALL=C sh -c "$act" 2>&1 | sed 's/.*: //'
                done""";

        Command.Result result = inside(List.of(), attack);
        String control = new Command(Identity.ORDINARY.command(List.of(
                        "sh",
                        "-c",
                        "cd '" + room.work() + "'; echo y >theirs/.git/config; ls theirs -A")))
                .run()
                .out();

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out().lines())
                .containsExactly(
                        "Permission denied",
                        "Permission denied",
                        "Permission denied",
                        "Permission denied",
                        "Value too large for defined data type", // its owner is no id there
                        "Permission denied",
                        "Read-only file system");
        assertThat(control).as("the control: its owner can").isEqualTo(".git\n");
    }

    /** The control says why it is looked through at all: that file is closed by its owner's id. */
    @Test
    void whatOthersCanEnterIsProtected() throws Exception {
        room.outside("chmod 711 work/theirs");
        String attack = "LC_ALL=C; (echo y >theirs/.git/config) 2>&1 | sed 's/.*: //'";

        Command.Result result = inside(List.of(), attack);
        Command.Result control = inside(List.of("--no-default-protect"), attack);

        assertThat(result.out()).as("%s", result).isEqualTo("Read-only file system\n");
        assertThat(control.out()).as("%s", control).isEqualTo("Permission denied\n");
    }

    /** Its group, or by an access list whoever it names, the agent's user too. */
    @Test
    void whatSomebodyElseMayEnterAndTheSandboxCannotIsRefusedWithWhatToType() throws Exception {
        room.outside("chmod 710 work/theirs");

        Command.Result result = inside(List.of(), "true");
        room.outside("chmod o+x work/theirs");
        Command.Result mended = inside(List.of(), "true");

        assertThat(result.status()).as("%s", result).isEqualTo(125);
        assertThat(result.err())
                .contains("theirs/.git", "EACCES", "a directory above it is closed")
                .contains("chmod o+x that one");
        assertThat(mended.status()).as("%s", mended).isZero();
    }
}
