package glove.host;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.JsonProblems;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What docs/control-protocol.md and docs/gloved.md show is so. */
@Tag("process")
final class ControlDocTest {
    @TempDir
    private Path directory;

    private static String text(String name) throws Exception {
        return Files.readString(Path.of(System.getProperty("glove.root"), "docs", name));
    }

    private static List<String> examples(String name) throws Exception {
        String[] parts = text(name).split("```json\n", -1);
        List<String> examples = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            examples.add(parts[i].substring(0, parts[i].indexOf("\n```")));
        }
        return examples;
    }

    private static String answer(String request, long nowMs) {
        ControlProtocol protocol = new ControlProtocol(
                new BootstrapSecret("d".repeat(64)),
                List.of(ControlMethod.quick(
                        "health",
                        (call, result) -> result.beginObject()
                                .member("schema_version", 1)
                                .member("status", "ready")
                                .endObject())),
                () -> nowMs);
        byte[] response = protocol.respond(request.getBytes(StandardCharsets.UTF_8));
        return new String(response, StandardCharsets.UTF_8);
    }

    @Test
    void theExchangesAreTheDaemons() throws Exception {
        List<String> examples = examples("control-protocol.md");

        assertThat(examples).hasSize(3);
        assertThat(answer(examples.get(0), 1000)).isEqualTo(examples.get(1));
        assertThat(answer(examples.get(0), 2001)).isEqualTo(examples.get(2));
    }

    @Test
    void theConfigurationIsRead() throws Exception {
        byte[] example = examples("gloved.md").get(0).getBytes(StandardCharsets.UTF_8);
        JsonProblems problems = JsonProblems.first();

        assertThat(DaemonConfig.parse(example, problems))
                .as(problems.firstInWords())
                .isPresent();
    }

    @Test
    void theTableOfMethodsIsWhatAWholeDaemonHas() throws Exception {
        List<String> told = new ArrayList<>();
        for (String line : text("control-protocol.md").split("\n", -1)) {
            boolean row =
                    line.startsWith("| `") && (line.contains("| no |") || line.contains("| yes |"));
            if (row) {
                told.add(line.substring(3, line.indexOf('`', 3)));
            }
        }
        try (ControlRoom room = new ControlRoom(directory, ControlRoom.PATIENT)) {
            assertThat(told).containsExactlyInAnyOrderElementsOf(room.methods());
        }
    }
}
