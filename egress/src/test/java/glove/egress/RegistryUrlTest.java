package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

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
    void itsHostIsARule(String said, String rule) {
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
            })
    void whatIsNoAnswerNamesNoHost(String said) {
        assertThat(RegistryUrl.in(said)).isEmpty();
    }

    @Test
    void everyHostCountsOnceInTheOrderOfTheAnswer() {
        assertThat(RegistryUrl.in("https://b.test/x\nhttps://a.test/, https://b.test/y\n"))
                .extracting(RegistryUrl::text)
                .containsExactly("https://b.test/x", "https://a.test/");
    }

    @Test
    void aSecretIsNoticed() {
        assertThat(RegistryUrl.in("https://me:secret@a.test/"))
                .allMatch(RegistryUrl::hasSecret)
                .hasSize(1);
        assertThat(RegistryUrl.in("https://a.test/?token=1"))
                .allMatch(RegistryUrl::hasSecret)
                .hasSize(1);
        assertThat(RegistryUrl.in("https://a.test/@scope/")).noneMatch(RegistryUrl::hasSecret);
    }
}
