package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

/** Values of options that are no rules, and what to type instead. */
@Tag("unit")
final class RuleOptionsTest {
    private static EgressRules allow(String... values) throws EgressException {
        return EgressRules.parse(List.of(values), List.of(), new NoRegistries());
    }

    private static EgressRules allowPrivate(String... values) throws EgressException {
        return EgressRules.parse(List.of(), List.of(values), new NoRegistries());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.1.2.3 | --egress-allow-private 10.1.2.3:PORT",
                "10.1.2.3:80 | --egress-allow-private 10.1.2.3:80",
                "::1 | --egress-allow-private [::1]:PORT",
                "[::1]:80 | --egress-allow-private [::1]:80",
                "::ffff:127.0.0.1 | --egress-allow-private 127.0.0.1:PORT",
                "localhost | --egress-allow-private localhost:PORT",
                "localhost:3000 | --egress-allow-private localhost:3000",
                "a.localhost | --egress-allow-private a.localhost:PORT",
                "192.168.0.0/16 | --egress-allow-private 192.168.0.0:PORT",
                "192.168.1.0/24 | --egress-allow-private 192.168.1.0:PORT",
                "169.254.169.254:80 | --egress-allow-private 169.254.169.254:80",
                "fc00::/8 | --egress-allow-private [fc00::]:PORT",
                "https://example.com/x | --egress-allow example.com",
                "*.example.com | --egress-allow .example.com",
                "*.example.com:80 | --egress-allow .example.com:80",
                "* | .example.com",
                ". | .example.com",
                "example.com:0 | --egress-allow example.com:443",
                "example.com:65536 | --egress-allow example.com:443",
                "example.com:http | --egress-allow example.com:443",
                "example.com:+80 | --egress-allow example.com:443",
                "example.com:080 | --egress-allow example.com:443",
                "example.com: | --egress-allow example.com:443",
                "93.184.216.34/24 | --egress-allow 93.184.216.0/24",
                "93.184.216.0/33 | --egress-allow 203.0.113.0/24",
                "example.com/path | --egress-allow example.com",
                "[2606:4700::1 | --egress-allow [2001:db8::1]:443",
                "@nothing | glove egress presets",
            })
    void whatCannotBeMeantIsRefusedWithWhatToTypeInstead(String value, String hint) {
        assertThatExceptionOfType(EgressException.class)
                .isThrownBy(() -> allow(value))
                .withMessageContaining("--egress-allow '" + value + "'")
                .satisfies(e -> assertThat(String.join("\n", e.hints())).contains(hint));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a b",
                "127.1",
                "0x7f.1",
                "2130706433",
                "[example.com]:443",
                "[127.0.0.1]:443",
                "user@example.com",
                "-x",
                "example.com:443:443",
                "fe80::1%eth0",
                "[::1]443",
                "a..b",
                "example.com#x",
                "..example.com",
                "/24",
                "a/24",
                "1.2.3/24",
                "1.2.3.4/-1",
                "1.2.3.4/024",
            })
    void whatIsNoRuleIsRefused(String value) {
        assertThatExceptionOfType(EgressException.class).isThrownBy(() -> allow(value));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "127.0.0.1 | --egress-allow-private 127.0.0.1:PORT",
                "::1 | --egress-allow-private [::1]:PORT",
                "localhost | --egress-allow-private localhost:PORT",
                "localhost:* | --egress-allow-private localhost:PORT",
                ".corp:443 | --egress-allow-private corp:PORT",
                "10.0.0.0/8:443 | --egress-allow-private ADDRESS:PORT",
            })
    void aPrivateRuleNamesOneHostAndOnePort(String value, String hint) {
        assertThatExceptionOfType(EgressException.class)
                .isThrownBy(() -> allowPrivate(value))
                .satisfies(e -> assertThat(e.hints()).contains(hint));
    }

    @Test
    void whatIsGivenTwiceIsRefused() {
        List<List<String>> twice = List.of(
                List.of("example.com", "EXAMPLE.com.:443"),
                List.of("93.184.216.34", "::ffff:93.184.216.34"),
                List.of("@openai", "@openai"),
                List.of(".example.com", ".example.com"));
        for (List<String> values : twice) {
            assertThatExceptionOfType(EgressException.class)
                    .as("%s", values)
                    .isThrownBy(() -> EgressRules.parse(values, List.of(), new NoRegistries()))
                    .withMessageContaining("given twice");
        }
        assertThatExceptionOfType(EgressException.class)
                .isThrownBy(() -> EgressRules.parse(
                        List.of("db.corp:5432"), List.of("db.corp:5432"), new NoRegistries()))
                .satisfies(e -> assertThat(e.hints())
                        .contains("--egress-allow-private db.corp:5432 is enough"));
    }

    @Test
    void rulesAreBounded() {
        List<String> many = new ArrayList<>();
        for (int i = 0; i <= EgressRules.RULES_MAX; i++) {
            many.add("h" + i + ".example");
        }

        assertThatExceptionOfType(EgressException.class)
                .isThrownBy(() -> EgressRules.parse(many, List.of(), new NoRegistries()))
                .withMessageContaining("4097");
    }
}
