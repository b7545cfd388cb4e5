package glove.host;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Corpus;
import glove.testkit.Mutations;
import glove.testkit.Seed;
import glove.wire.AbsolutePath;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonProblem;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whatever happens to the bytes of a configuration: it is refused with a place and words, or every
 * path in it is used, each for one purpose, and nothing else stands there.
 */
@Tag("unit")
@Timeout(900)
final class ConfigFuzzTest {
    private static final int CASES = 6000;

    private static Map<String, String> paths(DaemonConfig config) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("runtime_directory", config.base().runtimeDirectory().text());
        all.put("audit_key", config.base().auditKey().text());
        all.put("receipt_journal", config.base().receiptJournal().text());
        put(all, "session_policy", config.sessions().policy());
        put(all, "session_store", config.sessions().store());
        put(all, "materialization_root", config.sessions().materializationRoot());
        put(all, "library_bundle_root", config.sessions().bundleRoot());
        put(all, "path_exposure_policy", config.exposures().map(DaemonConfig.Exposures::policy));
        put(all, "path_exposure_journal", config.exposures().map(DaemonConfig.Exposures::journal));
        return all;
    }

    private static void put(Map<String, String> all, String name, Optional<AbsolutePath> path) {
        path.ifPresent(there -> all.put(name, there.text()));
    }

    private static byte[] text(Map<String, String> paths) {
        JsonWriter out = JsonWriter.canonical().beginObject().member("schema_version", 1);
        paths.forEach(out::member);
        return out.endObject().toBytes();
    }

    private static boolean isAccepted(byte[] json) throws Exception {
        JsonProblems problems = JsonProblems.all(9);
        Optional<DaemonConfig> config = DaemonConfig.parse(json, problems);
        String told = Seed.words() + " " + new String(json, StandardCharsets.UTF_8);
        assertThat(config.isPresent()).as(told).isEqualTo(problems.isEmpty());
        for (JsonProblem problem : problems.list()) {
            assertThat(problem.pointer()).as(told).matches("(?s)|/.*");
            assertThat(problem.toString()).as(told).isNotEmpty().doesNotContain("\n", "\u001b");
        }
        if (config.isEmpty()) {
            return false;
        }
        Map<String, String> expected = new TreeMap<>();
        for (JsonValue member : JsonText.value(json, JsonLimits.FILE).root().children()) {
            boolean other = List.of("schema_version", "persistent_service").contains(member.name());
            if (!other && !member.is(JsonKind.NULL)) {
                expected.put(member.name(), member.string());
            }
        }
        Map<String, String> paths = paths(config.get());
        assertThat(paths).as(told).isEqualTo(expected);
        assertThat(paths.values()).as(told).doesNotHaveDuplicates();
        assertThat(DaemonConfig.parse(text(paths), JsonProblems.first()))
                .as(told)
                .isEqualTo(config);
        return true;
    }

    @Test
    void aMutatedConfigurationIsRefusedWithItsPlaceOrUsedWhole() throws Exception {
        List<byte[]> corpus = Corpus.lines(Objects.requireNonNull(
                ConfigFuzzTest.class.getResourceAsStream("fuzz-configs.txt")));
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

    @Test
    void longAndDeepInputsAreRefusedSoon() throws Exception {
        byte[] deep = new byte[DaemonConfig.BYTES_MAX];
        Arrays.fill(deep, (byte) '[');
        byte[] names = ("{" + "\"a\":0,".repeat(DaemonConfig.BYTES_MAX / 8) + "\"b\":1}")
                .getBytes(StandardCharsets.UTF_8);
        for (byte[] json : List.of(deep, names, new byte[DaemonConfig.BYTES_MAX + 1])) {
            assertThat(isAccepted(json)).isFalse();
        }
    }
}
