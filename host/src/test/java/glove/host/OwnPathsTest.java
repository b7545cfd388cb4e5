package glove.host;

import static org.assertj.core.api.Assertions.assertThat;

import glove.policy.session.SessionPolicy;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.JsonProblems;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** No policy shows what the daemon keeps for itself, under whichever name. */
@Tag("unit")
final class OwnPathsTest {
    @TempDir
    private Path parent;

    private Path directory;

    @BeforeEach
    void prepare() throws IOException {
        directory = parent.toRealPath().resolve("d");
        Files.createDirectory(directory);
        ControlRoom.prepare(directory);
        Files.createDirectories(directory.resolve("projects/site/inner"));
        Files.createFile(Files.createDirectory(directory.resolve("own")).resolve("config.json"));
    }

    private DaemonConfig config() {
        JsonProblems problems = JsonProblems.first();
        return DaemonConfig.parse(
                        ControlRoom.config(directory).getBytes(StandardCharsets.UTF_8), problems)
                .orElseThrow(() -> new AssertionError(problems.firstInWords()))
                .readFrom(UnixPath.of(directory + "/own/config.json"));
    }

    /** A policy with another source, and perhaps a secret. */
    private String complaint(String source, String secret) throws Exception {
        String text = Files.readString(directory.resolve("policy.json"));
        String host = "\"host_path\":\"";
        int from = text.indexOf(host) + host.length();
        text = text.substring(0, from) + source + text.substring(text.indexOf('"', from));
        if (!secret.isEmpty()) {
            String runtime = text.substring(text.indexOf("\"runtime_id\":\"") + 14);
            runtime = runtime.substring(0, runtime.indexOf('"'));
            text = text.substring(0, text.lastIndexOf('}'))
                    + ",\"secret_handles\":[\"s\"],\"secret_mounts\":[{\"handle\":\"s\",\"runtime_id\":\""
                    + runtime + "\",\"source_path\":\"" + secret
                    + "\",\"target_path\":\"/home/agent/s\"}]}";
        }
        JsonProblems problems = JsonProblems.first();
        Optional<SessionPolicy> policy = SessionPolicy.parse(
                text.getBytes(StandardCharsets.UTF_8), new HostLooks(Linux.host()), problems);
        assertThat(problems.firstInWords()).isEmpty();
        return OwnPaths.of(Linux.host(), config())
                .complaint(Linux.host(), policy.orElseThrow())
                .orElse("");
    }

    @Test
    void whatIsTheDaemonsAndWhatThatIsInIsNoSource() throws Exception {
        Files.createDirectory(directory.resolve("state/below"));
        Files.createDirectory(directory.resolve("kept/below"));
        for (String own : List.of(
                "",
                "/runtime",
                "/own",
                "/own/config.json",
                "/key",
                "/state",
                "/policy.json",
                "/kept",
                "/kept/below",
                "/bundles",
                "/exposures.json")) {
            assertThat(complaint(directory + own, "")).as(own).contains("the daemon's own '");
        }
        for (String other : List.of("/projects", "/projects/site", "/state/below")) {
            assertThat(complaint(directory + other, "")).as(other).isEmpty();
        }
    }

    @Test
    void nothingOfTheDaemonsIsASecretOfASession() throws Exception {
        String site = directory + "/projects/site";
        Files.createSymbolicLink(directory.resolve("projects/link"), directory.resolve("runtime"));

        for (String own : List.of("/key", "/runtime/bootstrap-secret", "/projects/link/x")) {
            assertThat(complaint(site, directory + own)).as(own).contains("source_path of secret");
        }
        assertThat(complaint(site, directory + "/projects/file")).isEmpty();
    }

    /** The configuration may name its files through links; sources are never behind any. */
    @Test
    void whereAConfiguredPathLeadsIsTheDaemonsToo() throws Exception {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Files.move(directory.resolve("state"), elsewhere.resolve("state"));
        Files.createSymbolicLink(directory.resolve("state"), elsewhere.resolve("state"));

        assertThat(complaint(elsewhere.toString(), "")).contains("elsewhere/state/");
    }
}
