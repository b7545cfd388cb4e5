package glove.session.stage;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Mutations;
import glove.testkit.Seed;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Whatever happens to the bytes of a manifest: it is refused in words, as its digest covers all. */
@Tag("unit")
@Timeout(900)
final class ManifestFuzzTest {
    private static final int CASES = 4000;

    private static List<byte[]> manifests() throws Exception {
        try (InputStream in = Objects.requireNonNull(
                ManifestFuzzTest.class.getResourceAsStream("change_manifest.json"))) {
            JsonValue root = JsonText.value(in.readAllBytes(), JsonLimits.FRAME).root();
            List<byte[]> found = new ArrayList<>();
            for (JsonValue one : root.member("cases").orElseThrow().children()) {
                one.member("canonical_json", JsonKind.STRING)
                        .ifPresent(
                                text -> found.add(text.string().getBytes(StandardCharsets.UTF_8)));
            }
            return found;
        }
    }

    @Test
    void aMutatedManifestIsRefusedInWords() throws Exception {
        List<byte[]> manifests = manifests();
        int same = 0;
        for (int i = 0; i < CASES; i++) {
            byte[] good = manifests.get(i % manifests.size());
            byte[] mutated = Mutations.of(good, Seed.random(i));
            try {
                ManifestReader.read(
                        mutated,
                        new ChangesRequest("s", "e", 0, 1),
                        new ChangedEntries(),
                        () -> true);
                assertThat(mutated).as(Seed.words()).isEqualTo(good);
                same++;
            } catch (StageException e) {
                assertThat(e).as(Seed.words()).hasMessageMatching("\\p{Print}+");
            }
        }
        assertThat(same).isLessThan(CASES / 10);
    }
}
