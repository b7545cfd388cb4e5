package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;

import glove.sys.IpAddress;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;

/** What addresses lead to. */
@Tag("unit")
final class AddressClassTest {
    private static final int FIXED_SEED = 20261129;

    private static AddressClass classOf(String text) {
        return AddressClass.of(IpAddress.parse(text).orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({
        // each block: first and last address, and the neighbours that are not in it
        "0.0.0.0, UNSPECIFIED",
        "0.255.255.255, UNSPECIFIED",
        "1.0.0.0, PUBLIC",
        "9.255.255.255, PUBLIC",
        "10.0.0.0, PRIVATE",
        "10.255.255.255, PRIVATE",
        "11.0.0.0, PUBLIC",
        "100.63.255.255, PUBLIC",
        "100.64.0.0, SHARED",
        "100.127.255.255, SHARED",
        "100.128.0.0, PUBLIC",
        "100.100.100.200, METADATA",
        "100.100.100.201, SHARED",
        "126.255.255.255, PUBLIC",
        "127.0.0.0, LOOPBACK",
        "127.255.255.255, LOOPBACK",
        "128.0.0.0, PUBLIC",
        "168.63.129.15, PUBLIC",
        "168.63.129.16, METADATA",
        "168.63.129.17, PUBLIC",
        "169.253.255.255, PUBLIC",
        "169.254.0.0, LINK_LOCAL",
        "169.254.169.254, METADATA",
        "169.254.170.2, METADATA",
        "169.254.255.255, LINK_LOCAL",
        "169.255.0.0, PUBLIC",
        "172.15.255.255, PUBLIC",
        "172.16.0.0, PRIVATE",
        "172.31.255.255, PRIVATE",
        "172.32.0.0, PUBLIC",
        "191.255.255.255, PUBLIC",
        "192.0.0.0, RESERVED",
        "192.0.0.192, METADATA",
        "192.0.0.255, RESERVED",
        "192.0.1.0, PUBLIC",
        "192.0.2.0, DOCUMENTATION",
        "192.0.2.255, DOCUMENTATION",
        "192.0.3.0, PUBLIC",
        "192.88.98.255, PUBLIC",
        "192.88.99.0, TRANSITION",
        "192.88.100.0, PUBLIC",
        "192.167.255.255, PUBLIC",
        "192.168.0.0, PRIVATE",
        "192.168.255.255, PRIVATE",
        "192.169.0.0, PUBLIC",
        "198.17.255.255, PUBLIC",
        "198.18.0.0, BENCHMARK",
        "198.19.255.255, BENCHMARK",
        "198.20.0.0, PUBLIC",
        "198.51.99.255, PUBLIC",
        "198.51.100.0, DOCUMENTATION",
        "198.51.101.0, PUBLIC",
        "203.0.112.255, PUBLIC",
        "203.0.113.255, DOCUMENTATION",
        "203.0.114.0, PUBLIC",
        "223.255.255.255, PUBLIC",
        "224.0.0.0, MULTICAST",
        "239.255.255.255, MULTICAST",
        "240.0.0.0, RESERVED",
        "255.255.255.254, RESERVED",
        "255.255.255.255, BROADCAST",
        "93.184.216.34, PUBLIC",
        "8.8.8.8, PUBLIC",
    })
    void ofIpv4(String address, AddressClass expected) {
        assertThat(classOf(address)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "::, UNSPECIFIED",
        "::1, LOOPBACK",
        "::2, RESERVED",
        "100::1, RESERVED",
        "5f00::1, RESERVED",
        "2000::, PUBLIC",
        "1fff:ffff::, RESERVED",
        "3ffe::1, PUBLIC",
        "4000::, RESERVED",
        "2606:4700::1, PUBLIC",
        "2001::1, TRANSITION",
        "2001:0:ffff::1, TRANSITION",
        "2001:1::1, RESERVED",
        "2001:2::1, RESERVED",
        "2001:10::1, RESERVED",
        "2001:20::1, RESERVED",
        "2001:1ff:ffff::, RESERVED",
        "2001:200::1, PUBLIC",
        "2001:db7:ffff::1, PUBLIC",
        "2001:db8::1, DOCUMENTATION",
        "2001:db9::1, PUBLIC",
        "3fff::1, DOCUMENTATION",
        "3fff:fff:ffff::1, DOCUMENTATION",
        "3fff:1000::1, PUBLIC",
        "fbff:ffff::1, RESERVED",
        "fc00::1, UNIQUE_LOCAL",
        "fdff:ffff::1, UNIQUE_LOCAL",
        "fe00::1, RESERVED",
        "fd00:ec2::254, METADATA",
        "fd20:ce::254, METADATA",
        "fd00:c1::a9fe:a9fe, METADATA",
        "fe7f::1, RESERVED",
        "fe80::1, LINK_LOCAL",
        "febf::1, LINK_LOCAL",
        "fec0::1, PRIVATE",
        "feff::1, PRIVATE",
        "ff02::1, MULTICAST",
        "ff0e::1, MULTICAST",
    })
    void ofIpv6(String address, AddressClass expected) {
        assertThat(classOf(address)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, LOOPBACK", "10.1.2.3, PRIVATE", "169.254.169.254, METADATA",
                "100.64.0.1, SHARED",
        "0.0.0.0, UNSPECIFIED", "192.168.1.1, PRIVATE", "224.0.0.1, MULTICAST", "8.8.8.8, PUBLIC",
    })
    void whatCarriesAnIpv4AddressIsOfItsClass(String carried, AddressClass expected) {
        byte[] v4 = IpAddress.parse(carried).orElseThrow().bytes();

        assertThat(classOf("::ffff:" + carried)).isEqualTo(expected);
        assertThat(classOf("64:ff9b::" + carried)).isEqualTo(expected);
        byte[] sixToFour = new byte[16];
        sixToFour[0] = 0x20;
        sixToFour[1] = 0x02;
        System.arraycopy(v4, 0, sixToFour, 2, 4);
        assertThat(AddressClass.of(IpAddress.of(sixToFour))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "::8.8.8.8, RESERVED", // compatible, of old
        "::127.0.0.1, RESERVED",
        "::ffff:0:8.8.8.8, RESERVED", // translated
        "64:ff9b:1::8.8.8.8, TRANSITION",
        "64:ff9b:1:fffe::10.0.0.1, TRANSITION",
        "64:ff9b:0:1::8.8.8.8, RESERVED",
        "2001::f7f7:f7f7, TRANSITION", // Teredo of 8.8.8.8
    })
    void whatCarriesOneInAWayNobodyNeedsIsNotPublic(String address, AddressClass expected) {
        assertThat(classOf(address)).isEqualTo(expected);
    }

    @Test
    void whatTheJdkCallsLocalIsNeverPublic() throws UnknownHostException {
        Random random = new Random(FIXED_SEED);
        for (int i = 0; i < 200_000; i++) {
            byte[] bytes = new byte[random.nextBoolean() ? 4 : 16];
            random.nextBytes(bytes);
            for (int k = 0; k < bytes.length; k++) {
                // local blocks are of little numbers and all ones
                int turn = random.nextInt(4);
                bytes[k] = turn == 0 ? 0 : turn == 1 ? (byte) 0xff : bytes[k];
            }
            InetAddress theirs = InetAddress.getByAddress(bytes);
            boolean local = theirs.isAnyLocalAddress()
                    || theirs.isLoopbackAddress()
                    || theirs.isLinkLocalAddress()
                    || theirs.isSiteLocalAddress()
                    || theirs.isMulticastAddress();
            AddressClass ours = AddressClass.of(IpAddress.of(bytes));
            assertThat(local && ours.isPublic()).as("%s is %s", theirs, ours).isFalse();
        }
    }
}
