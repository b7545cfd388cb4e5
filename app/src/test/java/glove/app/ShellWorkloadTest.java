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

/** What people write in bash, inside; and what ordinary programs say there. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class ShellWorkloadTest {
    private final WorkRoom room;

    ShellWorkloadTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    @Test
    void processSubstitutionAndHereDocumentsWork() throws Exception {
        String out = room.prints("""
                diff <(printf '1\\n2\\n') <(printf '1\\n3\\n') || echo differ
                cat <<END
                here $((1 + 1))
                END
                cat <<< string
                echo to | tee >(cat > teed) >/dev/null; until [ -s teed ]; do sleep 0.05; done; cat teed
                """);

        assertThat(out).isEqualTo("2c2\n< 2\n---\n> 3\ndiffer\nhere 2\nstring\nto\n");
    }

    @Test
    void deviceNamesOfTheStreamsWork() throws Exception {
        // The pipes are made by the caller: an ordinary user could not open root's by name.
        String out = room.outside("""
                printf 'in\\n' | "$GLOVE" exec -- bash -c '
                cat /dev/stdin; echo out > /dev/stdout; echo err > /dev/stderr
                cd; echo three 3> three >&3; cat /dev/fd/4 4< three; cat /proc/self/fd/0 < three
                echo again | cat - /dev/stdin; cat < /dev/null; head -c 3 /dev/zero | wc -c
                ' 2> >(cat > err) | cat; until [ -s err ]; do sleep 0.05; done; cat err
                """);

        assertThat(out).isEqualTo("in\nout\nthree\nthree\nagain\n3\nerr\n");
    }

    @Test
    void deviceNamesWorkWhenTheStreamsAreTheNullDevice() throws Exception {
        String script =
                "cat /dev/stdin; echo x > /dev/stdout; echo x > /dev/stderr; echo done > done";

        room.outside("\"$GLOVE\" exec --workspace work -- bash -ec '" + script
                + "' < /dev/null > /dev/null 2>/dev/null");

        assertThat(room.outside("cat work/done")).isEqualTo("done\n");
    }

    @Test
    void backgroundJobsAreWaitedFor() throws Exception {
        String out = room.prints("""
                (until [ -e fast ]; do sleep 0.05; done; echo slow) & (echo fast; touch fast) & wait
                (exit 5) & wait $! || echo $?
                sleep 30 & kill $!; wait $! || echo $?
                trap 'echo trapped' USR1; kill -USR1 $$; trap 'echo bye' EXIT
                coproc cat; echo co >&"${COPROC[1]}"; read -r line <&"${COPROC[0]}"; echo $line
                """);

        assertThat(out).isEqualTo("fast\nslow\n5\n143\ntrapped\nco\nbye\n");
    }

    @Test
    void pipelinesEndWithTheFirstFailure() throws Exception {
        String out = room.prints("""
                true | false | true || echo failed
                set +o pipefail; yes | head -n 2; echo ${PIPESTATUS[*]}
                seq 200000 | sort -R | sort -n | tail -n 1
                seq 5 | xargs -P 4 -n 1 echo | sort | tr -d '\\n'
                """);

        assertThat(out).isEqualTo("failed\ny\ny\n141 0\n200000\n12345");
    }

    @Test
    void theIdentityInsideIsAnAgent() throws Exception {
        String out = room.prints(
                "id; whoami; hostname; uname -n; echo ~; getent passwd agent | cut -d: -f6");

        assertThat(out).isEqualTo("""
                uid=1000(agent) gid=1000(agent) groups=1000(agent)
                agent
                glove
                glove
                /home/agent
                /home/agent
                """);
    }

    @Test
    void onlyTheSandboxShowsInPs() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("ps"), "ps is not installed");

        String out = room.prints("ps -e -o comm= > list; sort list");

        assertThat(out).isEqualTo("bash\nps\n");
    }

    @Test
    void theMachineIsSeenAsItIs() throws Exception {
        assertThat(room.prints("nproc")).isEqualTo(room.outside("nproc"));
        assertThat(room.prints("df -P . | tail -n 1 | cut -d' ' -f1"))
                .isEqualTo(room.outside("df -P . | tail -n 1 | cut -d' ' -f1"));
        assertThat(room.prints("grep MemTotal /proc/meminfo"))
                .isEqualTo(room.outside("grep MemTotal /proc/meminfo"));
        assertThat(room.prints("uname -srm")).isEqualTo(room.outside("uname -srm"));
    }

    @Test
    void homeAndTemporaryDirectoriesArePrivateAndFresh() throws Exception {
        room.outside("touch /tmp/glove-outside-$$; rm /tmp/glove-outside-$$");

        String out = room.prints(
                """
                ls -A ~ "$TMPDIR" /dev/shm | grep -v :; echo mine > ~/x; echo mine > "$TMPDIR/glove-x"
                mktemp | cut -c1-5; mktemp -p /dev/shm | cut -c1-9; stat -c %a ~ "$TMPDIR"
                """.replace("| grep -v :;", "| grep -v ':\\|^.gitconfig$' | tr -d '\\n' || true;"));

        assertThat(out).isEqualTo("/tmp/\n/dev/shm/\n700\n1777\n");
        assertThat(room.outside("ls /tmp/glove-x 2>/dev/null || echo none")).isEqualTo("none\n");
        assertThat(room.prints("ls -A ~ $TMPDIR/glove-x 2>/dev/null || echo none"))
                .endsWith("none\n");
    }

    @Test
    void systemDataIsReadable() throws Exception {
        String out = room.prints("""
                TZ=Asia/Tokyo date -d @0 +%H
                LC_ALL=C.UTF-8 bash -c 'x=ü; echo ${#x}'
                TERM=xterm tput cols > /dev/null; tput -T xterm bold | wc -c
                test -r /etc/ssl/certs; test -r /etc/os-release; test -r /etc/services
                ldd /bin/ls > /dev/null; getent services http | cut -d' ' -f1
                date > /dev/null; locale > /dev/null; file=$(command -v ls); test -x $file
                """);

        assertThat(out).isEqualTo("09\n1\n4\nhttp\n");
    }

    @Test
    void theUmaskIsKept() throws Exception {
        room.shell("umask 027; \"$GLOVE\" exec --workspace work -- touch work/f || exit 1")
                .run();

        String out = room.shell(
                        "umask 027; \"$GLOVE\" exec --workspace work -- sh -c 'umask; touch f'; "
                                + "stat -c %a work/f")
                .run()
                .out();

        assertThat(out).isEqualTo("0027\n640\n");
    }

    @Test
    void theTerminalIsTheCallers() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("script"), "script is not installed");

        Command.Result result = room.bash(
                        List.of(),
                        "test -t 0; test -t 1; stty -a | grep -c rows; stty size >/dev/null")
                .onTerminal()
                .in(room.path())
                .run();

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out()).isEqualToNormalizingNewlines("1\n");
    }

    @Test
    void tmuxRunsASession() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("tmux"), "tmux is not installed");

        String out = room.prints("""
                tmux -f /dev/null new-session -d -s s -x 80 -y 24 'PS1= bash --norc --noprofile'
                tmux send-keys -t s 'echo to-$((40 + 2))' Enter
                until tmux capture-pane -p -t s | grep -x to-42; do sleep 0.05; done
                tmux send-keys -t s 'sleep 100' Enter
                until test "$(tmux display -p -t s '#{pane_current_command}')" = sleep; do sleep 0.05; done
                tmux send-keys -t s C-c 'exit' Enter
                while tmux ls >/dev/null 2>&1; do sleep 0.05; done; echo ended
                """);

        assertThat(out).isEqualTo("to-42\nended\n");
    }

    @Test
    void jobControlWorksOnATerminalMadeInside() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("script"), "script is not installed");

        String out = room.prints("""
                script -qec 'bash -i' /dev/null <<< 'set -m; sleep 50 & kill %1; wait %1; echo st$?; exit' \\
                    | tr -d '\\r' | grep -o '^st[0-9]*'
                """);

        assertThat(out).isEqualTo("st143\n");
    }

    @Test
    void timeoutNohupNiceAndSetsidWork() throws Exception {
        String out = room.prints("""
                timeout 0.2 sleep 30 || echo $?
                timeout -s KILL 0.2 sleep 30 || echo $?
                nohup echo hup 2>/dev/null </dev/null; nice -n 5 nice; setsid -w echo session
                ionice -c 3 echo idle; taskset 1 echo pinned; time -p true 2>/dev/null; ulimit -c
                flock lock -c 'flock -n lock true || echo busy'; ulimit -n 100; ulimit -n
                """);

        assertThat(out)
                .contains("124\n137\nhup\n5\nsession\nidle\npinned\n")
                .endsWith("busy\n100\n");
    }
}
