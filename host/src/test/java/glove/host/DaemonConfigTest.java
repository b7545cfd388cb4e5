package glove.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.wire.JsonProblems;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The configuration and the command line are read strictly, and to the same thing. */
@Tag("unit")
final class DaemonConfigTest {
    private static final String WHOLE = ControlRoom.config(Path.of("/d"));
    private static final String PATHS = "--runtime-dir /d/r --audit-key /d/k --journal /d/j";

    private static String problem(String json) {
        JsonProblems problems = JsonProblems.all(8);
        Optional<DaemonConfig> config =
                DaemonConfig.parse(json.getBytes(StandardCharsets.UTF_8), problems);
        assertThat(config.isPresent()).isEqualTo(problems.isEmpty());
        return problems.list().toString();
    }

    private static DaemonOptions options(String line) throws StartException {
        List<byte[]> words = new ArrayList<>();
        for (String word : line.split(" ", -1)) {
            words.add(word.getBytes(StandardCharsets.UTF_8));
        }
        return DaemonOptions.parse(words);
    }

    @Test
    void aWholeConfigurationIsRead() {
        assertThat(problem(WHOLE)).isEqualTo("[]");
        assertThat(problem(WHOLE.replace("{", "{\"persistent_service\":true,"))).isEqualTo("[]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"schema_version\":1|\"schema_version\":2|'/schema_version' is 2",
                "\"audit_key\"|\"audit_keys\"|'/audit_keys' is unknown",
                "/d/key|d/key|'/audit_key' is 'd/key'",
                "/d/key|/d/../key|'/audit_key' is '/d/../key'",
                "/d/key|/|'/audit_key' is '/'",
                "/d/key|/d/runtime|audit_key '/d/runtime' is also runtime_directory",
                "/d/key|/d/kept/key|audit_key '/d/kept/key' lies within materialization_root",
                "\"path_exposure_journal\":\"/d/state/exposures\"|\"persistent_service\":false|go together",
                "\"session_policy\":\"/d/policy.json\"|\"persistent_service\":false|session_store needs",
                "\"session_store\":\"/d/state/sessions\"|\"persistent_service\":false|need session_store",
                "\"audit_key\":|\"audit_key\":\"/x\",\"audit_key\":|is no JSON",
                "\"schema_version\":1|\"schema_version\":1,\"remote_backend\":{}|not in this build",
                "\"schema_version\":1|\"schema_version\":1,\"apple_container\":{\"cli\":\"/c\"}|not in this build",
            })
    void anotherIsRefusedWithItsPlace(String from, String to, String told) {
        assertThat(WHOLE).contains(from);

        assertThat(problem(WHOLE.replace(from, to))).contains(told);
    }

    @Test
    void theCommandLineNamesTheSamePaths() throws Exception {
        DaemonOptions options =
                options(PATHS + " --session-policy /d/p --session-store /d/s --json-log");

        DaemonConfig config = DaemonConfig.of(options.paths());

        assertThat(options.jsonLog()).isTrue();
        assertThat(config.base().receiptJournal().text()).isEqualTo("/d/j");
        assertThat(config.sessions().store().orElseThrow().text()).isEqualTo("/d/s");
        assertThat(config.exposures()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--config",
                "--config /a --config /b",
                "--config /a --journal /j",
                PATHS + " --journal /k",
                PATHS + " --session-policy relative",
                PATHS + " --listen 0.0.0.0",
                PATHS + " word",
                "--json-log --json-log --config /a",
            })
    void anotherCommandLineIsRefused(String line) {
        StartException refused = catchThrowableOfType(StartException.class, () -> options(line));

        assertThat(refused.status()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--runtime-dir /d/r --audit-key /d/k",
                PATHS + " --session-store /d/s",
                PATHS + " --materialization-root /d/m",
                PATHS + " --path-exposure-policy /d/p",
                PATHS + " --session-policy /d/k",
            })
    void pathsThatDoNotGoTogetherAreRefused(String line) throws Exception {
        DaemonOptions options = options(line);

        StartException refused =
                catchThrowableOfType(StartException.class, () -> DaemonConfig.of(options.paths()));

        assertThat(refused.status()).isEqualTo(2);
    }

    @Test
    void helpAndVersionAreAsked() throws Exception {
        assertThat(options("--help").asked()).isEqualTo(DaemonOptions.Asked.HELP);
        assertThat(options("-V").asked()).isEqualTo(DaemonOptions.Asked.VERSION);
    }
}
