package glove.session.exposure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.policy.session.ExposurePolicy;
import glove.policy.session.ExposureRoot;
import glove.session.exposure.ExposureRefusedException.Reason;
import glove.sys.Call;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.testkit.Lanes;
import glove.wire.AbsolutePath;
import glove.wire.Digest;
import glove.wire.Id128;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Somebody who may write below a root puts something else in the place of what was exposed, before
 * each system call there is: what is opened is what was exposed, or nothing. The same against code
 * that looks at a path and opens it then succeeds.
 */
@Tag("unit")
@Timeout(900)
final class ExposureRaceTest {
    private static final long NOW = 1_000_000;
    private static final int CALLS_MAX = 40;

    @TempDir
    private Path parent;

    private Grounds grounds;
    private Path secret;

    @BeforeEach
    void makeGrounds() throws Exception {
        grounds = new Grounds(parent);
        secret = Files.createDirectory(grounds.top.resolve("secret"));
        Files.createDirectory(secret.resolve("inner"));
    }

    /** Files are moved in the middle of something else. */
    private interface Attack {
        void strike() throws IOException;
    }

    /** Strikes before its n-th call from when it is armed. */
    private static final class Attacked {
        private int left = -1;
        private final Attack attack;
        private boolean struck;

        Attacked(Attack attack) {
            this.attack = attack;
        }

        void arm(int nth) {
            left = nth;
        }

        Syscalls kernel() {
            return (call, a, b, c, d, e, f) -> {
                strikeBefore(call);
                return Syscalls.host().call(call, a, b, c, d, e, f);
            };
        }

        private void strikeBefore(Call call) {
            if (call == Call.CLOSE || left <= 0 || --left > 0) {
                return;
            }
            struck = true;
            try {
                attack.strike();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    private void toLink() throws IOException {
        Files.move(grounds.project, grounds.root.resolve("moved"));
        Files.createSymbolicLink(grounds.project, secret);
    }

    private void toAnother() throws IOException {
        Files.move(grounds.project, grounds.root.resolve("moved"));
        Files.createDirectory(grounds.project);
        Files.createDirectory(grounds.project.resolve("inner"));
    }

    private void rootToAnother() throws IOException {
        Files.move(grounds.root, grounds.top.resolve("moved root"));
        Files.createDirectory(grounds.root);
        Files.createDirectory(grounds.project);
        Files.createDirectory(grounds.project.resolve("inner"));
    }

    private void rootToLink() throws IOException {
        Files.move(grounds.root, grounds.top.resolve("moved root"));
        Files.createDirectory(secret.resolve("project"));
        Files.createDirectory(secret.resolve("project/inner"));
        Files.createSymbolicLink(grounds.root, secret);
    }

    /** Everything as it was; each strike needs fresh grounds. */
    private void again(int nth) throws IOException {
        Path fresh = Files.createDirectory(parent.resolve("again" + nth));
        grounds = new Grounds(fresh);
        secret = Files.createDirectory(grounds.top.resolve("secret"));
        Files.createDirectory(secret.resolve("inner"));
    }

    private int number;

    private int opensOnlyWhatWasExposed(Attack attack) throws Exception {
        int opened = 0;
        for (int nth = 1; nth <= CALLS_MAX; nth++) {
            again(++number);
            Attacked kernel = new Attacked(attack);
            FdLeaks.watch();
            try (ExposureRegistry registry = grounds.open(kernel.kernel())) {
                Path inner = grounds.project.resolve("inner");
                ExposureView view = Grounds.done(
                        registry.create(grounds.wish("a", inner), new Id128("k"), NOW));
                Stat exposed = Linux.host().lstat(UnixPath.of(inner.toString()));
                kernel.arm(nth);
                try (GrantedExposure granted = registry.resolve(
                        Grounds.grant(view), Grounds.reading(1), Grounds.CODEX, NOW)) {
                    Stat found = Linux.host().fstat(granted.source());
                    assertThat(found.isSameFileAs(exposed)).as("call %d", nth).isTrue();
                    opened++;
                } catch (ExposureRefusedException e) {
                    assertThat(e.reason()).as("call %d", nth).isEqualTo(Reason.SOURCE);
                }
            }
            FdLeaks.assertNone();
            if (!kernel.struck) {
                assertThat(nth).isGreaterThan(4);
                return opened;
            }
        }
        throw new AssertionError("more than " + CALLS_MAX + " calls");
    }

    @Test
    void aDirectoryThatBecomesALinkIsNotFollowed() throws Exception {
        assertThat(opensOnlyWhatWasExposed(this::toLink)).isGreaterThanOrEqualTo(1);
    }

    @Test
    void aDirectoryThatBecomesAnotherIsNotTaken() throws Exception {
        assertThat(opensOnlyWhatWasExposed(this::toAnother)).isGreaterThanOrEqualTo(1);
    }

    @Test
    void aRootThatBecomesAnotherOrALinkIsNotTaken() throws Exception {
        assertThat(opensOnlyWhatWasExposed(this::rootToAnother)).isGreaterThanOrEqualTo(1);
        assertThat(opensOnlyWhatWasExposed(this::rootToLink)).isGreaterThanOrEqualTo(1);
    }

    /** Without a registry: who looks at a path and opens it then gets the other one. */
    @Test
    void controlWhoLooksAndThenOpensByPathIsLedElsewhere() throws Exception {
        UnixPath path = UnixPath.of(grounds.project.toString());
        Stat looked = Linux.host().lstat(path);
        assertThat(looked.isDirectory()).isTrue();

        toLink();
        try (OwnedFd fd = Linux.host().open(path, OpenFlags.O_PATH, 0)) {
            assertThat(Linux.host().fstat(fd).isSameFileAs(looked)).isFalse();
            assertThat(Linux.host().pathOf(fd).toString()).isEqualTo(secret.toString());
        }
    }

    /** What is exposed during a swap is one of both, and its parent the one it was opened from. */
    @Test
    void whatIsExposedIsInTheDirectoryThatIsRecorded() throws Exception {
        for (int nth = 1; nth <= CALLS_MAX; nth++) {
            again(++number);
            Attacked kernel = new Attacked(this::toAnother);
            try (ExposureRegistry registry = grounds.open(kernel.kernel())) {
                Path inner = grounds.project.resolve("inner");
                kernel.arm(nth);
                ExposureReply reply =
                        registry.create(grounds.wish("a", inner), new Id128("k"), NOW);
                if (!kernel.struck) {
                    assertThat(nth).isGreaterThan(6);
                    return;
                }
                if (reply instanceof ExposureReply.Done) {
                    assertThat(isRecordedAs(grounds.project)
                                    || isRecordedAs(grounds.root.resolve("moved")))
                            .as("call %d", nth)
                            .isTrue();
                }
            }
        }
        throw new AssertionError("more than " + CALLS_MAX + " calls");
    }

    private boolean isRecordedAs(Path directory) throws Exception {
        byte[] first = Grounds.payloads(Files.readAllBytes(grounds.file)).get(0);
        ExposureRecord.Created record = (ExposureRecord.Created) ExposureRecordJson.decode(first);
        return record.what().source().equals(digest(directory.resolve("inner")))
                && record.parentIdentity().equals(digest(directory));
    }

    private static Digest digest(Path path) throws Exception {
        return PinnedRoots.identity(Linux.host().lstat(UnixPath.of(path.toString())))
                .digest();
    }

    @Test
    void linksAreRefusedAtOnceWhereverTheyStand() throws Exception {
        Path outside = Files.createSymbolicLink(grounds.root.resolve("out"), secret);
        Path inside = Files.createSymbolicLink(grounds.root.resolve("in"), grounds.project);
        Path relative = Files.createSymbolicLink(grounds.root.resolve("up"), Path.of(".."));
        try (ExposureRegistry registry = grounds.open()) {
            for (Path link : new Path[] {
                outside,
                inside,
                relative,
                outside.resolve("inner"),
                inside.resolve("inner"),
                relative.resolve("secret")
            }) {
                assertThat(Files.exists(link)).as("control: others get there").isTrue();
                ExposureReply reply = registry.create(
                        Grounds.wish("a", link.toString(), 10), new Id128("k"), NOW);
                assertThat(reply).isInstanceOf(ExposureReply.Refused.class);
                assertThat(((ExposureReply.Refused) reply).why()).contains("a symbolic link");
            }
        }
    }

    /** Mounts of this machine: whichever there are. */
    @Test
    void whatIsMountedOnTheWayIsNotEntered() throws Exception {
        List<Path> mounts = List.of(
                Path.of("/dev/shm"),
                Path.of("/dev/pts"),
                Path.of("/dev/mqueue"),
                Path.of("/sys/fs/cgroup"));
        int tried = 0;
        for (Path mount : mounts) {
            Path above = Objects.requireNonNull(mount.getParent());
            if (!Files.isDirectory(mount)
                    || Files.getAttribute(mount, "unix:dev")
                            .equals(Files.getAttribute(above, "unix:dev"))) {
                continue;
            }
            ExposureRoot like = grounds.policy().roots().get(0);
            ExposurePolicy policy = new ExposurePolicy(List.of(new ExposureRoot(
                    like.rootId(), new AbsolutePath(above.toString()), like.offer(), 1000)));
            try (PinnedRoots roots = PinnedRoots.open(Linux.host(), policy)) {
                ExposureRefusedException refused = catchThrowableOfType(
                        ExposureRefusedException.class,
                        () -> roots.find(like.rootId(), new AbsolutePath(mount.toString()))
                                .close());
                assertThat(refused).hasMessageContaining("another filesystem is mounted");
            }
            tried++;
        }
        Lanes.require("unit", tried > 0, "nothing is mounted where it could be tried");
    }

    @Test
    void aRootThatWasMovedIsOfNoMoreUseUntilItIsBack() throws Exception {
        try (ExposureRegistry registry = grounds.open()) {
            ExposureView view = Grounds.done(
                    registry.create(grounds.wish("a", grounds.project), new Id128("k"), NOW));
            Path away = grounds.top.resolve("away");
            Files.move(grounds.root, away);
            assertThat(refusal(registry, view)).isEqualTo(Reason.SOURCE);
            Files.createDirectory(grounds.root);
            Files.createDirectory(grounds.project);
            assertThat(refusal(registry, view)).isEqualTo(Reason.SOURCE);
            assertThat(Grounds.words(registry.create(
                            grounds.wish("b", grounds.project), new Id128("k2"), NOW)))
                    .isEqualTo("SOURCE");
            Files.delete(grounds.project);
            Files.delete(grounds.root);
            Files.move(away, grounds.root);
            registry.resolve(Grounds.grant(view), Grounds.reading(1), Grounds.CODEX, NOW)
                    .close();
        }
    }

    private static Reason refusal(ExposureRegistry registry, ExposureView view) {
        return catchThrowableOfType(
                        ExposureRefusedException.class,
                        () -> registry.resolve(
                                        Grounds.grant(view), Grounds.reading(1), Grounds.CODEX, NOW)
                                .close())
                .reason();
    }
}
