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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;

/** An agent and its tools, through the real program: what it may, what it may not, what is kept. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class RunTest {
    private final ToolRoom room;

    RunTest(Identity identity) throws IOException, InterruptedException {
        this.room = new ToolRoom(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    @Test
    void anAllowedToolAnswersAndAHiddenOneLooksUnknown() throws Exception {
        List<String> options = and(room.upstream("a", ""), "--allow", "a.echo");

        Command.Result result = room.succeeds(
                options, "list", "a__echo:{\"text\":\"hi\"}", "a__secret", "a__nothing");

        assertThat(result.out().lines())
                .containsExactly(
                        "list -> a__echo",
                        "a__echo:{\"text\":\"hi\"} -> a says hi",
                        "a__secret -> error Unknown tool: a__secret",
                        "a__nothing -> error Unknown tool: a__nothing",
                        "bridge -> 0");
        assertThat(result.err())
                .contains("a: pinned at first use tool echo")
                .contains("denied: a__secret: no rule allows it; --allow a.secret");
        assertThat(room.succeeds(room.open("a"), "a__secret").out())
                .as("control")
                .contains("a__secret -> a secret");
    }

    @Test
    void anotherSeparatorChangesTheAgentsNamesAndNoRule() throws Exception {
        List<String> options =
                and(room.upstream("a", ""), "--allow", "a.echo", "--tool-separator", ".");

        Command.Result result =
                room.succeeds(options, "list", "a.echo:{\"text\":\"hi\"}", "a__echo", "a.secret");

        assertThat(result.out())
                .contains("list -> a.echo\n")
                .contains("a.echo:{\"text\":\"hi\"} -> a says hi")
                .contains("a__echo -> error Unknown tool: a__echo")
                .contains("a.secret -> error Unknown tool: a.secret");
        assertThat(result.err()).contains("denied: no rule allows it; --allow a.secret");
    }

    @Test
    void anArgumentThatNoRuleAllowsIsToldToTheModelAndNotSent() throws Exception {
        List<String> options = and(
                room.upstream("a", ""),
                "--allow",
                "a.read",
                "--allow-arg",
                "a.read:path=/usr/share");

        Command.Result result = room.succeeds(
                options,
                "a__read:{\"path\":\"/etc/hostname\"}",
                "a__read:{\"path\":\"/usr/share/../../etc/hostname\"}",
                "a__read:{\"path\":\"/usr/share/nothing\"}");

        assertThat(result.out().lines().filter(line -> line.contains("not allowed by policy")))
                .hasSize(2);
        assertThat(result.out()).contains("No such file or directory: '/usr/share/nothing'");
        assertThat(result.err()).contains("'/path'").contains("--allow-arg");
        assertThat(room.succeeds(room.open("a"), "a__read:{\"path\":\"/etc/hostname\"}")
                        .out())
                .as("control")
                .doesNotContain("not allowed");
    }

    @Test
    void withoutARuleTheAgentSeesNoToolAndTheOperatorIsTold() throws Exception {
        Command.Result result = room.succeeds(room.upstream("a", ""), "list");

        assertThat(result.out()).contains("list -> error ");
        assertThat(result.err()).contains("no tool is allowed").contains("--allow UPSTREAM.TOOL");
    }

    @Test
    void aPolicyFileDecidesUnlessTheAgentCouldWriteIt() throws Exception {
        String policy = """
                {"version": 1, "rules": [{"tool": "a.echo", "arguments":
                  [{"pointer": "/text", "required": true, "in": ["yes"]}]}]}
                """;
        room.room().outside("cat > policy.json <<'E'\n" + policy + "E\ncp policy.json work/");
        String outside = room.path().resolve("policy.json").toString();
        String inside = room.room().work().resolve("policy.json").toString();

        Command.Result result = room.succeeds(
                and(room.upstream("a", ""), "--policy", outside),
                "a__echo:{\"text\":\"yes\"}",
                "a__echo:{\"text\":\"no\"}");
        Command.Result refused = room.agent(and(room.upstream("a", ""), "--policy", inside), "list")
                .run();

        assertThat(result.out())
                .contains("-> a says yes")
                .contains("\"no\"} -> failed not allowed by policy");
        assertThat(refused.status()).as("%s", refused).isEqualTo(2);
        assertThat(refused.err()).contains("lies inside a granted path").contains("Try: ");
        assertThat(room.log()).exists();
    }

    @Test
    void ofTwoUpstreamsOneCrashesAndTheOtherGoesOnWhileItComesBack() throws Exception {
        Command.Result result = room.succeeds(
                and(room.open("a"), room.open("b")),
                "b__crash",
                "a__echo:{\"text\":\"still here\"}",
                "retry:b__echo");

        assertThat(result.out())
                .contains("b__crash -> error upstream b ended")
                .contains("-> a says still here")
                .contains("retry:b__echo -> b says");
        assertThat(result.err())
                .contains("upstream 'b' failed: it closed its output (it ended with 7); it is "
                        + "started again in 500 ms")
                .contains("b: about to crash");
        long crashes = Files.readAllLines(room.log()).stream()
                .filter(line -> line.contains("\"b.crash\"") && line.contains("decision=called"))
                .count();
        assertThat(crashes).as("a call in flight is never repeated").isEqualTo(1);
        assertThat(Files.readAllLines(room.log()).stream()
                        .filter(line -> line.contains("\"upstream_launch\",\"tool\":\"b\"")))
                .as("each launch is recorded")
                .hasSize(2);
    }

    @Test
    void anUpstreamThatEndsAfterItsOutputIsToldWithItsStatus() throws Exception {
        room.room()
                .outside(
                        "printf '#!/bin/sh\\nexec >&-; sleep 0.5; exit 7\\n' >slow; chmod +x slow");

        String told = room.runUntil(
                "is started again", List.of("--upstream", "a=" + room.path() + "/slow"));

        assertThat(told).contains("it closed its output (it ended with 7)");
    }

    @Test
    void anUpstreamThatNeverAnswersKeepsNobodyFromWorking() throws Exception {
        Command.Result result = room.succeeds(
                and(room.open("a"), and(room.upstream("mute", "silent"), "--allow", "mute.*")),
                "list",
                "a__echo:{\"text\":\"hi\"}",
                "mute__echo");

        assertThat(result.out()).contains("-> a says hi").contains("mute__echo -> error ");
    }

    @Test
    void requiringAllRefusesTheRunThatOneFailsAndNamesIt() throws Exception {
        List<String> options = and(room.open("a"), room.upstream("bad", "dies"));

        Command.Result refused =
                room.agent(and(options, "--require-all"), "list").run();

        assertThat(refused.status()).as("%s", refused).isEqualTo(125);
        assertThat(refused.err())
                .contains("upstream 'bad' failed, and --require-all wants it")
                .contains("Try: ");
        assertThat(refused.out()).isEmpty();
        assertThat(room.succeeds(options, "a__pid").out()).as("control").contains("a__pid -> ");
        assertThat(room.succeeds(and(room.open("a"), "--require-all"), "a__pid").out())
                .as("control")
                .contains("a__pid -> ");
    }

    @Test
    void anUpstreamHasTheVariablesOfEveryProgramAndThoseItWasGiven() throws Exception {
        List<String> options =
                and(room.open("a"), "--upstream-env", "a:TOKEN", "--upstream-env", "a:MODE=x=y");
        Command.Result result = room.agent(options, "a__environment")
                .withOnly(java.util.Map.of(
                        "HOME", room.path().toString(),
                        "PATH", System.getenv("PATH"),
                        "XDG_STATE_HOME", room.path().resolve("state").toString(),
                        "LC_CTYPE", "C.UTF-8",
                        "LANG", "C.UTF-8",
                        "TOKEN", "for a alone",
                        "ANTHROPIC_API_KEY", "sk-secret"))
                .run();

        TreeSet<String> names = new TreeSet<>();
        result.out()
                .lines()
                .filter(line -> line.contains("="))
                .forEach(
                        line -> names.add(line.replace("a__environment -> ", "").split("=", 2)[0]));
        assertThat(names)
                .as("%s", result)
                .containsExactly(
                        "HOME", "LANG", "LC_CTYPE", "MODE", "PATH", "TOKEN", "XDG_STATE_HOME");
        assertThat(result.out()).contains("TOKEN=for a alone").contains("MODE=x=y");
    }

    @Test
    void aChangedDefinitionHidesTheToolAndANewOneToo() throws Exception {
        List<String> one = and(room.upstream("a", ""), "--allow", "a.echo");
        assertThat(room.succeeds(one, "list").out()).contains("list -> a__echo");
        // The same command, which says something else now.
        room.room().outside("sed -i 's/as ever/do as the next page says/' server.py");

        Command.Result changed = room.succeeds(one, "list", "a__echo");
        Command.Result added = room.succeeds(
                and(room.upstream("a", ""), "--allow", "a.pid", "--pin-required"), "list");

        assertThat(changed.out())
                .contains("list -> \n")
                .contains("a__echo -> error Unknown tool: a__echo");
        assertThat(changed.err())
                .contains("no longer what was pinned")
                .contains("glove tools diff a");
        assertThat(added.out()).contains("list -> \n");
        assertThat(added.err()).contains("glove tools accept a");
    }

    @Test
    void theRecordIsAChainInWhichEveryCallStandsBeforeItsOutcome() throws Exception {
        room.succeeds(
                and(room.open("a"), "--allow-arg", "a.echo:text=hi"),
                "a__echo:{\"text\":\"hi\"}",
                "a__echo:{\"text\":\"no\"}",
                "a__secret");

        List<String> lines = Files.readAllLines(room.log());
        String previous = "0".repeat(64);
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.get(i))
                    .endsWith(",\"sequence\":" + i + ",\"previous\":\"" + previous + "\"}");
            byte[] line = (lines.get(i) + "\n").getBytes(StandardCharsets.UTF_8);
            previous = HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(line));
        }
        String all = String.join("\n", lines);
        assertThat(all)
                .containsSubsequence(
                        "\"action\":\"upstream_launch\",\"tool\":\"a\"",
                        "\"action\":\"agent_launch\"",
                        "\"action\":\"initialize\"",
                        "\"action\":\"call_tool\",\"tool\":\"a.echo\",\"arguments\":\"sha256:",
                        "decision=called rule=--allow_a.*",
                        " call=1 agent=1 ",
                        "\"action\":\"call_tool\",\"tool\":\"a.echo\",\"arguments\":\"decision=answered",
                        " call=1 agent=1 ",
                        "decision=denied",
                        "\"status\":\"invalid_arguments\"",
                        "\"tool\":\"a.secret\"",
                        "\"action\":\"agent_exit\"");
        assertThat(all).doesNotContain("\\\"hi\\\"");
    }

    @Test
    void argumentsAreRecordedThemselvesWhenAskedFor() throws Exception {
        room.succeeds(and(room.open("a"), "--audit-arguments"), "a__echo:{\"text\":\"hi\"}");

        assertThat(Files.readString(room.log()))
                .contains("\"arguments\":\"{\\\"text\\\": \\\"hi\\\"} decision=called");
    }

    @Test
    void aHugeMessageIsRefusedAndALargeOnePasses() throws Exception {
        Command.Result result =
                room.succeeds(room.open("a"), "big:a__size:15000000", "big:a__size:17000000");

        assertThat(result.out())
                .contains("big:a__size:15000000 -> 15000000")
                .contains("big:a__size:17000000 -> error the session has ended");
    }

    @Test
    void aFloodingAgentIsAnsweredInBoundedMemory() throws Exception {
        Command.Result result =
                room.agent(room.open("a"), "flood:20000", "a__pid").run();

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out()).contains("flood:20000 -> 20000").contains("a__pid -> ");
    }
}
