package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.egress.EgressEvent.Kind;
import glove.sys.FdLeaks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;

/** A server may ask for a second hello, in the clear as well: that one is looked at like the first. */
@Tag("process")
class HelloRetryTest {
    private static final String PLACE = "93.184.216.34";
    private static final byte[] CHANGE_CIPHER_SPEC = {0x14, 3, 3, 0, 1, 1};
    private static final byte[] EARLY_DATA = {0x17, 3, 3, 0, 3, 7, 7, 7};
    private static final byte[] ALERT = {0x15, 3, 3, 0, 2, 2, 112};

    @BeforeEach
    void watch() {
        FdLeaks.watch();
    }

    @AfterEach
    void nothingStaysOpen() {
        FdLeaks.assertNone();
    }

    /** A tunnel to web.test whose first hello is with the server. */
    private static final class Begun implements AutoCloseable {
        private final ProxyWorld world;
        private final Peer client;
        private final Peer there;
        private final byte[] hello = HelloBytes.to("web.test");

        Begun(int port) throws Exception {
            world = new ProxyWorld(List.of("web.test:" + port), List.of());
            world.name("web.test", PLACE);
            ProxyWorld.Server server = world.server(PLACE, port);
            client = world.tunnel("web.test:" + port);
            there = world.accept(server);
            client.send(hello);
            awaitCount(there, hello.length);
        }

        void awaitCount(Peer peer, int count) {
            world.until(count + " bytes arrive", () -> peer.count() == count);
        }

        void assertRefused(String reason) throws Exception {
            world.awaitOver(client);
            world.awaitOver(there);
            assertThat(there.count()).as("bytes the server gets").isEqualTo(hello.length);
            assertThat(world.event(Kind.REFUSED).reason()).contains(reason);
            assertThat(world.event(Kind.REFUSED).bytesOut()).isEqualTo(hello.length);
        }

        @Override
        public void close() {
            world.close();
        }
    }

    private static byte[] retry() throws Exception {
        byte[] text = "HelloRetryRequest".getBytes(StandardCharsets.US_ASCII);
        return HelloBytes.record(
                HelloBytes.serverHello(MessageDigest.getInstance("SHA-256").digest(text)));
    }

    @ParameterizedTest
    @ValueSource(ints = {443, 8443})
    void aSecondHelloForAnotherServerIsRefused(int port) throws Exception {
        try (Begun begun = new Begun(port)) {
            byte[] retry = retry();
            begun.there.send(retry);
            begun.awaitCount(begun.client, retry.length);

            begun.client.send(HelloBytes.to("other.test"));

            begun.assertRefused("the TLS handshake is for 'other.test'");
            byte[] said = begun.client.bytes();
            assertThat(Arrays.copyOfRange(said, retry.length, said.length)).isEqualTo(ALERT);
        }
    }

    @Test
    void aSecondHelloSentBeforeTheServerAskedIsLookedAtToo() throws Exception {
        try (Begun begun = new Begun(443)) {
            begun.client.send(HelloBytes.to("other.test"));
            begun.world.settle();
            assertThat(begun.there.count()).as("held back").isEqualTo(begun.hello.length);

            begun.there.send(retry());

            begun.assertRefused("the TLS handshake is for 'other.test'");
        }
    }

    @Test
    void bothHellosInOneSegmentAreLookedAt() throws Exception {
        try (ProxyWorld world = new ProxyWorld(List.of("web.test"), List.of())) {
            world.name("web.test", PLACE);
            ProxyWorld.Server server = world.server(PLACE, 443);
            Peer client = world.tunnel("web.test:443");
            Peer there = world.accept(server);
            byte[] first = HelloBytes.to("web.test");
            client.send(HelloBytes.join(first, HelloBytes.to("other.test")));
            world.until("the first arrives", () -> there.count() == first.length);

            there.send(retry());
            world.awaitOver(client);
            world.awaitOver(there);

            assertThat(there.count()).isEqualTo(first.length);
            assertThat(world.event(Kind.REFUSED).reason()).contains("'other.test'");
        }
    }

    @Test
    void aSecondHelloForTheSameServerPassesAndThenAll() throws Exception {
        try (Begun begun = new Begun(443)) {
            byte[] retry = retry();
            for (byte b : retry) {
                begun.there.send(new byte[] {b});
                begun.world.settle();
            }
            begun.there.send(CHANGE_CIPHER_SPEC);
            begun.awaitCount(begun.client, retry.length + CHANGE_CIPHER_SPEC.length);

            byte[] second = HelloBytes.join(CHANGE_CIPHER_SPEC, EARLY_DATA, begun.hello);
            for (byte b : second) {
                begun.client.send(new byte[] {b});
                begun.world.settle();
            }
            begun.awaitCount(begun.there, begun.hello.length + second.length);
            begun.there.send(HelloBytes.record(HelloBytes.serverHello(new byte[32])));
            begun.client.send("anything");

            begun.world.awaitText(begun.there, "anything");
            assertThat(begun.world.events(Kind.REFUSED)).isEmpty();
        }
    }

    @Test
    void whatFollowsTheRequestForAHelloHasToBeOneInTime() throws Exception {
        try (Begun begun = new Begun(443)) {
            begun.there.send(retry());
            begun.awaitCount(begun.client, retry().length);
            begun.world.pass(9_999);
            assertThat(begun.world.events(Kind.REFUSED)).isEmpty();

            begun.world.pass(1);

            begun.assertRefused("in time");
        }
    }

    @Test
    void anAcceptedHelloOpensTheTunnel() throws Exception {
        try (Begun begun = new Begun(8443)) {
            begun.client.send(EARLY_DATA);
            byte[] warning = {0x15, 3, 3, 0, 2, 1, 112};
            byte[] message = HelloBytes.serverHello(new byte[32]);
            begun.there.send(HelloBytes.join(
                    warning,
                    HelloBytes.record(Arrays.copyOf(message, 3)),
                    HelloBytes.record(Arrays.copyOfRange(message, 3, message.length))));
            begun.awaitCount(begun.there, begun.hello.length + EARLY_DATA.length);
            begun.client.send("anything");

            begun.world.awaitText(begun.there, "anything");
            begun.awaitCount(begun.client, warning.length + message.length + 10);
        }
    }

    @Test
    void aRetryInRecordsOfFewBytesBehindAWarningIsSeen() throws Exception {
        try (Begun begun = new Begun(443)) {
            byte[] whole = retry();
            byte[] message = Arrays.copyOfRange(whole, 5, whole.length);
            begun.there.send(HelloBytes.join(
                    new byte[] {0x15, 3, 3, 0, 2, 1, 112},
                    HelloBytes.record(Arrays.copyOf(message, 20)),
                    HelloBytes.record(Arrays.copyOfRange(message, 20, message.length))));

            begun.client.send(HelloBytes.to("other.test"));

            begun.assertRefused("'other.test'");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"HTTP/1.1 400 Bad Request\r\n\r\n", "\u0015\u0003\u0003\0\u0002\u0002("})
    void anotherAnswerPassesAndAnotherHelloIsStillLookedAt(String answer) throws Exception {
        try (Begun begun = new Begun(8443)) {
            begun.there.send(answer);
            begun.awaitCount(begun.client, answer.length());

            begun.client.send(HelloBytes.to("other.test"));

            begun.assertRefused("'other.test'");
        }
    }

    @Test
    void aServerThatEndsWithinItsAnswerEndsTheTunnel() throws Exception {
        try (Begun begun = new Begun(443)) {
            begun.there.send(Arrays.copyOf(retry(), 20)).endWriting();
            begun.world.until("the end arrives", begun.client::isEnded);
            begun.client.endWriting();

            begun.world.until("the other end arrives", begun.there::isEnded);

            assertThat(begun.client.count()).isEqualTo(20);
        }
    }

    @Test
    void aClientThatEndsWithinARecordIsRefused() throws Exception {
        try (Begun begun = new Begun(443)) {
            begun.there.send(retry());
            begun.client.send(Arrays.copyOf(CHANGE_CIPHER_SPEC, 4)).endWriting();

            begun.world.awaitOver(begun.there);
            assertThat(begun.world.event(Kind.REFUSED).reason()).contains("malformed");
        }
    }

    @Test
    void aHelloInTheFormOfSsl2IsRefusedHoweverItIsCut() throws Exception {
        byte[] old = {(byte) 0x80, 0x2e, 1, 3, 1, 0, 3, 0, 0, 0, 0x20};
        try (ProxyWorld world = new ProxyWorld(List.of("web.test:8443"), List.of())) {
            world.name("web.test", PLACE);
            ProxyWorld.Server server = world.server(PLACE, 8443);
            Peer client = world.tunnel("web.test:8443");
            Peer there = world.accept(server);
            for (int i = 0; i < 5; i++) {
                client.send(new byte[] {old[i]});
                world.settle();
            }

            world.awaitOver(there);

            assertThat(there.count()).isZero();
            assertThat(world.event(Kind.REFUSED).reason()).contains("malformed");
        }
    }

    @Test
    void whatOnlyBeginsAsSsl2Passes() throws Exception {
        byte[] telnet = {(byte) 0x80, 0x2e, 1, 3 + 1};
        try (ProxyWorld world = new ProxyWorld(List.of("web.test:23"), List.of())) {
            world.name("web.test", PLACE);
            ProxyWorld.Server server = world.server(PLACE, 23);
            Peer client = world.tunnel("web.test:23");
            Peer there = world.accept(server);

            client.send(telnet);

            world.until("it arrives", () -> there.count() == telnet.length);
        }
    }
}
