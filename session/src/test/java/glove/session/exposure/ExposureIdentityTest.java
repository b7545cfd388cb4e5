package glove.session.exposure;

import static org.assertj.core.api.Assertions.assertThat;

import glove.session.OtherProgram;
import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Root and ordinary users expose what they can reach, and keep their files where only they are. */
@Tag("process")
@Timeout(900)
final class ExposureIdentityTest {
    @TempDir
    private Path parent;

    private Path own;
    private Path foreign;

    static List<Identity> identities() {
        return Identity.available();
    }

    @BeforeEach
    void makeDirectories() throws Exception {
        chmod(parent, "rwxr-xr-x");
        own = Files.createDirectory(parent.resolve("own"));
        foreign = Files.createDirectory(parent.resolve("foreign"));
        chmod(foreign, "rwxr-xr-x");
    }

    /** What is closed can't be removed by those who may not enter it. */
    @AfterEach
    void openAll() throws Exception {
        chmod(own.resolve("grounds/root/closed"), "rwx------");
    }

    private static void chmod(Path path, String mode) throws Exception {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static void chown(Path path, String owner) throws Exception {
        Command.Result changed = Command.of("chown", owner, path.toString()).run();
        assertThat(changed.status()).as(changed.err()).isZero();
    }

    @ParameterizedTest
    @MethodSource("identities")
    void everybodyExposesWhatHeCanReachAndTrustsOnlyHisOwnFiles(Identity identity)
            throws Exception {
        boolean root = identity == Identity.ROOT;
        if (Identity.isRoot()) {
            chown(own, identity.owner());
            chown(foreign, root ? Identity.ORDINARY.owner() : Identity.ROOT.owner());
        }
        Path elsewhere = Identity.isRoot() ? foreign : Path.of("/usr");
        Command.Result result = OtherProgram.run(
                identity,
                parent,
                "glove.session.exposure.OrdinaryUse",
                own.toString(),
                elsewhere.toString());

        assertThat(result.out().lines().toList())
                .as(result.err())
                .containsExactly(
                        "open: done 1 active",
                        "closed: " + (root ? "done 1 active" : "SOURCE"),
                        "granted: yes",
                        "journal elsewhere: UNSAFE",
                        "bundles elsewhere: ROOT",
                        "stages elsewhere: true");
        assertThat(result.status()).isZero();
    }
}
