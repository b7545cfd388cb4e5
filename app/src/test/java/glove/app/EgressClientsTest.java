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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What people use reaches what was allowed, as it comes: the scripts say nothing of a proxy, only
 * which authority signs the test servers' certificates. {@link EgressWorldTest} is the control.
 */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class EgressClientsTest {
    private final EgressWorld world;
    private final WorkRoom room;

    EgressClientsTest(Identity identity) throws IOException, InterruptedException {
        this.world = EgressWorld.of(identity);
        this.room = WorkRoom.of(identity);
        for (String file : List.of("ca.pem", "trust.p12")) {
            give(world.directory().resolve(file));
        }
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    /** Copies a file into the work, as the identity's own. */
    private void give(Path file) throws IOException, InterruptedException {
        Command.Result result = Command.of(
                        "sh",
                        "-c",
                        "install -m 600 \"$0\" \"$1\" && { [ $(id -u) != 0 ] || chown \"$2\" \"$1\"; }",
                        file.toString(),
                        room.work().resolve(file.getFileName()).toString(),
                        room.identity().owner())
                .run();
        assertThat(result.status()).as("%s", result).isZero();
    }

    /** What a script prints inside, with these rules. */
    private String prints(List<String> rules, String script)
            throws IOException, InterruptedException {
        return prints(rules, List.of(), script);
    }

    private String prints(List<String> rules, List<String> more, String script)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(more);
        for (String rule : rules) {
            options.addAll(List.of("--egress-allow", rule));
        }
        Command.Result result = world.inside(room, options, script).run();
        assertThat(result.status()).as("%s", result).isZero();
        return result.out();
    }

    @Test
    void curlFetchesOverHttpHttpsAndHttp2() throws Exception {
        String out = prints(List.of("registry.test", "registry.test:80", "h2.test"), """
                export CURL_CA_BUNDLE=$PWD/ca.pem
                curl -sS http://registry.test/hello https://registry.test/hello
                curl -sS http://registry.test/chunks http://registry.test/until-close
                curl -sS -d 12345 http://registry.test/count
                curl -sS -H 'Transfer-Encoding: chunked' -d 1234567 http://registry.test/count
                curl -sS -I http://registry.test/hello | head -n 1 | tr -d '\\r'
                [ ! -x /usr/bin/node ] || curl -sS --http2 https://h2.test/
                """);

        String h2 = WorkRoom.isInstalled("node") ? "HTTP 2.0\n" : "";
        assertThat(out)
                .isEqualTo(
                        "hello from registry.test\nhello from registry.test\nin three chunks\nuntil the end\n"
                                + "5 bytes\n7 bytes\nHTTP/1.1 200 OK\n" + h2);
    }

    @Test
    void largeBodiesPassWholeBothWays() throws Exception {
        String out = prints(List.of("registry.test", "registry.test:80"), """
                export CURL_CA_BUNDLE=$PWD/ca.pem
                head -c 10000000 /dev/urandom > body
                for scheme in http https; do
                    curl -sS --data-binary @body $scheme://registry.test/echo | cmp - body
                    curl -sS -H 'Expect:' -H 'Transfer-Encoding: chunked' --data-binary @body \\
                        $scheme://registry.test/echo | cmp - body
                    curl -sS "$scheme://registry.test/big?bytes=10000000" | wc -c
                done
                """);

        assertThat(out).isEqualTo("10000000\n10000000\n");
    }

    @Test
    void wgetFetches() throws Exception {
        Lanes.require("net", WorkRoom.isInstalled("wget"), "wget is not installed in /usr/bin");

        assertThat(prints(List.of("registry.test", "registry.test:80"), """
                wget -qO- --ca-certificate=ca.pem https://registry.test/hello
                wget -qO- http://registry.test/hello
                """))
                .isEqualTo("hello from registry.test\n".repeat(2));
    }

    @Test
    void websocketsWorkThroughATunnelAndAsAnUpgrade() throws Exception {
        give(Path.of(System.getProperty("glove.root"), "app/src/test/world/websocket.py"));
        assertThat(world.outside(room, "/usr/bin/python3 websocket.py - registry.test absolute")
                        .run()
                        .out())
                .as("control")
                .isEqualTo("101\nthrough a websocket\n");

        assertThat(prints(List.of("registry.test:80"), """
                /usr/bin/python3 websocket.py 127.0.0.1:1080 registry.test connect
                /usr/bin/python3 websocket.py 127.0.0.1:1080 registry.test absolute
                """))
                .isEqualTo("200\n101\nthrough a websocket\n101\nthrough a websocket\n");
    }

    @Test
    void gitClonesAndPushesOverHttps() throws Exception {
        String branch = "https-" + room.identity().name();
        String out = prints(List.of("git.test"), List.of("--no-default-protect"), """
                export GIT_SSL_CAINFO=$PWD/ca.pem
                git clone -q https://git.test/git/project.git p; cd p; cat README
                git config user.name agent; git config user.email agent@git.test
                head -c 3000000 /dev/urandom > new; git add new; git commit -qm new
                git push -q origin HEAD:BRANCH
                git ls-remote -q origin BRANCH | wc -l
                """.replace(
                        "BRANCH", "refs/heads/" + branch));

        assertThat(out).isEqualTo("from the world\n1\n");
    }

    @Test
    void gitClonesOverSsh() throws Exception {
        Lanes.require("net", EgressWorld.hasSsh(), "sshd is not installed");
        give(world.directory().resolve("user_key"));
        give(world.directory().resolve("known_hosts"));
        String script =
                "export GIT_SSH_COMMAND='ssh -i user_key -o UserKnownHostsFile=known_hosts'\n"
                        + "git clone -q ssh://walker@git.test" + world.directory()
                        + "/git/project.git p; cat p/README";

        assertThat(prints(List.of("git.test:22"), List.of("--no-default-protect"), script))
                .isEqualTo("from the world\n");
    }

    @Test
    void nodeFetchesByItself() throws Exception {
        Path node = nodeThatKnowsProxies();
        String out = prints(
                List.of("registry.test", "registry.test:80"),
                List.of("--read", node.toString()),
                """
                export NODE_EXTRA_CA_CERTS=$PWD/ca.pem
                cat > f.mjs <<'END'
                import https from 'node:https';
                for (const scheme of ['http', 'https'])
                    process.stdout.write(await (await fetch(scheme + '://registry.test/hello')).text());
                https.get('https://registry.test/hello', r => r.pipe(process.stdout));
                END
                '@node@' --no-warnings f.mjs
                """.replace("@node@", node.toString()));

        assertThat(out).isEqualTo("hello from registry.test\n".repeat(3));
    }

    /** Node takes proxies from the environment since 22.21 and 24.5. */
    private Path nodeThatKnowsProxies() throws IOException, InterruptedException {
        String knows = "const [a, b] = process.versions.node.split('.').map(Number);"
                + "process.exit((a == 22 && b >= 21) || (a == 24 && b >= 5) || a > 24 ? 0 : 1)";
        for (String directory : System.getenv("PATH").split(":", -1)) {
            Path node = Path.of(directory, "node");
            if (Files.isExecutable(node)
                    && Command.of(node.toString(), "-e", knows).run().status() == 0) {
                return node.toRealPath();
            }
        }
        Lanes.require(
                "node-proxy", false, "there is no node in PATH that honours NODE_USE_ENV_PROXY");
        throw new IllegalStateException("not reached");
    }

    @Test
    void pythonFetchesByItself() throws Exception {
        assertThat(prints(List.of("registry.test", "registry.test:80"), """
                export SSL_CERT_FILE=$PWD/ca.pem
                cat > f.py <<'END'
                import urllib.request
                for scheme in ('http', 'https'):
                    print(urllib.request.urlopen(scheme + '://registry.test/hello').read().decode(), end='')
                END
                /usr/bin/python3 f.py
                """))
                .isEqualTo("hello from registry.test\n".repeat(2));
    }

    @Test
    void javaFetchesByBothItsClients() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin/java");
        String out = prints(List.of("registry.test", "registry.test:80"), """
                cat > F.java <<'END'
                import java.net.*;
                import java.net.http.*;
                public class F {
                    public static void main(String[] words) throws Exception {
                        var client = HttpClient.newHttpClient();
                        for (String scheme : new String[] {"http", "https"}) {
                            URI there = URI.create(scheme + "://registry.test/hello");
                            there.toURL().openStream().transferTo(System.out);
                            System.out.print(client.send(HttpRequest.newBuilder(there).build(),
                                    HttpResponse.BodyHandlers.ofString()).body());
                        }
                    }
                }
                END
                '@java@' -Djavax.net.ssl.trustStore=trust.p12 -Djavax.net.ssl.trustStorePassword=changeit F.java
                """.replace(
                        "@java@", java.toString()));

        assertThat(out).isEqualTo("hello from registry.test\n".repeat(4));
    }

    @Test
    void mavenFetchesAParent() throws Exception {
        Lanes.require("maven", WorkRoom.isInstalled("mvn"), "mvn is not installed in /usr/bin");

        prints(List.of("registry.test"), """
                cat > pom.xml <<'END'
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <parent><groupId>test</groupId><artifactId>tiny-parent</artifactId><version>1.0</version></parent>
                  <artifactId>child</artifactId><packaging>pom</packaging>
                  <repositories><repository><id>world</id><url>https://registry.test/maven</url></repository></repositories>
                </project>
                END
                export MAVEN_OPTS='-Djavax.net.ssl.trustStore=trust.p12 -Djavax.net.ssl.trustStorePassword=changeit'
                env -u JDK_JAVA_OPTIONS mvn -B -q validate
                """);

        assertThat(world.wasAsked("/maven/test/tiny-parent/1.0/tiny-parent-1.0.pom"))
                .isTrue();
    }

    @Test
    void npmInstalls() throws Exception {
        Lanes.require("npm", WorkRoom.isInstalled("npm"), "npm is not installed in /usr/bin");

        assertThat(prints(List.of("registry.test"), """
                export npm_config_cafile=$PWD/ca.pem npm_config_registry=https://registry.test/npm/
                npm install --silent --no-audit --no-fund tiny
                node -p 'require("tiny")'
                """)).isEqualTo("a tiny package\n");
    }

    @Test
    void npmInstallsFromTheRegistryOfItsOwner() throws Exception {
        Lanes.require("npm", WorkRoom.isInstalled("npm"), "npm is not installed in /usr/bin");
        world.outside(room, "echo registry=https://registry.test/npm/ > ../.npmrc")
                .run();

        assertThat(prints(List.of("@npm"), """
                export npm_config_cafile=$PWD/ca.pem
                npm install --silent --no-audit --no-fund tiny
                node -p 'require("tiny")'
                """)).isEqualTo("a tiny package\n");
    }

    @Test
    void pipDownloads() throws Exception {
        assertThat(prints(List.of("registry.test"), """
                export PIP_CERT=$PWD/ca.pem PIP_CONFIG_FILE=/dev/null
                /usr/bin/python3 -m venv v
                v/bin/pip install -q --disable-pip-version-check -i https://registry.test/simple/ tiny
                v/bin/python -c 'import tiny; print(tiny.words)'
                """)).isEqualTo("a tiny package\n");
    }

    @Test
    void cargoFetches() throws Exception {
        Lanes.require("cargo", room.hasTool("cargo"), "cargo is not installed for this user");

        assertThat(prints(List.of("registry.test"), List.of("--tool", "cargo"), """
                export CARGO_HTTP_CAINFO=$PWD/ca.pem
                mkdir -p "$HOME/.cargo" app/src; cd app
                cat > "$HOME/.cargo/config.toml" <<'END'
                [source.crates-io]
                replace-with = "world"
                [source.world]
                registry = "sparse+https://registry.test/crates/"
                END
                printf '[package]\\nname = "app"\\nversion = "0.1.0"\\n[dependencies]\\ntiny = "1"\\n' > Cargo.toml
                echo 'fn main() { println!("{}", tiny::WORDS); }' > src/main.rs
                cargo run -q
                """))
                .isEqualTo("a tiny package\n");
    }

    @Test
    void goDownloadsAModule() throws Exception {
        Lanes.require("go", room.hasTool("go"), "go is not installed for this user");

        assertThat(prints(List.of("registry.test"), List.of("--tool", "go"), """
                export SSL_CERT_FILE=$PWD/ca.pem GOPROXY=https://registry.test/go GONOSUMDB='*' GOFLAGS=-mod=mod
                mkdir app; cd app; go mod init app 2>/dev/null
                cat > main.go <<'END'
                package main

                import "example.test/tiny"

                func main() { println(tiny.Words()) }
                END
                go get example.test/tiny 2>/dev/null
                go run . 2>&1
                """))
                .isEqualTo("a tiny package\n");
    }

    @Test
    void programsThatKnowNoProxyReachAGrantedServiceOfThisMachine() throws Exception {
        assertThat(prints(
                        List.of(),
                        List.of("--egress-allow-private", "127.0.0.1:8080"),
                        "curl -sS --noproxy '*' http://127.0.0.1:8080/hello"))
                .isEqualTo("hello from 127.0.0.1:8080\n");
        assertThat(prints(
                        List.of(),
                        List.of("--egress-allow-private", "localhost:8080"),
                        "curl -sS http://localhost:8080/hello http://127.0.0.1:8080/hello"))
                .isEqualTo("hello from localhost:8080\nhello from 127.0.0.1:8080\n");
        Lanes.require("net", world.hasPostgres(), "PostgreSQL is not installed");
        assertThat(prints(
                        List.of(),
                        List.of("--egress-allow-private", "127.0.0.1:5432"),
                        "psql -h 127.0.0.1 -U walker postgres -Atc"
                                + " 'select sum(n) from generate_series(1, 200000) n'"))
                .isEqualTo("20000100000\n");
    }

    @Test
    void socksAndNetcatGetThrough() throws Exception {
        String out = prints(List.of("registry.test", "registry.test:80", "93.184.216.35:80"), """
                export CURL_CA_BUNDLE=$PWD/ca.pem
                curl -sS --noproxy '' -x socks5h://127.0.0.1:1080 https://registry.test/hello
                curl -sS -x "${HTTPS_PROXY/http:/socks5h:}" https://registry.test/hello
                curl -sS -x socks5://127.0.0.1:1080 http://93.184.216.35/hello
                if [ -x /usr/bin/nc ]; then
                    for way in connect 5; do
                        printf 'GET /hello HTTP/1.0\\r\\nHost: registry.test\\r\\n\\r\\n' |
                            nc -X $way -x 127.0.0.1:1080 registry.test 80 | tail -n 1
                    done
                fi
                """);

        int netcat = WorkRoom.isInstalled("nc") ? 2 : 0;
        assertThat(out)
                .isEqualTo("hello from registry.test\n".repeat(2) + "hello from 93.184.216.35\n"
                        + "hello from registry.test\n".repeat(netcat));
    }

    @Test
    void addressesOfBothKindsAndNamesWithAPublicOneAreReached() throws Exception {
        String v6 = "[2606:2800:220:1::34]";
        boolean hasV6 =
                world.outside(room, "curl -sS http://" + v6 + "/hello").run().status() == 0;
        String out = prints(
                List.of("93.184.216.0/24:80", "both.test:80", "v6.test:80", v6 + ":80"),
                """
                curl -sS http://93.184.216.35/hello http://both.test/hello
                """ + (hasV6 ? "curl -sS -g http://v6.test/hello http://" + v6 + "/hello" : ""));

        assertThat(out)
                .isEqualTo("hello from 93.184.216.35\nhello from both.test\n"
                        + (hasV6 ? "hello from v6.test\nhello from " + v6 + "\n" : ""));
    }
}
