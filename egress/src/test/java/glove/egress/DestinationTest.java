package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where clients say they want to go. */
@Tag("unit")
final class DestinationTest {
    @ParameterizedTest
    @CsvSource({
        "example.com:443, example.com:443",
        "EXAMPLE.com.:1, example.com:1",
        "93.184.216.34:65535, 93.184.216.34:65535",
        "[2606:4700:0::1]:80, [2606:4700::1]:80",
        "[::ffff:10.0.0.1]:80, 10.0.0.1:80",
    })
    void aDestinationHasOneForm(String sent, String canonical) throws MalformedException {
        assertThat(Destination.parse(sent))
                .hasToString(canonical)
                .isEqualTo(Destination.parse(canonical))
                .hasSameHashCodeAs(Destination.parse(canonical));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":443",
                "example.com",
                "example.com:",
                "example.com:0",
                "example.com:65536",
                "example.com:443x",
                "example.com: 443",
                "example.com:0443",
                "example.com:-1",
                "::1:443",
                "[::1]",
                "[::1]443",
                "[::1",
                "[::1]:",
                "[1.2.3.4]:443",
                "[example.com]:443",
                "[fe80::1%25eth0]:443",
                "user@example.com:443",
                "a:b:443",
                "a b:443",
                "127.1:443",
                "2130706433:80",
                "0x7f000001:80",
                "1.2.3.4.5:80",
                "\u0661.2.3.4:80",
                "http://example.com:443",
                "example.com:99999999999999999999",
                "[::1]]:443",
                "[[::1]:443",
            })
    void whatAClientSendsAsDestinationHasToBeOne(String authority) {
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> Destination.parse(authority));
    }
}
