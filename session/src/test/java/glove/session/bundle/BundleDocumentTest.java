package glove.session.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.session.bundle.BundleDocument.Entry;
import glove.session.bundle.BundleEntries.Projected;
import glove.wire.AbsolutePath;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonProblems;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a bundle may say, and all bundles of a session together. */
@Tag("unit")
final class BundleDocumentTest {
    private static final String X_DIGEST =
            "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
    private static final String ENTRY =
            "{'key':'alpha','kind':'skill','content_digest':'" + X_DIGEST + "','content':'x'}";
    private static final String GOOD = "{'schema_version':1,'source_library_ref':'ref',"
            + "'source_manifest_digest':'" + "a".repeat(64) + "','entries':[" + ENTRY + "]}";

    private static String problem(String text) {
        JsonProblems problems = JsonProblems.first();
        byte[] json = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        boolean read = BundleDocument.parse(json, problems).isPresent();
        assertThat(read).isEqualTo(problems.isEmpty());
        return problems.firstInWords();
    }

    @ParameterizedTest
    @EnumSource(BundleKind.class)
    void fiveKindsAreKnown(BundleKind kind) {
        assertThat(problem(GOOD.replace("skill", kind.word()))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '%',
            value = {
                "'skill' | 'hook' | '/entries/0/kind' is 'hook'",
                "'kind':'skill', | %% | '/entries/0/kind' is missing",
                "'schema_version':1 | 'schema_version':2 | is 2",
                "'schema_version':1, | %% | is 0",
                "'ref' | %''% | source_library_ref",
                "'ref' | 'a\\u0000b' | source_library_ref",
                "'source_manifest_digest':'a | 'source_manifest_digest':'A | manifest_digest",
                "'alpha' | 'a/b' | '/entries/0/key'",
                "'alpha' | '..' | '/entries/0/key'",
                "'alpha' | %''% | '/entries/0/key'",
                "'content':'x' | 'content':'y' | '/entries/0/content_digest'",
                "'content':'x' | 'content':'' | '/entries/0/content' has 0 bytes",
                "'content':'x' | 'content':'x','prompt_ref':'p' | prompt_ref",
                "'content':'x' | 'content':'x','content':'x' | no JSON",
                "'entries' | 'x':1,'entries' | '/x' is unknown",
                "]} | ]} {} | no JSON",
            })
    void anythingElseIsRefused(String from, String to, String why) {
        String changed = GOOD.replace(from, to);

        assertThat(changed).isNotEqualTo(GOOD);
        assertThat(problem(changed)).contains(why);
    }

    @Test
    void keysStandOnceAndContentHasNoNulAndABound() {
        assertThat(problem(GOOD)).isEmpty();
        assertThat(problem(GOOD.replace("]}", "," + ENTRY + "]}"))).contains("/entries/1/key");
        String nul = "x\0";
        assertThat(problem(GOOD.replace("'content':'x'", "'content':'x\\u0000'")
                        .replace(X_DIGEST, digest(nul).hex())))
                .contains("has a NUL");
        String most = "y".repeat(1 << 20);
        assertThat(problem(with(most))).isEmpty();
        assertThat(problem(with(most + "y"))).contains("has 1048577 bytes");
        assertThat(problem(GOOD.replace("alpha", "k".repeat(128)))).isEmpty();
        assertThat(problem(GOOD.replace("alpha", "k".repeat(129)))).contains("/entries/0/key");
        assertThat(problem(GOOD.replace("'ref'", "'" + "r".repeat(512) + "'"))).isEmpty();
        assertThat(problem(GOOD.replace("'ref'", "'" + "r".repeat(513) + "'")))
                .contains("source_library_ref");
    }

    private static String with(String content) {
        return GOOD.replace("'content':'x'", "'content':'" + content + "'")
                .replace(X_DIGEST, digest(content).hex());
    }

    private static Digest digest(String content) {
        return Digest.sha256(content.getBytes(StandardCharsets.UTF_8));
    }

    private static Entry entry(String key, BundleKind kind, String content) {
        return new Entry(key, kind, digest(content), content);
    }

    private static Projected projected(String id, Entry... entries) {
        return new Projected(
                new Id128(id),
                Digest.ZERO,
                new BundleDocument("ref", Digest.ZERO, List.of(entries)));
    }

    private static String refusal(Projected... bundles) {
        BundleException refused = catchThrowableOfType(
                BundleException.class, () -> BundleEntries.of(List.of(bundles)));
        return refused == null ? "" : refused.getMessage();
    }

    @Test
    void entriesAreSortedAndSkillsStandApart() throws Exception {
        BundleEntries entries = BundleEntries.of(List.of(
                projected(
                        "b", entry("z", BundleKind.SKILL, "1"), entry("a", BundleKind.PROMPT, "2")),
                projected(
                        "a",
                        entry("z", BundleKind.SKILL, "3"),
                        entry("y", BundleKind.WORKFLOW, "4"))));

        assertThat(entries.skills())
                .extracting(BundleEntries.Placed::directoryName)
                .containsExactly("a-z", "b-z");
        assertThat(entries.others())
                .extracting(BundleEntries.Placed::directoryName)
                .containsExactly("a-y", "b-a");
        assertThat(entries.digest())
                .isNotEqualTo(new BundleEntries(entries.skills(), List.of()).digest());
    }

    @Test
    void namesAreForOneEntry() {
        Entry x = entry("k", BundleKind.SKILL, "x");
        Entry y = entry("k", BundleKind.PROMPT, "y");

        assertThat(refusal(projected("p", x), projected("q", y))).isEmpty();
        assertThat(refusal(projected("p", x), projected("p", y))).contains("'k'", "twice");
        assertThat(refusal(
                        projected("a", entry("b-c", BundleKind.SKILL, "x")),
                        projected("a-b", entry("c", BundleKind.SKILL, "x"))))
                .contains("'a-b-c'");
    }

    @Test
    void theNameOfASkillsDirectoryFitsAFilesystem() {
        String id = "p".repeat(128);

        assertThat(refusal(projected(id, entry("k".repeat(126), BundleKind.SKILL, "x"))))
                .isEmpty();
        assertThat(refusal(projected(id, entry("k".repeat(127), BundleKind.SKILL, "x"))))
                .contains("255");
        assertThat(refusal(projected(id, entry("k".repeat(127), BundleKind.PROMPT, "x"))))
                .isEmpty();
    }

    @Test
    void allBundlesTogetherHaveBounds() {
        String mebibyte = "m".repeat(1 << 20);
        List<Projected> large = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            large.add(projected("p" + i, entry("k", BundleKind.SKILL, mebibyte)));
        }
        assertThat(refusal(large.toArray(Projected[]::new))).isEmpty();
        large.add(projected("more", entry("k", BundleKind.SKILL, "x")));
        assertThat(refusal(large.toArray(Projected[]::new))).contains("16777217");

        Entry[] many = new Entry[4096];
        for (int i = 0; i < many.length; i++) {
            many[i] = entry("k" + i, BundleKind.SKILL, "x");
        }
        assertThat(refusal(projected("p", many))).isEmpty();
        assertThat(refusal(projected("p", many), projected("q", many[0]))).contains("4097");
    }

    @Test
    void theSameBundleIsShownOnceAtAPlace() throws Exception {
        BundleTargets.Wanted one =
                new BundleTargets.Wanted(Digest.ZERO, new AbsolutePath("/opt/one"));
        BundleTargets.Wanted two =
                new BundleTargets.Wanted(Digest.ZERO, new AbsolutePath("/opt/two"));
        BundleTargets.Wanted deep =
                new BundleTargets.Wanted(Digest.ZERO, new AbsolutePath("/" + "d".repeat(4090)));

        assertThat(BundleTargets.of(List.of(one, two)))
                .extracting(AbsolutePath::text)
                .containsExactly(
                        "/opt/one/" + "0".repeat(64) + ".json",
                        "/opt/two/" + "0".repeat(64) + ".json");
        assertThat(catchThrowableOfType(
                        BundleException.class, () -> BundleTargets.of(List.of(one, two, one))))
                .hasMessageContaining("twice");
        assertThat(catchThrowableOfType(
                        BundleException.class, () -> BundleTargets.of(List.of(deep))))
                .hasMessageContaining("too long");
    }
}
