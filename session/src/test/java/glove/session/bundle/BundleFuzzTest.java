package glove.session.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Mutations;
import glove.testkit.Seed;
import glove.wire.Digest;
import glove.wire.JsonProblems;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Whatever happens to the bytes of a bundle: problems in words, or entries with their digests. */
@Tag("unit")
@Timeout(60)
final class BundleFuzzTest {
    private static final int CASES = 4000;

    private static final String GOOD = "{\"schema_version\":1,\"source_library_ref\":\"ref\","
            + "\"source_manifest_digest\":\"" + "a".repeat(64) + "\",\"entries\":[{\"key\":"
            + "\"alpha\",\"kind\":\"skill\",\"content_digest\":\"2d711642b726b04401627ca9fbac32f5c8"
            + "530fb1903cc4db02258717921a4881\",\"content\":\"x\"},{\"key\":\"beta\",\"kind\":"
            + "\"prompt\",\"content_digest\":\"a1fce4363854ff888cff4b8e7875d600c2682390412a8cf79b37d0"
            + "b11148b0fa\",\"content\":\"y\"}]}";

    @Test
    void aMutatedBundleIsRefusedInWordsOrItsEntriesAreWhatTheySay() {
        byte[] good = GOOD.getBytes(StandardCharsets.UTF_8);
        assertThat(BundleDocument.parse(good, JsonProblems.first())).isPresent();
        int read = 0;
        for (int i = 0; i < CASES; i++) {
            JsonProblems problems = JsonProblems.first();
            Optional<BundleDocument> document =
                    BundleDocument.parse(Mutations.of(good, Seed.random(i)), problems);
            assertThat(document.isPresent()).as(Seed.words()).isEqualTo(problems.isEmpty());
            if (document.isEmpty()) {
                assertThat(problems.firstInWords()).as(Seed.words()).matches("\\p{Print}+");
                continue;
            }
            read++;
            for (BundleDocument.Entry entry : document.get().entries()) {
                byte[] content = entry.content().getBytes(StandardCharsets.UTF_8);
                assertThat(Digest.sha256(content))
                        .as(Seed.words())
                        .isEqualTo(entry.contentDigest());
                assertThat(BundleKey.CLASS.parse(entry.key())).as(Seed.words()).isPresent();
            }
        }
        assertThat(read).isBetween(1, CASES - 1);
    }
}
