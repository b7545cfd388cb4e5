package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
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
 * What was not allowed is not reached, whatever a client sends. Each attack has its control: the
 * same bytes outside, or with the rule they lack, arrive. What arrives stands in the servers' log.
 */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class EgressRefusalTest {
    private static final String PROXY = "127.0.0.1:1080";
    private static final List<String> HTTP = List.of("--egress-allow", "registry.test:80");
    private static final List<String> TLS = List.of("--egress-allow", "registry.test");

    private final EgressWorld world;
    private final WorkRoom room;

    EgressRefusalTest(Identity identity) throws IOException, InterruptedException {
        this.world = EgressWorld.of(identity);
        this.room = WorkRoom.of(identity);
        Path scripts = Path.of(System.getProperty("glove.root"), "app/src/test/world");
        for (Path file : List.of(world.directory().resolve("ca.pem"), scripts.resolve("raw.py"))) {
            Files.copy(file, room.path().resolve(file.getFileName()));
        }
        // Outside and inside alike they are one directory above, or in it.
        room.outside("cp ca.pem raw.py work/");
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result inside(List<String> options, String script)
            throws IOException, InterruptedException {
        return world.inside(room, options, "export CURL_CA_BUNDLE=$PWD/ca.pem\n" + script)
                .run();
    }

    private Command.Result outside(String script) throws IOException, InterruptedException {
        return world.outside(room, "export CURL_CA_BUNDLE=$PWD/ca.pem\n" + script)
                .run();
    }

    private static List<String> and(List<String> options, String... more) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of(more));
        return all;
    }

    /** Sends bytes to the proxy inside, in the form raw.py takes; what comes back. */
    private String raw(List<String> options, String... texts)
            throws IOException, InterruptedException {
        Command.Result result = inside(options, raw(PROXY, texts));
        assertThat(result.status()).as("%s", result).isZero();
        return result.out();
    }

    private static String raw(String place, String... texts) {
        StringBuilder script = new StringBuilder("/usr/bin/python3 raw.py " + place + " 5");
        for (String text : texts) {
            script.append(" '").append(text).append('\'');
        }
        return script.toString();
    }

    @Test
    void aRedirectToAnotherHostStaysUnanswered() throws Exception {
        String script =
                "curl -sSfL 'http://registry.test/redirect?to=http://denied.test/redirected'";

        Command.Result refused = inside(HTTP, script);

        assertThat(refused.status()).as("%s", refused).isEqualTo(22);
        assertThat(refused.err()).contains("403").contains("--egress-allow denied.test:80");
        assertThat(world.wasAsked("/redirected")).isFalse();
        inside(and(HTTP, "--egress-allow", "denied.test:80"), script);
        assertThat(world.wasAsked("/redirected")).as("control").isTrue();
    }

    @Test
    void aNameThatResolvesPrivateIsRefusedWithTheOptionThatWouldAllowIt() throws Exception {
        String script =
                "curl -sS http://rebind.test/rebound; curl -sS --noproxy '*' -m 3 http://10.1.2.3/rebound";

        Command.Result refused = inside(List.of("--egress-allow", "rebind.test:80"), script);

        assertThat(refused.out())
                .contains("'rebind.test:80' is refused: its name resolves to 10.1.2.3")
                .contains("--egress-allow-private rebind.test:80");
        assertThat(refused.status()).as("directly: no route").isEqualTo(7);
        assertThat(world.wasAsked("/rebound")).isFalse();
        inside(List.of("--egress-allow-private", "rebind.test:80"), script);
        assertThat(world.wasAsked("/rebound")).as("control").isTrue();
    }

    @Test
    void theMetadataServiceIsOpenedByItsOwnAddressOnly() throws Exception {
        String script = "curl -sS http://metadata.test/by-name http://169.254.169.254/by-address";
        String options = "--egress-allow metadata.test:80 --egress-allow 0.0.0.0/0:80"
                + " --egress-allow-private metadata.test:8080";

        Command.Result refused = inside(List.of(options.split(" ", -1)), script);
        Command.Result named =
                inside(List.of("--egress-allow-private", "metadata.test:80"), script);

        assertThat(refused.out())
                .contains("169.254.169.254, which is where the machines of a cloud");
        assertThat(named.out()).contains("169.254.169.254, which is where the machines of a cloud");
        assertThat(world.wasAsked("/by-name") || world.wasAsked("/by-address")).isFalse();
        inside(List.of("--egress-allow-private", "169.254.169.254:80"), script);
        assertThat(world.wasAsked("/by-address")).as("control").isTrue();
        assertThat(world.wasAsked("/by-name")).isFalse();
    }

    @Test
    void loopbackOfThisMachineIsNotReachedUngranted() throws Exception {
        String targets =
                "http://127.0.0.1:8080/lo http://localhost:8080/lo http://loop.test:8080/lo"
                        + " http://[::ffff:127.0.0.1]:8080/lo http://2130706433:8080/lo http://127.1:8080/lo";
        String script = "curl -sS -g --noproxy '' -m 5 " + targets + " || true\n"
                + "curl -sS --noproxy '*' -m 5 http://127.0.0.1:8080/lo";

        Command.Result refused = inside(List.of("--egress-allow", "loop.test:8080"), script);

        assertThat(refused.status()).as("%s", refused).isEqualTo(7);
        assertThat(refused.out().lines()).hasSize(6).allMatch(line -> line.startsWith("glove: "));
        assertThat(world.wasAsked("/lo")).isFalse();
        inside(List.of("--egress-allow-private", "127.0.0.1:8080"), script);
        assertThat(world.wasAsked("/lo")).as("control").isTrue();
    }

    @Test
    void aTlsHandshakeForAnotherServerIsCutOff() throws Exception {
        String script =
                "curl -sS -m 8 --connect-to denied.test:443:registry.test:443 https://denied.test/fronted";

        Command.Result refused = inside(TLS, script);

        assertThat(refused.status()).as("%s", refused).isNotZero();
        assertThat(refused.err())
                .contains("'registry.test:443' is refused: the TLS handshake is for 'denied.test'");
        assertThat(world.wasAsked("/fronted")).isFalse();
        assertThat(outside(script).status()).as("control").isZero();
        assertThat(world.wasAsked("/fronted")).isTrue();
    }

    @Test
    void aTlsHandshakeThatNamesNoServerIsCutOff() throws Exception {
        String client = "openssl s_client -quiet -verify_quiet -CAfile ca.pem";
        String request =
                "printf 'GET /nameless HTTP/1.0\\r\\nHost: registry.test\\r\\n\\r\\n' | timeout 10 "
                        + client;
        String through = " -proxy " + PROXY + " -connect registry.test:443 ";

        Command.Result refused = inside(TLS, request + through + "-noservername");

        assertThat(refused.status()).as("%s", refused).isNotZero();
        assertThat(refused.err()).contains("names no server (SNI)");
        assertThat(world.wasAsked("/nameless")).isFalse();
        // The same program may, when it names the server; and without Glove, when it does not.
        assertThat(inside(TLS, request + through + "-servername registry.test || true")
                        .out())
                .contains("404");
        assertThat(outside(request + " -connect registry.test:443 -noservername || true")
                        .out())
                .as("control")
                .contains("404");
    }

    @Test
    void whatIsNoTlsDoesNotPassPort443() throws Exception {
        String connect =
                "CONNECT registry.test:443 HTTP/1.1\\r\\nHost: registry.test:443\\r\\n\\r\\n";
        String plain = "GET /plain HTTP/1.1\\r\\nHost: denied.test\\r\\n\\r\\n";

        String answer = raw(TLS, connect, "[]", plain);

        assertThat(answer)
                .startsWith("HTTP/1.1 200 ")
                .doesNotContain("400")
                .containsPattern("\\[(closed|reset)\\]");
        assertThat(outside(raw("registry.test:443", plain)).out())
                .as("control: without the proxy the server sees it, and hangs up")
                .containsPattern("\\[(closed|reset)\\]");
        // On another port it passes: there is nothing to compare.
        List<String> other = and(HTTP, "--egress-allow", "registry.test:80");
        assertThat(other).isNotEmpty();
        assertThat(raw(HTTP, connect.replace(":443", ":80"), "[]", plain)).contains("404");
    }

    @Test
    void anAddressIsNotAllowedByTheNameThatResolvesToIt() throws Exception {
        Command.Result refused = inside(HTTP, "curl -sS http://93.184.216.34/by-address-of-name");

        assertThat(refused.out()).contains("no egress rule names this address");
        assertThat(inside(
                                and(HTTP, "--egress-allow", "93.184.216.34:80"),
                                "curl -sS http://93.184.216.34/hello")
                        .out())
                .as("control")
                .isEqualTo("hello from 93.184.216.34\n");
    }

    @Test
    void eachRequestOfAKeptConnectionIsDecided() throws Exception {
        String first =
                "GET http://registry.test/hello HTTP/1.1\\r\\nHost: registry.test\\r\\n\\r\\n";
        String second = "GET http://denied.test/second HTTP/1.1\\r\\nHost: denied.test\\r\\n\\r\\n";

        String apart = raw(HTTP, first, "[]", second);
        String together = raw(HTTP, first + second);

        assertThat(apart)
                .contains("hello from registry.test")
                .contains(" 403 ")
                .contains("denied.test:80");
        assertThat(together).contains("hello from registry.test").contains(" 403 ");
        assertThat(world.wasAsked("/second")).isFalse();
        raw(and(HTTP, "--egress-allow", "denied.test:80"), first, "[]", second);
        assertThat(world.wasAsked("/second")).as("control").isTrue();
    }

    @Test
    void anotherHostInTheHostFieldIsRefused() throws Exception {
        String head = "GET http://registry.test/hosts HTTP/1.1\\r\\nConnection: close\\r\\nHost: ";

        for (String host : List.of(
                "denied.test",
                "registry.test:81",
                "registry.test\\r\\nHost: denied.test",
                "denied.test\\r\\n x: y",
                "registry.test,denied.test",
                "registry.test@denied.test",
                "")) {
            assertThat(raw(HTTP, head + host + "\\r\\n\\r\\n")).as(host).contains("HTTP/1.1 400 ");
        }
        assertThat(world.wasAsked("/hosts")).isFalse();
        raw(HTTP, head + "registry.test\\r\\n\\r\\n");
        assertThat(world.requests())
                .as("control")
                .anyMatch(line -> line.endsWith(" /hosts registry.test"));
    }

    @Test
    void aRequestHiddenInTheBodyOfAnotherIsNotSentOn() throws Exception {
        String hidden = "GET /smuggled HTTP/1.1\\r\\nHost: registry.test\\r\\n\\r\\n";
        String line = "POST http://registry.test/count HTTP/1.1\\r\\nHost: registry.test\\r\\n";
        List<String> framings = List.of(
                "Content-Length: 200\\r\\nTransfer-Encoding: chunked\\r\\n",
                "Transfer-Encoding: chunked\\r\\nContent-Length: 5\\r\\n",
                "Transfer-Encoding: chunked\\r\\nTransfer-Encoding: identity\\r\\n",
                "Transfer-Encoding: xchunked\\r\\nContent-Length: 5\\r\\n",
                "Transfer-Encoding : chunked\\r\\nContent-Length: 5\\r\\n",
                "X: y\\r\\n Transfer-Encoding: chunked\\r\\nContent-Length: 5\\r\\n",
                "X: y\\nTransfer-Encoding: chunked\\r\\n",
                "Content-Length: 5\\r\\nContent-Length: 200\\r\\n",
                "Content-Length: +5\\r\\n",
                "Connection: Content-Length\\r\\nContent-Length: 5\\r\\n");

        for (String framing : framings) {
            String answer = raw(HTTP, line + framing + "\\r\\n0\\r\\n\\r\\n" + hidden);
            assertThat(answer).as(framing).contains("HTTP/1.1 400 ").doesNotContain("bytes");
        }
        assertThat(raw(HTTP, line + "Transfer-Encoding: chunked\\r\\n\\r\\n0\\n\\n" + hidden))
                .as("a chunk that ends with LF")
                .doesNotContain("404");
        assertThat(world.wasAsked("/smuggled")).isFalse();
        outside(raw(
                "registry.test:80",
                line.replace("http://registry.test", "") + framings.getFirst()
                        + "\\r\\n0\\r\\n\\r\\n" + hidden));
        assertThat(world.wasAsked("/smuggled")).as("control").isTrue();
    }

    @Test
    void linesCannotBePutIntoAHead() throws Exception {
        for (String head : List.of(
                "CONNECT registry.test:443 HTTP/1.1\\nHost: registry.test:443\\n\\n",
                "CONNECT registry.test:443\\r\\nX: y HTTP/1.1\\r\\n\\r\\n",
                "CONNECT registry.test:443@denied.test:443 HTTP/1.1\\r\\n\\r\\n",
                "CONNECT denied.test:443#registry.test:443 HTTP/1.1\\r\\n\\r\\n",
                "CONNECT registry.test\\x00.denied.test:443 HTTP/1.1\\r\\n\\r\\n",
                "GET http://registry.test\\x09/ HTTP/1.1\\r\\nHost: registry.test\\r\\n\\r\\n",
                "GET http://registry.test/ HTTP/1.1\\r\\nHost: registry.test\\r\\nX: a\\x00b\\r\\n\\r\\n",
                "PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n")) {
            assertThat(raw(and(HTTP, "--egress-allow", "registry.test"), head))
                    .as(head)
                    .containsPattern("^HTTP/1.1 (400|505) ")
                    .doesNotContain(" 200 ");
        }
    }

    @Test
    void aHeadThatIsTooLongIsRefused() throws Exception {
        String script = "/usr/bin/python3 raw.py " + PROXY
                + " 5 \"GET http://registry.test/long HTTP/1.1\\r\\n"
                + "Host: registry.test\\r\\nConnection: close\\r\\nX: $(head -c SIZE /dev/zero | tr '\\0' x)"
                + "\\r\\n\\r\\n\"";

        Command.Result refused = inside(HTTP, script.replace("SIZE", "20000"));

        assertThat(refused.out()).as("%s", refused).contains("HTTP/1.1 431 ");
        assertThat(world.wasAsked("/long")).isFalse();
        inside(HTTP, script.replace("SIZE", "10000"));
        assertThat(world.wasAsked("/long")).as("control").isTrue();
    }

    @Test
    void heldBackHeadsAndHandshakesEnd() throws Exception {
        Assumptions.assumeTrue(
                room.identity() == Identity.available().getFirst(),
                "it takes half a minute, so for one only");
        String script = """
                trickle() { for i in $(seq 60); do printf "$1" && sleep 1 || break; done; }
                (exec 3<>/dev/tcp/127.0.0.1/1080
                 (trickle G >&3) & cat <&3 | head -n 1; echo) &
                (exec 4<>/dev/tcp/127.0.0.1/1080
                 printf 'CONNECT registry.test:443 HTTP/1.1\\r\\n\\r\\n' >&4
                 (sleep 1; printf '\\x16\\x03' >&4; sleep 60) & cat <&4 | tail -n 1; echo hello ended) &
                wait -n; wait -n
                """;

        Command.Result result = inside(TLS, script);

        assertThat(result.out()).as("%s", result).contains("HTTP/1.1 408 ").contains("hello ended");
        assertThat(result.err()).contains("no TLS handshake came in time");
    }

    @Test
    void withoutTheCredentialTheFirstEntryOpensNothing() throws Exception {
        String fetch = "curl -sS -m 5 -o /dev/null -w '%{http_code} ' --noproxy '' -x ";
        String wrong = "http://glove:" + "0".repeat(64) + "@127.0.0.1:3128";
        String script = String.join(
                "\n",
                List.of(
                        fetch + "http://127.0.0.1:3128 http://registry.test/unpaid",
                        fetch + wrong + " http://registry.test/unpaid",
                        fetch + wrong.replace("glove", "other") + " http://registry.test/unpaid",
                        fetch + wrong.replace("http:", "socks5h:")
                                + " http://registry.test/unpaid || true",
                        fetch + "socks5h://127.0.0.1:3128 http://registry.test/unpaid || true",
                        fetch + "\"$HTTP_PROXY\" http://registry.test/paid"));

        Command.Result result = inside(HTTP, script);

        assertThat(result.out()).as("%s", result).isEqualTo("407 407 407 000 000 404 ");
        assertThat(world.wasAsked("/unpaid")).isFalse();
        assertThat(world.wasAsked("/paid")).as("control").isTrue();
    }

    @Test
    void socksReachesNoMoreThanHttp() throws Exception {
        String fetch = "curl -sS -m 5 --noproxy '' -x socks5h://" + PROXY + " http://";

        Command.Result refused = inside(
                HTTP,
                fetch + "denied.test/socks || " + fetch + "10.1.2.3/socks || " + fetch
                        + "registry.test/socks");

        assertThat(refused.err())
                .as("%s", refused)
                .contains("denied.test:80")
                .contains("10.1.2.3:80");
        assertThat(world.requests().stream().filter(line -> line.contains(" /socks ")))
                .hasSize(1)
                .allMatch(line -> line.endsWith(" registry.test"));
    }

    @Test
    void whatIsRefusedIsToldAtTheEndWithTheOptionsThatWouldAllowIt() throws Exception {
        Command.Result result = inside(HTTP, """
                curl -sS http://denied.test/ https://git.test/ http://registry.test:8080/ >/dev/null || true
                curl -sS http://denied.test/ http://10.1.2.3/ >/dev/null || true
                """);

        assertThat(result.err())
                .contains("egress refused (2 times): 'denied.test:80' is not allowed")
                .contains("--egress-allow denied.test:80")
                .contains("--egress-allow git.test\n")
                .contains("'registry.test:80' is, which is another port")
                .contains("--egress-allow registry.test:8080")
                .contains("--egress-allow-private 10.1.2.3:80");
    }

    @Test
    void offlineThereIsNoProxyAtAll() throws Exception {
        Command.Result result = inside(
                List.of(),
                "env | grep -i proxy || true; curl -sS -m 5 http://93.184.216.34/offline");

        assertThat(result.status()).as("%s", result).isEqualTo(7);
        assertThat(result.out()).isEmpty();
        assertThat(world.wasAsked("/offline")).isFalse();
        Lanes.require(
                "net",
                outside("curl -sS http://93.184.216.34/offline").status() == 0,
                "no control");
        assertThat(world.wasAsked("/offline")).as("control").isTrue();
    }
}
