package glove.egress;

import static glove.egress.HelloBytes.ascii;
import static glove.egress.HelloBytes.join;
import static glove.egress.HelloBytes.number;
import static glove.egress.HelloBytes.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Optional;

/** The messages of SOCKS5. */
@Tag("unit")
final class Socks5Test {
    /** Reads a message out of a buffer. */
    private interface Reader<T> {
        Optional<T> read(byte[] bytes, int from, int to) throws MalformedException;
    }

    /** What a reader makes of a message that comes byte by byte, with more behind it. */
    private static <T> T slowly(Reader<T> reader, byte[] message) throws MalformedException {
        byte[] bytes = join(ascii("?"), message, ascii("more"));
        for (int to = 1; to < message.length + 1; to++) {
            assertThat(reader.read(bytes, 1, to)).as("%d", to).isEmpty();
        }
        assertThat(reader.read(bytes, 1, message.length + 1)).isPresent();
        return reader.read(bytes, 1, bytes.length).orElseThrow();
    }

    private static byte[] request(int command, int kind, byte[] host, int port) {
        return join(new byte[] {5, (byte) command, 0, (byte) kind}, host, number(port, 2));
    }

    @Test
    void aGreetingSaysWhichWaysAreOffered() throws MalformedException {
        Socks5.Greeting both = slowly(Socks5::greeting, new byte[] {5, 3, 1, 2, 0});
        Socks5.Greeting none = slowly(Socks5::greeting, new byte[] {5, 1, 0});
        Socks5.Greeting other = slowly(Socks5::greeting, new byte[] {5, 1, (byte) 0x80});

        assertThat(both).isEqualTo(new Socks5.Greeting(true, true, 5));
        assertThat(none).isEqualTo(new Socks5.Greeting(true, false, 3));
        assertThat(other).isEqualTo(new Socks5.Greeting(false, false, 3));
        assertThat(slowly(Socks5::greeting, join(new byte[] {5, (byte) 255}, new byte[255]))
                        .length())
                .isEqualTo(257);
    }

    @Test
    void aLoginHoldsUserAndPassword() throws MalformedException {
        Socks5.Login login = slowly(
                Socks5::login,
                join(new byte[] {1}, vector(1, ascii("glove")), vector(1, ascii("secret"))));

        assertThat(login.user()).isEqualTo(ascii("glove"));
        assertThat(login.password()).isEqualTo(ascii("secret"));
        assertThat(login.length()).isEqualTo(14);
        assertThat(slowly(Socks5::login, new byte[] {1, 0, 0}).length()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "a.example, 443, a.example:443",
        "A.EXAMPLE., 22, a.example:22",
        "93.184.216.34, 80, 93.184.216.34:80",
        "2606:4700::1, 80, [2606:4700::1]:80",
        "::ffff:10.0.0.1, 80, 10.0.0.1:80",
    })
    void aRequestMayNameTheHost(String host, int port, String destination)
            throws MalformedException {
        Socks5.Request request =
                slowly(Socks5::request, request(1, 3, vector(1, ascii(host)), port));

        assertThat(request.destination()).hasToString(destination);
        assertThat(request.length()).isEqualTo(7 + host.length());
    }

    @Test
    void aRequestMayHoldAnAddress() throws MalformedException {
        byte[] mapped = join(new byte[10], new byte[] {-1, -1, 10, 0, 0, 1});

        assertThat(slowly(Socks5::request, request(1, 1, new byte[] {93, 10, 1, 2}, 443))
                        .destination())
                .hasToString("93.10.1.2:443");
        assertThat(slowly(Socks5::request, request(1, 4, join(new byte[15], new byte[] {1}), 443))
                        .destination())
                .hasToString("[::1]:443");
        assertThat(slowly(Socks5::request, request(1, 4, mapped, 65535)).destination())
                .hasToString("10.0.0.1:65535");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "127.1",
                "2130706433",
                "0x7f000001",
                "a b",
                "a\0b",
                "a.example\0",
                "[::1]",
                "a:443",
                "-a",
                "\u00e4.example",
                "fe80::1%lo",
                "a.example:443",
            })
    void whatIsNoHostIsRefused(String host) {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> {
                    byte[] bytes = request(1, 3, vector(1, ascii(host)), 443);
                    Socks5.request(bytes, 0, bytes.length);
                })
                .satisfies(e -> assertThat(e.code()).isEqualTo(Socks5.GENERAL_FAILURE));
    }

    @Test
    void onlyConnectAndKnownKindsOfHostsAreTaken() {
        refused(request(2, 1, new byte[4], 80), Socks5.COMMAND_NOT_SUPPORTED);
        refused(request(3, 1, new byte[4], 80), Socks5.COMMAND_NOT_SUPPORTED);
        refused(request(1, 2, new byte[4], 80), Socks5.ADDRESS_NOT_SUPPORTED);
        refused(request(1, 0, new byte[4], 80), Socks5.ADDRESS_NOT_SUPPORTED);
        refused(request(1, 1, new byte[] {1, 2, 3, 4}, 0), Socks5.GENERAL_FAILURE);
        refused(new byte[] {5, 1, 1, 1}, Socks5.GENERAL_FAILURE);
        refused(new byte[] {4, 1, 0, 80}, Socks5.GENERAL_FAILURE);
    }

    private static void refused(byte[] request, int code) {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> Socks5.request(request, 0, request.length))
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void otherVersionsAreRefusedAtTheFirstByte() {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> Socks5.greeting(new byte[] {4}, 0, 1));
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> Socks5.greeting(new byte[] {5, 0}, 0, 2));
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> Socks5.login(new byte[] {5}, 0, 1));
    }

    @Test
    void answersAreThoseOfTheRfcs() {
        assertThat(Socks5.chosen(Socks5.NO_ACCEPTABLE_METHOD)).containsExactly(5, 255);
        assertThat(Socks5.loggedIn(true)).containsExactly(1, 0);
        assertThat(Socks5.loggedIn(false)).containsExactly(1, 1);
        assertThat(Socks5.reply(Socks5.NOT_ALLOWED)).containsExactly(5, 2, 0, 1, 0, 0, 0, 0, 0, 0);
    }
}
