package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

/** Heads of answers, and what the client gets in their place. */
@Tag("unit")
final class ResponseHeadTest {
    private static final String TARGET = " http://a.example/ HTTP/1.1\r\nHost: a.example\r\n";

    private static RequestHead request(String method, String fields) throws MalformedException {
        return RequestHeadTest.read(method + TARGET + fields + "\r\n");
    }

    private static ResponseHead read(String head, RequestHead request) throws MalformedException {
        byte[] bytes = head.getBytes(StandardCharsets.ISO_8859_1);
        int end = ResponseHead.end(bytes, 0, 0, bytes.length);
        assertThat(end).as("the end of the head").isEqualTo(bytes.length);
        return ResponseHead.parse(bytes, 0, end, request);
    }

    private static ResponseHead read(String head) throws MalformedException {
        return read(head, request("GET", ""));
    }

    private static String downstream(ResponseHead head) {
        return new String(head.downstream(), StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, 200, Content-Length: 5, LENGTH",
        "GET, 200, Transfer-Encoding: chunked, CHUNKED",
        "GET, 200, X: y, UNTIL_CLOSE",
        "HEAD, 200, Content-Length: 5, NONE",
        "HEAD, 200, Transfer-Encoding: chunked, NONE",
        "HEAD, 200, X: y, NONE",
        "GET, 204, Content-Length: 5, NONE",
        "GET, 304, Content-Length: 5, NONE",
        "GET, 100, X: y, NONE",
        "GET, 103, Link: y, NONE",
        "GET, 404, Content-Length: 0, LENGTH",
        "GET, 999, X: y, UNTIL_CLOSE",
    })
    void theBodyEndsAsMethodStatusAndFieldsSay(
            String method, int status, String field, BodyFraming.Kind kind)
            throws MalformedException {
        ResponseHead head =
                read("HTTP/1.1 " + status + " Text\r\n" + field + "\r\n\r\n", request(method, ""));

        assertThat(head.status()).isEqualTo(status);
        assertThat(head.framing().kind()).isEqualTo(kind);
        assertThat(head.isInterim()).isEqualTo(status < 200);
        assertThat(head.keepsClient()).isEqualTo(kind != BodyFraming.Kind.UNTIL_CLOSE);
    }

    @Test
    void whatIsForOneHopStaysHere() throws MalformedException {
        ResponseHead head = read(
                "HTTP/1.1 200 All right\r\nServer: s\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\n"
                        + "Keep-Alive: timeout=5\r\nProxy-Authenticate: Basic\r\nUpgrade: h2c\r\nContent-Length: 3\r\n"
                        + "Set-Cookie: a\r\nSet-Cookie: b\r\n\r\n");

        assertThat(downstream(head))
                .isEqualTo("HTTP/1.1 200 All right\r\nServer: s\r\nSet-Cookie: a\r\n"
                        + "Set-Cookie: b\r\nContent-Length: 3\r\n\r\n");
        assertThat(head.keepsUpstream()).isFalse();
        assertThat(head.keepsClient()).isTrue();
    }

    @Test
    void headAndNotModifiedKeepTheLengthTheyDescribe() throws MalformedException {
        assertThat(downstream(
                        read("HTTP/1.1 200\r\nContent-Length: 5\r\n\r\n", request("HEAD", ""))))
                .isEqualTo("HTTP/1.1 200 \r\nContent-Length: 5\r\n\r\n");
        assertThat(downstream(read("HTTP/1.1 304 x\r\nContent-Length: 5\r\n\r\n")))
                .contains("Content-Length: 5");
        assertThat(downstream(read("HTTP/1.1 204 x\r\nContent-Length: 5\r\n\r\n")))
                .doesNotContain("Content-Length");
        assertThat(downstream(read("HTTP/1.1 100 x\r\nContent-Length: 5\r\n\r\n")))
                .isEqualTo("HTTP/1.1 100 x\r\n\r\n");
    }

    @Test
    void anAnswerWithoutEndClosesTheClient() throws MalformedException {
        ResponseHead head = read("HTTP/1.0 200 OK\r\n\r\n");

        assertThat(downstream(head)).isEqualTo("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        assertThat(head.keepsUpstream()).isFalse();
    }

    @Test
    void theServersConnectionIsKeptWhenBothSay() throws MalformedException {
        String answer = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n";

        assertThat(read(answer).keepsUpstream()).isTrue();
        assertThat(read(answer, request("GET", "Connection: close\r\n")).keepsUpstream())
                .isFalse();
        assertThat(read("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\n").keepsUpstream())
                .isFalse();
        assertThat(read("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\n")
                        .keepsUpstream())
                .isFalse();
    }

    @Test
    void aWebsocketThatWasAskedForBegins() throws MalformedException {
        RequestHead request = request("GET", "Connection: Upgrade\r\nUpgrade: websocket\r\n");
        ResponseHead head = read(
                "HTTP/1.1 101 Switching\r\nUpgrade: WebSocket\r\nConnection: upgrade\r\n"
                        + "Sec-WebSocket-Accept: x\r\n\r\n",
                request);

        assertThat(head.isSwitch()).isTrue();
        assertThat(head.isInterim()).isFalse();
        assertThat(head.framing().kind()).isEqualTo(BodyFraming.Kind.NONE);
        assertThat(downstream(head))
                .isEqualTo("HTTP/1.1 101 Switching\r\nSec-WebSocket-Accept: x\r\n"
                        + "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\n\r\n",
                "HTTP/1.1 407 Proxy\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n",
                "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX: y\r\n z\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX : y\r\n\r\n",
                "HTTP/1.1 200 OK\r\n: y\r\n\r\n",
                "HTTP/1.1 200 OK\r\nConnection: content-length\r\nContent-Length: 1\r\n\r\n",
                "HTTP/1.1 200 O\u0001K\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1 20 OK\r\n\r\n",
                "HTTP/1.1 099 OK\r\n\r\n",
                "HTTP/1.1 2a0 OK\r\n\r\n",
                "HTTP/1.1  200 OK\r\n\r\n",
                "HTTP/1.2 200 OK\r\n\r\n",
                "HTTP/2 200 OK\r\n\r\n",
                "http/1.1 200 OK\r\n\r\n",
                "ICY 200 OK\r\n\r\n",
                "HTTP/1.1\r\n\r\n",
                "HTTP/1.1 200 OK\nX: y\r\n\r\n",
                "HTTP/1.1 200 OK\rX: y\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n",
                "\r\nHTTP/1.1 200 OK\r\n\r\n",
            })
    void answersThatCouldBeReadDifferentlyAreRefused(String head) {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> read(head))
                .satisfies(e -> assertThat(e.code()).isEqualTo(502));
    }

    @Test
    void aClientOfHttp10GetsNothingItCannotRead() throws MalformedException {
        RequestHead old = RequestHeadTest.read("GET http://a.example/ HTTP/1.0\r\n\r\n");

        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(
                        () -> read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", old));
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> read("HTTP/1.1 103 Hints\r\n\r\n", old));
        assertThat(downstream(read("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n", old)))
                .contains("Connection: close");
    }

    @Test
    void anotherProtocolThanWasAskedForIsRefused() throws MalformedException {
        RequestHead request = request("GET", "Connection: Upgrade\r\nUpgrade: websocket\r\n");

        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> read(
                        "HTTP/1.1 101 x\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n", request));
    }
}
