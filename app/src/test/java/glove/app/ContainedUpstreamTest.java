package glove.app;

import static glove.app.ToolRoom.and;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** What {@code --upstream-sandbox} gives an upstream, key by key, and that it gives no more. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class ContainedUpstreamTest {
    private final Identity identity;
    private final ToolRoom room;

    ContainedUpstreamTest(Identity identity) throws IOException, InterruptedException {
        this.identity = identity;
        this.room = new ToolRoom(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    /** One that may read its own program, and what these keys say. */
    private List<String> contained(String name, String keys) {
        String server = ":read=" + room.path() + "/server.py";
        return and(
                room.open(name),
                "--upstream-sandbox",
                name + server + (keys.isEmpty() ? "" : "," + keys));
    }

    private static String step(String tool, String argument, Object value) {
        return tool + ":{\"" + argument + "\":\"" + value + "\"}";
    }

    @Test
    void itReachesTheHostsItMayThroughAWayOutOfItsOwnAndNoOthers() throws Exception {
        EgressWorld world = EgressWorld.of(identity);
        String mark = "/of-upstream-" + identity.name();
        List<String> words = new ArrayList<>(List.of(
                GloveProgram.script(identity),
                "run",
                "--workspace",
                room.room().work().toString()));
        words.addAll(contained("a", "egress=registry.test:80+h2.test"));
        words.addAll(contained("b", ""));
        words.addAll(room.open("host"));
        words.addAll(List.of("--", "/usr/bin/python3", "agent.py"));
        words.add(step("a__fetch", "url", "http://registry.test/hello"));
        words.add(step("a__fetch", "url", "http://denied.test" + mark + "-a"));
        words.add(step("b__fetch", "url", "http://registry.test" + mark + "-b"));
        words.add(step("host__fetch", "url", "http://denied.test" + mark + "-host"));

        Command.Result result = world.command(room.room(), words).run();

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out())
                .containsSubsequence(
                        "-> hello from registry.test",
                        "-> failed HTTP Error 403",
                        "-> failed <urlopen error");
        assertThat(result.err())
                .contains("a: egress refused: 'denied.test:80' is not allowed")
                .contains("--upstream-sandbox a:egress=denied.test:80");
        assertThat(world.wasAsked(mark + "-host")).as("control: %s", result).isTrue();
        assertThat(world.wasAsked(mark + "-a")).isFalse();
        assertThat(world.wasAsked(mark + "-b")).isFalse();
        assertThat(Files.readAllLines(room.path().resolve(".local/state/glove/audit/audit.jsonl")))
                .anyMatch(line -> line.contains("\"egress\",\"tool\":\"registry.test:80\"")
                        && line.contains("decision=allowed upstream=a protocol=")
                        && line.contains("rule=--egress-allow_registry.test:80"))
                .anyMatch(line -> line.contains("\"egress\",\"tool\":\"denied.test:80\"")
                        && line.contains("decision=refused upstream=a "))
                .noneMatch(line -> line.contains("upstream=b") && line.contains("\"egress\""));
    }

    @Test
    void itWritesInItsWorkspaceWhereItStartsAndInWhatItIsGrantedSo() throws Exception {
        room.room().outside("mkdir own more seen; echo old > seen/file");
        String path = room.path().toString();
        String keys = "workspace=" + path + "/own,write=" + path + "/more,read=" + path + "/seen";

        Command.Result result = room.succeeds(
                contained("a", keys),
                step("a__write", "path", "here"),
                step("a__write", "path", path + "/more/there"),
                step("a__write", "path", path + "/seen/file"),
                step("a__write", "path", room.room().work() + "/agents"),
                step("a__read", "path", path + "/seen/file"));
        assertThat(room.room().work().resolve("agents")).doesNotExist();
        Command.Result control = room.succeeds(
                room.open("a"),
                step("a__write", "path", path + "/seen/other"),
                step("a__write", "path", room.room().work() + "/agents"));

        assertThat(result.out())
                .containsSubsequence(
                        "-> written in " + path + "/own\n",
                        "-> written in " + path + "/own\n",
                        "-> failed [Errno 30] Read-only file system",
                        "-> old");
        assertThat(Files.readString(room.path().resolve("own/here"))).isEqualTo("by a");
        assertThat(Files.readString(room.path().resolve("more/there"))).isEqualTo("by a");
        assertThat(control.out()).doesNotContain("failed");
        assertThat(Files.readString(room.room().work().resolve("agents"))).isEqualTo("by a");
    }

    @Test
    void namesThatMakeTheMachineRunCodeAreToldWhenItMakesThem() throws Exception {
        room.room().outside("mkdir own");
        String made = room.path() + "/own/.vscode/tasks.json";

        Command.Result result = room.succeeds(
                contained("a", "workspace=" + room.path() + "/own"),
                step("a__write", "path", ".vscode/tasks.json"));
        Command.Result control = room.succeeds(
                contained("a", "workspace=" + room.path() + "/own"),
                step("a__write", "path", "tasks.json"));

        assertThat(result.err())
                .contains("during the run ")
                .contains("appeared that can make this machine run code")
                .contains("  '" + made.substring(0, made.lastIndexOf('/')));
        assertThat(control.err()).doesNotContain("appeared");
    }

    @Test
    void itHasTheVariablesItIsGivenAndNoneOfTheHosts() throws Exception {
        String keys = "env=GIVEN";
        Command.Result result = room.agent(contained("a", keys), "a__environment")
                .with("GIVEN", "to a")
                .with("KEPT", "from a")
                .run();
        Command.Result control = room.agent(contained("a", ""), "a__environment")
                .with("GIVEN", "to a")
                .run();

        assertThat(result.out())
                .as("%s", result)
                .contains("GIVEN=to a")
                .contains("GLOVE_SANDBOXED=1")
                .doesNotContain("KEPT", "XDG_STATE_HOME");
        assertThat(control.out()).contains("GLOVE_SANDBOXED=1").doesNotContain("GIVEN=");
    }

    @Test
    void aProgramThatIsInstalledElsewhereIsThereWhenItIsGrantedAsATool() throws Exception {
        room.room()
                .outside("mkdir bin; printf '#!/usr/bin/env python3\\n' > bin/tool; "
                        + "cat server.py >> bin/tool; chmod +x bin/tool");
        List<String> options = List.of("--upstream", "a=tool,a", "--allow", "a.*");
        String search = room.path() + "/bin:/usr/bin:/bin";

        Command.Result result = room.agent(
                        and(options, "--upstream-sandbox", "a:tool=tool"), "a__environment")
                .with("PATH", search)
                .run();
        Command.Result refused = room.agent(and(options, "--upstream-sandbox", "a"), "a__echo")
                .with("PATH", search)
                .run();

        assertThat(result.out()).as("%s", result).contains("GLOVE_SANDBOXED=1");
        assertThat(refused.status()).as("control: %s", refused).isNotZero();
        assertThat(refused.err()).contains("upstream 'a'").contains("tool");
    }
}
