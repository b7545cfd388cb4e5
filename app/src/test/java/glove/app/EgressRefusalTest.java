package glove.app;

import static glove.app.EgressRoom.HTTP;
import static glove.app.EgressRoom.PROXY;
import static glove.app.EgressRoom.TLS;
import static glove.app.EgressRoom.and;
import static glove.app.EgressRoom.raw;

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

/**
 * What was not allowed is not reached. Each attack has its control: the same outside, or with the rule
 * it lacks, arrives. What arrives stands in the servers' log.
 */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class EgressRefusalTest {
    private final EgressRoom here;

    EgressRefusalTest(Identity identity) throws IOException, InterruptedException {
        this.here = EgressRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        here.close();
    }

    @Test
    void aRedirectToAnotherHostStaysUnanswered() throws Exception {
        String script =
                "curl -sSfL 'http://registry.test/redirect?to=http://denied.test/redirected'";

        Command.Result refused = here.inside(HTTP, script);

        assertThat(refused.status()).as("%s", refused).isEqualTo(22);
        assertThat(refused.err()).contains("403").contains("--egress-allow denied.test:80");
        assertThat(here.world().wasAsked("/redirected")).isFalse();
        here.inside(and(HTTP, "--egress-allow", "denied.test:80"), script);
        assertThat(here.world().wasAsked("/redirected")).as("control").isTrue();
    }

    @Test
    void aNameThatResolvesPrivateIsRefusedWithTheOptionThatWouldAllowIt() throws Exception {
        String script =
                "curl -sS http://rebind.test/rebound; curl -sS --noproxy '*' -m 200 http://10.1.2.3/rebound";

        Command.Result refused = here.inside(List.of("--egress-allow", "rebind.test:80"), script);

        assertThat(refused.out())
                .contains("'rebind.test:80' is refused: its name resolves to 10.1.2.3")
                .contains("--egress-allow-private rebind.test:80");
        assertThat(refused.status()).as("directly: no route").isEqualTo(7);
        assertThat(here.world().wasAsked("/rebound")).isFalse();
        here.inside(List.of("--egress-allow-private", "rebind.test:80"), script);
        assertThat(here.world().wasAsked("/rebound")).as("control").isTrue();
    }

    @Test
    void theMetadataServiceIsOpenedByItsOwnAddressOnly() throws Exception {
        String script = "curl -sS http://metadata.test/by-name http://169.254.169.254/by-address";
        String options = "--egress-allow metadata.test:80 --egress-allow 0.0.0.0/0:80"
                + " --egress-allow-private metadata.test:8080";

        Command.Result refused = here.inside(List.of(options.split(" ", -1)), script);
        Command.Result named =
                here.inside(List.of("--egress-allow-private", "metadata.test:80"), script);

        assertThat(refused.out())
                .contains("169.254.169.254, which is where the machines of a cloud");
        assertThat(named.out()).contains("169.254.169.254, which is where the machines of a cloud");
        assertThat(here.world().wasAsked("/by-name") || here.world().wasAsked("/by-address"))
                .isFalse();
        here.inside(List.of("--egress-allow-private", "169.254.169.254:80"), script);
        assertThat(here.world().wasAsked("/by-address")).as("control").isTrue();
        assertThat(here.world().wasAsked("/by-name")).isFalse();
    }

    @Test
    void loopbackOfThisMachineIsNotReachedUngranted() throws Exception {
        String targets =
                "http://127.0.0.1:8080/lo http://localhost:8080/lo http://loop.test:8080/lo"
                        + " http://[::ffff:127.0.0.1]:8080/lo http://2130706433:8080/lo http://127.1:8080/lo";
        String script = "curl -sS -g --noproxy '' -m 200 " + targets + " || true\n"
                + "curl -sS --noproxy '*' -m 200 http://127.0.0.1:8080/lo";

        Command.Result refused = here.inside(List.of("--egress-allow", "loop.test:8080"), script);

        assertThat(refused.status()).as("%s", refused).isEqualTo(7);
        assertThat(refused.out().lines()).hasSize(6).allMatch(line -> line.startsWith("glove: "));
        assertThat(here.world().wasAsked("/lo")).isFalse();
        here.inside(List.of("--egress-allow-private", "127.0.0.1:8080"), script);
        assertThat(here.world().wasAsked("/lo")).as("control").isTrue();
    }

    @Test
    void aTlsHandshakeForAnotherServerIsCutOff() throws Exception {
        String script =
                "curl -sS -m 200 --connect-to denied.test:443:registry.test:443 https://denied.test/fronted";

        Command.Result refused = here.inside(TLS, script);

        assertThat(refused.status()).as("%s", refused).isNotZero();
        assertThat(refused.err())
                .contains("'registry.test:443' is refused: the TLS handshake is for 'denied.test'");
        assertThat(here.world().wasAsked("/fronted")).isFalse();
        assertThat(here.outside(script).status()).as("control").isZero();
        assertThat(here.world().wasAsked("/fronted")).isTrue();
    }

    @Test
    void aTlsHandshakeThatNamesNoServerIsCutOff() throws Exception {
        String client = "openssl s_client -quiet -verify_quiet -CAfile ca.pem";
        String request =
                "printf 'GET /nameless HTTP/1.0\\r\\nHost: registry.test\\r\\n\\r\\n' | timeout 200 "
                        + client;
        String through = " -proxy " + PROXY + " -connect registry.test:443 ";

        Command.Result refused = here.inside(TLS, request + through + "-noservername");

        assertThat(refused.status()).as("%s", refused).isNotZero();
        assertThat(refused.err()).contains("names no server (SNI)");
        assertThat(here.world().wasAsked("/nameless")).isFalse();
        // The same program may, when it names the server; and without Glove, when it does not.
        assertThat(here.inside(TLS, request + through + "-servername registry.test || true")
                        .out())
                .contains("404");
        assertThat(here.outside(request + " -connect registry.test:443 -noservername || true")
                        .out())
                .as("control")
                .contains("404");
    }

    @Test
    void whatIsNoTlsDoesNotPassPort443() throws Exception {
        String connect = "CONNECT plain.test:443 HTTP/1.1\\r\\nHost: plain.test:443\\r\\n\\r\\n";
        String plain = "GET /plain HTTP/1.0\\r\\nHost: denied.test\\r\\n\\r\\n";
        List<String> rule = List.of("--egress-allow", "plain.test");

        Command.Result refused = here.inside(rule, raw(PROXY, connect, "[]", plain));

        assertThat(refused.out()).startsWith("HTTP/1.1 200 ").containsPattern("\\[(closed|reset)]");
        assertThat(refused.err())
                .contains("'plain.test:443' is refused: what was sent there is no TLS");
        assertThat(here.world().wasAsked("/plain")).isFalse();
        here.outside(raw("plain.test:443", plain));
        assertThat(here.world().wasAsked("/plain")).as("control").isTrue();
    }

    @Test
    void anAddressIsNotAllowedByTheNameThatResolvesToIt() throws Exception {
        Command.Result refused =
                here.inside(HTTP, "curl -sS http://93.184.216.34/by-address-of-name");

        assertThat(refused.out()).contains("no egress rule names this address");
        assertThat(here.inside(
                                and(HTTP, "--egress-allow", "93.184.216.34:80"),
                                "curl -sS http://93.184.216.34/hello")
                        .out())
                .as("control")
                .isEqualTo("hello from 93.184.216.34\n");
    }

    @Test
    void whatIsRefusedIsToldAtTheEndWithTheOptionsThatWouldAllowIt() throws Exception {
        Command.Result result = here.inside(HTTP, """
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
        Command.Result result = here.inside(
                List.of(),
                "env | grep -i proxy || true; curl -sS -m 200 http://93.184.216.34/offline");

        assertThat(result.status()).as("%s", result).isEqualTo(7);
        assertThat(result.out()).isEmpty();
        assertThat(here.world().wasAsked("/offline")).isFalse();
        Lanes.require(
                "net",
                here.outside("curl -sS http://93.184.216.34/offline").status() == 0,
                "no control");
        assertThat(here.world().wasAsked("/offline")).as("control").isTrue();
    }
}
