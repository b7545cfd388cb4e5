package glove.session.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import glove.session.bundle.BundleEntries.Placed;
import glove.session.bundle.BundleEntries.Projected;
import glove.wire.AbsolutePath;
import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.Id128;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Bundles as other implementations take them, and the digests over what they hold. */
@Tag("unit")
final class BundleVectorsTest {
    /** Refused for the prepared harness beside them, which bundles know nothing of. */
    private static final Set<String> NOT_OF_BUNDLES = Set.of("reject-codex-with-adoption");

    private static final Digest B64 = new Digest("b".repeat(64));

    private static List<JsonValue> cases() throws Exception {
        try (InputStream in = Objects.requireNonNull(
                BundleVectorsTest.class.getResourceAsStream("native_skill_projection.json"))) {
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

    /** Empty when one of them is refused. */
    private static Optional<BundleEntries> entries(JsonValue one) throws Exception {
        List<Projected> bundles = new ArrayList<>();
        for (JsonValue bundle : one.member("bundles").orElseThrow().children()) {
            byte[] text = string(bundle, "bundle_text").getBytes(StandardCharsets.UTF_8);
            Digest digest = Digest.sha256(text);
            assertThat(digest.hex()).isEqualTo(string(bundle, "bundle_digest"));
            Optional<BundleDocument> document = BundleDocument.parse(text, JsonProblems.first());
            if (document.isEmpty()) {
                return Optional.empty();
            }
            Id128 id = new Id128(string(bundle, "projection_id"));
            bundles.add(new Projected(id, digest, document.get()));
        }
        return Optional.of(BundleEntries.of(bundles));
    }

    @Test
    void bundlesAreTakenOrRefusedAsElsewhere() throws Exception {
        int refused = 0;
        for (JsonValue one : cases()) {
            String name = string(one, "name");
            boolean accepted =
                    one.member("accepted").orElseThrow().truth() || NOT_OF_BUNDLES.contains(name);
            Optional<BundleEntries> entries = entries(one);

            assertThat(entries.isPresent()).as(name).isEqualTo(accepted);
            refused += accepted ? 0 : 1;
            if (accepted) {
                assertSkills(one, entries.orElseThrow());
            }
        }
        assertThat(refused).isEqualTo(5);
    }

    private static void assertSkills(JsonValue one, BundleEntries entries) {
        String name = string(one, "name");
        List<String> expected = new ArrayList<>();
        for (JsonValue skill : one.member("skills").orElseThrow().children()) {
            expected.add(string(skill, "projection_id") + " " + string(skill, "key") + " "
                    + string(skill, "content_digest"));
        }
        List<String> found = new ArrayList<>();
        for (Placed placed : entries.skills()) {
            found.add(placed.projectionId() + " " + placed.entry().key() + " "
                    + placed.entry().contentDigest());
        }
        assertThat(found).as(name).isEqualTo(expected);
        one.member("skills_digest", JsonKind.STRING)
                .ifPresent(digest ->
                        assertThat(before(entries).hex()).as(name).isEqualTo(digest.string()));
    }

    /** The digest before there were other kinds: tells that the parts of ours are theirs. */
    private static Digest before(BundleEntries entries) {
        DigestWriter out = new DigestWriter("glove.codex-runtime-projection")
                .count(entries.skills().size());
        for (Placed placed : entries.skills()) {
            out.string(placed.projectionId().text())
                    .digest(placed.bundleDigest())
                    .string(placed.entry().key())
                    .digest(placed.entry().contentDigest());
        }
        return out.sha256();
    }

    @Test
    void targetsAreTheirs() throws Exception {
        for (JsonValue one : cases()) {
            List<BundleTargets.Wanted> wanted = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            for (JsonValue bundle : one.member("bundles").orElseThrow().children()) {
                wanted.add(new BundleTargets.Wanted(
                        new Digest(string(bundle, "bundle_digest")),
                        new AbsolutePath("/opt/sage/library-bundles")));
            }
            for (JsonValue path : one.member("target_paths").orElseThrow().children()) {
                expected.add(path.string());
            }

            assertThat(BundleTargets.of(wanted).stream().map(AbsolutePath::text).toList())
                    .hasSameElementsAs(expected);
        }
    }

    private static Placed placed(String key, BundleKind kind, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        return new Placed(
                new Id128("sage-codex"),
                B64,
                new BundleDocument.Entry(key, kind, Digest.sha256(bytes), content));
    }

    @Test
    void theDigestsOfTheSpecificationAreComputed() {
        Placed skill = placed("sage-core", BundleKind.SKILL, "# Sage core\n");
        assertThat(skill.entry().contentDigest().hex())
                .isEqualTo("a8095aa5472d84253e87441d7438235d2b13c13e09de63cbb88609931b8b8947");

        assertThat(new BundleEntries(List.of(), List.of()).digest().hex())
                .isEqualTo("c61a4ae56d708c952ef332a00ffcfed9a7970d91299c342044d2f6587408320e");
        assertThat(new BundleEntries(List.of(skill), List.of()).digest().hex())
                .isEqualTo("578c4eb534ce784d84463b36a9ebbc59f55798fa84b42f4214c5a94c1be8119b");
        Placed workflow = placed(
                "release-workflow",
                BundleKind.WORKFLOW,
                "5639d77125cc8a556340c7ec1ce9e000807b9da1e8cf1467480724839c88ac83",
                14);
        Placed prompt = placed(
                "selected-prompt",
                BundleKind.PROMPT,
                "5fa18da1d7d26a14a0493fbdd8c58ba62ea1645748c09d6a34d173a934c99243",
                12);
        assertThat(new BundleEntries(List.of(skill), List.of(workflow, prompt))
                        .digest()
                        .hex())
                .isEqualTo("a0263210c8c1ad032238a9978d46796d214aa0fb20f48aa00d9d4feb3a10efff");
    }

    /** Of content that is only known by its digest and length. */
    private static Placed placed(String key, BundleKind kind, String digest, int bytes) {
        BundleDocument.Entry entry =
                new BundleDocument.Entry(key, kind, new Digest(digest), "x".repeat(bytes));
        return new Placed(new Id128("sage-codex"), B64, entry);
    }

    @Test
    void theExampleOfTheSpecificationHasItsDigest() {
        String text = "{\"schema_version\":1,\"source_library_ref\":\"bafy-codex\","
                + "\"source_manifest_digest\":\"" + "a".repeat(64) + "\",\"entries\":[{"
                + "\"key\":\"sage-core\",\"kind\":\"skill\",\"content_digest\":\"a8095aa5472d84253e"
                + "87441d7438235d2b13c13e09de63cbb88609931b8b8947\","
                + "\"content\":\"# Sage core\\n\"}]}";
        byte[] json = text.getBytes(StandardCharsets.UTF_8);

        assertThat(Digest.sha256(json).hex())
                .isEqualTo("9bb303d4c5a0489015ac301dabc40b504fe54b7586a02d4ea8da0aacc3b2cee4");
        assertThat(BundleDocument.parse(json, JsonProblems.first())).isPresent();
    }
}
