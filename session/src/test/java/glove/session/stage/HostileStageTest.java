package glove.session.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.session.OtherProgram;
import glove.sys.Call;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Seed;
import glove.wire.AbsolutePath;
import glove.wire.Digest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** However a stage was filled, looking at it has bounds, and ends when nobody waits for it. */
@Tag("process")
@Timeout(900)
final class HostileStageTest {
    private static final long GIBIBYTE = 1 << 30;

    @TempDir
    private Path parent;

    private Path root;

    @BeforeEach
    void watch() throws Exception {
        root = parent.toRealPath().resolve("stages");
        FdLeaks.watch();
    }

    @AfterEach
    void nothingIsOpen() {
        FdLeaks.assertNone();
    }

    private String refusal(Syscalls kernel, StillWanted wanted) {
        RetainedStages stages =
                new RetainedStages(new Linux(kernel), new AbsolutePath(root.toString()));
        StageException refused = catchThrowableOfType(
                StageException.class, () -> stages.inspect(HostileStages.ASKED, wanted));
        return refused == null ? "" : refused.getMessage();
    }

    private String refusal() {
        return refusal(Syscalls.host(), () -> true);
    }

    @Test
    void aFileIsReadNoFurtherThanAMebibyteOnceNobodyWaits() throws Exception {
        HostileStages.sparse(
                HostileStages.make(root, HostileStages.manifest()).resolve("sparse"), GIBIBYTE);
        AtomicInteger reads = new AtomicInteger();
        Syscalls counting = (call, a, b, c, d, e, f) -> {
            reads.addAndGet(call == Call.PREAD64 ? 1 : 0);
            return Syscalls.host().call(call, a, b, c, d, e, f);
        };

        String refused = refusal(counting, () -> reads.get() < 40);

        assertThat(refused).contains("nobody waits");
        assertThat(reads).hasValueBetween(40, 40 + 16);
        assertThat(refusal()).as("the control: it is read whole").contains("other files");
    }

    @Test
    void nothingMoreIsLookedAtOnceNobodyWaits() throws Exception {
        Path content = HostileStages.make(root, HostileStages.manifest());
        for (int i = 0; i < 50; i++) {
            Files.createFile(Files.createDirectory(content.resolve("d" + i)).resolve("f"));
        }
        for (int most = 0; most < 150; most++) {
            AtomicInteger looks = new AtomicInteger();
            int allowed = most;
            AtomicInteger after = new AtomicInteger();
            Syscalls counting = (call, a, b, c, d, e, f) -> {
                after.addAndGet(looks.get() > allowed && call != Call.CLOSE ? 1 : 0);
                return Syscalls.host().call(call, a, b, c, d, e, f);
            };

            String refused = refusal(counting, () -> looks.incrementAndGet() <= allowed);

            assertThat(refused).as("look %s", most).contains("nobody waits");
            assertThat(after).as("look %s", most).hasValue(0);
        }
    }

    @Test
    void namesBeyondWhatIsHeldAreRefusedWhileTheyAreRead() throws Exception {
        Path content = HostileStages.make(root, HostileStages.manifest());
        HostileStages.names(content, 70_000);
        AtomicInteger looked = new AtomicInteger();
        Syscalls counting = (call, a, b, c, d, e, f) -> {
            looked.addAndGet(call == Call.NEWFSTATAT ? 1 : 0);
            return Syscalls.host().call(call, a, b, c, d, e, f);
        };

        assertThat(refusal(counting, () -> true))
                .contains("more than " + DirectoryNames.HELD_BYTES_MAX + " bytes of names");
        assertThat(looked).as("no entry is looked at").hasValueLessThan(20);
    }

    @Test
    void moreEntriesThanATreeMayHaveAreRefusedWhileTheyAreRead() throws Exception {
        Path content = HostileStages.make(root, HostileStages.manifest());
        for (int i = 0; i < 100_001; i++) {
            Files.createFile(content.resolve(Integer.toString(i)));
        }

        assertThat(refusal()).contains("more than 100000 entries");
    }

    @Test
    void pathsNoManifestCouldNameAreRefused() throws Exception {
        Path content = HostileStages.make(root, HostileStages.manifest());
        Path inner = HostileStages.deep(content, 12);
        Linux linux = Linux.host();
        int directory = OpenFlags.O_RDONLY | OpenFlags.O_DIRECTORY;
        try (OwnedFd fd = linux.open(UnixPath.of(inner.toString()), directory, 0)) {
            assertThat(refusal()).as("the control").contains("other files");
            UnixPath name = UnixPath.of("e".repeat(250));
            OwnedFd at = fd;
            for (int i = 0; i < 5; i++) {
                linux.mkdirat(at, name, 0700);
                OwnedFd next = linux.openat(at, name, directory, 0);
                if (at != fd) {
                    at.close();
                }
                at = next;
            }
            at.close();
        }

        assertThat(refusal()).contains("more than 4096 bytes");
        removeDeep(inner);
    }

    /** What JUnit could not: its paths end at PATH_MAX. */
    private static void removeDeep(Path inner) throws Exception {
        new Command(List.of("rm", "-rf", inner.toString())).run();
    }

    @Test
    void aManifestThatIsTooLargeIsNotRead() throws Exception {
        Path content = HostileStages.make(root, HostileStages.manifest());
        HostileStages.sparse(content.resolveSibling("manifest.json"), (16 << 20) + 1);
        AtomicInteger reads = new AtomicInteger();
        Syscalls counting = (call, a, b, c, d, e, f) -> {
            reads.addAndGet(call == Call.PREAD64 || call == Call.READ ? 1 : 0);
            return Syscalls.host().call(call, a, b, c, d, e, f);
        };

        assertThat(refusal(counting, () -> true)).contains("may have 1 to 16777216");
        assertThat(reads).hasValue(0);
    }

    /** What is done to a stage while it is read. */
    private interface Change {
        void make(Path stage) throws IOException;
    }

    private String refusalWhile(Change change) {
        Path stage = root.resolve("glove-retained-s1-s-a1-e");
        AtomicInteger reads = new AtomicInteger();
        Syscalls changing = (call, a, b, c, d, e, f) -> {
            if (call == Call.PREAD64 && reads.incrementAndGet() == 3) {
                try {
                    change.make(stage);
                } catch (IOException failed) {
                    throw new AssertionError(failed);
                }
            }
            return Syscalls.host().call(call, a, b, c, d, e, f);
        };
        return refusal(changing, () -> true);
    }

    @Test
    void aStageThatChangesWhileItIsReadIsNotShown() throws Exception {
        Path content = HostileStages.make(root, HostileStages.manifest());
        HostileStages.sparse(content.resolve("m"), 1 << 20);
        Files.createFile(content.resolve("a"));
        Path elsewhere = root.resolve("elsewhere");

        assertThat(refusalWhile(stage -> {})).as("the control").contains("other files");
        assertThat(refusalWhile(stage -> Files.createFile(stage.resolve("content/new"))))
                .contains("being changed");
        assertThat(refusalWhile(stage -> Files.delete(stage.resolve("content/a"))))
                .contains("being changed");
        assertThat(refusalWhile(stage -> Files.writeString(stage.resolve("manifest.json"), "{}")))
                .contains("being changed");
        HostileStages.make(root, HostileStages.manifest());
        assertThat(refusalWhile(stage -> Files.createFile(stage.resolve("another"))))
                .contains("being changed");
        assertThat(refusalWhile(stage -> {
                    Files.move(stage, elsewhere);
                    HostileStages.make(root, HostileStages.manifest());
                }))
                .contains("being changed");
    }

    /** Who serves it may never answer: it is not even looked at. */
    @Test
    void whatIsMountedInAStageIsRefused() throws Exception {
        Path content = HostileStages.make(root, HostileStages.manifest());
        Path manifest = content.resolveSibling("manifest.json");
        Path inner = Files.createDirectory(content.resolve("m"));
        Path other = Files.createFile(content.resolveSibling("other"));
        assertThat(refusal()).as("the control").contains("other files");
        List<String> program = OtherProgram.command(
                Files.createDirectories(parent.resolve("open")),
                List.of(),
                "glove.session.stage.HostileInspections",
                "one",
                root.toString());

        for (Path place :
                List.of(inner, content, root.resolve("glove-retained-s1-s-a1-e"), manifest)) {
            String mount = Files.isDirectory(place)
                    ? "mount -t tmpfs -o mode=700 t " + place
                    : "mount --bind " + other + " " + place;
            List<String> command = new ArrayList<>(
                    List.of("unshare", "-Urm", "sh", "-ec", mount + "; exec \"$@\"", "sh"));
            command.addAll(program);
            Command.Result result = new Command(command).run();

            assertThat(result.err()).as(place.toString()).isEmpty();
            assertThat(result.out())
                    .as(place.toString())
                    .contains("mounted on '" + place.getFileName() + "'");
        }
    }

    @Test
    void withFewOpenFilesDeepTreesAreRefused() throws Exception {
        Path at = HostileStages.make(root, HostileStages.manifest());
        for (int i = 1; i < 10; i++) {
            at = Files.createDirectory(at.resolve("d"));
        }
        AbsolutePath where = new AbsolutePath(root.toString());
        for (int descriptors : List.of(13, 14)) {
            AtomicInteger open = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            Syscalls counting = (call, a, b, c, d, e, f) -> {
                long result = Syscalls.host().call(call, a, b, c, d, e, f);
                boolean opened = result >= 0 && (call == Call.OPENAT || call == Call.OPENAT2);
                int now = open.addAndGet(call == Call.CLOSE ? -1 : opened ? 1 : 0);
                most.accumulateAndGet(now, Math::max);
                return result;
            };
            RetainedStages stages = new RetainedStages(new Linux(counting), where, descriptors);
            StageException refused = catchThrowableOfType(
                    StageException.class, () -> stages.inspect(HostileStages.ASKED, () -> true));

            assertThat(refused)
                    .hasMessageContaining(descriptors == 13 ? "ulimit -n" : "other files");
            assertThat(most).hasValueLessThanOrEqualTo(descriptors);
        }
    }

    /** Names that sort among what is in directories of which they are the beginning. */
    @Test
    void aTreeIsHashedInTheOrderOfItsWholePaths() throws Exception {
        for (int i = 0; i < 30; i++) {
            Random random = Seed.random(i);
            Path content = Files.createDirectory(parent.resolve("tree-" + i));
            List<EntryHash.Entry> entries = new ArrayList<>();
            grow(content, "", random, entries);
            entries.sort((a, b) -> StagePath.compare(a.path(), b.path()));
            EntryHash expected = new EntryHash();
            entries.forEach(expected::add);

            Linux linux = Linux.host();
            try (OwnedFd fd = linux.open(UnixPath.of(content.toString()), 0, 0)) {
                Digest digest = new TreeDigest(
                                linux,
                                new TreeDigest.Rules(1 << 20, 64),
                                () -> true,
                                new ChangedEntries())
                        .ofDirectory(fd);
                assertThat(digest).as(Seed.words()).isEqualTo(expected.end());
            }
        }
    }

    private static void grow(
            Path directory, String prefix, Random random, List<EntryHash.Entry> entries)
            throws Exception {
        for (String first : List.of("a", "a!", "a!b", "a-", "a-b", "a.", "a0", "a\u00e9", "b")) {
            if (random.nextInt(3) == 0) {
                continue;
            }
            Path path = directory.resolve(first);
            boolean inside = random.nextInt(2) == 0 && prefix.length() < 6;
            if (inside) {
                Files.createDirectory(path);
                Files.setAttribute(path, "unix:mode", 0750);
                entries.add(new EntryHash.Entry(prefix + first, "", 0, 0750, true));
                grow(path, prefix + first + "/", random, entries);
            } else {
                Files.writeString(path, first);
                Files.setAttribute(path, "unix:mode", 0640);
                byte[] text = first.getBytes(StandardCharsets.UTF_8);
                entries.add(new EntryHash.Entry(
                        prefix + first, Digest.sha256(text).hex(), text.length, 0640, false));
            }
        }
    }

    /** In a JVM with no more than is counted for them, and what a JVM needs itself. */
    @Test
    void hostileStagesFitTheMemoryThatIsCountedForThem() throws Exception {
        Path open = Files.createDirectories(parent.resolve("open"));
        long heap = (RetainedStages.heapBytesMax(2) >> 20) + 16;

        Command.Result result = OtherProgram.run(
                Identity.available().get(0),
                open,
                List.of("-Xmx" + heap + "m", "-XX:+UseSerialGC"),
                "glove.session.stage.HostileInspections",
                root.toString());

        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines()).containsOnly("other files", "no JSON");
    }
}
