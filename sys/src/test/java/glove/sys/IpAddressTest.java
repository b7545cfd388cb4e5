package glove.sys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Random;

class IpAddressTest {
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
        "93.184.216.34, 93.184.216.34",
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "2001:DB8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
        "::ffff:127.0.0.1, ::ffff:7f00:1",
        "64:ff9b::10.1.2.3, 64:ff9b::a01:203",
        "1:2:3:4:5:6:1.2.3.4, 1:2:3:4:5:6:102:304",
        "fe80:0:0:0:0:0:0:1, fe80::1",
    })
    void aLiteralIsReadAndWrittenAsTheRfcSays(String text, String canonical) {
        IpAddress address = IpAddress.parse(text).orElseThrow();
        assertThat(address).hasToString(canonical);
        assertThat(IpAddress.parse(canonical)).contains(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "127.1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "01.2.3.4",
                "1.2.3.04",
                "1.2.3.4 ",
                " 1.2.3.4",
                "1.2.3.-4",
                "0x7f.0.0.1",
                "2130706433",
                "1..2.3",
                "1.2.3.",
                ":",
                ":::",
                "1:2",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "::1:2:3:4:5:6:7:8",
                "1::2::3",
                ":1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:",
                "12345::",
                "g::",
                "fe80::1%eth0",
                "[::1]",
                "::1.2.3",
                "::1.2.3.4:5",
                "1:2:3:4:5:6:7:1.2.3.4",
                "::1.2.3.400",
                "\u0661.2.3.4",
                "\uff11::",
                "a.b.c.d",
                "registry",
            })
    void whatIsNoLiteralIsNoAddress(String text) {
        assertThat(IpAddress.parse(text)).isEmpty();
    }

    @Test
    void randomAddressesComeBackAndAgreeWithTheJdk() throws UnknownHostException {
        Random random = new Random(4);
        for (int i = 0; i < 5000; i++) {
            byte[] bytes = new byte[random.nextInt(4) == 0 ? 4 : 16];
            random.nextBytes(bytes);
            for (int k = 0; k < bytes.length; k++) {
                bytes[k] = random.nextInt(3) == 0 ? bytes[k] : 0;
            }
            IpAddress address = IpAddress.of(bytes);
            assertThat(IpAddress.parse(address.toString())).contains(address);
            byte[] theirs = InetAddress.getByName(address.toString()).getAddress();
            boolean mapped = theirs.length != bytes.length; // the JDK unmaps ::ffff:0:0/96
            byte[] ours = mapped ? Arrays.copyOfRange(bytes, 12, 16) : bytes;
            assertThat(theirs).isEqualTo(ours);
        }
    }

    @Test
    void anEndpointIsWrittenWithBracketsWhereItNeedsThem() {
        assertThat(new IpEndpoint(IpAddress.LOOPBACK_V4, 80)).hasToString("127.0.0.1:80");
        assertThat(new IpEndpoint(IpAddress.LOOPBACK_V6, 80)).hasToString("[::1]:80");
        assertThatThrownBy(() -> new IpEndpoint(IpAddress.LOOPBACK_V4, 65536))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
