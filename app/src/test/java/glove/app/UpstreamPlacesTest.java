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
import java.util.ArrayList;
import java.util.List;

/** What an agent can write never decides which program an upstream is, or what it may do. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class UpstreamPlacesTest {
    private final ToolRoom room;
    private final String work;

    UpstreamPlacesTest(Identity identity) throws IOException, InterruptedException {
        this.room = new ToolRoom(identity);
        this.work = room.room().work().toString();
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result list(String path, List<String> options) throws Exception {
        return room.agent(options, "list").with("PATH", path).run();
    }

    private static void assertRefused(Command.Result result, String... words) {
        assertThat(result.status()).as("%s", result).isEqualTo(2);
        assertThat(result.err()).contains(words).contains("Try: ");
    }

    @Test
    void aDirectoryOfPathThatTheAgentWritesIsNotSearchedForAProgram() throws Exception {
        room.room()
                .outside("mkdir work/bin; printf '#!/usr/bin/env python3\\n' > server; "
                        + "cat server.py >> server; chmod +x server");
        String usual = "/usr/bin:/bin";
        List<String> named = List.of(
                "--upstream", "a=python3," + room.path() + "/server.py,a", "--allow", "a.*");
        List<String> script =
                List.of("--upstream", "a=" + room.path() + "/server,a", "--allow", "a.*");

        for (List<String> options : List.of(named, script)) {
            assertRefused(
                    list(work + "/bin:" + usual, options), "'" + work + "/bin' of PATH", "rights");
            assertThat(list(usual + ":" + work + "/bin", options).out())
                    .as("control")
                    .contains("list -> a__");
        }
    }

    @Test
    void noInterpreterNorLinkOfAProgramMayBeTheAgentsToChoose() throws Exception {
        room.room()
                .outside("ln -s /usr/bin/python3 work/py; ln -s work/py byLink; "
                        + "printf '#!work/py\\n' > first; printf '#!first\\n' > server; "
                        + "chmod +x first server; ln -s /usr/bin/python3 fine");

        for (String program : List.of("byLink", "server")) {
            assertRefused(
                    list(
                            "/usr/bin",
                            List.of(
                                    "--upstream",
                                    "a=" + room.path() + "/" + program,
                                    "--upstream-cwd",
                                    "a:" + room.path())),
                    "lies inside a writable grant, by '" + work + "/py'");
        }
        String fine = "a=" + room.path() + "/fine," + room.path() + "/server.py,a";
        assertThat(list("/usr/bin", List.of("--upstream", fine, "--allow", "a.*"))
                        .out())
                .as("control")
                .contains("list -> a__");
    }

    @Test
    void aProgramThatIsReplacedWhileTheRunGoesOnIsNotStartedAgain() throws Exception {
        room.room()
                .outside("printf '#!/bin/sh\\ntouch ESCAPED\\n' > next; chmod +x next; "
                        + "cp next other; printf '#!/bin/sh\\nmv next server\\nexit 7\\n' > server; "
                        + "chmod +x server");

        String here = "a:" + room.path();
        room.runUntil(
                "it was replaced since it was looked at",
                List.of("--upstream", "a=" + room.path() + "/server", "--upstream-cwd", here));
        assertThat(room.path().resolve("ESCAPED")).doesNotExist();
        room.runUntil(
                "it is started again",
                List.of("--upstream", "a=" + room.path() + "/other", "--upstream-cwd", here));
        assertThat(room.path().resolve("ESCAPED")).as("control").exists();
    }

    @Test
    void aWorkingDirectoryIsTheRootOfAGrantOrOutsideOfAll() throws Exception {
        room.room().outside("mkdir work/sub");
        List<String> open = and(room.open("a"), "--upstream-cwd");

        assertRefused(
                list("/usr/bin", and(open, "a:" + work + "/sub")),
                "its working directory",
                "--upstream-cwd a:PATH");
        assertThat(list("/usr/bin", and(open, "a:" + work)).out())
                .as("control")
                .contains("list -> a__");
    }

    /** Programs load code from where they start, and a run mostly begins in the workspace. */
    @Test
    void anUpstreamDoesNotStartWhereTheAgentWritesUnlessItsOwnerSaysSo() throws Exception {
        String run = """
                export XDG_STATE_HOME=$PWD/state; cp server.py work/loaded.py; cd work
                run() { $GLOVE run --workspace . --upstream a=/usr/bin/python3,-m,loaded,a "$@" \\
                    --allow 'a.*' -v -- /usr/bin/python3 agent.py list; }
                """;
        Command.Result moved = room.room().shell(run + "run").run();
        Command.Result asked =
                room.room().shell(run + "run --upstream-cwd \"a:$PWD\"").run();

        assertThat(moved.err()).contains("No module named");
        assertThat(moved.out()).doesNotContain("a__");
        assertThat(asked.out()).as("control: %s", asked).contains("list -> a__");
        assertThat(asked.err()).contains("where the agent writes");
    }

    /** It does what the agent has it do, so it may as little. */
    @Test
    void whatAContainedUpstreamWritesIsNoProgramOfAnother() throws Exception {
        room.room()
                .outside(
                        "mkdir shared; printf '#!/bin/sh\\n' > shared/server; chmod +x shared/server");
        List<String> options = List.of(
                "--upstream", "a=" + room.path() + "/shared/server",
                "--upstream", "b=/usr/bin/cat",
                "--upstream-sandbox", "b:write=" + room.path() + "/shared");

        assertRefused(list("/usr/bin", options), "upstream 'a'", "lies inside a writable grant");
    }

    @Test
    void codeTheAgentCanChangeIsToldOf() throws Exception {
        room.room().outside("mkdir work/pkg; cp server.py work/pkg/__main__.py");
        for (List<String> words : List.of(
                List.of("--upstream", "a=/usr/bin/python3," + work + "/pkg,a"),
                List.of("--upstream", "a=/usr/bin/env,PYTHONPATH=" + work + ",/usr/bin/python3"),
                and(room.open("a"), "--upstream-env", "a:PYTHONPATH=/x:" + work))) {
            assertThat(list("/usr/bin", words).err())
                    .as("%s", words)
                    .contains("the agent can change '" + work);
        }
        assertThat(list("/usr/bin", room.open("a")).err())
                .as("control")
                .doesNotContain("can change");
    }

    @Test
    void aRelativeArgumentIsToldWhenItCountsFromElsewhere() throws Exception {
        Command.Result result = room.room()
                .shell(
                        "cd work; cp ../server.py .; $GLOVE run --workspace . --upstream "
                                + "a=/usr/bin/python3,server.py,a --allow 'a.*' -- /usr/bin/python3 agent.py list")
                .run();

        assertThat(result.err())
                .contains("it starts in '/'")
                .contains("from where 'server.py' counts");
    }

    @Test
    void whatAContainedUpstreamIsGrantedIsNotTheAgentsToLeadElsewhere() throws Exception {
        room.room()
                .outside("mkdir work/sub other; ln -s ../other work/link; "
                        + "cp /usr/bin/true work/true; cp server.py work/server.py");
        String server = "a:read=" + room.path() + "/server.py";
        List<String> contained = and(room.open("a"), "--upstream-sandbox");

        for (String granted : List.of("/sub", "/link")) {
            assertRefused(
                    list("/usr/bin", and(contained, server + ",read=" + work + granted)),
                    "upstream 'a': what it is granted",
                    "by '" + work + granted + "'");
        }
        assertRefused(
                list(
                        "/usr/bin",
                        List.of(
                                "--upstream",
                                "a=" + work + "/true",
                                "--upstream-sandbox",
                                "a:read=" + work)),
                "'" + work + "/true' lies inside a writable grant of the agent");
        assertThat(list("/usr/bin", and(contained, server + ",read=" + work)).out())
                .as("control")
                .contains("list -> a__");
        List<String> code = new ArrayList<>(List.of(
                "--upstream", "a=/usr/bin/python3," + work + "/server.py,a", "--allow", "a.*"));
        assertThat(list("/usr/bin", and(code, "--upstream-sandbox", "a:read=" + work))
                        .err())
                .contains("the agent can change '" + work + "/server.py'")
                .contains("with all that this upstream may do")
                .doesNotContain("--upstream-sandbox");
    }

    @Test
    void aGrantThatIsReplacedWhileTheRunGoesOnIsNotGrantedAgain() throws Exception {
        room.room()
                .outside("mkdir data; printf '#!/bin/sh\\nsleep 0.5; exit 7\\n' > ends; "
                        + "printf '#!/bin/sh\\n"
                        + "mv data old; mkdir data; sleep 9\\n' > swaps; chmod +x ends swaps");
        List<String> ends = List.of(
                "--upstream",
                "a=" + room.path() + "/ends",
                "--upstream-sandbox",
                "a:read=" + room.path() + "/data,read=" + room.path() + "/ends");

        List<String> both = and(
                ends,
                "--upstream",
                "b=" + room.path() + "/swaps",
                "--upstream-cwd",
                "b:" + room.path());
        room.runUntil("/data', was replaced since the run began", both);
        String control = room.runUntil("is started again in 1000 ms", ends);

        assertThat(control).doesNotContain("replaced").contains("ended with 7");
    }
}
