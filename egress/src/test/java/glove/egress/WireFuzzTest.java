package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.Random;

import javax.net.ssl.SSLException;

/**
 * Mutated messages: each reader either reads or refuses, never fails otherwise, says the same
 * however the bytes are cut, and what it sends on reads as the same again. Seeds are fixed.
 */
@Tag("unit")
final class WireFuzzTest {
    private static final int ROUNDS = 4000;
    private static final byte[] SPICE =
            "\r\n\r\n \t:,;\0\u007f/@#?[]%.-_0x1f\nTransfer-Encoding: chunked\rContent-Length: 1HTTP/1.1"
                    .getBytes(StandardCharsets.ISO_8859_1);
    private static final String REQUEST =
            "POST http://a.example:81/p?q HTTP/1.1\r\nHost: a.example:81\r\n"
                    + "Connection: keep-alive, x\r\nX: y\r\nContent-Length: 12\r\nProxy-Authorization: Basic x\r\n\r\n";
    private static final String RESPONSE =
            "HTTP/1.1 200 OK\r\nServer: s\r\nConnection: x\r\nX: y\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String CHUNKS =
            "5;a=b\r\nhello\r\n10\r\n0123456789abcdef\r\n0\r\nX: y\r\n\r\n";

    /** Some bytes changed, taken out, doubled, or replaced by what means something. */
    private static byte[] mutate(byte[] bytes, Random random) {
        byte[] now = bytes.clone();
        for (int n = random.nextInt(4); n >= 0; n--) {
            int at = random.nextInt(now.length);
            switch (random.nextInt(4)) {
                case 0 -> now[at] = (byte) random.nextInt(256);
                case 1 -> now[at] = SPICE[random.nextInt(SPICE.length)];
                case 2 -> {
                    int length = random.nextInt(Math.min(8, now.length - at) + 1);
                    byte[] shorter = new byte[now.length - length];
                    System.arraycopy(now, 0, shorter, 0, at);
                    System.arraycopy(now, at + length, shorter, at, shorter.length - at);
                    now = shorter.length == 0 ? now : shorter;
                }
                default -> {
                    int from = random.nextInt(SPICE.length);
                    int length = random.nextInt(SPICE.length - from);
                    byte[] longer = new byte[now.length + length];
                    System.arraycopy(now, 0, longer, 0, at);
                    System.arraycopy(SPICE, from, longer, at, length);
                    System.arraycopy(now, at, longer, at + length, now.length - at);
                    now = longer;
                }
            }
        }
        return now;
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Byte by byte it ends or fails at the same place as at once. */
    private static int end(byte[] bytes) throws MalformedException {
        int slow = -1;
        boolean refused = false;
        for (int to = 1; to <= bytes.length && slow < 0 && !refused; to++) {
            try {
                slow = RequestHead.end(bytes, 0, to - 1, to);
            } catch (MalformedException e) {
                refused = true;
            }
        }
        try {
            int end = RequestHead.end(bytes, 0, 0, bytes.length);
            assertThat(end).as("%s", latin(bytes)).isEqualTo(slow);
            return end;
        } catch (MalformedException e) {
            assertThat(refused).as("%s", latin(bytes)).isTrue();
            throw e;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aRequestThatPassesReadsTheSameForTheServer(long seed) {
        Random random = new Random(seed);
        int passed = 0;
        for (int n = 0; n < ROUNDS; n++) {
            byte[] bytes = mutate(latin(REQUEST), random);
            try {
                int end = end(bytes);
                if (end < 0) {
                    continue;
                }
                RequestHead head = RequestHead.parse(bytes, 0, end);
                passed++;
                checkSentOn(head);
            } catch (MalformedException e) {
                assertThat(e.code()).isIn(400, 417, 431, 505);
                assertThat(e.getMessage()).matches("[ -~]+");
            }
        }
        assertThat(passed).isBetween(ROUNDS / 20, ROUNDS);
    }

    private static void checkSentOn(RequestHead head) throws MalformedException {
        if (head.isConnect()) {
            return;
        }
        String sent = latin(head.upstream());
        // The server's view, read by the same strict reader: only the first line is of another
        // form.
        int slash = sent.indexOf(' ') + 1;
        String asProxy = sent.substring(0, slash) + "http://" + head.destination()
                + sent.substring(slash).replaceFirst("^\\* ", " ");
        byte[] again = latin(asProxy);
        assertThat(RequestHead.end(again, 0, 0, again.length))
                .as("%s", sent)
                .isEqualTo(again.length);
        RequestHead server = RequestHead.parse(again, 0, again.length);
        assertThat(server.method()).isEqualTo(head.method());
        assertThat(server.destination()).isEqualTo(head.destination());
        assertThat(server.framing().kind()).isEqualTo(head.framing().kind());
        assertThat(server.framing().length()).isEqualTo(head.framing().length());
        assertThat(server.proxyAuthorization()).isEmpty();
        assertThat(server.upstream()).as("%s", sent).isEqualTo(head.upstream());
    }

    @Test
    void anAnswerThatPassesReadsTheSameForTheClient() throws MalformedException {
        RequestHead request =
                RequestHeadTest.read("GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n");
        Random random = new Random(4);
        int passed = 0;
        for (int n = 0; n < ROUNDS; n++) {
            byte[] bytes = mutate(latin(RESPONSE), random);
            try {
                int end = ResponseHead.end(bytes, 0, 0, bytes.length);
                if (end < 0) {
                    continue;
                }
                ResponseHead head = ResponseHead.parse(bytes, 0, end, request);
                byte[] sent = head.downstream();
                ResponseHead client = ResponseHead.parse(sent, 0, sent.length, request);
                assertThat(ResponseHead.end(sent, 0, 0, sent.length)).isEqualTo(sent.length);
                assertThat(client.status()).isEqualTo(head.status());
                assertThat(client.framing().kind()).isEqualTo(head.framing().kind());
                assertThat(client.framing().length()).isEqualTo(head.framing().length());
                passed++;
            } catch (MalformedException e) {
                assertThat(e.code()).isEqualTo(502);
            }
        }
        assertThat(passed).isBetween(ROUNDS / 20, ROUNDS);
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 6})
    void chunksEndAtTheSamePlaceHoweverTheyAreCut(long seed) {
        Random random = new Random(seed);
        int done = 0;
        for (int n = 0; n < ROUNDS; n++) {
            byte[] bytes = mutate(latin(CHUNKS), random);
            int whole = scan(bytes, bytes.length);
            int cut = scan(bytes, 1 + random.nextInt(5));
            assertThat(cut).as("%s", latin(bytes)).isEqualTo(whole);
            done += whole >= 0 ? 1 : 0;
        }
        assertThat(done).isBetween(ROUNDS / 20, ROUNDS);
    }

    /** Bytes of the body; -1 when it is refused, -2 when it does not end. */
    private static int scan(byte[] bytes, int step) {
        ChunkScanner scanner = ChunkScanner.ofRequest();
        int at = 0;
        try {
            while (at < bytes.length && !scanner.isDone()) {
                long unseen = Math.min(scanner.dataLeft(), bytes.length - at);
                if (unseen > 0 && step % 2 == 1) {
                    scanner.skip(unseen);
                    at += (int) unseen;
                } else {
                    at += scanner.scan(bytes, at, Math.min(bytes.length, at + step));
                }
            }
        } catch (MalformedException e) {
            return -1;
        }
        return scanner.isDone() ? at : -2;
    }

    @Test
    void aHelloIsReadAlikeHoweverItIsCutAndNeverFails()
            throws NoSuchAlgorithmException, SSLException {
        byte[] hello = HelloBytes.ofTheJdk("registry.example");
        Random random = new Random(7);
        int named = 0;
        for (int n = 0; n < ROUNDS; n++) {
            byte[] bytes = mutate(hello, random);
            ClientHello whole = ClientHello.parse(bytes, 0, bytes.length);
            int some = random.nextInt(bytes.length);
            ClientHello.Kind part = ClientHello.parse(bytes, 0, some).kind();
            // What is decided early stays decided; nothing is a hello before all of it is there.
            assertThat(part).as("%d", some).isIn(ClientHello.Kind.INCOMPLETE, whole.kind());
            named += whole.canonicalServerName().equals("registry.example") ? 1 : 0;
        }
        assertThat(named).isBetween(ROUNDS / 20, ROUNDS);
    }

    @Test
    void socksMessagesAreReadOrRefused() {
        byte[] request = HelloBytes.join(
                new byte[] {5, 1, 0, 3},
                HelloBytes.vector(1, latin("registry.example")),
                HelloBytes.number(443, 2));
        Random random = new Random(8);
        int read = 0;
        for (int n = 0; n < ROUNDS; n++) {
            byte[] bytes = mutate(request, random);
            try {
                read += Socks5.request(bytes, 0, bytes.length).isPresent() ? 1 : 0;
                Socks5.greeting(bytes, 0, bytes.length);
                Socks5.login(bytes, 0, bytes.length);
            } catch (MalformedException e) {
                assertThat(e.code()).isBetween(1, 8);
            }
        }
        assertThat(read).isBetween(ROUNDS / 20, ROUNDS);
    }

    @Test
    void optionsAreReadOrRefusedAndReadAlikeAgain() throws EgressException {
        String[] starts = {
            "example.com:443", ".example.com", "[2606:4700::1]:80", "93.184.216.0/24:*", "@npm"
        };
        Random random = new Random(9);
        int read = 0;
        for (int n = 0; n < ROUNDS; n++) {
            String text = latin(mutate(latin(starts[n % starts.length]), random));
            try {
                EgressRule rule = new RuleReader(EgressRule.ALLOW, "test").read(text);
                assertThat(new RuleReader(EgressRule.ALLOW, "test").read(rule.toString()))
                        .hasToString(rule.toString());
                read++;
            } catch (EgressException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
        assertThat(read).isBetween(ROUNDS / 20, ROUNDS);
    }
}
