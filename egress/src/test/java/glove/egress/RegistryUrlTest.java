package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What package clients print. */
@Tag("unit")
final class RegistryUrlTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "https://a.test/                            | a.test",
                "https://a.test                             | a.test",
                "https://A.test:8443/simple/                | A.test:8443",
                "http://a.test/debian                       | a.test:80",
                "http://a.test:8080?x                       | a.test:8080",
                "https://[2001:db8::1]/                     | [2001:db8::1]",
                "http://[2001:db8::1]/                      | [2001:db8::1]:80",
                "https://[2001:db8::1]:8443/                | [2001:db8::1]:8443",
                "https://me:secret@a.test/                  | a.test",
                "https://a.test/,direct                     | a.test",
                "`{\"dl\": \"https://a.test/api\",\"api\": 1}` | a.test",
                "Cannot access central (https://a.test/maven2) in offline mode | a.test",
            })
    void itsHostIsARule(String said, String rule) throws EgressException {
        assertThat(RegistryUrl.in(said)).extracting(RegistryUrl::rule).containsExactly(rule);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[ERROR] [Help 1] http://help.test/",
                "see https://help.test/ for more",
                "ftp://a.test/",
                "https://",
                "registry=https://a.test/",
                "undefined",
                "off",
                "https://.com:*/x",
                "https://.test/",
                "https://*.test/",
                "https://a.test:*/",
                "https://a.test:/",
                "https://a.test:8x/",
                "https://b.test\\\\@a.test/",
                "https://\u0430.test/",
                "https://a.test/\u001b[2J",
                "https://a.test/${TOKEN}/",
                "https://-a.test/",
                "HTTPS://a.test/",
            })
    void whatIsNoAnswerNamesNoHost(String said) throws EgressException {
        assertThat(RegistryUrl.in(said)).isEmpty();
    }

    @Test
    void everyHostCountsOnceInTheOrderOfTheAnswer() throws EgressException {
        assertThat(RegistryUrl.in("https://b.test/x\nhttps://a.test/, https://b.test/y\n"))
                .extracting(RegistryUrl::text)
                .containsExactly("https://b.test/x", "https://a.test/");
    }

    @Test
    void moreHostsThanAnybodyIsSetUpForAreRefusedAtOnce() {
        StringBuilder said = new StringBuilder();
        for (int i = 0; i < 70_000; i++) {
            said.append("https://a").append(i).append('\n');
        }

        assertThatThrownBy(() -> RegistryUrl.in(said.toString()))
                .isInstanceOf(EgressException.class)
                .hasMessageContaining("more than 64 hosts");
    }

    @Test
    void aSecretIsNoticed() throws EgressException {
        assertThat(RegistryUrl.in("https://me:secret@a.test/"))
                .allMatch(RegistryUrl::hasSecret)
                .hasSize(1);
        assertThat(RegistryUrl.in("https://a.test/?token=1"))
                .allMatch(RegistryUrl::hasSecret)
                .hasSize(1);
        assertThat(RegistryUrl.in("https://u:443/x@a.test/"))
                .allMatch(url -> url.rule().equals("u:443"));
        assertThat(RegistryUrl.in("https://a.test/@scope/")).noneMatch(RegistryUrl::hasSecret);
    }
}
