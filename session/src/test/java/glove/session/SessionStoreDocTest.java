package glove.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.Id128;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What docs/session-store.md says is so. */
@Tag("unit")
final class SessionStoreDocTest {
    @TempDir
    private Path parent;

    private String text = "";

    @BeforeEach
    void read() throws Exception {
        Path root = Path.of(System.getProperty("glove.root"));
        text = Files.readString(root.resolve("docs/session-store.md"));
    }

    @Test
    void theExampleIsARecordThatOpensAndIsCanonical() throws Exception {
        int start = text.indexOf("```json\n") + "```json\n".length();
        byte[] example = text.substring(start, text.indexOf("\n```", start))
                .getBytes(StandardCharsets.UTF_8);
        Room room = new Room(parent);
        room.write(List.of(example));

        try (SessionRegistry registry = room.open()) {
            assertThat(registry.find(new Id128("session-1")).orElseThrow().state())
                    .isEqualTo(SessionState.CREATED);
        }
        assertThat(SessionRecordJson.encode(SessionRecordJson.decode(example))).isEqualTo(example);
    }

    @Test
    void theTableHasEveryOperationWithItsStates() {
        for (SessionOperation operation : SessionOperation.values()) {
            String row = text.lines()
                    .filter(line ->
                            line.startsWith("|") && line.contains("`" + operation.word() + "`"))
                    .findFirst()
                    .orElseThrow();
            String[] cells = row.split("\\|");
            assertThat(cells[2].strip()).isEqualTo("`" + operation.after().word() + "`");
            for (SessionState state : SessionState.values()) {
                assertThat(cells[3].contains("`" + state.word() + "`"))
                        .as("%s after %s", operation, state)
                        .isEqualTo(state.mayBecome(operation.after()));
            }
        }
    }
}
