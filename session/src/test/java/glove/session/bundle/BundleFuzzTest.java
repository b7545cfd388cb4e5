package glove.session.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Corpus;
import glove.testkit.Mutations;
import glove.testkit.Seed;
import glove.wire.Digest;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonProblem;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Whatever happens to the bytes of a bundle: problems in words, or all that stands there. */
@Tag("unit")
@Timeout(900)
final class BundleFuzzTest {
    private static final int CASES = 4000;

    private static List<byte[]> corpus() throws Exception {
        return Corpus.lines(Objects.requireNonNull(
                BundleFuzzTest.class.getResourceAsStream("fuzz-bundles.txt")));
    }

    private static boolean isAccepted(byte[] json) throws Exception {
        JsonProblems problems = JsonProblems.all(9);
        Optional<BundleDocument> document = BundleDocument.parse(json, problems);
        assertThat(document.isPresent()).as(Seed.words()).isEqualTo(problems.isEmpty());
        for (JsonProblem problem : problems.list()) {
            assertThat(problem.pointer()).as(Seed.words()).matches("(?s)|/.*");
            assertThat(problem.what()).as(Seed.words()).matches("\\p{Print}+");
        }
        if (document.isPresent()) {
            check(document.get(), JsonText.value(json, JsonLimits.FILE).root());
        }
        return document.isPresent();
    }

    /** What was read is all that stands there, and every content is what its digest says. */
    private static void check(BundleDocument document, JsonValue root) {
        assertThat(root.size()).as(Seed.words()).isLessThanOrEqualTo(4);
        assertThat(document.sourceLibraryRef()).isEqualTo(text(root, "source_library_ref"));
        assertThat(document.sourceManifestDigest().hex())
                .isEqualTo(text(root, "source_manifest_digest"));
        List<JsonValue> there = root.member("entries").map(JsonValue::children).orElse(List.of());
        assertThat(document.entries()).as(Seed.words()).hasSameSizeAs(there);
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < there.size(); i++) {
            BundleDocument.Entry entry = document.entries().get(i);
            byte[] content = entry.content().getBytes(StandardCharsets.UTF_8);
            assertThat(Digest.sha256(content)).as(Seed.words()).isEqualTo(entry.contentDigest());
            assertThat(BundleKey.CLASS.parse(entry.key())).as(Seed.words()).isPresent();
            assertThat(keys.add(entry.key())).as(Seed.words()).isTrue();
            assertThat(there.get(i).size()).as(Seed.words()).isEqualTo(4);
            assertThat(entry.key()).isEqualTo(text(there.get(i), "key"));
            assertThat(entry.kind().word()).isEqualTo(text(there.get(i), "kind"));
            assertThat(entry.content()).isEqualTo(text(there.get(i), "content"));
        }
    }

    private static String text(JsonValue object, String name) {
        return object.member(name, JsonKind.STRING).orElseThrow().string();
    }

    @Test
    void aMutatedBundleIsRefusedWithItsPlaceOrItsEntriesAreWhatTheySay() throws Exception {
        List<byte[]> corpus = corpus();
        int good = 0;
        for (byte[] json : corpus) {
            good += isAccepted(json) ? 1 : 0;
        }
        assertThat(good).as("the corpus has both").isBetween(1, corpus.size() - 1);
        int read = 0;
        for (int i = 0; i < CASES; i++) {
            byte[] mutated = Mutations.of(corpus.get(i % corpus.size()), Seed.random(i));
            read += isAccepted(mutated) ? 1 : 0;
        }
        assertThat(read).as(Seed.words()).isBetween(1, CASES - 1);
    }
}
