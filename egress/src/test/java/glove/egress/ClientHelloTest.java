package glove.egress;

import static glove.egress.HelloBytes.ascii;
import static glove.egress.HelloBytes.entry;
import static glove.egress.HelloBytes.extension;
import static glove.egress.HelloBytes.join;
import static glove.egress.HelloBytes.message;
import static glove.egress.HelloBytes.messageOf;
import static glove.egress.HelloBytes.number;
import static glove.egress.HelloBytes.record;
import static glove.egress.HelloBytes.serverName;
import static glove.egress.HelloBytes.vector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;

/** Which server the first message of a TLS client names. */
@Tag("unit")
final class ClientHelloTest {
    private static final byte[] NAMED = serverName(entry(0, "a.example"));

    private static ClientHello read(byte[] bytes) {
        return ClientHello.parse(bytes, 0, bytes.length);
    }

    private static HostName name(String text) throws MalformedException {
        return HostName.ofWire(text);
    }

    @Test
    void whatTheJdkSendsIsReadAtEveryLengthOfIt()
            throws NoSuchAlgorithmException, SSLException, MalformedException {
        byte[] hello = HelloBytes.ofTheJdk("registry.example");

        for (int to = 0; to < hello.length; to++) {
            assertThat(ClientHello.parse(hello, 0, to).kind())
                    .as("%d", to)
                    .isEqualTo(ClientHello.Kind.INCOMPLETE);
        }
        ClientHello whole = read(hello);
        assertThat(whole.kind()).isEqualTo(ClientHello.Kind.HELLO);
        assertThat(whole.isFor(name("registry.example"))).isTrue();
        assertThat(whole.isFor(name("other.example"))).isFalse();
        assertThat(whole.canonicalServerName()).isEqualTo("registry.example");
        assertThat(read(HelloBytes.ofTheJdk("")).namesServer()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 40, 100})
    void aHelloMayComeInManyRecords(int recordBytes) throws MalformedException {
        byte[] message = message(extension(0x0a0a), NAMED);
        byte[] records = new byte[0];
        for (int at = 0; at < message.length; at += recordBytes) {
            records = join(
                    records,
                    record(Arrays.copyOfRange(
                            message, at, Math.min(message.length, at + recordBytes))));
        }

        for (int to = 0; to < records.length; to++) {
            assertThat(ClientHello.parse(records, 0, to).kind())
                    .as("%d", to)
                    .isEqualTo(ClientHello.Kind.INCOMPLETE);
        }
        assertThat(read(records).isFor(name("a.example"))).isTrue();
        byte[] more = join(ascii("?"), records, record(ascii("whatever follows")));
        assertThat(ClientHello.parse(more, 1, more.length).isFor(name("a.example")))
                .isTrue();
    }

    @Test
    void greaseEncryptedHelloAndPaddingAreNoMatter() throws MalformedException {
        byte[] hello = record(message(
                extension(0x1a1a),
                extension(0xfe0d, new byte[200]),
                NAMED,
                extension(21, new byte[4000]),
                extension(0x2a2a, new byte[1])));

        assertThat(read(hello).isFor(name("a.example"))).isTrue();
    }

    @Test
    void aHelloWithoutExtensionsNamesNobody() {
        ClientHello hello = read(record(messageOf(new byte[0])));

        assertThat(hello.kind()).isEqualTo(ClientHello.Kind.HELLO);
        assertThat(hello.namesServer()).isFalse();
        assertThat(read(record(message())).namesServer()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"A.Example", "a.example.", "A.EXAMPLE."})
    void aNameIsComparedInItsOneForm(String sent) throws MalformedException {
        assertThat(read(record(message(serverName(entry(0, sent))))).isFor(name("a.example")))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "b.example",
                "a.example\0",
                "a.example\0.b",
                " a.example",
                "93.184.216.34",
                "\u00e4.example",
                "."
            })
    void anotherNameOrNoNameIsNotForIt(String sent) throws MalformedException {
        ClientHello hello = read(record(message(serverName(entry(0, sent)))));

        assertThat(hello.kind()).isEqualTo(ClientHello.Kind.HELLO);
        assertThat(hello.namesServer()).isTrue();
        assertThat(hello.isFor(name("a.example"))).isFalse();
        assertThat(hello.canonicalServerName()).isIn("", "b.example");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n",
                "SSH-2.0-x",
                "\u0005\u0001\u0000",
                "\u0080.\u0001",
                "\u0015\u0003\u0001",
                "\0"
            })
    void whatDoesNotBeginAsTlsIsNone(String bytes) {
        assertThat(read(ascii(bytes)).kind()).isEqualTo(ClientHello.Kind.NOT_TLS);
    }

    static Stream<byte[]> malformed() {
        byte[] good = message(NAMED);
        byte[] versionTwo = record(good);
        versionTwo[1] = 2;
        byte[] otherMessage = good.clone();
        otherMessage[0] = 2;
        byte[] oldVersion = good.clone();
        oldVersion[4] = 2;
        byte[] half = Arrays.copyOf(good, 50);
        byte[] rest = Arrays.copyOfRange(good, 50, good.length);
        byte[] alert = join(number(21, 1), number(0x0301, 2), vector(2, new byte[2]));
        return Stream.of(
                versionTwo,
                record(new byte[0]),
                join(number(22, 1), number(0x0301, 2), number((1 << 14) + 1, 2)),
                record(otherMessage),
                record(oldVersion),
                join(record(half), alert, record(rest)),
                join(record(half), ascii("x")),
                join(record(half), number(22, 1), number(2, 1)),
                record(join(good, new byte[1])),
                record(join(good, good)),
                join(record(half), record(join(rest, good))),
                record(join(number(1, 1), number(1 << 14, 3))),
                record(join(number(1, 1), number(0xffffff, 3))),
                record(join(number(1, 1), vector(3, new byte[10]))),
                record(message(NAMED, NAMED)),
                record(message(serverName())),
                record(message(serverName(entry(0, "")))),
                record(message(serverName(entry(0, "a.example"), entry(0, "b.example")))),
                record(message(serverName(entry(0, "a.example"), entry(1, "b")))),
                record(message(serverName(entry(1, "a.example")))),
                record(message(extension(0))),
                record(message(extension(0, vector(2, entry(0, "a.example")), new byte[1]))),
                record(message(extension(0, number(100, 2), entry(0, "a.example")))),
                record(message(NAMED, new byte[1])),
                record(message(NAMED, number(5, 2))),
                record(message(join(number(5, 2), number(9, 2), new byte[8]))),
                record(messageOf(join(vector(2, NAMED), new byte[1]))),
                record(messageOf(new byte[1])),
                record(messageOf(number(1, 2))),
                record(message(extension(21, new byte[1 << 14]))));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void whatIsNotExactlyOneHelloWithOneNameIsRefused(byte[] bytes) {
        assertThat(read(bytes).kind()).isEqualTo(ClientHello.Kind.MALFORMED);
    }

    @Test
    void sessionSuitesAndCompressionHaveToFit() {
        byte[] start = join(number(0x0303, 2), new byte[32]);
        byte[][] bodies = {
            join(start, vector(1, new byte[33]), vector(2, new byte[2]), vector(1, new byte[1])),
            join(start, vector(1), vector(2, new byte[3]), vector(1, new byte[1])),
            join(start, vector(1), vector(2), vector(1, new byte[1])),
            join(start, vector(1), vector(2, new byte[2]), vector(1)),
            join(start, vector(1), vector(2, new byte[2])),
            join(start, vector(1), number(200, 2)),
            join(start, number(1, 1)),
            start,
        };

        for (byte[] body : bodies) {
            ClientHello hello = read(record(join(number(1, 1), vector(3, body))));
            assertThat(hello.kind())
                    .as("%s", Arrays.toString(body))
                    .isEqualTo(ClientHello.Kind.MALFORMED);
        }
    }

    @Test
    void aHelloThatNeverEndsIsRefusedInTime() {
        byte[] long1 = join(number(1, 1), number(16000, 3));
        byte[] records = record(long1);
        while (records.length < ClientHello.BYTES_MAX) {
            assertThat(read(records).kind()).isEqualTo(ClientHello.Kind.INCOMPLETE);
            records = join(records, record(new byte[1]));
        }

        assertThat(read(records).kind()).isEqualTo(ClientHello.Kind.MALFORMED);
    }
}
