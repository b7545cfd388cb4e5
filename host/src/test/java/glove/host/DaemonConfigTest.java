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

    private static final String KEY = "AAAAC3NzaC1lZDI1NTE5AAAAI" + "A".repeat(43);
    private static final String PIN = "sha256:" + "b".repeat(64);
    private static final String REMOTE = ("{'host':'h.example','user':'glove','port':22,"
                    + "'host_public_key':'ssh-ed25519 " + KEY + "','host_key_fingerprint':"
                    + "'SHA256:kmYcvdi2GkPeWxB6XLjrZB8JHsy2Hm8luHMFp9GMvqk',"
                    + "'identity_file':'/d/id','executor_digest':'sha256:" + "a".repeat(64)
                    + "','container_image':'r.example:5000/a/b@" + PIN
                    + "','container_image_digest':'" + PIN + "','channel_timeout_ms':100,"
                    + "'max_clock_skew_ms':0,'max_sessions':64,'staging_root':'/srv/s'}")
            .replace('\'', '"');
    private static final String APPLE = ("{'cli':'/usr/local/bin/container','image':'i:1',"
                    + "'image_digest':'" + PIN + "'}")
            .replace('\'', '"');

    /** All that is wrong with a configuration that has a part, and nothing that stands aside. */
    private static List<String> wrong(String part, String value, String aside) {
        JsonProblems problems = JsonProblems.all(30);
        String json = WHOLE.replaceAll("\"(" + aside + ")\":\"[^\"]*\",?", "")
                .replace(",}", "}")
                .replace("\"schema_version\":1", "\"schema_version\":1,\"" + part + "\":" + value);
        assertThat(DaemonConfig.parse(json.getBytes(StandardCharsets.UTF_8), problems))
                .isEmpty();
        List<String> wrong = new ArrayList<>();
        problems.list().forEach(problem -> wrong.add(problem.toString()));
        assertThat(wrong.remove(0)).contains("'/" + part + "' is not in this build");
        return wrong;
    }

    @Test
    void aPartThisBuildDoesNotHaveIsRefusedAsThatAloneWhenItIsGood() {
        assertThat(wrong("remote_backend", REMOTE, "materialization_root")).isEmpty();
        assertThat(wrong("apple_container", APPLE, "-")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "h.example|-oProxyCommand=x|host",
                "h.example|h example|host",
                "h.example|``|host",
                "\"glove\"|\"Glove\"|user",
                "\"glove\"|\"-l\"|user",
                "\"glove\"|\"9x\"|user",
                "\"port\":22|\"port\":0|port",
                "\"port\":22|\"port\":65536|port",
                "ssh-ed25519 A|ssh-ed25519  A|host_public_key",
                "ssh-ed25519 |ssh-rsa |host_public_key",
                "AAAAI|AAAAA|host_public_key",
                "AAAA\"|AAAA x\"|host_public_key",
                "AAAA\"|AAA=\"|host_public_key",
                "AAAA\"|\"|host_public_key",
                "AAAA\"|AAAB\"|host_key_fingerprint",
                "SHA256:k|SHA256:l|host_key_fingerprint",
                "GMvqk|GMvqk=|host_key_fingerprint",
                "/d/id|d/id|identity_file",
                "sha256:aaaa|sha256:AAAA|executor_digest",
                "r.example:5000/a/b@|r.example:0/a/b@|container_image",
                "r.example:5000/a/b@|r.example:70000/a/b@|container_image",
                "r.example:5000/a/b@|a:5000@|container_image",
                "r.example:5000/a/b@|a/b:tag@|container_image",
                "r.example:5000/a/b@|a//b@|container_image",
                "r.example:5000/a/b@|A/b@|container_image",
                "r.example:5000/a/b@|a-/b@|container_image",
                "r.example:5000/a/b@|@|container_image",
                "/a/b@sha256:b|/a/b@sha256:c|container_image",
                "\"channel_timeout_ms\":100|\"channel_timeout_ms\":99|channel_timeout_ms",
                "\"max_clock_skew_ms\":0|\"max_clock_skew_ms\":5001|max_clock_skew_ms",
                "\"max_sessions\":64|\"max_sessions\":65|max_sessions",
                "\"max_sessions\":64|\"max_sessions\":0|max_sessions",
                "/srv/s|/|staging_root",
                "\"port\":22|\"port\":22,\"ports\":1|ports",
                "\"port\":22,||port",
            })
    void eachMistakeInTheRemoteBackendIsToldAtItsPlace(String from, String to, String name) {
        String now = to == null ? "" : to;
        assertThat(REMOTE).contains(from);

        assertThat(wrong("remote_backend", REMOTE.replace(from, now), "materialization_root"))
                .isNotEmpty()
                .allMatch(told -> told.startsWith("'/remote_backend/" + name + "' "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "i:1|i 1|image",
                "i:1|``|image",
                "/usr/local/bin|usr|cli",
                "sha256:|sha512:|image_digest",
                "\"image\"|\"harness_closure_digest\":\"x\",\"image\"|harness_closure_digest",
            })
    void eachMistakeInTheContainerIsToldAtItsPlace(String from, String to, String name) {
        assertThat(wrong("apple_container", APPLE.replace(from, to), "-"))
                .hasSize(1)
                .allMatch(told -> told.startsWith("'/apple_container/" + name + "' "));
    }

    @Test
    void whatThesePartsNeedAndExcludeIsTold() {
        assertThat(wrong("remote_backend", REMOTE, "-"))
                .containsExactly("'/remote_backend' goes with no materialization_root: "
                        + "leave one of them out");
        assertThat(wrong(
                        "remote_backend",
                        REMOTE,
                        "session_policy|session_store|materialization_root|library_bundle_root"))
                .containsExactly(
                        "'/remote_backend' needs session_policy: configure that, too",
                        "'/remote_backend' needs session_store: configure that, too");
        assertThat(wrong("apple_container", APPLE, "materialization_root"))
                .containsExactly(
                        "'/apple_container' needs materialization_root: configure that, too");
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
