package glove.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** Root and ordinary users open their stores, and none that others may have written. */
@Tag("process")
@Timeout(900)
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class StoreIdentityTest {
    private final Identity identity;

    @TempDir
    private Path parent;

    private Path own;

    StoreIdentityTest(Identity identity) {
        this.identity = identity;
    }

    @BeforeEach
    void makeDirectory() throws Exception {
        chmod(parent, "rwxr-xr-x");
        own = Files.createDirectory(parent.resolve("own"));
        chmod(own, "rwxr-xr-x");
        chown(own, identity.owner());
    }

    private static void chmod(Path path, String mode) throws Exception {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static void chown(Path path, String owner) throws Exception {
        if (Identity.isRoot()) {
            Command.Result changed = Command.of("chown", owner, path.toString()).run();
            assertThat(changed.status()).as(changed.err()).isZero();
        }
    }

    private List<String> lines(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of(own.toString()));
        all.addAll(List.of(words));
        Command.Result result = OtherProgram.run(
                identity, parent, "glove.session.StoreUse", all.toArray(new String[0]));
        assertThat(result.status()).as("%s", result).isZero();
        return result.out().lines().toList();
    }

    @Test
    void whatTheUserHimselfLeavesOpenIsRefusedUntilItIsPutRight() throws Exception {
        List<String> told = lines(
                "make",
                "control",
                "group-parent",
                "open-parent",
                "group-file",
                "linked-parent",
                "linked-file",
                "two-names",
                "control");

        assertThat(told)
                .containsExactly(
                        "make sessions: opened",
                        "make exposures: opened",
                        "make receipts: opened",
                        "control sessions: opened",
                        "control exposures: opened",
                        "control receipts: opened",
                        "group-parent sessions: UNSAFE",
                        "group-parent exposures: UNSAFE",
                        "group-parent receipts: opened",
                        "open-parent sessions: UNSAFE",
                        "open-parent exposures: UNSAFE",
                        "open-parent receipts: opened",
                        "group-file sessions: UNSAFE",
                        "group-file exposures: UNSAFE",
                        "group-file receipts: UNSAFE",
                        "linked-parent sessions: SYSTEM",
                        "linked-parent exposures: SYSTEM",
                        "linked-parent receipts: SYSTEM",
                        "linked-file sessions: UNSAFE",
                        "linked-file exposures: UNSAFE",
                        "linked-file receipts: UNSAFE",
                        "two-names sessions: UNSAFE",
                        "two-names exposures: UNSAFE",
                        "two-names receipts: UNSAFE",
                        "control sessions: opened",
                        "control exposures: opened",
                        "control receipts: opened");
    }

    /** Root may open what is another's, and must not; for others the kernel says no. */
    @Test
    void whatBelongsToSomebodyElseIsRefused() throws Exception {
        assumeThat(Identity.isRoot()).as("only root can give files away").isTrue();
        Identity other = identity == Identity.ROOT ? Identity.ORDINARY : Identity.ROOT;
        String refused = identity == Identity.ROOT ? "UNSAFE" : "SYSTEM";
        assertThat(lines("make")).allMatch(line -> line.endsWith(": opened"));
        for (String store : StoreUse.STORES) {
            chown(own.resolve(store).resolve(store), other.owner());
        }
        assertThat(lines("control"))
                .as("the file")
                .hasSize(3)
                .allMatch(line -> line.endsWith(": " + refused));
        for (String store : StoreUse.STORES) {
            chown(own.resolve(store).resolve(store), identity.owner());
        }
        assertThat(lines("control")).as("put right").allMatch(line -> line.endsWith(": opened"));
        for (String store : StoreUse.STORES) {
            chown(own.resolve(store), other.owner());
            chmod(own.resolve(store), "rwxr-xr-x");
        }
        assertThat(lines("control"))
                .as("the directory; that of receipts may be anybody's, the file may not")
                .containsExactly(
                        "control sessions: UNSAFE",
                        "control exposures: UNSAFE",
                        "control receipts: opened");
    }
}
