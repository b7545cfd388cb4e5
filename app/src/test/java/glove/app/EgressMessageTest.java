package glove.app;

import static glove.app.EgressRoom.HTTP;
import static glove.app.EgressRoom.PROXY;
import static glove.app.EgressRoom.TLS;
import static glove.app.EgressRoom.and;
import static glove.app.EgressRoom.raw;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;

/**
 * Messages to the proxy that try to be two things, or never end: none of them reaches a server. Each
 * attack has its control.
 */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#ordinary")
final class EgressMessageTest {
    private final EgressRoom here;

    EgressMessageTest(Identity identity) throws IOException, InterruptedException {
        this.here = EgressRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        here.close();
    }

    @Test
    void eachRequestOfAKeptConnectionIsDecided() throws Exception {
        String first =
                "GET http://registry.test/hello HTTP/1.1\\r\\nHost: registry.test\\r\\n\\r\\n";
        String second = "GET http://denied.test/second HTTP/1.1\\r\\nHost: denied.test\\r\\n"
                + "Connection: close\\r\\n\\r\\n";

        String apart = here.raw(HTTP, first, "[]", second);
        String together = here.raw(HTTP, first + second);

        assertThat(apart)
                .contains("hello from registry.test")
                .contains(" 403 ")
                .contains("denied.test:80");
        assertThat(together).contains("hello from registry.test").contains(" 403 ");
        assertThat(here.world().wasAsked("/second")).isFalse();
        here.raw(and(HTTP, "--egress-allow", "denied.test:80"), first, "[]", second);
        assertThat(here.world().wasAsked("/second")).as("control").isTrue();
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
            assertThat(here.raw(HTTP, head + host + "\\r\\n\\r\\n"))
                    .as(host)
                    .contains("HTTP/1.1 400 ");
        }
        assertThat(here.world().wasAsked("/hosts")).isFalse();
        here.raw(HTTP, head + "registry.test\\r\\n\\r\\n");
        assertThat(here.world().requests())
                .as("control")
                .anyMatch(line -> line.endsWith(" /hosts registry.test"));
    }

    @Test
    void aRequestHiddenInTheBodyOfAnotherIsNotSentOn() throws Exception {
        String hidden = "GET /smuggled HTTP/1.1\\r\\nHost: registry.test\\r\\n"
                + "Connection: close\\r\\n\\r\\n";
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
            String answer = here.raw(HTTP, line + framing + "\\r\\n0\\r\\n\\r\\n" + hidden);
            assertThat(answer).as(framing).contains("HTTP/1.1 400 ").doesNotContain("bytes");
        }
        assertThat(here.raw(HTTP, line + "Transfer-Encoding: chunked\\r\\n\\r\\n0\\n\\n" + hidden))
                .as("a chunk that ends with LF")
                .doesNotContain("404");
        assertThat(here.world().wasAsked("/smuggled")).isFalse();
        here.outside(raw(
                "registry.test:80",
                line.replace("http://registry.test", "") + framings.getFirst()
                        + "\\r\\n0\\r\\n\\r\\n" + hidden));
        assertThat(here.world().wasAsked("/smuggled")).as("control").isTrue();
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
            assertThat(here.raw(and(HTTP, "--egress-allow", "registry.test"), head))
                    .as(head)
                    .containsPattern("^HTTP/1.1 (400|505) ")
                    .doesNotContain(" 200 ");
        }
    }

    @Test
    void aHeadThatIsTooLongIsRefused() throws Exception {
        String script = "/usr/bin/python3 raw.py " + PROXY
                + " \"GET http://registry.test/long HTTP/1.1\\r\\n"
                + "Host: registry.test\\r\\nConnection: close\\r\\nX: $(head -c SIZE /dev/zero | tr '\\0' x)"
                + "\\r\\n\\r\\n\"";

        Command.Result refused = here.inside(HTTP, script.replace("SIZE", "20000"));

        assertThat(refused.out()).as("%s", refused).contains("HTTP/1.1 431 ");
        assertThat(here.world().wasAsked("/long")).isFalse();
        here.inside(HTTP, script.replace("SIZE", "10000"));
        assertThat(here.world().wasAsked("/long")).as("control").isTrue();
    }

    @Test
    void heldBackHeadsAndHandshakesEnd() throws Exception {
        String script = """
                trickle() { for i in $(seq 60); do printf "$1" && sleep 1 || break; done; }
                (exec 3<>/dev/tcp/127.0.0.1/1080
                 (trickle G >&3) & cat <&3 | head -n 1; echo) &
                (exec 4<>/dev/tcp/127.0.0.1/1080
                 printf 'CONNECT registry.test:443 HTTP/1.1\\r\\n\\r\\n' >&4
                 (sleep 1; printf '\\x16\\x03' >&4; sleep 60) & cat <&4 | tail -n 1; echo hello ended) &
                wait -n; wait -n
                """;

        Command.Result result = here.inside(TLS, script);

        assertThat(result.out()).as("%s", result).contains("HTTP/1.1 408 ").contains("hello ended");
        assertThat(result.err()).contains("no TLS handshake came in time");
    }

    @Test
    void withoutTheCredentialTheFirstEntryOpensNothing() throws Exception {
        String fetch = "curl -sS -m 200 -o /dev/null -w '%{http_code} ' --noproxy '' -x ";
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

        Command.Result result = here.inside(HTTP, script);

        assertThat(result.out()).as("%s", result).isEqualTo("407 407 407 000 000 404 ");
        assertThat(here.world().wasAsked("/unpaid")).isFalse();
        assertThat(here.world().wasAsked("/paid")).as("control").isTrue();
    }

    @Test
    void socksReachesNoMoreThanHttp() throws Exception {
        String fetch = "curl -sS -m 200 --noproxy '' -x socks5h://" + PROXY + " http://";

        Command.Result refused = here.inside(
                HTTP,
                fetch + "denied.test/socks || " + fetch + "10.1.2.3/socks || " + fetch
                        + "registry.test/socks");

        assertThat(refused.err())
                .as("%s", refused)
                .contains("denied.test:80")
                .contains("10.1.2.3:80");
        assertThat(here.world().requests().stream().filter(line -> line.contains(" /socks ")))
                .hasSize(1)
                .allMatch(line -> line.endsWith(" registry.test"));
    }
}
