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

/** {@code glove audit}, as a person types it, on what real runs record. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class AuditTest {
    private static final String SETTING = """
            export XDG_STATE_HOME=$PWD/state
            audit() { "$GLOVE" audit "$@"; }
            record() { "$GLOVE" exec --workspace work --audit-log log -- "$@" || true; }
            await() { # that a file holds a word so often
                local i
                for i in {1..2400}; do
                    if [ "$(cat "$1" 2>/dev/null | grep -c -- "$2")" -ge "$3" ]; then return; fi
                    sleep 0.1
                done
                echo "never: $2 in $1"
                cat "$1"
                return 1
            }
            """;

    private final WorkRoom room;

    AuditTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(String script) throws IOException, InterruptedException {
        return room.shell(SETTING + script).run();
    }

    private String prints(String script) throws IOException, InterruptedException {
        return room.outside(SETTING + script);
    }

    @Test
    void whatARunRecordsIsWholeAndReadable() throws Exception {
        prints("record sh -c 'exit 3'; record true");

        String verified = prints("audit verify log");
        assertThat(verified)
                .startsWith("4 lines of '" + room.path() + "/log' are well\nfirst: 2")
                .containsPattern("the chain is whole\n.*\n  --expect 3:[0-9a-f]{64}\n$");
        assertThat(prints("audit show log | sed 's/^[-0-9]* [0-9:.]* //'")).isEqualTo("""
                agent_launch ok sh (run 0)
                agent_exit execution_error 3 (run 0)
                agent_launch ok true (run 2)
                agent_exit ok 0 (run 2)
                """);
        assertThat(prints("audit show log --json | cmp - log && echo same")).isEqualTo("same\n");
        assertThat(prints("audit verify --json log"))
                .startsWith("{\"schema_version\":1,\"file\":\"" + room.path()
                        + "/log\",\"whole\":true,\"lines\":4,\"first_timestamp_ns\":1");
    }

    @Test
    void theStateDirectorysLogIsTheDefault() throws Exception {
        Command.Result none = run("audit verify");
        prints("\"$GLOVE\" exec --egress-allow example.com -- true");

        assertThat(none.status()).isEqualTo(1);
        assertThat(none.err()).contains("nothing has been recorded yet");
        assertThat(prints("audit verify"))
                .contains("2 lines of '" + room.path() + "/state/glove/audit/audit.jsonl' are");
        assertThat(prints("audit show")).contains("agent_launch ok true");
    }

    @Test
    void whatWasDoneToALogIsFoundWithItsLine() throws Exception {
        prints("record true; record true; cp -p log kept");
        tampered("sed -i 2d log", "line 2, at byte", "lines before it are missing");
        tampered("sed -i '2{h;d};3{G}' log", "line 2, at byte", "lines before it are missing");
        tampered("sed -i 's/\"0\"/\"1\"/' log", "line 3, at byte", "'previous' is not the digest");
        tampered("sed -i 2p log", "line 3, at byte", "it was put here");
        tampered("sed -i '1s/^/\\xef\\xbb\\xbf/' log", "line 1, at byte 0", "no strict JSON");
        tampered("sed -i 's/$/\\r/' log", "line 1, at byte 0", "not written the way");
        tampered("sed -i '3s/tr/\\x00/' log", "line 3, at byte", "no strict JSON");
        tampered("head -c 40000 /dev/zero >>log", "line 5, at byte", "longer than 32768");
        tampered("truncate -s -5 log", "line 4, at byte", "ends in the middle");
        tampered("echo mine >>log", "line 5, at byte", "other than an object");
        tampered("chmod 644 log", "but the audit log", "chmod 600");
        tampered("ln log other", "but the audit log", "hard link");

        String mark = prints("audit verify log | sed -n 's/.*--expect //p'").strip();
        assertThat(prints("sed -i 4d log; audit verify log")).contains("the chain is whole");
        tampered("sed -i 4d log; set -- --expect " + mark, "line 4: it is missing", "cut off");
        assertThat(prints("record true; audit verify log --expect=" + mark)).contains("6 lines");
    }

    private void tampered(String change, String line, String what) throws Exception {
        Command.Result control = run("audit verify log >/dev/null");
        Command.Result result = run("set --\n" + change + "\naudit verify log \"$@\"");
        Command.Result json = run("audit verify log --json | tail -c 100");
        room.outside("rm -f log other; cp -p kept log");

        assertThat(control.status()).as("%s", control).isZero();
        assertThat(result.status()).as("%s: %s", change, result).isEqualTo(1);
        assertThat(result.out()).as(change).contains(line).contains(what);
        assertThat(result.out()).as(change).doesNotContain("--expect");
        assertThat(json.out()).endsWith("}\n");
    }

    @Test
    void verifyFindsTheChainWholeWhileRunsWrite() throws Exception {
        String script = """
                record true
                for i in {1..6}; do record true; done &
                for i in {1..5}; do audit verify log | tail -n 3 | head -n 1; done
                wait
                audit verify log | head -n 1
                """;

        assertThat(prints(script))
                .isEqualTo("the chain is whole\n".repeat(5) + "14 lines of '" + room.path()
                        + "/log' are well\n");
    }

    @Test
    void followShowsLinesAsTheyAreWrittenAlsoOfAFileThatWasNotThere() throws Exception {
        String script = """
                set -m
                "$GLOVE" audit show --follow log >out 2>err &
                await err 'waiting for it' 1
                record sh -c 'exit 5'
                await out agent_exit 1
                mv log aside
                record sh -c 'exit 6'
                await out 'execution_error 6' 1
                kill -INT $!
                wait $! || echo "ended with $?"
                sed 's/^[-0-9]* [0-9:.]* //' out
                """;

        assertThat(prints(script)).isEqualTo("""
                ended with 130
                agent_launch ok sh (run 0)
                agent_exit execution_error 5 (run 0)
                agent_launch ok sh (run 0)
                agent_exit execution_error 6 (run 0)
                """);
    }

    @Test
    void followSeesALaunchBeforeTheRunEnds() throws Exception {
        String script = """
                mkfifo work/go
                "$GLOVE" audit show --follow log >out 2>err &
                follower=$!
                record sh -c 'read x <go' &
                await out agent_launch 1
                grep -c agent_exit out || true
                echo >work/go
                await out agent_exit 1
                kill $follower
                """;

        assertThat(prints(script)).isEqualTo("0\n");
    }

    @Test
    void followBeginsWithTheLastAndEndsWithItsReader() throws Exception {
        String script = """
                for i in {1..7}; do record true; done
                timeout 200 "$GLOVE" audit show --follow log | head -n 10 | wc -l
                timeout 200 "$GLOVE" audit show --follow --last 3 log | head -n 3 | wc -l
                timeout 200 "$GLOVE" audit show --last 3 log | wc -l
                """;

        // The reader's going is a failure of the writer's, not of time.
        assertThat(run("set +o pipefail\n" + script).out()).isEqualTo("10\n3\n3\n");
        assertThat(prints("set +e; timeout 200 \"$GLOVE\" audit show -f log | head -n 1 >/dev/null;"
                        + " echo ${PIPESTATUS[0]}"))
                .isEqualTo("1\n");
    }

    @Test
    void followEndsWhenTheLogIsCutOrItsDirectoryGoes() throws Exception {
        String script = """
                set +e
                record true
                "$GLOVE" audit show -f log >out 2>err &
                await out agent_exit 1
                : >log
                wait $!; echo $?; cat err
                mkdir dir
                "$GLOVE" audit show -f dir/log >out 2>err &
                await err waiting 1
                rmdir dir
                wait $!; echo $?; tail -n 1 err
                """;

        assertThat(prints(script))
                .contains("1\nglove audit: audit log '")
                .contains("was cut short")
                .endsWith(
                        "1\nglove audit: the directory of '" + room.path() + "/dir/log' is gone\n");
    }

    @Test
    void eventsAreChosenByResultTimeAndNumber() throws Exception {
        prints("record sh -c 'exit 3'; record true; record sh -c 'exit 4'");

        assertThat(prints("audit show --denied log | grep -o 'error [0-9]'"))
                .isEqualTo("error 3\nerror 4\n");
        assertThat(prints("audit show --denied --last 1 log | grep -o 'error [0-9]'"))
                .isEqualTo("error 4\n");
        assertThat(prints("audit show --since 1h log | wc -l")).isEqualTo("6\n");
        assertThat(prints("audit show --since 2020-01-01 log | wc -l")).isEqualTo("6\n");
        assertThat(prints("audit show --since '2020-01-01 10:00' log | wc -l")).isEqualTo("6\n");
        assertThat(prints("audit show --since 2200-01-01T00:00:00+01:00 log | wc -l"))
                .isEqualTo("0\n");
        assertThat(prints("audit show --last 100000 log | wc -l")).isEqualTo("6\n");
        assertThat(prints("TZ=Asia/Tokyo \"$GLOVE\" audit show --last 1 log | cut -c 12-13;"
                        + " TZ=UTC-9 date -r log +%H"))
                .matches("(\\d\\d)\\n\\1\\n");
    }

    @Test
    void nothingInALogReachesTheTerminalAsACommand() throws Exception {
        String script = """
                name=$'\\e]0;evil\\a\\xc2\\x9b31m\\xe2\\x80\\xae ok'
                printf '#!/bin/sh\\n' >"work/$name"; chmod +x "work/$name"
                record "./$name"
                printf '\\033[31m\\n' >>log
                audit show log 2>&1 || true
                audit verify log || true
                """;
        Command.Result shown = run(script);

        assertThat(shown.out())
                .contains("agent_launch ok \"./")
                .contains("evil")
                .contains("line 3")
                .matches("(?s)[\\n -~]*");
    }

    @Test
    void showPassesOverWhatIsNoLineAndSaysSo() throws Exception {
        Command.Result result = run("record true; sed -i 1s/ok/no/ log; sed -i '1a my notes' log\n"
                + "audit show log; audit show log --json | wc -l");
        Command.Result json = run("set +o pipefail; audit show log --json 2>/dev/null | wc -l");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out()).contains("agent_launch no true").contains("agent_exit");
        assertThat(result.err()).contains("log', line 2: no strict JSON");
        assertThat(json.out()).isEqualTo("2\n");
    }

    @Test
    void mistakesAreToldWithWhatToType() throws Exception {
        mistake("", 2, "verify or show?");
        mistake("veirfy", 2, "unknown word 'veirfy'");
        mistake("verify --follow", 2, "unknown option '--follow'");
        mistake("show --expect x", 2, "unknown option '--expect'");
        mistake("verify a b", 2, "one file at a time");
        mistake("verify log --expect 3", 2, "is not the number and digest");
        mistake("show --since yesterday", 2, "is no time; it takes 90s");
        mistake("show --since 99999999999999999999d", 2, "is no time");
        mistake("show --since 2990-01-01", 2, "is no time");
        mistake("show --last 0", 2, "allows nothing");
        mistake("show --last 100001", 2, "more than 100000");
        mistake("show --last", 2, "needs a value");
        mistake("show --json=x", 2, "takes no value");
        mistake("show -- log", 2, "nothing stands behind");
        mistake("verify absent", 1, "there is no '" + room.path() + "/absent'");
        mistake("verify work", 1, "is not a regular file");
        mistake("show -f absent/log", 2, "cannot watch '" + room.path() + "/absent'");
    }

    private void mistake(String words, int status, String what) throws Exception {
        Command.Result result = run("audit " + words);

        assertThat(result.status()).as("%s", result).isEqualTo(status);
        assertThat(result.err()).contains(what);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void anotherUsersLogIsFoundFaultWith() throws Exception {
        if (room.identity() == Identity.ROOT) {
            Command.Result result = run("record true; chown 54321 log; audit verify log");

            assertThat(result.status()).isEqualTo(1);
            assertThat(result.out()).contains("belongs to somebody else");
        } else {
            Command.Result result = run("audit verify /usr/bin/env");

            assertThat(result.status()).isEqualTo(1);
            assertThat(result.out()).contains("belongs to somebody else").contains("line 1");
        }
    }
}
