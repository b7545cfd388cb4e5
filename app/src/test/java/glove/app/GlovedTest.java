package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The real daemon, and the verbs that talk to it, as its owner has them. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class GlovedTest {
    private final WorkRoom room;

    GlovedTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(String script) throws IOException, InterruptedException {
        return room.shell(GlovedScript.SETUP + script).run();
    }

    @Test
    void itServesUntilItIsToldToStopAndLeavesNoSocket() throws Exception {
        Command.Result told = run("""
                : > log; start
                stat -c '%a %F' runtime/gloved.sock runtime/bootstrap-secret
                [ "$(readlink /proc/$daemon/exe | sed 's|.*/||')" = java ] && echo no shell stays
                stop && echo ended well; ls runtime; cat log""");

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out())
                .startsWith("600 socket\n600 regular file\nno shell stays\nended well\n"
                        + "bootstrap-secret\ngloved.lock\ngloved: ready socket=")
                .endsWith("gloved: stopping\ngloved: stopped\n");
    }

    @Test
    void aSecondOneLeavesTheFirstAlone() throws Exception {
        Command.Result told = run("""
                : > log; start
                cp runtime/bootstrap-secret before
                "${GLOVE}d" --runtime-dir "$PWD/runtime" --audit-key "$PWD/key" \\
                    --journal "$PWD/state/other" || echo "status $?"
                cmp before runtime/bootstrap-secret && "$GLOVE" exposure list "$CONFIG" && stop""");

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out()).isEqualTo("status 1\n");
        assertThat(told.err()).contains("another gloved has");
    }

    @Test
    void theSocketOfAKilledOneIsReplacedAndTheSecretIsNew() throws Exception {
        Command.Result told = run("""
                : > log; start; kill -KILL $daemon; wait $daemon || true
                test -S runtime/gloved.sock; cp runtime/bootstrap-secret before
                : > log; start; ! cmp -s before runtime/bootstrap-secret
                "$GLOVE" exposure list "$CONFIG" && stop""");

        assertThat(told.status()).as("%s", told).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "chmod 755 runtime|must be yours alone|1",
                "chmod 644 key|has the mode 644|1",
                "ln key other|has 2 names|1",
                "chmod 644 exposures.json|has the mode 644|1",
                "chmod 755 state|not yours alone|1",
                "mv config.json real; ln -s real config.json|symbolic link|2",
                "sed -i s/audit_key/audit_kee/ config.json|is unknown|2",
                "touch runtime/gloved.sock|no socket of a gloved|1",
            })
    void whatIsUnsafeIsRefusedBeforeTheSecretChanges(String harm, String why, String status)
            throws Exception {
        Command.Result told = run("""
                : > log; start; stop; cp runtime/bootstrap-secret before
                %s
                gloved || echo "status $?"
                cmp before runtime/bootstrap-secret""".formatted(harm));

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out()).isEqualTo("status " + status + "\n");
        assertThat(told.err()).contains(why);
    }

    @Test
    void aProjectIsExposedListedRenewedAndTakenBack() throws Exception {
        Command.Result told = run("""
                : > log; start
                "$GLOVE" init projects/site "$CONFIG"
                "$GLOVE" exposure list "$CONFIG" --json
                echo; "$GLOVE" exposure renew site projects/site "$CONFIG"
                "$GLOVE" exposure revoke site "$CONFIG"; stop""");

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out())
                .contains(
                        "site generation=1 state=active label=site expires=",
                        "{\"schema_version\":1,\"exposures\":[{\"schema_version\":1,",
                        "site generation=2 state=active",
                        "site generation=2 state=revoked")
                .doesNotContain("/projects");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "init projects/site --purpose experiment|ephemeral_write",
                "init projects/site --ttl-secs 999999|7200",
                "init projects/site --root other|it has projects",
                "init runtime|is never exposed",
                "init /opt|is not below",
                "init missing|no directory",
                "exposure revoke nothing|no such exposure",
                "exposure renew nothing projects/site|no such exposure",
            })
    void whatCannotBeExposedIsToldWithWhy(String words, String why) throws Exception {
        Command.Result told =
                run(": > log; start; \"$GLOVE\" " + words + " \"$CONFIG\" && stop; stop; exit 9");

        assertThat(told.status()).as("%s", told).isEqualTo(9);
        assertThat(told.err()).contains(why);
        assertThat(told.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rm key; gloved|make one with (umask 077; head -c 32 /dev/urandom",
                "rm exposures.json; gloved|write one, of mode 600, as docs/exposures.md shows",
                "rm config.json; gloved|docs/gloved.md has an example from nothing",
                "rm config.json; \"$GLOVE\" init . \"$CONFIG\"|Try: write one: docs/gloved.md",
                "\"$GLOVE\" init projects/site \"$CONFIG\"|Try: gloved --config '/",
                "\"$GLOVE\" exposure list \"$CONFIG\"|Try: gloved --config '/",
                "start; \"$GLOVE\" init projects/site \"$CONFIG\"; stop|revoke site --config '/",
                "start; \"$GLOVE\" exposure revoke x \"$CONFIG\"; stop|list --config '/",
            })
    void whatToTypeIsToldAndKeepsTheConfigurationThatWas(String words, String hint)
            throws Exception {
        Command.Result told = run(": > log; set +e; " + words);

        assertThat(told.err()).as("%s", told).contains(hint);
    }

    @Test
    void theVeryDirectoryThatIsNamedIsExposedOrNone() throws Exception {
        Command.Result told = run("""
                : > log; mkdir -p 'projects/a\\b' $'projects/caf\\xe9' $'projects/caf\\ufffd'; start
                "$GLOVE" init 'projects/a\\b' --label back --id back "$CONFIG" || exit 8
                "$GLOVE" init $'projects/caf\\xe9' --label l --id latin "$CONFIG" && exit 7
                stop""");

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.err()).contains("is no UTF-8");
    }

    @Test
    void withoutADaemonTheVerbsSayHowToStartOne() throws Exception {
        Command.Result told = run("\"$GLOVE\" exposure list \"$CONFIG\"");

        assertThat(told.status()).isEqualTo(1);
        assertThat(told.err()).contains("gloved is not running", "Try: gloved --config");
    }

    @Test
    void theServiceManagerIsToldWhenItIsReadyAndWhenItStops() throws Exception {
        assumeThat(WorkRoom.isInstalled("python3")).as("no python3").isTrue();
        Command.Result told = run("""
                cat > manager.py <<END
                import socket
                s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind("notify")
                open("bound", "w").close(); s.settimeout(200)
                for i in range(2): print(s.recv(200).decode().split("\\\\n")[0])
                END
                python3 manager.py & manager=$!
                until [ -e bound ]; do sleep 0.05; done
                export NOTIFY_SOCKET="$PWD/notify"
                : > log; start; stop; wait $manager""");

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out()).isEqualTo("READY=1\nSTOPPING=1\n");
    }

    @Test
    void eventsAreJsonWhenAskedFor() throws Exception {
        Command.Result told = run(": > log; start --json-log; stop; cat log");

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out().lines())
                .hasSize(3)
                .allMatch(line -> line.startsWith("{\"time\":\"20") && line.contains("\"event\":"));
    }

    /** The directories are opened for it to get there. */
    @Test
    void anotherUserIsClosedWithoutAnAnswer() throws Exception {
        assumeThat(Identity.isRoot() && room.identity() == Identity.ORDINARY)
                .as("only root can be another user than the daemon's")
                .isTrue();
        Process daemon = room.shell(GlovedScript.SETUP + ": > log; start; echo up; read line; stop")
                .start();
        try (var in = daemon.getInputStream();
                var out = daemon.getOutputStream();
                SocketChannel client = SocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
            assertThat(in.read()).as("it is up").isEqualTo('u');
            client.connect(
                    UnixDomainSocketAddress.of(room.path().resolve("d/runtime/gloved.sock")));
            int count;
            try {
                client.write(ByteBuffer.allocate(4).putInt(0, 4));
                count = client.read(ByteBuffer.allocate(4));
            } catch (IOException e) {
                count = -1; // closed before, or reset as what was sent was never read
            }
            assertThat(count).isEqualTo(-1);
            out.write('\n');
        }
        assertThat(daemon.waitFor()).isZero();
    }

    @Test
    void renewingTakesNothingBackThatItCannotExposeAgain() throws Exception {
        Command.Result told = run("""
                : > log; start
                "$GLOVE" init projects/site "$CONFIG" > first
                mkdir elsewhere; ln -s "$PWD/projects/site" projects/link
                for project in elsewhere . projects; do
                    "$GLOVE" exposure renew site "$project" "$CONFIG" && exit 9 || echo "status $?"
                done
                "$GLOVE" exposure renew site projects/site --ttl-secs 9999 "$CONFIG" && exit 9
                "$GLOVE" exposure list "$CONFIG" | cmp - first && echo "as it was"
                "$GLOVE" exposure renew site projects/link "$CONFIG"
                "$GLOVE" exposure renew site projects/site --generation 1 "$CONFIG" && exit 9
                "$GLOVE" exposure list "$CONFIG"; stop""");

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out())
                .startsWith("status 1\nstatus 1\nstatus 1\nas it was\nsite generation=2 ")
                .contains("site generation=1 state=revoked", "site generation=2 state=active");
        assertThat(told.err()).contains("generation 2 of 'site' is active");
    }
}
