package glove.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

@Tag("unit")
final class DigestWriterTest {
    private static SecretKey32 counting() {
        byte[] key = new byte[32];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) i;
        }
        return SecretKey32.of(key);
    }

    @Test
    void everyKindOfValueHasItsBytes() {
        byte[] material = new DigestWriter("d")
                .u8(255)
                .u32(-2)
                .u64(U64.MAX - 1)
                .bool(true)
                .bool(false)
                .absent()
                .present()
                .string("\u00e9")
                .strings(List.of("a", ""))
                .bytes(new byte[] {7})
                .toBytes();

        assertThat(HexFormat.of().formatHex(material))
                .isEqualTo("0000000164" + "ff" + "fffffffe" + "fffffffffffffffe" + "01" + "00"
                        + "00" + "01" + "00000002c3a9" + "00000002" + "0000000161" + "00000000"
                        + "0000000107");
    }

    @Test
    void aLaunchTemplateHasTheDigestOfOtherImplementations() {
        DigestWriter template = new DigestWriter("glove.runtime-launch-template")
                .u8(2)
                .string("codex")
                .strings(List.of("/opt/harness/bin", "/srv/harness/bin"))
                .string("")
                .strings(List.of("--version"))
                .strings(List.of("PATH=/usr/bin:/bin", "TERM=xterm-256color"))
                .strings(List.of());

        assertThat(template.sha256().hex())
                .isEqualTo("05300045fb137be305fc799075dc5fff1fee40b83a5460c8f88b3c1398f5a692");
    }

    @Test
    void aKeyHasTheNameThatOtherImplementationsGiveIt() {
        assertThat(counting().id("glove.audit-key-id").hex())
                .isEqualTo("b97d6f8d2ae381761ea00f360c230cf75e8de5fdc6a8d25624a5c36b97f0d475");
    }

    @Test
    void anEnvelopeHasTheCodeOfOtherImplementations() {
        Digest code = new DigestWriter("glove.receipt-audit-envelope")
                .u8(1)
                .u64(1)
                .digest(counting().id("glove.audit-key-id"))
                .string("session-1")
                .string("a".repeat(64))
                .string("cf4dfdc1627c93e00c10a83a780937dba2a9493c03f0f91843af49ee17ed11a4")
                .digest(Digest.ZERO)
                .hmacSha256(counting());

        assertThat(code.hex())
                .isEqualTo("57bafec7db274bd24763fdbe4cfb680f6d19c46121bb79649ef3456532458f12");
        assertThat(code.isSameInConstantTime(new Digest(code.hex()))).isTrue();
        assertThat(code.isSameInConstantTime(Digest.ZERO)).isFalse();
    }

    @Test
    void moreThanAFirstGuessFits() {
        byte[] much = "x".repeat(100_000).getBytes(StandardCharsets.US_ASCII);

        byte[] material = new DigestWriter("").bytes(much).u8(1).toBytes();

        assertThat(material).hasSize(4 + 4 + 100_000 + 1).endsWith('x', 1);
    }

    @Test
    void aNumberThatIsNoByteIsABug() {
        DigestWriter writer = new DigestWriter("d");

        assertThatThrownBy(() -> writer.u8(256)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> writer.u8(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSecretIsNeverPrintedAndComparedWhole() {
        SecretKey32 key = counting();
        SecretKey32 parsed = SecretKey32.parse(
                        "000102030405060708090a0b0c0d0e0f" + "101112131415161718191a1b1c1d1e1f")
                .orElseThrow();

        assertThat(key.toString()).doesNotContain("0001");
        assertThat(key.isSame(parsed)).isTrue();
        assertThat(key.isSame(SecretKey32.of(new byte[32]))).isFalse();
        assertThat(SecretKey32.parse("00".repeat(31) + "0G")).isEmpty();
        assertThatThrownBy(() -> SecretKey32.of(new byte[31]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** The published test vectors: byte i of the input is i modulo 251. */
    @Test
    void blake3HasItsPublishedValues() {
        String[][] published = {
            {"0", "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"},
            {"1", "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"},
            {"2", "7b7015bb92cf0b318037702a6cdd81dee41224f734684c2c122cd6359cb1ee63"},
            {"64", "4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98"},
            {"1023", "10108970eeda3eb932baac1428c7a2163b0e924c9a9e25b35bba72b28f70bd11"},
            {"1024", "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"},
            {"1025", "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"},
            {"2048", "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a"},
            {"3073", "7124b49501012f81cc7f11ca069ec9226cecb8a2c850cfe644e327d22d3e1cd3"},
            {"31744", "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47"},
            {"102400", "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085"},
        };
        for (String[] one : published) {
            byte[] input = new byte[Integer.parseInt(one[0])];
            for (int i = 0; i < input.length; i++) {
                input[i] = (byte) (i % 251);
            }

            assertThat(Blake3.hash(input).hex()).as(one[0]).isEqualTo(one[1]);
        }
    }
}
