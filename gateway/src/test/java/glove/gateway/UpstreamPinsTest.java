package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import glove.gateway.UpstreamPins.Definition;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

/** Pins that several write: what somebody accepted is never lost. */
@Tag("unit")
final class UpstreamPinsTest {
    private static Definition tool(String name, int version) {
        return Definition.of("tool", name, "{\"v\":" + version + "}");
    }

    @Test
    void aFileSaysWhoseItIs() throws PinException {
        UpstreamPins pins = UpstreamPins.read(new UpstreamPins("files", "npx \"x\"").toBytes());

        assertThat(pins.upstream()).isEqualTo("files");
        assertThat(pins.command()).isEqualTo("npx \"x\"");
        byte[] unlabelled =
                "{\"version\":1,\"pinned\":[],\"offered\":[]}".getBytes(StandardCharsets.UTF_8);
        assertThat(UpstreamPins.read(unlabelled).upstream()).isEmpty();
    }

    @Test
    void whatAnotherPinnedOrAcceptedMeanwhileStays() {
        UpstreamPins ours = new UpstreamPins();
        ours.pin(tool("a", 1));
        ours.pin(tool("fresh", 1));
        ours.offer(tool("b", 2));
        UpstreamPins kept = new UpstreamPins();
        kept.pin(tool("a", 2));
        kept.pin(tool("b", 2));
        kept.pin(tool("c", 1));
        kept.offer(tool("a", 3));
        kept.offer(tool("fresh", 7));

        ours.keep(kept);

        assertThat(ours.allPinned())
                .containsExactly(tool("a", 2), tool("b", 2), tool("c", 1), tool("fresh", 1));
        assertThat(ours.allOffered()).containsExactly(tool("a", 3));
    }
}
