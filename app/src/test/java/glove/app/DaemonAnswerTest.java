package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;

/** Whatever whoever serves the daemon's socket answers: a sentence, and nothing for a terminal. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class DaemonAnswerTest {
    /** Serves one directory; each answer is a line of a file, the last again and again. */
    private static final String SETUP = """
            umask 077; mkdir -p d; cd d
            printf '%064d\\n' 0 > bootstrap-secret
            cat > serve.py <<'END'
            import json, os, socket, struct, sys
            answers = [json.loads(line) for line in open('answers')]
            served = socket.socket(socket.AF_UNIX)
            served.bind('gloved.sock'); os.chmod('gloved.sock', 0o600); served.listen(9)
            open('ready', 'w').close(); mute = []
            for at in range(99):
                peer, _ = served.accept()
                size, = struct.unpack('>I', peer.recv(4, socket.MSG_WAITALL))
                asked = json.loads(peer.recv(size, socket.MSG_WAITALL))
                said = dict({'jsonrpc': '2.0', 'id': asked['id']},
                    **answers[min(at, len(answers) - 1)])
                if 'mute' in said:
                    peer.close() if said['mute'] == 'gone' else mute.append(peer); continue
                if 'signal' in said:
                    pid, = struct.unpack('i8x',
                        peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
                    os.kill(pid, said.pop('signal')); print('signalled', flush=True)
                if at == 2: open('all-asked', 'w').close()
                told = json.dumps(said, ensure_ascii=False).encode()
                peer.sendall(struct.pack('>I', len(told)) + told); peer.close()
            END
            server=; trap '[ -z "$server" ] || kill $server' EXIT
            ask() {
                [ -z "$server" ] || { kill $server; wait $server || true; }
                rm -f gloved.sock ready all-asked; python3 serve.py & server=$!
                for i in $(seq 4800); do [ -e ready ] && break; sleep 0.05; done
                "$GLOVE" "$@" --runtime-dir "$PWD" && status=0 || status=$?
                echo "status $status"
            }
            zeros=$(printf '%064d' 0)
            one() {
                printf '{"schema_version":1,"exposure_id":%s,"generation":%s,"scope_digest":%s,' \\
                    "${1:-\\"e\\"}" "${2:-1}" "${3:-\\"$zeros\\"}"
                printf '"display_label":%s,"allowed_modes":[],"expires_at_ms":%s,' \\
                    "${4:-\\"L\\"}" "${5:-1}"
                printf '"allowed_runtime_template_ids":[],"state":%s}' "${6:-\\"active\\"}"
            }
            all() { printf '{"result":{"schema_version":1,"exposures":[%s]}}\\n' "$(one "$@")"; }
            """;

    /** Three answers: what is there, taken back, and exposed again. */
    private static final String RENEWED = """
            full() {
                one "" "$1" | sed 's/"allowed_modes":../"allowed_modes":[{"access":"read",\
            "materialization":"bind","max_bytes":0,"cleanup_policy":"retain"}]/
                    s/"allowed_runtime_template_ids":../"allowed_runtime_template_ids":["t"]/'
            }
            {
                printf '{"result":{"schema_version":1,"exposures":[%s]}}\\n' "$(full 1)"
                printf '{"signal":SIG,"result":{"schema_version":1,"exposure":%s}}\\n' \\
                    "$(full 1)"
                printf '{"result":{"schema_version":1,"exposure":%s}}\\n' "$(full 2)"
            } > answers
            """;

    private final WorkRoom room;

    DaemonAnswerTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(String script) throws IOException, InterruptedException {
        Command.Result result = room.shell(SETUP + script).run();
        assertThat(result.status()).as("%s", result).isZero();
        String printed = result.out() + result.err();
        assertThat(printed.chars().filter(c -> c < ' ' && c != '\n'))
                .as("%s", result)
                .isEmpty();
        assertThat(printed.chars().filter(c -> c > '~' && !Character.isLetterOrDigit(c)))
                .as("%s", result)
                .isEmpty();
        assertThat(printed).doesNotContain("Exception").doesNotContain("\tat ");
        return result;
    }

    @Test
    void hostileTextsAreShownAndObeyedByNone() throws Exception {
        Command.Result told = run("""
                h='"\\u001b]0;pwn\\u0007\\n\\u009b2J\\u007f\\u0085\\u202e\\u2028\\u00e9"'
                all '"e"' 1 "" "$h" > answers; ask exposure list; ask exposure list --json
                for at in 1 3 6; do
                    set -- "" "" "" "" "" ""
                    case $at in 1) all "$h" > answers;; 3) all "" "" "$h" > answers;;
                    6) all "" "" "" "" "" "$h" > answers;; esac
                    ask exposure list
                done
                echo "{\\"result\\":{$h:$h,\\"a\\":{\\"b\\":$h}}}" > answers; ask session show s
                ask session show s --json
                echo "{\\"error\\":{\\"code\\":$h,\\"message\\":$h}}" > answers; ask session show s
                """);

        assertThat(told.out())
                .contains(
                        "label=\\u001b]0;pwn\\u0007\\n\\u009b2J\\u007f\\u0085\\u202e\\u2028\u00e9 ")
                .contains(
                        "\"display_label\": \"\\u001b]0;pwn\\u0007\\n\\u009b2J\\u007f\\u0085\\u202e")
                .containsSubsequence("status 0", "status 0", "status 1", "status 1", "status 1")
                .endsWith("status 1\nstatus 1\nstatus 1\n");
        assertThat(told.err()).contains("none of this protocol").contains("[\\u001b]0;pwn");
    }

    @Test
    void answersOfAnotherShapeAreASentence() throws Exception {
        Command.Result told = run("""
                n=0
                for answer in '{"result":{}}' '{"result":[]}' '{"result":{"schema_version":1}}' \\
                    '{"result":{"schema_version":2,"exposures":[]}}' \\
                    '{"result":{"schema_version":1,"exposures":{}}}' \\
                    '{"result":{"schema_version":1,"exposures":[{}]}}' \\
                    '{"result":{"schema_version":1,"exposures":[1]}}' '{}' \\
                    "$(all "" '"x"')" "$(all "" -1)" "$(all "" 0)" "$(all "" 1.5)" \\
                    "$(all "" "" "" "" -1)" "$(all "" "" 7)" "$(all "" "" "" null)" \\
                    "$(all "" "" "" "" 1000000000000000000000000000000)" "$(all 5)"; do
                    echo "$answer" > answers; n=$((n + 1)); ask exposure list
                done
                ask exposure revoke e; ask session show e; echo "asked $n"
                """);

        assertThat(told.out()).contains("asked 17").doesNotContain("status 0");
        assertThat(told.out().split("status 1\n", -1)).hasSize(17 + 2 + 1);
        assertThat(told.err().split("none of this protocol", -1)).hasSize(17 + 2 + 1);
    }

    @Test
    void whatMayBeDoneOrNotIsSaidSoWithWhereToLook() throws Exception {
        Command.Result told = run("""
                for mute in gone silent; do
                    echo "{\\"mute\\":\\"$mute\\"}" > answers; ask exposure revoke e --generation 1
                done
                ask init . --runtime codex-safe --ttl-secs 60
                echo '{"result":{}}' > answers; ask exposure revoke e --generation 1
                echo '{"mute":"gone"}' > answers; echo ---- >&2; ask exposure list
                """);

        String changing = told.err().substring(0, told.err().indexOf("----"));
        assertThat(changing.split("it is not known whether it was done", -1)).hasSize(5);
        assertThat(changing.split("glove exposure list", -1)).hasSize(5);
        assertThat(told.err()).contains("did not answer within").contains("closed the connection");
        assertThat(told.err().substring(changing.length())).doesNotContain("not known");
    }

    /** Or else the name would be left without anything, and nobody would be told. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15})
    void aSignalWaitsWhileANameIsRenewed(int signal) throws Exception {
        Command.Result told = run(RENEWED.replace("SIG", Integer.toString(signal)) + """
                ask exposure renew e .
                """);

        assertThat(told.out())
                .contains("signalled")
                .contains("generation=2")
                .endsWith("status " + (128 + signal) + "\n");
    }

    /** Before the new one is there, and when all is done: a full pipe keeps nobody for ever. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15})
    void aSignalEndsRenewingThatNobodyReadsOf(int signal) throws Exception {
        for (boolean before : new boolean[] {true, false}) {
            String answers = before
                    ? RENEWED.replace("SIG", Integer.toString(signal))
                    : RENEWED.replace("\"signal\":SIG,", "");
            Command.Result told =
                    run(answers + """
                    cat > unread.py <<'END'
                    import fcntl, os, subprocess, sys, time
                    signal = int(sys.argv[1])
                    out, into = os.pipe()
                    os.set_blocking(into, False)
                    try:
                        while True: os.write(into, b'x' * 4096)
                    except BlockingIOError: os.set_blocking(into, True)
                    verb = subprocess.Popen(sys.argv[2:], stdout=into)
                    while not os.path.exists('all-asked') and verb.poll() is None: time.sleep(0.02)
                    if signal:
                        time.sleep(1)
                        print('hangs' if verb.poll() is None else 'ended', flush=True)
                        verb.send_signal(signal)
                    try: print('ended by', verb.wait(200), flush=True)
                    except subprocess.TimeoutExpired: verb.kill(); print('never ended', flush=True)
                    END
                    real=$GLOVE
                    unread() { python3 unread.py SENT "$real" "$@"; }
                    GLOVE=unread
                    ask exposure renew e .
                    """.replace("SENT", before ? "0" : Integer.toString(signal)));

            assertThat(told.out()).contains("ended by " + (128 + signal));
            assertThat(told.out()).contains(before ? "signalled" : "hangs");
        }
    }

    @Test
    void timesBeyondTheCalendarAreNumbersAndTheRestOfAnAnswerIsReadToo() throws Exception {
        Command.Result told = run("""
                all "" "" "" "" 18446744073709551615 > answers; ask exposure list
                { all; echo '{"result":{}}'; } > answers; ask exposure revoke e
                """);

        assertThat(told.out()).contains(" expires=18446744073709551615 ").endsWith("status 1\n");
        assertThat(told.err()).contains("none of this protocol");
    }
}
