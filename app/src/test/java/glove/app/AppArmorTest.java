package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Lanes;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The AppArmor profile of the installed launcher. */
@Tag("process")
final class AppArmorTest {
    private static final Path ROOT = Path.of(System.getProperty("glove.root"));
    private static final Path PROFILE = ROOT.resolve("packaging/apparmor/glove");

    @Test
    void itIsForTheInstalledLauncherAloneAndAllowsUserNamespacesAlone() throws IOException {
        List<String> rules = Files.readAllLines(PROFILE).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
        String launcher =
                Files.readString(ROOT.resolve("sandbox/src/main/java/glove/sandbox/Launcher.java"));

        assertThat(rules)
                .containsExactly(
                        "abi <abi/4.0>,",
                        "include <tunables/global>",
                        "profile glove /usr/libexec/glove/launcher flags=(unconfined) {",
                        "userns,",
                        "include if exists <local/glove>",
                        "}");
        assertThat(launcher).contains("UnixPath.of(\"/usr/libexec/glove/launcher\")");
    }

    @Test
    void theParserTakesIt() throws IOException, InterruptedException {
        Path parser = Path.of("/usr/sbin/apparmor_parser");
        Lanes.require("apparmor", Files.isExecutable(parser), "apparmor_parser is not installed");
        Lanes.require(
                "apparmor",
                Files.exists(Path.of("/etc/apparmor.d/abi/4.0")),
                "this apparmor_parser is older than abi 4.0");

        Command.Result result =
                Command.of(parser.toString(), "-Q", "-K", PROFILE.toString()).run();

        assertThat(result.status()).as("%s", result).isZero();
    }
}
