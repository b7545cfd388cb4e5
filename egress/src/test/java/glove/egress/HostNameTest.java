package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of hosts in their one form. */
@Tag("unit")
final class HostNameTest {
    @ParameterizedTest
    @CsvSource({
        "example.com, example.com",
        "EXAMPLE.Com, example.com",
        "example.com., example.com",
        "a, a",
        "localhost, localhost",
        "_dmarc.example.com, _dmarc.example.com",
        "r3---sn-x.example.com, r3---sn-x.example.com",
        "xn--bcher-kva.example, xn--bcher-kva.example",
        "1.2.3.4.example, 1.2.3.4.example",
        "0x7f.example, 0x7f.example",
        "1.0x7g, 1.0x7g",
        "127.1.a1, 127.1.a1",
    })
    void aNameHasOneForm(String text, String canonical) throws EgressException, MalformedException {
        assertThat(HostName.ofOption(text)).hasToString(canonical);
        assertThat(HostName.ofWire(text))
                .hasToString(canonical)
                .isEqualTo(HostName.ofOption(canonical));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                ".example.com",
                "a..b",
                "example.com..",
                "-a.example",
                "a-.example",
                "a b",
                "a\tb",
                "a\0b",
                "a/b",
                "a:b",
                "a@b",
                "a%b",
                "*.example.com",
                "[::1]",
                "::1",
                "a,b",
                "a\\b",
                "a#b",
                "a?b",
                "example.com\r\n",
                "127.0.0.1",
                "127.1",
                "1",
                "0",
                "2130706433",
                "0x7f.1",
                "0x7f000001",
                "0x",
                "a.0x",
                "017700000001",
                "0x7f.0.0.0x1",
                "example.1",
                "example.com.1",
                "127.0.0.1.",
                "1.2.3.04",
                "256.256.256.256",
                "example.0xff",
                "EXAMPLE.0XFF",
            })
    void whatIsNoNameIsRefused(String text) {
        assertThatExceptionOfType(EgressException.class).isThrownBy(() -> HostName.ofOption(text));
        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> HostName.ofWire(text))
                .satisfies(e -> assertThat(e.code()).isEqualTo(400));
    }

    @Test
    void lengthsAreThoseOfDns() throws EgressException {
        String label = "a".repeat(63);
        String longest = label + "." + label + "." + label + "." + "a".repeat(61);

        assertThat(longest).hasSize(253);
        assertThat(HostName.ofOption(longest + ".")).hasToString(longest);
        assertThatExceptionOfType(EgressException.class)
                .isThrownBy(() -> HostName.ofOption(longest + "a"))
                .withMessageContaining("254");
        assertThatExceptionOfType(EgressException.class)
                .isThrownBy(() -> HostName.ofOption("a" + label + ".example"))
                .withMessageContaining("64");
    }

    @ParameterizedTest
    @CsvSource({
        "bücher.example, xn--bcher-kva.example",
        "BÜCHER.example, xn--bcher-kva.example",
        "bu\u0308cher.example, xn--bcher-kva.example",
        "例え.example, xn--r8jz45g.example",
        "ｅｘａｍｐｌｅ。com, example.com",
        "example．com, example.com",
    })
    void lettersOfAllAlphabetsAreBroughtToAscii(String typed, String ascii) throws EgressException {
        assertThat(HostName.ofOption(typed)).hasToString(ascii);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "１２７.０.０.１",
                "１２７。１",
                "0ｘ7f.1",
                "a．．b",
                "straße.example",
                "βόλος.example",
                "a\u200db.example",
                "\u2024.com",
                "a／b.example",
                "a℀b.example",
                "\ud800.example",
            })
    void lettersThatHideAnAddressOrMeanTwoHostsAreRefused(String typed) {
        assertThatExceptionOfType(EgressException.class).isThrownBy(() -> HostName.ofOption(typed));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bücher.example",
                "ｅxample.com",
                "example。com",
                "\u0131.example",
                "\u212a.example"
            })
    void overTheWireNothingIsBroughtToAscii(String sent) {
        assertThatExceptionOfType(MalformedException.class).isThrownBy(() -> HostName.ofWire(sent));
    }

    @ParameterizedTest
    @CsvSource({
        "example.com, example.com, true",
        "a.example.com, example.com, true",
        "a.b.example.com, example.com, true",
        "badexample.com, example.com, false",
        "example.com.evil.test, example.com, false",
        "com, example.com, false",
        "example.com, a.example.com, false",
        "xample.com, example.com, false",
    })
    void aDomainHoldsWhatEndsWithItBehindADot(String name, String domain, boolean within)
            throws EgressException {
        assertThat(HostName.ofOption(name).isWithin(HostName.ofOption(domain))).isEqualTo(within);
    }
}
