package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Map;

/** What may still go out, of the run, to a host, and to a domain. */
@Tag("unit")
class SpendingTest {
    private static Spending spending(long ofRun, Map<String, Long> limits) {
        return new Spending(EgressLimits.standard().withBytesOut(ofRun, limits));
    }

    @Test
    void whatGoesToHostsOfADomainIsAddedUp() throws Exception {
        Spending spending = spending(EgressLimits.UNLIMITED, Map.of(".example.com", 100L));

        spending.spend("a.example.com", 30);
        spending.spend("b.a.example.com", 30);
        spending.spend("example.com", 30);
        spending.spend("badexample.com", 30);

        assertThat(spending.remaining("other.example.com")).isEqualTo(10);
        assertThat(spending.remaining("example.com")).isEqualTo(10);
        assertThat(spending.remaining("badexample.com")).isEqualTo(EgressLimits.UNLIMITED);
        assertThat(spending.remaining("com")).isEqualTo(EgressLimits.UNLIMITED);
        spending.spend("c.example.com", 11);
        assertThat(spending.exceeded(Destination.parse("c.example.com:443")))
                .contains("limit of 100 bytes to '.example.com' in all");
    }

    @Test
    void theTightestLimitCounts() throws Exception {
        Spending spending = spending(100, Map.of(".example.com", 50L, "a.example.com", 20L));

        assertThat(spending.remaining("a.example.com")).isEqualTo(20);
        assertThat(spending.remaining("b.example.com")).isEqualTo(50);
        assertThat(spending.remaining("other.test")).isEqualTo(100);
        spending.spend("b.example.com", 45);
        assertThat(spending.remaining("a.example.com")).isEqualTo(5);
        assertThat(spending.exceeded(Destination.parse("a.example.com:443")))
                .contains("'.example.com'");
        spending.spend("other.test", 60);
        assertThat(spending.remaining("a.example.com")).isZero();
        assertThat(spending.exceeded(Destination.parse("other.test:443")))
                .contains("limit of 100 bytes out of this run");
    }
}
