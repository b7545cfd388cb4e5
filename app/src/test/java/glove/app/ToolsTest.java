package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** {@code glove tools check} and {@code glove tools test}, as a person types them. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#ordinary")
final class ToolsTest {
    private static final String SETTING = """
            cat >p.json <<'END'
            {"version":1,"rules":[
              {"tool":"f.read","arguments":[{"pointer":"/path","required":true,"under":"/data/public"}]},
              {"tool":"f.*"}]}
            END
            t() { "$GLOVE" tools test p.json --call "$@"; }
            """;

    private final WorkRoom room;

    ToolsTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(String script) throws IOException, InterruptedException {
        return room.shell(SETTING + script).run();
    }

    @Test
    void checkPrintsTheRulesAndWhatIsOddAboutThem() throws Exception {
        Command.Result result = run("\"$GLOVE\" tools check p.json");

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out()).isEqualTo("""
                'f.read': '/path' required, under /data/public; no others
                'f.*': any arguments
                warning: /rules/1 of 'p.json': it does not apply to 'f.read', which /rules/0 of 'p.json' is about
                """);
    }

    @Test
    void testSaysWhichRuleAllowsACall() throws Exception {
        Command.Result result = run(
                "t f.read '{\"path\":\"/data/public/x\"}'; t f.list; t f.list '{\"a\":1}' --json");

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out()).isEqualTo("""
                allowed by /rules/0 of 'p.json'
                allowed by /rules/1 of 'p.json'
                {"schema_version":1,"tool":"f.list","allowed":true,"rule":"/rules/1 of 'p.json'"}
                """);
    }

    @Test
    void testSaysWhyACallIsDenied() throws Exception {
        Command.Result argument = run("t f.read '{\"path\":\"/data/public/../x\"}'");
        Command.Result unknown = run("t g.read");
        Command.Result json = run("t f.read '{}' --json");

        assertThat(argument.status()).isEqualTo(1);
        assertThat(argument.out()).isEqualTo("""
                denied: 'f.read': argument '/path' must be under /data/public
                to allow it: edit /rules/0 of 'p.json'
                the model is told: not allowed by policy: argument 'path' must be an absolute path inside a \
                directory you were given, without '..'
                """);
        assertThat(unknown.status()).isEqualTo(1);
        assertThat(unknown.out()).isEqualTo("""
                denied: no rule allows the tool 'g.read'
                to allow it: --allow 'g.read'
                the model is told: unknown tool
                """);
        assertThat(json.status()).isEqualTo(1);
        assertThat(json.out())
                .startsWith(
                        "{\"schema_version\":1,\"tool\":\"f.read\",\"allowed\":false,"
                                + "\"reason\":\"ARGUMENT\",\"rule\":\"/rules/0 of 'p.json'\",\"operator\":");
    }

    @Test
    void onlyAFileNobodyElseCanHaveWrittenIsAPolicy() throws Exception {
        refused("chmod 664 p.json", "can be written by others", "chmod go-w 'p.json'");
        refused("chmod 646 p.json", "can be written by others", "chmod go-w 'p.json'");
        refused("rm p.json; mkdir p.json", "is no regular file", "");
        refused("rm p.json; mkfifo p.json", "is no regular file", "");
        refused("rm p.json", "ENOENT", "ls -l 'p.json'");
        refused("truncate -s 2M p.json", "2097152 bytes, at most 1048576", "");
        if (Identity.isRoot() && room.identity() == Identity.ORDINARY) {
            refused(
                    "ln -sf /etc/passwd p.json",
                    "belongs to the user 0, not to you",
                    "cp 'p.json'");
        } else if (Identity.isRoot()) {
            refused(
                    "chown 54321 p.json",
                    "belongs to the user 54321, not to you (0)",
                    "cp 'p.json'");
        }
    }

    private void refused(String change, String what, String hint) throws Exception {
        Command.Result result = run(change + "\n\"$GLOVE\" tools check p.json");

        assertThat(result.status()).as("%s", result).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains(what).contains(hint);
        room.outside("rm -rf p.json");
    }

    @Test
    void mistakesAreToldWithWhatToType() throws Exception {
        mistake("\"$GLOVE\" tools", "check, test, diff or accept?");
        mistake("\"$GLOVE\" tools chekc p.json", "unknown word 'chekc'");
        mistake("\"$GLOVE\" tools check", "takes one file");
        mistake("\"$GLOVE\" tools check p.json q.json", "takes one file");
        mistake("\"$GLOVE\" tools test p.json f.read", "takes a file, --call");
        mistake("t fread", "'fread' is no tool");
        mistake("t f.read '{\"path\":1,\"path\":2}'", "not strict JSON: Duplicate");
        mistake(
                "t f.read $'{\"path\":\"\\xff\"}'",
                "not strict JSON: a byte that is not UTF-8 at byte 9");
        mistake("echo '{\"version\":1,\"rule\":[]}' >p.json; t f.read", "'rules' is missing");
    }

    private void mistake(String command, String what) throws Exception {
        Command.Result result = run(command);

        assertThat(result.status()).as("%s", result).isEqualTo(2);
        assertThat(result.err()).contains(what);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void execLoadsNothingOfPoliciesOrTheLibrariesForThem() throws Exception {
        Path root =
                Path.of(System.getProperty("glove.root")).resolve("target/run").toRealPath();
        Command.Result result = new Command(List.of(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xlog:class+load",
                        "--enable-native-access=glove.sys",
                        "-Dglove.native=" + root,
                        "-p",
                        root.toString(),
                        "-m",
                        "glove.app/glove.app.Glove",
                        "exec",
                        "--",
                        "/bin/true"))
                .within(Duration.ofMinutes(4))
                .run();

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out())
                .contains("glove.app.ExecVerb")
                .doesNotContain("jackson", "re2j", "glove.policy", "glove.gateway")
                .doesNotContain("glove.app.ToolGateway", "glove.app.RunOptions");
    }
}
