package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The D-Bus wire format; that systemd understands it is tested in the virtual machine. */
@Tag("unit")
final class BusMessageTest {
    private static final byte[] CALL = BusMessage.startScope("glove-exec-77.scope", 77);

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Test
    void aMessageIsAsLongAsItSays() {
        assertThat(BusMessage.length(CALL)).isEqualTo(CALL.length);
    }

    @Test
    void theCallNamesMethodUnitAndProcess() {
        ByteBuffer buffer = ByteBuffer.wrap(CALL).order(ByteOrder.LITTLE_ENDIAN);
        int pids = text(CALL).indexOf("PIDs\0\2au\0") + "PIDs\0\2au\0".length();
        int length = (pids + 3) / 4 * 4;

        assertThat(text(CALL))
                .contains("StartTransientUnit\0", "glove-exec-77.scope\0", "Delegate\0");
        assertThat(buffer.getInt(length)).isEqualTo(Integer.BYTES);
        assertThat(buffer.getInt(length + Integer.BYTES)).isEqualTo(77);
    }

    @Test
    void everyStructureStandsAtAMultipleOfEight() {
        for (String name : new String[] {"Description", "CollectMode", "Delegate", "PIDs"}) {
            int at = text(CALL).indexOf(name + "\0") - Integer.BYTES;

            assertThat(at % 8).as(name).isZero();
        }
    }

    @Test
    void theUserIsToldInHexadecimalDigits() {
        assertThat(text(BusMessage.authentication(1000))).isEqualTo("\0AUTH EXTERNAL 31303030\r\n");
    }

    @Test
    void theNameOfAnErrorIsFoundBehindOtherFields() {
        byte[] message = ("l\3\1\1" + "\0\0\0\0" + "\7\0\0\0" + "\43\0\0\0" + "\5\1u\0" + "\1\0\0\0"
                        + "\4\1s\0" + "\22\0\0\0" + "org.example.Failed\0")
                .getBytes(StandardCharsets.ISO_8859_1);

        assertThat(BusMessage.type(message)).isEqualTo(BusMessage.ERROR);
        assertThat(BusMessage.errorName(message)).isEqualTo("org.example.Failed");
    }

    @Test
    void whatIsNoMessageIsNotTakenForOne() {
        assertThat(BusMessage.length(new byte[16])).isNegative();
        assertThat(BusMessage.length(new byte[3])).isNegative();
        assertThat(BusMessage.length("HTTP/1.1 400 Bad".getBytes(StandardCharsets.US_ASCII)))
                .isNegative();
    }

    /** A damaged answer may say anything, and must not be read beyond its end. */
    @Test
    void noChangeOfAByteMakesReadingFail() {
        for (int i = 0; i < CALL.length; i++) {
            for (int value : new int[] {0, 1, 's', 'g', 0x7f, 0xff}) {
                byte[] damaged = CALL.clone();
                damaged[i] = (byte) value;

                assertThat(BusMessage.errorName(damaged)).isNotNull();
            }
        }
    }
}
