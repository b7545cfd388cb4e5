package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;

/** Standard streams, arguments and exit statuses pass exactly. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class StreamsTest {
    private final WorkRoom room;

    StreamsTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private static final int STREAM_BYTES = 200 * 1024 * 1024;

    @Test
    void bytesPassUnchangedThroughStandardInputAndOutput() throws Exception {
        byte[] bytes = new byte[3 * 1024 * 1024 + 17];
        new java.util.Random(42).nextBytes(bytes);

        Command.Result result = room.exec(List.of(), "cat").reading(bytes).run();

        assertThat(result.outBytes()).isEqualTo(bytes);
        assertThat(result.err()).isEmpty();
    }

    @Test
    void twoHundredMegabytesPassThroughPipes() throws Exception {
        String out = room.outside(
                "head -c " + STREAM_BYTES + " /dev/urandom | tee >(sha256sum > before)"
                        + " | \"$GLOVE\" exec -- dd bs=64k status=none | sha256sum > after;"
                        + " until [ -s before ]; do sleep 0.05; done; cmp before after; wc -l < after");

        assertThat(out).isEqualTo("1\n");
    }

    @Test
    void outputGoesToFilesAsItIs() throws Exception {
        String out = room.outside("head -c 1000000 /dev/urandom > in;"
                + " \"$GLOVE\" exec -- sh -c 'cat; echo e >&2' < in > out 2> err; cmp in out; cat err;"
                + " \"$GLOVE\" exec -- echo more >> err; cat err; wc -c < in");

        assertThat(out).isEqualTo("e\ne\nmore\n1000000\n");
    }

    @Test
    void theOffsetOfAnInputFileIsShared() throws Exception {
        String out = room.outside(
                "seq 3 > in; { \"$GLOVE\" exec -- sh -c 'read x; echo got $x'; cat; } < in");

        assertThat(out).isEqualTo("got 1\n2\n3\n");
    }

    @Test
    void standardErrorStaysApart() throws Exception {
        Command.Result result =
                room.bash(List.of(), "echo out; echo err >&2; exit 9").run();

        assertThat(result.out()).isEqualTo("out\n");
        assertThat(result.err()).isEqualTo("err\n");
        assertThat(result.status()).isEqualTo(9);
    }

    @Test
    void theEndOfInputArrives() throws Exception {
        assertThat(room.prints("cat; wc -c; echo end")).isEqualTo("0\nend\n");
        assertThat(room.outside("\"$GLOVE\" exec -- cat < /dev/null; echo end")).isEqualTo("end\n");
    }

    @Test
    void closedStreamsAreNoReasonToFail() throws Exception {
        String out = room.outside("""
                "$GLOVE" exec -- echo out <&-
                "$GLOVE" exec -- sh -c 'exit 4' >&- 2>&- <&- || echo $?
                "$GLOVE" exec -- sh -c 'ls /proc/self/fd | wc -l; cat | wc -c' <&- 2>/dev/null
                """);

        assertThat(out).startsWith("out\n4\n");
    }

    @Test
    void noDescriptorOfTheCallerPasses() throws Exception {
        String out = room.outside(
                "exec 3< /etc/hostname 7> x; \"$GLOVE\" exec -- sh -c 'ls /proc/$$/fd; true'");

        assertThat(out).isEqualTo("0\n1\n2\n");
    }

    @Test
    void aReaderThatLeavesEndsTheWriter() throws Exception {
        String out = room.outside(
                "set +o pipefail; \"$GLOVE\" exec -- yes | head -n 1; echo ${PIPESTATUS[*]}");

        assertThat(out).isEqualTo("y\n141 0\n");
    }

    @Test
    void pipesOfSandboxesWork() throws Exception {
        String out = room.outside(
                "\"$GLOVE\" exec -- seq 1000 | \"$GLOVE\" exec -- grep 7 | \"$GLOVE\" exec -- wc -l");

        assertThat(out).isEqualTo("271\n");
    }

    @Test
    void exitStatusesPassExactly() throws Exception {
        for (int status : new int[] {
            0, 1, 2, 3, 42, 77, 100, 124, 125, 126, 127, 128, 129, 137, 143, 200, 254, 255
        }) {
            assertThat(room.exec(List.of(), "sh", "-c", "exit " + status).run().status())
                    .isEqualTo(status);
        }
    }

    @Test
    void deathBySignalIs128AndTheSignal() throws Exception {
        for (int signal : new int[] {1, 2, 3, 6, 9, 11, 13, 14, 15, 31, 34, 64}) {
            assertThat(room.exec(List.of(), "sh", "-c", "kill -" + signal + " $$")
                            .run()
                            .status())
                    .as("signal %d", signal)
                    .isEqualTo(128 + signal);
        }
    }

    @Test
    void aCommandThatCannotRunIs126Or127() throws Exception {
        room.outside("touch work/plain; printf '#!/no/such\\n' > work/bad; chmod +x work/bad");

        Command.Result absent = room.exec(List.of(), "no-such-program").run();
        Command.Result plain = room.exec(List.of(), "./plain").run();
        Command.Result bad = room.exec(List.of(), "./bad").run();

        assertThat(absent.status()).isEqualTo(127);
        assertThat(absent.err()).contains("no-such-program");
        assertThat(plain.status()).isEqualTo(126);
        assertThat(bad.status()).isIn(126, 127);
        assertThat(bad.err()).contains("/no/such");
    }

    @Test
    void aScriptOfTheWorkspaceRuns() throws Exception {
        room.outside("printf '#!/bin/sh\\necho \"$0\" \"$@\"\\n' > work/s; chmod +x work/s");

        Command.Result result = room.exec(List.of(), "./s", "a b", "", "*").run();

        assertThat(result.out()).isEqualTo("./s a b  *\n");
    }

    @Test
    void argumentsPassByteForByte() throws Exception {
        String out = room.outside(
                "\"$GLOVE\" exec -- printf '%s|' $'\\xff\\xfe' 'a b' '' $'new\\nline' '--' '-x' 'ü'"
                        + " | od -An -tx1 | tr -d ' \\n'");

        assertThat(out).isEqualTo("fffe7c6120627c7c6e65770a6c696e657c2d2d7c2d787cc3bc7c");
    }

    @Test
    void anInputThatIsASocketOrTerminalWorks() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("python3"), "python3 is not installed");

        String out = room.outside("""
                /usr/bin/python3 - "$GLOVE" <<'END'
                import socket, subprocess, sys
                a, b = socket.socketpair()
                p = subprocess.Popen([sys.argv[1], 'exec', '--', 'tr', 'a-z', 'A-Z'], stdin=b, stdout=b)
                b.close(); a.sendall(b'socket'); a.shutdown(socket.SHUT_WR)
                print(a.recv(99).decode(), p.wait())
                END
                """);

        assertThat(out).isEqualTo("SOCKET 0\n");
    }
}
