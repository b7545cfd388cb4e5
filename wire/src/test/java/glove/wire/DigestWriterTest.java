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
}
