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

/** The world itself: what tests reach through Glove is there, and reached without it. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class EgressWorldTest {
    private final EgressWorld world;
    private final WorkRoom room;

    EgressWorldTest(Identity identity) throws IOException, InterruptedException {
        this.world = EgressWorld.of(identity);
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private String prints(String script) throws IOException, InterruptedException {
        Command.Result result = world.outside(room, "world='" + world.directory() + "'\n" + script)
                .run();
        assertThat(result.status()).as("%s", result).isZero();
        return result.out();
    }

    @Test
    void everyAddressAnswersOverHttpAndTls() throws Exception {
        String out = prints("""
                export CURL_CA_BUNDLE=$world/ca.pem
                for host in registry git denied rebind; do
                    curl -sS http://$host.test/hello https://$host.test/hello
                done
                curl -sS http://metadata.test/hello http://localhost:8080/hello https://registry.test:8443/hello
                """);

        assertThat(out.lines()).hasSize(11).allMatch(line -> line.startsWith("hello from "));
    }

    @Test
    void bodiesRedirectsAndHttp2AreServed() throws Exception {
        String out = prints("""
                export CURL_CA_BUNDLE=$world/ca.pem
                curl -sS http://registry.test/chunks http://registry.test/until-close
                curl -sS -d 12345 http://registry.test/count
                curl -sS -H 'Transfer-Encoding: chunked' -d 1234567 http://registry.test/count
                curl -sSL 'http://registry.test/redirect?to=https://denied.test/hello'
                """);

        assertThat(out)
                .isEqualTo(
                        "in three chunks\nuntil the end\n5 bytes\n7 bytes\nhello from denied.test\n");
        if (WorkRoom.isInstalled("node")) {
            assertThat(prints("curl -sS --cacert \"$world/ca.pem\" --http2 https://h2.test/"))
                    .isEqualTo("HTTP 2.0\n");
        }
    }

    @Test
    void gitIsServedOverHttpsAndSsh() throws Exception {
        String https =
                "GIT_SSL_CAINFO=$world/ca.pem git clone -q https://git.test/git/project.git p; cat p/README";
        assertThat(prints(https)).isEqualTo("from the world\n");
        Lanes.require("net", EgressWorld.hasSsh(), "sshd is not installed");
        Command.of("cp", world.directory() + "/user_key", room.work().toString())
                .run();
        Command.of("chown", room.identity().owner(), room.work() + "/user_key").run();
        assertThat(prints("""
                export GIT_SSH_COMMAND="ssh -i user_key -o UserKnownHostsFile='$world/known_hosts'"
                git clone -q "ssh://walker@git.test$world/git/project.git" q; cat q/README
                """)).isEqualTo("from the world\n");
    }

    @Test
    void registriesServeAPackage() throws Exception {
        assertThat(prints("""
                export PIP_CERT=$world/ca.pem PIP_CONFIG_FILE=/dev/null
                /usr/bin/python3 -m venv v && v/bin/pip download -q -i https://registry.test/simple/ tiny; ls *.whl
                """)).isEqualTo("tiny-1.0-py3-none-any.whl\n");
        if (WorkRoom.isInstalled("npm")) {
            assertThat(prints("""
                    export npm_config_cafile=$world/ca.pem
                    npm install --silent --no-audit --no-fund --registry https://registry.test/npm/ tiny
                    node -p 'require("tiny")'
                    """)).isEqualTo("a tiny package\n");
        }
    }

    @Test
    void aDatabaseAnswersOnLoopback() throws Exception {
        Lanes.require("net", world.hasPostgres(), "PostgreSQL is not installed");

        assertThat(prints("psql -h 127.0.0.1 -U walker postgres -Atc 'select 6*7'"))
                .isEqualTo("42\n");
    }

    @Test
    void nothingElseIsReached() throws Exception {
        Command.Result result =
                world.outside(room, "curl -sS -m 200 http://93.184.216.99/").run();

        assertThat(result.status()).as("%s", result).isEqualTo(7);
    }
}
