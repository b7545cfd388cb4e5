package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code --why}: each denied thing is told with its rule and the option that allows it. */
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class WhyTest {
    private final WorkRoom room;

    WhyTest(Identity identity) throws IOException, InterruptedException {
        room = WorkRoom.of(identity);
    }

    @BeforeEach
    void furnish() throws IOException, InterruptedException {
        room.outside("mkdir secret work/kept; echo s > secret/file; echo k > work/kept/file");
    }

    @AfterEach
    void leave() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result why(String script, String... more)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("--why"));
        options.addAll(List.of("--read", room.work() + "/kept"));
        options.addAll(List.of(more));
        return room.exec(options, "bash", "-c", script).run();
    }

    private String denied(String tried, String path, String rule, String option) {
        return "glove exec: denied: " + tried + " '" + path + "': " + rule + "; allowed by "
                + option + "\n";
    }

    @Test
    void readingWhatIsNotGranted() throws Exception {
        String file = room.path() + "/secret/file";

        Command.Result result = why("cat '" + file + "'");

        assertThat(result.err())
                .contains(denied(
                        "read",
                        room.path() + "/secret/file",
                        "not granted",
                        "--read '" + file + "'"));
        assertThat(result.status()).isEqualTo(1);
        Command.Result allowed = why("cat '" + file + "'", "--read", file);
        assertThat(allowed.out()).isEqualTo("s\n");
        assertThat(allowed.err()).contains("nothing was denied");
    }

    @Test
    void whatTheCallerMayNotReadEitherIsNotWorthAnOption() throws Exception {
        assumeThat(room.identity()).as("root reads all").isEqualTo(Identity.ORDINARY);
        room.outside("chmod 0 secret/file");

        Command.Result result = why("cat '" + room.path() + "/secret/file'");

        assertThat(result.err())
                .contains("secret/file': not granted, and you may not read it yourself\n")
                .doesNotContain("allowed by");
    }

    @Test
    void writingWhatIsGrantedReadOnly() throws Exception {
        String option = "--write '" + room.work() + "/kept'";

        assertThat(why("echo x > kept/file").err())
                .contains(
                        denied("create", room.work() + "/kept/file", "granted read-only", option));
        assertThat(why("rm -f kept/file").err())
                .contains(denied(
                        "remove or rename",
                        room.work() + "/kept/file",
                        "granted read-only",
                        option));
        assertThat(why("mkdir kept/new").err())
                .contains(denied("create", room.work() + "/kept/new", "granted read-only", option));
    }

    @Test
    void makingSomethingWhereNothingIsGranted() throws Exception {
        assertThat(why("mkdir '" + room.path() + "/secret/new'").err())
                .contains(denied(
                        "create",
                        room.path() + "/secret/new",
                        "not granted",
                        "--write '" + room.path() + "/secret'"));
    }

    @Test
    void executingAProgramThatIsNotThere() throws Exception {
        room.outside("printf '#!/bin/sh\\n' > secret/run; chmod +x secret/run");

        assertThat(why("'" + room.path() + "/secret/run'").err())
                .contains("denied: execute '" + room.path() + "/secret/run'");
    }

    @Test
    void whatIsProtectedOrHidden() throws Exception {
        room.outside("git init -q work; echo k > work/.env");
        String config = room.work() + "/.git/config";

        Command.Result added = why("git remote add x /y");

        assertThat(added.status()).isNotZero();
        assertThat(added.err())
                .contains("denied: create '" + config + "': protected, ")
                .contains("; allowed by --no-protect '" + config + "'\n");
        assertThat(why("git remote add x /y", "--no-protect", config).status()).isZero();
        assertThat(why("cat .env", "--hide", room.work() + "/.env").err())
                .contains("denied: read '" + room.work() + "/.env': hidden, ");
    }

    @Test
    void theNetworkHasAnOptionTheSystemHasNone() throws Exception {
        assertThat(why("exec 3<>/dev/tcp/127.0.0.1/9").err())
                .contains("denied: use 'the network': this run is offline; "
                        + "allowed by --egress-allow HOST:PORT\n");
        assertThat(why("echo x > /usr/new").err())
                .contains("denied: create '/usr/new': system files are read-only\n");
    }

    @Test
    void onlineWhatIsNoTcpIsTold() throws Exception {
        Command.Result result =
                why("exec 4<>/dev/tcp/127.0.0.1/9; exec 3<>/dev/udp/127.0.0.1/9", "--loopback");

        assertThat(result.err())
                .contains("Connection refused")
                .contains("denied: use 'UDP or another protocol than TCP': only TCP leaves")
                .doesNotContain("this run is offline");
    }

    @Test
    void whatIsTriedOftenIsToldOnceAndAsDataToo() throws Exception {
        String file = room.path() + "/secret/file";

        String err = why("for i in 1 2 3; do cat '" + file + "' 2>/dev/null; done", "--json")
                .err();

        assertThat(err)
                .isEqualTo("{\"schema_version\":1,\"denied\":[{\"tried\":\"read\",\"subject\":\""
                        + file + "\",\"rule\":\"not granted\",\"option\":\"--read '" + file
                        + "'\"}],\"untold\":0}\n");
    }

    @Test
    void whatIsMissingOnTheHostTooIsNoDenial() throws Exception {
        Command.Result result = why("cat /nonexistent missing; exit 4");

        assertThat(result.status()).isEqualTo(4);
        assertThat(result.err()).contains("nothing was denied");
    }

    @Test
    void aWatchedBuildOfManyProcessesAndThreadsGoesOnAsAlways() throws Exception {
        Command.Result result = why("for i in $(seq 100); do cat kept/file & done | wc -l; wait");

        assertThat(result.out()).isEqualTo("100\n");
        assertThat(result.status()).isZero();
    }
}
