package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.IpAddress;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** What options allow, and what they refuse to mean. */
@Tag("unit")
final class EgressRulesTest {
    private static EgressRules allow(String... values) throws EgressException {
        return EgressRules.parse(List.of(values), List.of(), new NoRegistries());
    }

    private static EgressRules allowPrivate(String... values) throws EgressException {
        return EgressRules.parse(List.of(), List.of(values), new NoRegistries());
    }

    private static Decision decide(EgressRules rules, String destination)
            throws MalformedException {
        return rules.decide(Destination.parse(destination));
    }

    private static Decision dial(EgressRules rules, String destination, String address)
            throws MalformedException {
        Destination wanted = Destination.parse(destination);
        EgressRule rule = rules.decide(wanted).rule();
        return EgressRules.mayDial(rule, wanted, IpAddress.parse(address).orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({
        "example.com, example.com:443, true",
        "example.com, EXAMPLE.com.:443, true",
        "example.com, example.com:80, false",
        "example.com, www.example.com:443, false",
        "example.com, notexample.com:443, false",
        "example.com:80, example.com:80, true",
        "example.com:80, example.com:443, false",
        "example.com:*, example.com:1, true",
        "example.com:*, example.com:65535, true",
        "Example.COM.:443, example.com:443, true",
        ".example.com, example.com:443, true",
        ".example.com, a.b.example.com:443, true",
        ".example.com, badexample.com:443, false",
        ".example.com, example.com.evil.test:443, false",
        ".example.com, com:443, false",
        ".example.com:8443, a.example.com:8443, true",
        ".com, example.com:443, true",
        "bücher.example, xn--bcher-kva.example:443, true",
        "93.184.216.34, 93.184.216.34:443, true",
        "93.184.216.34, 93.184.216.35:443, false",
        "93.184.216.34, [::ffff:93.184.216.34]:443, true",
        "::ffff:93.184.216.34, 93.184.216.34:443, true",
        "93.184.216.0/24, 93.184.216.255:443, true",
        "93.184.216.0/24, 93.184.217.0:443, false",
        "93.184.216.0/24:80, 93.184.216.1:80, true",
        "93.184.216.0/24, host.example:443, false",
        "0.0.0.0/0, 93.184.216.34:443, true",
        "0.0.0.0/0, 10.1.2.3:443, false",
        "0.0.0.0/0, 127.0.0.1:443, false",
        "0.0.0.0/0, 169.254.169.254:443, false",
        "0.0.0.0/0, [2606:4700::1]:443, false",
        "::/0, [2606:4700::1]:443, true",
        "::/0, [fd00::1]:443, false",
        "::/0, [::ffff:10.0.0.1]:443, false",
        "::/0, 93.184.216.34:443, false",
        "203.0.113.0/24:443, 203.0.113.9:443, true",
        "2606:4700::1, [2606:4700::1]:443, true",
        "[2606:4700::1]:8443, [2606:4700::1]:8443, true",
        "[2606:4700::1], [2606:4700:0:0::1]:443, true",
        "[2606:4700::/32]:8443, [2606:4700:1::]:8443, true",
        "2606:4700::/32, [2606:4701::]:443, false",
        "10.0.0.0/7, 11.1.1.1:443, true",
        "10.0.0.0/7, 10.1.1.1:443, false",
    })
    void oneRuleAllowsWhatItNames(String rule, String destination, boolean allowed)
            throws EgressException, MalformedException {
        assertThat(decide(allow(rule), destination).isAllowed()).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:5432, 127.0.0.1:5432, true",
        "127.0.0.1:5432, 127.0.0.1:5433, false",
        "127.0.0.1:5432, 127.0.0.2:5432, false",
        "127.0.0.1:5432, localhost:5432, false",
        "localhost:5432, localhost:5432, true",
        "localhost:5432, LOCALHOST.:5432, true",
        "localhost:5432, 127.0.0.1:5432, false",
        "[::1]:80, [::1]:80, true",
        "db.corp:5432, db.corp:5432, true",
        "169.254.169.254:80, 169.254.169.254:80, true",
        "169.254.169.254:80, [::ffff:a9fe:a9fe]:80, true",
    })
    void onePrivateRuleAllowsWhatItNames(String rule, String destination, boolean allowed)
            throws EgressException, MalformedException {
        assertThat(decide(allowPrivate(rule), destination).isAllowed()).isEqualTo(allowed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.1.2.3", "127.0.0.1", "fd00::1", "100.64.0.1", "203.0.113.1"})
    void whatTheRefusalSuggestsLetsTheNameResolveThere(String address)
            throws EgressException, MalformedException {
        Decision refused = dial(allow("mirror.example"), "mirror.example:443", address);

        assertThat(refused.remedy()).isEqualTo("--egress-allow-private mirror.example:443");
        EgressRules rules = allowPrivate("mirror.example:443");
        assertThat(dial(rules, "mirror.example:443", address).isAllowed()).isTrue();
        assertThat(dial(rules, "mirror.example:443", "169.254.169.254").isAllowed())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.1.2.3", "127.0.0.1", "::1", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "fd00::1",
                        "fe80::1", "100.64.0.1",
                "169.254.169.254", "0.0.0.0", "::", "255.255.255.255", "224.0.0.1",
                        "2002:a01:203::1", "2001::1", "203.0.113.1",
                "198.18.0.1", "fec0::1", "::7f00:1", "192.0.0.1",
            })
    void anAllowedNameMayNotResolveToWhatIsNotPublic(String address)
            throws EgressException, MalformedException {
        EgressRules rules = allow("rebind.example:80", ".example:80");

        Decision decision = dial(rules, "rebind.example:80", address);

        assertThat(decision.isAllowed()).isFalse();
        assertThat(decision.reason()).contains("'rebind.example:80'").contains("resolves to");
        assertThat(dial(rules, "rebind.example:80", "93.184.216.34").isAllowed())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, true",
        "127.0.0.1, true",
        "::1, true",
        "fd00::1, true",
        "100.64.0.1, true",
        "198.18.0.1, true",
        "93.184.216.34, true",
        "::ffff:10.1.2.3, true",
        "169.254.169.254, false",
        "169.254.1.1, false",
        "fe80::1, false",
        "fd00:ec2::254, false",
        "0.0.0.0, false",
        "::, false",
        "224.0.0.1, false",
        "255.255.255.255, false",
        "240.0.0.1, false",
        "2001::1, false",
        "::ffff:169.254.169.254, false",
        "64:ff9b::169.254.169.254, false",
        "100.100.100.200, false",
    })
    void aPrivatelyAllowedNameResolvesToPrivateHostsOnly(String address, boolean allowed)
            throws EgressException, MalformedException {
        Decision decision = dial(allowPrivate("db.corp:5432"), "db.corp:5432", address);

        assertThat(decision.isAllowed()).isEqualTo(allowed);
        assertThat(decision.remedy()).isEmpty();
    }

    @Test
    void theOptionThatGrantsPrivateAddressesWinsOverOneThatDoesNot()
            throws EgressException, MalformedException {
        EgressRules rules = EgressRules.parse(
                List.of(".corp.example", "git.corp.example:*"),
                List.of("git.corp.example:443"),
                new NoRegistries());

        assertThat(dial(rules, "git.corp.example:443", "10.0.0.1").isAllowed()).isTrue();
        assertThat(dial(rules, "git.corp.example:80", "10.0.0.1").isAllowed()).isFalse();
        assertThat(dial(rules, "www.corp.example:443", "10.0.0.1").isAllowed()).isFalse();
    }

    @Test
    void overlapWithAPresetAndWithADomainIsFine() throws EgressException, MalformedException {
        String host = Preset.named("@anthropic").entries().getFirst().rule();

        EgressRules rules = allow("@anthropic", host, "." + host, host + ":*");

        assertThat(decide(rules, host + ":443").rule().origin())
                .isEqualTo("--egress-allow " + host);
    }

    @Test
    void aRefusalSaysWhyAndWhichOptionWouldAllowIt() throws EgressException, MalformedException {
        EgressRules rules = EgressRules.parse(
                List.of("example.com"), List.of("localhost:1"), new NoRegistries());

        assertThat(decide(rules, "evil.example:443").sentence())
                .isEqualTo("'evil.example:443' is not allowed: no egress rule names this host;"
                        + " to allow it: --egress-allow evil.example");
        assertThat(decide(rules, "example.com:8443").sentence())
                .isEqualTo(
                        "'example.com:8443' is not allowed: 'example.com:443' is, which is another port;"
                                + " to allow it: --egress-allow example.com:8443");
        assertThat(decide(rules, "localhost:5432").remedy())
                .isEqualTo("--egress-allow-private localhost:5432");
        assertThat(decide(rules, "10.1.2.3:80").remedy())
                .isEqualTo("--egress-allow-private 10.1.2.3:80");
        assertThat(decide(rules, "[fd00::1]:80").remedy())
                .isEqualTo("--egress-allow-private [fd00::1]:80");
        assertThat(decide(rules, "93.184.216.34:443").remedy())
                .isEqualTo("--egress-allow 93.184.216.34");
        assertThat(decide(rules, "[2606:4700::1]:443").remedy())
                .isEqualTo("--egress-allow [2606:4700::1]");
        assertThat(decide(rules, "169.254.169.254:80").remedy()).isEmpty();
        assertThat(dial(rules, "example.com:443", "10.0.0.1").sentence())
                .isEqualTo(
                        "'example.com:443' is refused: its name resolves to 10.0.0.1, which is a private address;"
                                + " to allow it: --egress-allow-private example.com:443");
        assertThat(dial(rules, "example.com:443", "169.254.169.254").remedy()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example:443",
                "example.com:8443",
                "localhost:5432",
                "a.localhost:80",
                "10.1.2.3:80",
                "[fd00::1]:80",
                "93.184.216.34:443",
                "93.184.216.34:80",
                "[2606:4700::1]:443",
                "[2606:4700::1]:22",
                "127.0.0.1:443",
                "203.0.113.1:443",
                "[::1]:443",
                "198.18.0.1:443",
            })
    void theSuggestedOptionAllowsIt(String text) throws EgressException, MalformedException {
        Destination destination = Destination.parse(text);
        String[] words = EgressRules.suggestion(destination).split(" ", -1);
        boolean local = words[0].equals("--egress-allow-private");

        EgressRules rules = local ? allowPrivate(words[1]) : allow(words[1]);

        assertThat(rules.decide(destination).isAllowed()).isTrue();
        assertThat(decide(rules, "other.example:443").isAllowed()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {".example.com", ".com", ".a.example.com", ".Example.COM."})
    void aDomainMayBeLimitedWhenSomethingOfItIsLetOut(String typed) throws EgressException {
        EgressRules rules = allow(".example.com");

        assertThat(rules.limited(typed))
                .isEqualTo(typed.equals(".Example.COM.") ? ".example.com" : typed);
        assertThat(rules.limited("a.example.com")).isEqualTo("a.example.com");
    }

    @Test
    void aDomainOfWhichNothingIsLetOutHasNoLimit() throws EgressException {
        EgressRules rules = allow("api.example.com");

        assertThat(rules.limited(".example.com")).isEqualTo(".example.com");
        assertThatThrownBy(() -> rules.limited(".api.example.org"))
                .isInstanceOf(EgressException.class)
                .hasMessageContaining("nothing is let out to '.api.example.org'");
        assertThatThrownBy(() -> rules.limited(".x.api.example.com"))
                .isInstanceOf(EgressException.class);
        assertThatThrownBy(() -> rules.limited(".")).isInstanceOf(EgressException.class);
    }

    @Test
    void grantedLoopbackServicesAreOfferedInsideAtTheSameAddress() throws EgressException {
        EgressRules rules = allowPrivate(
                "127.0.0.1:5432",
                "localhost:5432",
                "[::1]:80",
                "10.1.2.3:80",
                "db.corp:80",
                "127.0.0.53:53");

        assertThat(rules.localServices())
                .extracting(service -> service.listener() + " " + service.destination())
                .containsExactly(
                        "127.0.0.1:5432 127.0.0.1:5432",
                        "[::1]:5432 localhost:5432",
                        "[::1]:80 [::1]:80",
                        "127.0.0.53:53 127.0.0.53:53");
    }
}
