package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;
import glove.testkit.Screen;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** An agent at the caller's terminal: an outer shell, Glove in front of it, programs inside. */
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class TerminalTest {
    private static final String OUTER = "outer> ";
    private static final String INNER = "inner> ";

    private final WorkRoom room;
    private final Screen screen;

    TerminalTest(Identity identity) throws IOException, InterruptedException {
        Lanes.require("e2e", WorkRoom.isInstalled("script"), "script is not installed");
        room = WorkRoom.of(identity);
        List<String> shell = List.of(
                "env", "PS1=" + OUTER, "bash", "--noprofile", "--norc", "--noediting", "-i");
        screen = Screen.of(
                identity,
                shell,
                Map.of("TERM", "xterm-256color", "G", GloveProgram.script(identity)));
        screen.await(OUTER);
        screen.type("cd '" + room.work() + "'\n").await(OUTER);
    }

    @AfterEach
    void leave() throws IOException, InterruptedException {
        screen.close();
        room.close();
    }

    /** Types a line to the outer shell; what it answered. */
    private String outer(String line) throws IOException, InterruptedException {
        screen.type(line + "\n").await("\n");
        return screen.await(OUTER);
    }

    private void startShell() throws IOException, InterruptedException {
        screen.type("\"$G\" exec --workspace . -- bash --noprofile --norc --noediting -i\n");
        screen.await("$ ");
        screen.type("PS1='" + INNER + "'\n").await("\n");
        screen.await(INNER);
    }

    private String inner(String line) throws IOException, InterruptedException {
        screen.type(line + "\n").await("\n");
        return screen.await(INNER);
    }

    private String exec(String... words) {
        return "\"$G\" exec --workspace . -- " + String.join(" ", words);
    }

    @Test
    void anInteractiveShellHasItsOwnTerminalOfTheSameSize() throws Exception {
        startShell();

        assertThat(inner("tty; stty size")).contains("/dev/pts/0\r\n24 80\r\n");
        assertThat(inner("ls /dev/pts; echo x > /dev/tty")).contains("0  ptmx").contains("x\r\n");
        screen.type("exit 37\n").await(OUTER);
        assertThat(outer("echo status $?")).contains("status 37\r\n");
    }

    @Test
    void theTerminalIsAsItWasAfterEveryEnd() throws Exception {
        String before = outer("stty -a");
        String[] ends = {
            exec("true"),
            exec("sh -c 'stty raw -echo; exit 3'"),
            exec("sh -c 'kill -9 $$'"),
            exec("no-such-program"),
            exec("sh -c 'kill -TERM 0'"),
            "\"$G\" exec --read /nonexistent -- true",
        };
        for (String end : ends) {
            outer(end);

            assertThat(outer("stty -a")).as(end).isEqualTo(before);
        }
    }

    @Test
    void theOuterShellIsInFrontAgainAfterGloveItselfIsKilled() throws Exception {
        String before = outer("stty -a");
        startShell();
        Command.of("kill", "-9", glove()).run();

        screen.await(OUTER);
        assertThat(outer("stty -a")).isEqualTo(before); // bash puts it back, as after any program
    }

    /** The JVM in front of this test's terminal. */
    private String glove() throws IOException, InterruptedException {
        String script = "for p in /proc/[0-9]*; do [ \"$(cat $p/comm)\" = java ] && "
                + "[ \"$(readlink $p/cwd)\" = \"$0\" ] && echo ${p#/proc/}; done 2>/dev/null";
        String pid = Command.of("sh", "-c", script, room.work().toString())
                .run()
                .out()
                .strip();
        assertThat(pid).matches("[0-9]+");
        return pid;
    }

    @Test
    void ctrlCEndsWhatIsInFrontInsideAndNothingElse() throws Exception {
        startShell();

        screen.type("sh -c 'echo run''ning; exec sleep 1000'\n").await("running\r\n");
        screen.type("\003").await(INNER);
        assertThat(inner("echo status $?")).contains("status 130");
    }

    @Test
    void jobControlWorksInside() throws Exception {
        startShell();

        screen.type("cat\n").await("cat\r\n");
        screen.type("one\n").await("one\r\none\r\n");
        screen.type("\032").await("Stopped");
        screen.await(INNER);
        screen.type("fg\n").await("cat\r\n");
        screen.type("two\n").await("two\r\ntwo\r\n");
        screen.type("\004").await(INNER);
        assertThat(inner("sleep 0.1 & wait; echo waited")).contains("waited");
    }

    @Test
    void ctrlZOfAProgramThatIsNoShellStopsGloveAndFgGoesOn() throws Exception {
        screen.type(exec("cat") + "\n").await("cat\r\n");
        screen.type("one\n").await("one\r\none\r\n");
        screen.type("\032").await("Stopped");
        screen.await(OUTER);
        assertThat(outer("stty -a | grep -c ' icanon'")).contains("1");

        screen.type("fg\n").await("exec");
        screen.type("again\n").await("again\r\nagain\r\n");
        screen.type("\004").await(OUTER);
        assertThat(outer("echo status $?")).contains("status 0");
    }

    @Test
    void aNewSizeReachesTheProgramInside() throws Exception {
        String trap = "trap \"echo resized \\$(stty size)\" WINCH; echo ready; ";
        screen.type(exec("bash -c '" + trap + "while sleep 0.1; do :; done'") + "\n")
                .await("ready\r\n");

        String terminal = "/proc/" + glove() + "/fd/0";
        Command.of("stty", "-F", terminal, "rows", "40", "cols", "120").run();

        screen.await("resized 40 120");
    }

    @Test
    void sigtermIs143AndTheTerminalSane() throws Exception {
        screen.type(exec("sh -c 'echo ready; exec sleep 1000'") + "\n").await("ready\r\n");
        Command.of("kill", "-TERM", glove()).run();

        assertThat(screen.await(OUTER)).contains("ended with 143; readable=");
        assertThat(outer("echo status $?")).contains("status 143");
        assertThat(outer("stty -a | grep -c ' echo '")).contains("1");
    }

    @Test
    void bracketedPasteAndControlBytesPassUntouched() throws Exception {
        screen.type(exec("sh -c 'stty raw -echo; echo ready; head -c 19 | od -An -c -w19'") + "\n")
                .await("ready\n");

        screen.type("\033[200~a\tb\003\032\021\023\033[201~");

        String passed = screen.await(OUTER).replaceAll(" +", " ");
        assertThat(passed).contains("033 [ 2 0 0 ~ a \\t b 003 032 021 023 033 [ 2 0 1 ~");
    }

    @Test
    void oneRedirectedStreamLeavesTheOthersUntouched() throws Exception {
        assertThat(outer(exec("tty") + " | cat")).contains("not a tty");
        assertThat(outer(exec("sh -c 'test -t 0 && test ! -t 1 && echo yes >&2'") + " | cat"))
                .contains("yes");
        assertThat(outer(exec("sh -c 'test -t 0 -a -t 1 && echo err >&2'") + " 2>e; cat e; rm e"))
                .contains("err");
    }

    @Test
    void aFullScreenEditorEditsAndSaves() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("vim"), "vim is not installed");
        screen.type(exec("vim -u NONE -N file") + "\n").await("~");

        screen.type("ihello from inside\033:wq\r").await(OUTER);

        assertThat(outer("cat file")).contains("hello from inside");
    }

    @Test
    void aPagerReadsItsKeysFromTheTerminalWhenItsInputIsAPipe() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("less"), "less is not installed");
        screen.type(exec("sh -c 'seq 1000 | less'") + "\n").await("23");

        screen.type("G").await("1000");
        screen.type("q").await(OUTER);
    }

    @Test
    void topRedrawsAndQuits() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("top"), "top is not installed");
        screen.type(exec("top") + "\n").await("PID");

        screen.type("q").await(OUTER);
    }

    @Test
    void aPythonPromptAnswers() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("python3"), "python3 is missing");
        screen.type(exec("/usr/bin/python3 -q") + "\n").await(">>> ");

        screen.type("6 * 7\n").await("42");
        screen.await(">>> ");
        screen.type("9").await("9"); // the prompt is being edited, not only shown
        screen.typeUntil("\003", "KeyboardInterrupt");
        screen.type("exit(5)\n").await(OUTER);
        assertThat(outer("echo status $?")).contains("status 5");
    }

    @Test
    void tmuxInsideIsAttachedAndDetached() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("tmux"), "tmux is not installed");
        // A prefix typed within a millisecond of other keys would be taken for pasted text.
        screen.type(exec("tmux -f /dev/null start-server \\; set -g assume-paste-time 0"
                                + " \\; new-session \"PS1=pa\"\"ne: bash --norc\"")
                        + "\n")
                .await("pane:");
        screen.type("echo $((700 + 77))\n").await("777");

        screen.type("\002d").await("detached");
        screen.await(OUTER);
    }

    @Test
    void inTheBackgroundOutputShowsAndInputStaysTheShells() throws Exception {
        String late = "until [ -e go ]; do sleep 0.1; done; echo one; read x; echo got $x";
        screen.type(exec("sh -c '" + late + "'") + " &\n").await(OUTER);
        room.outside("touch work/go"); // or it might come before the prompt
        screen.await("one\r\r\n"); // one return of each terminal
        assertThat(outer("echo mine")).contains("mine");

        screen.type("fg\n").await("exec");
        screen.type("yours\n").await("got yours");
        screen.await(OUTER);
    }

    @Test
    void anAgentWithoutATerminalOfItsOwnCannotReadTheCallers() throws Exception {
        String read = "sh -c 'read x <&1 || echo unreadable >&2' < /dev/null";

        assertThat(outer("sh -c 'read x <&1 && echo control $x' < /dev/null & true"))
                .isNotNull();
        assertThat(outer(exec(read))).contains("unreadable");
        assertThat(outer(exec("sh -c 'stty raw -echo <&1; echo set' < /dev/null")))
                .isNotNull();
        assertThat(outer("stty -a | grep -c ' icanon'")).contains("1");
    }

    @Test
    void anAgentThatStopsItselfStopsAllItStarted() throws Exception {
        String beats = "(while sleep 0.1; do echo x >> beats; done) & kill -STOP $$; wait";
        screen.type(exec("bash -c '" + beats + "'") + "\n").await("Stopped");
        screen.await(OUTER);

        // Glove does not wait until all have stopped.
        assertThat(outer("beats() { wc -c < beats; }; touch beats;"
                        + " until a=$(beats); sleep 1; [ $a = $(beats) ]; do :; done; echo still"))
                .startsWith("still\r");
        assertThat(outer("kill -KILL %1; wait")).isNotNull();
    }

    @Test
    void aTerminalThatTakesNothingDoesNotKeepGloveFromEnding() throws Exception {
        screen.type(exec("sh -c 'echo ready; exec yes'") + "\n").await("ready\r\n");
        String glove = glove();
        screen.stopReading();
        Command.of("kill", "-TERM", glove).run();
        String gone = "while s=$(ps -o stat= -p " + glove
                + " || true); do case $s in '' | Z*) echo gone; exit;; esac; sleep 0.1; done";

        assertThat(room.outside(gone)).isEqualTo("gone\n");
    }
}
