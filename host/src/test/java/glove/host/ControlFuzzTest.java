package glove.host;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Seed;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/**
 * Whatever bytes come, the answer is a response, and nothing is done that was not asked for. The
 * corpus, a request a line, is kept; what a run finds is added to it.
 */
@Tag("unit")
final class ControlFuzzTest {
    private static final int MUTATIONS = 40_000;
    private static final String SECRET = "d".repeat(64);

    private int carriedOut;

    private final ControlProtocol protocol = new ControlProtocol(
            new BootstrapSecret(SECRET),
            List.of(ControlMethod.quick("health", (call, result) -> {
                call.requireNothing("health requires a null read-only payload");
                carriedOut++;
                result.value("done");
            })),
            () -> 1000);

    private static List<byte[]> corpus() throws Exception {
        try (InputStream in =
                Objects.requireNonNull(ControlFuzzTest.class.getResourceAsStream("requests.txt"))) {
            List<byte[]> all = new ArrayList<>();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.split("\n", -1)) {
                if (!line.isEmpty()) {
                    all.add(line.replace("SECRET", SECRET).getBytes(StandardCharsets.UTF_8));
                }
            }
            return all;
        }
    }

    private void assertAnswered(byte[] request) throws Exception {
        int before = carriedOut;
        byte[] response = protocol.respond(request);
        JsonValue root = JsonText.value(response, JsonLimits.FILE).root();
        assertThat(root.member("id", JsonKind.STRING)).isPresent();
        boolean done = root.member("result").isPresent();
        assertThat(root.member("error").isPresent()).isNotEqualTo(done);
        assertThat(carriedOut - before).isEqualTo(done ? 1 : 0);
        if (done) {
            JsonValue asked = JsonText.value(request, JsonLimits.FILE).root();
            JsonValue params = asked.member("params").orElseThrow();
            assertThat(asked.member("method").orElseThrow().isString("health")).isTrue();
            assertThat(params.member("bootstrap_secret").orElseThrow().isString(SECRET))
                    .isTrue();
        }
    }

    @Test
    void theCorpusIsAnsweredAndItsFirstRequestIsGood() throws Exception {
        List<byte[]> corpus = corpus();
        assertThat(corpus).hasSizeGreaterThan(10);
        for (byte[] request : corpus) {
            assertAnswered(request);
        }
        carriedOut = 0;
        assertAnswered(corpus.get(0));
        assertThat(carriedOut).as("the control").isEqualTo(1);
    }

    @Test
    void mutatedRequestsAreAnswered() throws Exception {
        Random random = Seed.random(0);
        List<byte[]> corpus = corpus();
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] request = corpus.get(random.nextInt(corpus.size())).clone();
            int changes = 1 + random.nextInt(4);
            for (int change = 0; change < changes && request.length > 0; change++) {
                request = mutated(request, corpus, random);
            }
            assertAnswered(request);
        }
    }

    private static byte[] mutated(byte[] request, List<byte[]> corpus, Random random) {
        int at = random.nextInt(request.length);
        return switch (random.nextInt(4)) {
            case 0 -> changed(request, at, random.nextInt(256));
            case 1 -> Arrays.copyOf(request, at);
            case 2 -> changed(request, at, request[at] ^ (1 << random.nextInt(8)));
            default -> spliced(request, at, corpus.get(random.nextInt(corpus.size())), random);
        };
    }

    private static byte[] changed(byte[] request, int at, int value) {
        request[at] = (byte) value;
        return request;
    }

    private static byte[] spliced(byte[] request, int at, byte[] other, Random random) {
        int from = random.nextInt(other.length);
        byte[] spliced = Arrays.copyOf(request, at + other.length - from);
        System.arraycopy(other, from, spliced, at, other.length - from);
        return spliced;
    }
}
