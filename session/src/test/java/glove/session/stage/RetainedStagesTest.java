package glove.session.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.testkit.FaultySyscalls;
import glove.wire.AbsolutePath;
import glove.wire.Digest;
import glove.wire.JsonFields;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What sessions left behind is shown in pages, and only while it is what it says. */
@Tag("unit")
@Timeout(900)
final class RetainedStagesTest {
    private static final int EIO = 5;
    private static final ChangesRequest ALL = new ChangesRequest("s", "e", 0, 256);

    @TempDir
    private Path parent;

    private Path root;
    private Path stage;
    private Path content;
    private String manifest = "";

    /** The stage of a vector: a directory {@code e} with the file {@code b} beside others. */
    @BeforeEach
    void makeStage() throws Exception {
        root = own(parent.toRealPath().resolve("stages"));
        stage = own(root.resolve("glove-retained-s9-session-1-a9-workspace"));
        content = own(stage.resolve("content"));
        JsonValue one = vector("directory-tree");
        for (JsonValue entry : one.member("current").orElseThrow().children()) {
            Path path = content.resolve(string(entry, "path"));
            int mode = Integer.parseInt(entry.member("mode").orElseThrow().number());
            if (entry.member("directory").orElseThrow().truth()) {
                Files.createDirectory(path);
            } else {
                Files.writeString(path, text(string(entry, "content_digest")));
            }
            Files.setAttribute(path, "unix:mode", mode);
        }
        write(string(one, "canonical_json"));
        FdLeaks.watch();
    }

    @AfterEach
    void nothingIsOpen() {
        FdLeaks.assertNone();
    }

    private static JsonValue vector(String name) throws Exception {
        for (JsonValue one : vectors()) {
            if (string(one, "name").equals(name)) {
                return one;
            }
        }
        throw new AssertionError(name);
    }

    private static List<JsonValue> vectors() throws Exception {
        try (InputStream in = Objects.requireNonNull(
                RetainedStagesTest.class.getResourceAsStream("change_manifest.json"))) {
            return JsonText.value(in.readAllBytes(), JsonLimits.FRAME)
                    .root()
                    .member("cases")
                    .orElseThrow()
                    .children();
        }
    }

    private static String string(JsonValue object, String name) {
        return object.member(name).orElseThrow().string();
    }

    /** The files of the vectors hold one digit. */
    private static String text(String digest) {
        for (char c = '0'; c <= '9'; c++) {
            byte[] bytes = {(byte) c};
            if (Digest.sha256(bytes).hex().equals(digest)) {
                return Character.toString(c);
            }
        }
        throw new AssertionError(digest);
    }

    private static Path own(Path directory) throws Exception {
        Files.createDirectory(directory);
        chmod(directory, "rwx------");
        return directory;
    }

    private static void chmod(Path path, String mode) throws Exception {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private void write(String json) throws Exception {
        manifest = json;
        Files.writeString(stage.resolve("manifest.json"), json);
        chmod(stage.resolve("manifest.json"), "rw-------");
    }

    private ChangesPage page(long offset, int limit) throws StageException {
        return page(Syscalls.host(), offset, limit);
    }

    private ChangesPage page(Syscalls kernel, long offset, int limit) throws StageException {
        return new RetainedStages(new Linux(kernel), new AbsolutePath(root.toString()))
                .inspect(new ChangesRequest("session-1", "workspace", offset, limit), () -> true);
    }

    private String refusal(long offset) {
        StageException refused =
                catchThrowableOfType(StageException.class, () -> page(offset, 256));
        return refused == null ? "" : refused.getMessage();
    }

    private static String json(ChangesPage page) {
        JsonWriter out = new JsonWriter();
        page.write(out);
        return out.toJson();
    }

    @Test
    void manifestsOfOthersAreRead() throws Exception {
        int seen = 0;
        for (JsonValue one : vectors()) {
            if (one.member("canonical_json", JsonKind.STRING).isPresent()) {
                byte[] bytes = string(one, "canonical_json").getBytes(StandardCharsets.UTF_8);
                ChangesPage read =
                        ManifestReader.read(bytes, ALL, new ChangedEntries(), () -> true);

                assertThat(read.manifest().digest().hex())
                        .as(string(one, "name"))
                        .isEqualTo(string(one, "manifest_digest"));
                assertThat(read.changes()).hasSize(read.manifest().count());
                seen++;
            }
        }
        assertThat(seen).isEqualTo(13);
    }

    @Test
    void digestsOfTreesAreTheirs() throws Exception {
        for (JsonValue one : vectors()) {
            for (String side : List.of("baseline", "current")) {
                String expected =
                        one.member(side + "_tree_digest").map(JsonValue::string).orElse("");
                List<EntryHash.Entry> entries = new ArrayList<>();
                for (JsonValue entry : one.member(side).orElseThrow().children()) {
                    entries.add(new EntryHash.Entry(
                            string(entry, "path"),
                            string(entry, "content_digest"),
                            Long.parseLong(entry.member("bytes").orElseThrow().number()),
                            Integer.parseInt(entry.member("mode").orElseThrow().number()),
                            entry.member("directory").orElseThrow().truth()));
                }
                if (!expected.isEmpty()) {
                    assertThat(digest(entries).hex()).as(string(one, "name")).isEqualTo(expected);
                }
            }
        }
    }

    private static Digest digest(List<EntryHash.Entry> entries) {
        entries.sort((a, b) -> StagePath.compare(a.path(), b.path()));
        EntryHash hash = new EntryHash();
        entries.forEach(hash::add);
        return hash.end();
    }

    @Test
    void changesAreShownInPages() throws Exception {
        String all = json(page(0, 256));
        String first = json(page(0, 1));
        String second = json(page(1, 1));

        assertThat(all)
                .startsWith(manifest.substring(0, manifest.indexOf(",\"changes\"")))
                .contains("\"created\":2,\"modified\":0,\"renamed\":0,\"removed\":0,"
                        + "\"before_bytes\":0,\"after_bytes\":1,\"total_changes\":2,"
                        + "\"changes\":[{\"kind\":\"create\",\"path\":\"e\"")
                .doesNotContain("next_offset");
        assertThat(first).contains("\"total_changes\":2,\"next_offset\":1,\"changes\":[{");
        assertThat(second).doesNotContain("next_offset").contains("\"path\":\"e/b\"");
        assertThat(json(page(2, 1))).contains("\"changes\":[]").doesNotContain("next_offset");
        assertThat(refusal(3)).contains("only 2");
        assertThat(refusal(-1)).contains("only 2");
    }

    @Test
    void aRequestHasBounds() throws Exception {
        String good = "{\"session_id\":\"s\",\"exposure_id\":\"e\",\"offset\":0,\"limit\":256}";

        assertThat(problem(good)).isEmpty();
        assertThat(problem(good.replace("256", "257"))).contains("limit");
        assertThat(problem(good.replace("256", "0"))).contains("limit");
        assertThat(problem(good.replace(",\"offset\":0", ""))).contains("offset");
        assertThat(problem(good.replace("}", ",\"x\":1}"))).contains("unknown");
    }

    private static String problem(String text) throws Exception {
        JsonProblems problems = JsonProblems.first();
        byte[] json = text.getBytes(StandardCharsets.UTF_8);
        ChangesRequest.read(JsonFields.of(JsonText.value(json, JsonLimits.FRAME).root(), problems));
        return problems.firstInWords();
    }

    @Test
    void whatHasNoStageIsNotThere() {
        RetainedStages stages = new RetainedStages(Linux.host(), new AbsolutePath(root.toString()));
        for (String id : List.of("other", "", "a:b", "..", "a/b", "x".repeat(65))) {
            assertThat(catchThrowableOfType(
                            StageException.class,
                            () -> stages.inspect(
                                    new ChangesRequest(id, "workspace", 0, 1), () -> true)))
                    .as(id)
                    .isNotNull();
        }
    }

    @Test
    void filesThatAreNotWhatTheManifestSaysAreNotShown() throws Exception {
        assertThat(refusal(0)).isEmpty();
        Path file = content.resolve("e/b");
        String text = Files.readString(file);
        Files.writeString(file, "x");
        assertThat(refusal(0)).contains("other files");
        Files.writeString(file, text);
        assertThat(refusal(0)).isEmpty();
        chmod(file, "rwxr--r--");
        assertThat(refusal(0)).contains("other files");
        chmod(file, "rw-r--r--");
        Path more = Files.createFile(content.resolve("more"));
        assertThat(refusal(0)).contains("other files");
        Files.delete(more);
        Path second = Files.createLink(stage.resolve("second"), file);
        assertThat(refusal(0)).contains("several names");
        Files.delete(second);
        Path link = Files.createSymbolicLink(content.resolve("link"), file);
        assertThat(refusal(0)).contains("something but files");
        Files.delete(link);
        Files.writeString(content.resolve("large"), "x".repeat(4096));
        assertThat(refusal(0)).contains("quota");
    }

    /** The digests are right, and the list is of other files. */
    @Test
    void changesTheFilesDoNotHaveAreNotShown() throws Exception {
        String right = manifest;
        String two = "\"created\":2,\"modified\":0,\"renamed\":0,\"removed\":0,"
                + "\"before_bytes\":0,\"after_bytes\":1";
        String ghost = "{\"kind\":\"create\",\"path\":\"ghost\",\"previous_path\":\"\","
                + "\"before_digest\":\"\",\"after_digest\":\"\",\"before_bytes\":0,"
                + "\"after_bytes\":0,\"before_mode\":0,\"after_mode\":448,\"directory\":true}";
        assertThat(right).contains(two).contains("}],\"created\"");
        write(hashed(right.replace("}],\"created\"", "}," + ghost + "],\"created\"")
                .replace(two, two.replace("2", "3"))));
        assertThat(refusal(0)).contains("changes its files do not have");

        Files.createDirectory(content.resolve("ghost"));
        chmod(content.resolve("ghost"), "rwx------");
        assertThat(refusal(0)).as("the tree is another then").contains("other files");
        Files.delete(content.resolve("ghost"));

        write(hashed(right.replace("\"after_mode\":420", "\"after_mode\":384")));
        assertThat(refusal(0)).contains("changes its files do not have");
        String other = Digest.ZERO.hex();
        String removed = ghost.replace("create", "remove")
                .replace("\"ghost\"", "\"c\"")
                .replace("\"before_digest\":\"\"", "\"before_digest\":\"" + other + "\"")
                .replace("\"before_mode\":0", "\"before_mode\":420")
                .replace("\"after_mode\":448", "\"after_mode\":0")
                .replace("true", "false");
        String one = right.replace(",\"changes\":[", ",\"changes\":[" + removed + ",")
                .replace(two, two.replace("removed\":0", "removed\":1"));
        write(hashed(one));
        assertThat(refusal(0)).as("the control: what is gone is not there").isEmpty();
        write(hashed(one.replace("\"path\":\"c\"", "\"path\":\"d/a\"")));
        assertThat(refusal(0)).contains("changes its files do not have");
        write(right);
        assertThat(refusal(0)).isEmpty();
    }

    @Test
    void stagesOthersCouldHaveWrittenAreNotShown() throws Exception {
        for (Path path : List.of(root, stage, stage.resolve("manifest.json"))) {
            var before = Files.getPosixFilePermissions(path);
            chmod(path, "rwxr-x---");
            assertThat(refusal(0)).as(path.toString()).contains("not yours alone");
            Files.setPosixFilePermissions(path, before);
        }
        Path moved = stage.resolve("moved");
        Files.move(content, moved);
        Files.createSymbolicLink(content, moved);
        assertThat(Files.exists(content.resolve("e/b"))).as("control").isTrue();
        assertThat(refusal(0)).contains("cannot be read");
        Files.delete(content);
        Files.move(moved, content);
        Path elsewhere = parent.toRealPath().resolve("elsewhere");
        Files.move(stage, elsewhere);
        Files.createSymbolicLink(stage, elsewhere);
        assertThat(refusal(0)).contains("cannot be read");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '%',
            value = {
                "session-1 | session-2 | digest",
                "\"created\":2 | \"created\":3 | sums",
                "\"generation\":3 | \"generation\":0 | is 0",
                "\"max_bytes\":4096 | \"max_bytes\":0 | is 0",
                "\"directory\":true,\"base | \"directory\":false,\"base | not inside",
                "\"path\":\"e\" | \"path\":\"/e\" | does not fit",
                "\"path\":\"e\" | \"path\":\"../e\" | does not fit",
                "\"path\":\"e\" | \"path\":\"f\" | out of order",
                "\"path\":\"e/b\" | \"path\":\"e\" | out of order",
                "\"after_mode\":493 | \"after_mode\":2541 | does not fit",
                "\"after_mode\":420 | \"after_mode\":0 | does not fit",
                "\"kind\":\"create\" | \"kind\":\"modify\" | sums",
                "\"kind\":\"create\" | \"kind\":\"remove\" | does not fit",
                "\"kind\":\"create\" | \"kind\":\"rename\" | does not fit",
                "\"previous_path\":\"\" | \"previous_path\":\"x\" | does not fit",
                "{\"schema_version\":1 | { \"schema_version\":1 | not written as",
                "\"schema_version\":1 | \"schema_version\":2 | is 2",
            })
    void manifestsThatAreNoneAreRefused(String from, String to, String why) throws Exception {
        String changed = manifest.replaceFirst(
                java.util.regex.Pattern.quote(from), java.util.regex.Matcher.quoteReplacement(to));
        assertThat(changed).isNotEqualTo(manifest);
        write(changed);

        assertThat(refusal(0)).contains(why);
    }

    @Test
    void aSingleFileIsFoundUnderItsOwnName() throws Exception {
        JsonValue one = vector("single-file-root");
        Files.move(content, parent.resolve("old content"));
        own(content);
        Path payload = content.resolve(".glove-payload");
        Files.writeString(payload, "newer");
        chmod(payload, "rw-------");
        write(string(one, "canonical_json"));

        assertThat(refusal(0)).isEmpty();
        Files.writeString(payload, "-");
        assertThat(refusal(0)).contains("other files");
        Files.delete(payload);
        Files.createDirectory(payload);
        assertThat(refusal(0)).contains("directory");
    }

    /** With the digest it should have. */
    private static String hashed(String manifest) {
        String name = ",\"manifest_digest\":\"";
        String body = manifest.substring(0, manifest.indexOf(name));
        Digest digest = Digest.sha256((body + "}").getBytes(StandardCharsets.UTF_8));
        return body + name + digest + "\"}";
    }

    @Test
    void whicheverCallFailsNothingStaysOpen() {
        int nth = 1;
        for (boolean fired = true; fired; nth++) {
            FaultySyscalls kernel = new FaultySyscalls(Syscalls.host(), nth, EIO);
            StageException refused =
                    catchThrowableOfType(StageException.class, () -> page(kernel, 0, 1));
            fired = kernel.fired();
            assertThat(refused != null).as("call " + nth).isEqualTo(fired);
        }
        assertThat(nth).isGreaterThan(15);
    }
}
