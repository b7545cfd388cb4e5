package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

/** Heads of requests to the proxy, and what is sent on in their place. */
@Tag("unit")
final class RequestHeadTest {
    private static final String GET = "GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n";
    private static final String POST = "POST http://a.example/ HTTP/1.1\r\nHost: a.example\r\n";

    static RequestHead read(String head) throws MalformedException {
        byte[] bytes = head.getBytes(StandardCharsets.ISO_8859_1);
        int end = RequestHead.end(bytes, 0, 0, bytes.length);
        assertThat(end).as("the end of the head").isEqualTo(bytes.length);
        return RequestHead.parse(bytes, 0, end);
    }

    private static String upstream(String head) throws MalformedException {
        return new String(read(head).upstream(), StandardCharsets.ISO_8859_1);
    }

    private static void refused(String head, int code, String word) {
        assertThatExceptionOfType(MalformedException.class)
                .as("%s", head)
                .isThrownBy(() -> read(head))
                .withMessageContaining(word)
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }

    @ParameterizedTest
    @CsvSource({
        "CONNECT a.example:443 HTTP/1.1, a.example:443",
        "CONNECT A.Example.:443 HTTP/1.1, a.example:443",
        "CONNECT a.example:22 HTTP/1.0, a.example:22",
        "CONNECT 93.184.216.34:443 HTTP/1.1, 93.184.216.34:443",
        "CONNECT [2606:4700::1]:443 HTTP/1.1, [2606:4700::1]:443",
        "CONNECT [::ffff:10.0.0.1]:443 HTTP/1.1, 10.0.0.1:443",
    })
    void connectNamesADestination(String line, String destination) throws MalformedException {
        RequestHead head = read(line + "\r\n\r\n");

        assertThat(head.isConnect()).isTrue();
        assertThat(head.destination()).hasToString(destination);
        assertThat(head.keepsAlive()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.example", "a.example:8443", "A.EXAMPLE:8443"})
    void programsWriteDifferentHostsForConnect(String host) throws MalformedException {
        assertThat(read("CONNECT a.example:8443 HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                        .destination())
                .hasToString("a.example:8443");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET http://a.example/ HTTP/1.1 | GET / HTTP/1.1",
                "GET http://a.example HTTP/1.1 | GET / HTTP/1.1",
                "GET HTTP://A.EXAMPLE./x?y=http://b/ HTTP/1.1 | GET /x?y=http://b/ HTTP/1.1",
                "GET http://a.example:80/%20/../x HTTP/1.1 | GET /%20/../x HTTP/1.1",
                "GET http://a.example?q HTTP/1.1 | GET /?q HTTP/1.1",
                "OPTIONS http://a.example HTTP/1.1 | OPTIONS * HTTP/1.1",
                "OPTIONS http://a.example/ HTTP/1.1 | OPTIONS / HTTP/1.1",
                "M-SEARCH http://a.example//b HTTP/1.1 | M-SEARCH //b HTTP/1.1",
                "GET http://a.example/\u00c3\u00bc HTTP/1.1 | GET /\u00c3\u00bc HTTP/1.1",
            })
    void theServerIsAskedForThePathAndTheHostThatWasDecided(String line, String sent)
            throws MalformedException {
        assertThat(upstream(line + "\r\nHost: a.example\r\n\r\n"))
                .isEqualTo(sent + "\r\nHost: a.example\r\n\r\n");
    }

    @Test
    void aPortThatIsNotHttpsOwnIsWrittenAlong() throws MalformedException {
        assertThat(upstream("GET http://a.example:8080/ HTTP/1.1\r\nHost: a.example:8080\r\n\r\n"))
                .contains("\r\nHost: a.example:8080\r\n");
        assertThat(upstream(
                        "GET http://[2606:4700:0::1]/ HTTP/1.1\r\nHost: [2606:4700::1]\r\n\r\n"))
                .contains("\r\nHost: [2606:4700::1]\r\n");
    }

    @Test
    void anIpv6AddressMayStandInTheHostFieldWithoutBrackets() throws MalformedException {
        assertThat(upstream("GET http://[2606:4700::1]/ HTTP/1.1\r\nHost: 2606:4700::1\r\n\r\n"))
                .isEqualTo("GET / HTTP/1.1\r\nHost: [2606:4700::1]\r\n\r\n");
    }

    @Test
    void whatIsForOneHopOrForTheProxyStaysHere() throws MalformedException {
        String sent =
                upstream("POST http://a.example/p HTTP/1.1\r\nhOST:a.example\r\nX-One:  a b \r\n"
                        + "Proxy-Authorization: Basic Z2xvdmU6eA==\r\nProxy-Connection: keep-alive\r\nProxy-X: 1\r\n"
                        + "Connection: keep-alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\n"
                        + "Upgrade: h2c\r\nAuthorization: Bearer t\r\nTrailer: X-Sum\r\n"
                        + "Transfer-Encoding: Chunked\r\nX-One: c\r\nEmpty:\r\n\r\n");

        assertThat(sent)
                .isEqualTo(
                        "POST /p HTTP/1.1\r\nHost: a.example\r\nX-One: a b\r\nAuthorization: Bearer t\r\n"
                                + "Trailer: X-Sum\r\nX-One: c\r\nEmpty: \r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    @Test
    void websocketsAreAskedForOtherProtocolsAreNot() throws MalformedException {
        RequestHead websocket =
                read(GET + "Connection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n\r\n");
        RequestHead h2c = read(
                GET
                        + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n");
        RequestHead unconnected = read(GET + "Upgrade: websocket\r\n\r\n");
        RequestHead withBody = read(
                POST + "Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 1\r\n\r\n");

        assertThat(websocket.upgrades()).isTrue();
        assertThat(new String(websocket.upstream(), StandardCharsets.ISO_8859_1))
                .endsWith("\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
        for (RequestHead head : new RequestHead[] {h2c, unconnected, withBody}) {
            assertThat(head.upgrades()).isFalse();
            assertThat(new String(head.upstream(), StandardCharsets.ISO_8859_1))
                    .doesNotContainIgnoringCase("upgrade")
                    .doesNotContain("HTTP2");
        }
    }

    @Test
    void connectionsAreKeptAsTheClientSays() throws MalformedException {
        assertThat(read(GET + "\r\n").keepsAlive()).isTrue();
        assertThat(read(GET + "Connection: Close\r\n\r\n").keepsAlive()).isFalse();
        assertThat(read(GET + "Proxy-Connection: Close\r\n\r\n").keepsAlive()).isFalse();
        assertThat(upstream(GET + "Connection: close\r\n\r\n"))
                .endsWith("\r\nConnection: close\r\n\r\n");
        String old = "GET http://a.example/ HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
        assertThat(read(old).keepsAlive()).isFalse();
        assertThat(upstream(old))
                .isEqualTo("GET / HTTP/1.0\r\nHost: a.example\r\nConnection: close\r\n\r\n");
    }

    @Test
    void bodiesAreFramedByOneNumberOrByChunks() throws MalformedException {
        BodyFraming length = read(POST + "Content-Length: 042\r\n\r\n").framing();
        BodyFraming chunked = read(POST + "Transfer-Encoding: chunked\r\n\r\n").framing();

        assertThat(length.kind()).isEqualTo(BodyFraming.Kind.LENGTH);
        assertThat(length.length()).isEqualTo(42);
        assertThat(chunked.kind()).isEqualTo(BodyFraming.Kind.CHUNKED);
        assertThat(read(GET + "\r\n").framing().kind()).isEqualTo(BodyFraming.Kind.NONE);
        assertThat(read(POST + "Content-Length: 0\r\n\r\n").framing().hasBody()).isFalse();
        assertThat(upstream(POST + "Content-Length: 042\r\n\r\n"))
                .endsWith("Content-Length: 42\r\n\r\n");
        assertThat(read(POST + "Content-Length: 1\r\nExpect: 100-Continue\r\n\r\n")
                        .expectsContinue())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n",
                "Content-Length: 1\r\nContent-Length: 2\r\n",
                "Content-Length: 1\r\nContent-Length: 1\r\n",
                "Content-Length: 1, 1\r\n",
                "Content-Length: +1\r\n",
                "Content-Length: -1\r\n",
                "Content-Length: 1 2\r\n",
                "Content-Length: 0x10\r\n",
                "Content-Length:\r\n",
                "Content-Length: 1.0\r\n",
                "Content-Length: 9999999999999999999\r\n",
                "Content-Length: 18446744073709551617\r\n",
                "Content-Length: 0000000000000000001\r\n",
                "Content-Length: \u00b2\r\n",
                "Transfer-Encoding: gzip\r\n",
                "Transfer-Encoding: gzip, chunked\r\n",
                "Transfer-Encoding: chunked, chunked\r\n",
                "Transfer-Encoding: chunked,\r\n",
                "Transfer-Encoding: \"chunked\"\r\n",
                "Transfer-Encoding: chunked;a=b\r\n",
                "Transfer-Encoding: xchunked\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
                "Transfer-Encoding:\r\n",
                "Transfer-Encoding: \u000bchunked\r\n",
                "Transfer-Encoding : chunked\r\n",
                "Transfer-Encoding\t: chunked\r\n",
                " Transfer-Encoding: chunked\r\n",
                "X: y\r\n Transfer-Encoding: chunked\r\n",
                "X: y\r\n\tz\r\n",
                "Transfer-Encoding:chunked\nX: y\r\n",
                "X: y\rContent-Length: 1\r\n",
                "X: y\r\r\n",
                "X: y\n\r\n",
                "X: a\u0000b\r\n",
                "X: a\u007fb\r\n",
                "X: a\u0001b\r\n",
                ": y\r\n",
                "X\r\n",
                "X y\r\n",
                "X y: z\r\n",
                "X\u00e9: z\r\n",
                "X(: z\r\n",
                "Connection: Content-Length\r\nContent-Length: 1\r\n",
                "Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n",
                "Connection: host\r\n",
                "Connection: a b\r\n",
                "Connection: a;b\r\n",
                "Connection: \u00e9\r\n",
                "Proxy-Authorization: a\r\nProxy-Authorization: b\r\n",
                "Expect: 100-continue\r\nExpect: 100-continue\r\n",
                "Host: a.example\r\n",
                "Host: b.example\r\n",
            })
    void whatTwoProgramsCouldReadDifferentlyIsRefused(String fields) {
        refused(POST + fields + "\r\n", 400, "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET http://a.example/ HTTP/1.1\r\nHost: b.example\r\n\r\n",
                "GET http://a.example/ HTTP/1.1\r\nHost: a.example:81\r\n\r\n",
                "GET http://a.example:81/ HTTP/1.1\r\nHost: a.example\r\n\r\n",
                "GET http://a.example/ HTTP/1.1\r\nHost:\r\n\r\n",
                "GET http://a.example/ HTTP/1.1\r\nHost: a.example b\r\n\r\n",
                "GET http://a.example/ HTTP/1.1\r\nHost: a.example, b.example\r\n\r\n",
                "GET http://a.example/ HTTP/1.1\r\nHost: u@a.example\r\n\r\n",
                "GET http://a.example/ HTTP/1.1\r\n\r\n",
                "GET http://a.example/ HTTP/1.1\r\nX: y\r\n\r\n",
                "GET http://a.example/ HTTP/1.0\r\nHost: b.example\r\n\r\n",
                "GET http://10.0.0.1/ HTTP/1.1\r\nHost: a.example\r\n\r\n",
                "GET http://[2606:4700::1]/ HTTP/1.1\r\nHost: 2606:4700::1:80\r\n\r\n",
                "GET http://[2606:4700::1]/ HTTP/1.1\r\nHost: 2606:4700::2\r\n\r\n",
                "GET http://[2606:4700::1]:81/ HTTP/1.1\r\nHost: 2606:4700::1\r\n\r\n",
                "CONNECT a.example:443 HTTP/1.1\r\nHost: b.example:443\r\n\r\n",
                "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:80\r\n\r\n",
                "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\n\r\n",
            })
    void twoHostsInOneHeadAreRefused(String head) {
        refused(head, 400, "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET / HTTP/1.1 | proxy",
                "OPTIONS * HTTP/1.1 | proxy",
                "GET https://a.example/ HTTP/1.1 | CONNECT",
                "GET ftp://a.example/ HTTP/1.1 | only",
                "GET a.example:80 HTTP/1.1 | only",
                "GET http:/a.example/ HTTP/1.1 | only",
                "GET http:///x HTTP/1.1 | host name",
                "GET http://:80/ HTTP/1.1 | host name",
                "GET http://u:p@a.example/ HTTP/1.1 | password",
                "GET http://a.example@b.example/ HTTP/1.1 | password",
                "GET http://a.example/#x HTTP/1.1 | fragment",
                "GET http://a.example#@b.example/ HTTP/1.1 | fragment",
                "GET http://a.example\\@b.example/ HTTP/1.1 | password",
                "GET http://a.example\\b/ HTTP/1.1 | characters",
                "GET http://a.example%2eb/ HTTP/1.1 | characters",
                "GET http://a.example:0/ HTTP/1.1 | port",
                "GET http://a.example:/ HTTP/1.1 | port",
                "GET http://127.1/ HTTP/1.1 | number",
                "GET http://2130706433/ HTTP/1.1 | number",
                "GET http://0x7f.0.0.1/ HTTP/1.1 | number",
                "GET http://0177.0.0.1/ HTTP/1.1 | number",
                "GET http://[::1/ HTTP/1.1 | brackets",
                "GET http://[fe80::1%25lo]/ HTTP/1.1 | IPv6",
                "CONNECT a.example HTTP/1.1 | port",
                "CONNECT a.example:443/ HTTP/1.1 | port",
                "CONNECT http://a.example:443 HTTP/1.1 | port",
                "CONNECT /a HTTP/1.1 | port",
                "CONNECT u@a.example:443 HTTP/1.1 | characters",
                "GET  http://a.example/ HTTP/1.1 | first line",
                "GET http://a.example/  HTTP/1.1 | version",
                "GET http://a.example/ x HTTP/1.1 | version",
                "GET http://a.example/ http/1.1 | version",
                "GET http://a.example/ HTTP/1.10 | version",
                "GET http://a.example/ HTTP/11 | version",
                "GET http://a.example/ | first line",
                "GET\thttp://a.example/ HTTP/1.1 | first line",
                "GET http://a.example/\u0001 HTTP/1.1 | first line",
                "G=T http://a.example/ HTTP/1.1 | first line",
                "GET | first line",
            })
    void firstLinesThatAreNotForAProxyAreRefusedWithAReason(String line, String word) {
        refused(line + "\r\nHost: a.example\r\n\r\n", 400, word);
    }

    @Test
    void otherVersionsAndExpectationsHaveTheirOwnAnswers() {
        refused("PRI * HTTP/2.0\r\n\r\n", 505, "HTTP/1.1");
        refused("GET http://a.example/ HTTP/1.2\r\nHost: a.example\r\n\r\n", 505, "HTTP/1.1");
        refused(POST + "Expect: something\r\n\r\n", 417, "100-continue");
        refused(
                "POST http://a.example/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
                400,
                "HTTP/1.0");
        refused("CONNECT a.example:443 HTTP/1.1\r\nContent-Length: 5\r\n\r\n", 400, "body");
        refused(
                "CONNECT a.example:443 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
                400,
                "body");
    }

    @Test
    void headsAreBounded() throws MalformedException {
        String padding = "x".repeat(RequestHead.BYTES_MAX - GET.length() - 7);
        String longest = GET + "X: " + padding + "\r\n\r\n";

        assertThat(longest).hasSize(RequestHead.BYTES_MAX);
        assertThat(read(longest).destination()).hasToString("a.example:80");
        refused(GET + "X: " + padding + "x\r\n\r\n", 431, "16384");
        assertThat(read(GET + "X: y\r\n".repeat(99) + "\r\n").method()).isEqualTo("GET");
        refused(GET + "X: y\r\n".repeat(100) + "\r\n", 431, "100");
    }

    @Test
    void theEndIsFoundByteByByteAndNothingBehindItCounts() throws MalformedException {
        byte[] bytes = ("?" + GET + "\r\nrest\n\0").getBytes(StandardCharsets.ISO_8859_1);
        int end = GET.length() + 3;

        for (int to = 1; to < end; to++) {
            assertThat(RequestHead.end(bytes, 1, Math.max(1, to - 1), to))
                    .as("%d", to)
                    .isEqualTo(-1);
        }
        assertThat(RequestHead.end(bytes, 1, end - 1, end)).isEqualTo(end);
        assertThat(RequestHead.end(bytes, 1, 1, bytes.length)).isEqualTo(end);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\nGET",
                "\u0016\u0003\u0001",
                "\u0005\u0001",
                " GET",
                "GET\n",
                "GET\0",
                "GET\rX",
                "\u00e9"
            })
    void whatCanBeNoHeadIsRefusedAtOnce(String start) {
        byte[] bytes = start.getBytes(StandardCharsets.ISO_8859_1);

        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> RequestHead.end(bytes, 0, 0, bytes.length));
    }

    @Test
    void theCredentialIsHandedOutAsItCame() throws MalformedException {
        RequestHead head = read(
                "CONNECT a.example:443 HTTP/1.1\r\nproxy-authorization:  Basic \u00e9 \r\n\r\n");

        assertThat(head.proxyAuthorization())
                .contains(new byte[] {'B', 'a', 's', 'i', 'c', ' ', (byte) 0xe9});
        assertThat(read(GET + "\r\n").proxyAuthorization()).isEmpty();
    }
}
