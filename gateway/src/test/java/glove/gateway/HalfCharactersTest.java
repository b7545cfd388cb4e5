package glove.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;

/** Texts cut in the middle of a character, as JavaScript does it: nobody waits for ever. */
@Tag("process")
final class HalfCharactersTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":\"\\ud83d\"}              | {\"a\":\"\\ufffd\"}",
                "{\"a\":\"\\uDE00x\"}             | {\"a\":\"\\ufffdx\"}",
                "{\"a\":\"\\ud83d\\ude00\"}       | {\"a\":\"\\ud83d\\ude00\"}",
                "{\"a\":\"\\ud83d\\ud83d\\ude00\"} | {\"a\":\"\\ufffd\\ud83d\\ude00\"}",
                "{\"a\":\"\\\\ud83d\"}            | {\"a\":\"\\\\ud83d\"}",
                "{\"a\":\"\\u00e9\\n\"}           | {\"a\":\"\\u00e9\\n\"}",
                "\\                              | \\",
                "\\ud8                           | \\ud8",
            })
    void onlyHalvesAreReplaced(String json, String whole) {
        byte[] replaced = HalfCharacters.replaced(json.getBytes(StandardCharsets.UTF_8));

        assertThat(new String(replaced, StandardCharsets.UTF_8)).isEqualTo(whole);
    }

    @Test
    void whoAsksWithOneIsAnsweredUnderItsId() {
        try (Room room = new Room()) {
            room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();

            agent.ask("7", "tools/call", "{'name':'files__read','arguments':{'a':'\\ud83d'}}");

            assertThat(agent.next().toJson()).contains("\"id\":7").contains("-32700");
        }
    }

    @Test
    void anAnswerWithOneFailsItsCallAndNoOther() {
        try (Room room = new Room()) {
            TestPeer files = room.upstream("files").tools("read");
            TestPeer agent = room.agent().greeted();
            agent.ask("1", "tools/call", "{'name':'files__read'}");
            agent.ask("2", "tools/call", "{'name':'files__read'}");
            var first = files.expect("tools/call");
            var second = files.expect("tools/call");

            files.answer(second, "{'a':'\\ud83d'}");

            assertThat(agent.next().toJson())
                    .contains("\"id\":2")
                    .contains("sent something that cannot be read");
            files.answer(first, "{'content':[]}");
            assertThat(agent.next().toJson()).contains("\"id\":1").contains("content");
        }
    }
}
