package glove.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;

/** Where a chunked body ends. */
@Tag("unit")
final class ChunkScannerTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0\r\n\r\n",
                "000\r\n\r\n",
                "5\r\nhello\r\n0\r\n\r\n",
                "A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n",
                "5;name=value;x=\"a b\"\r\nhe\r\no\r\n0\r\n\r\n",
                "5;\r\nhello\r\n0;last\r\n\r\n",
                "1\r\nx\r\n0\r\nX-Sum: 12\r\nY:\r\n\r\n",
                "0\r\nX-Content-Length: 5\r\nHosts: x\r\ngrpc-status: 0\r\n\r\n",
                "000000000000001\r\nx\r\n0\r\n\r\n",
            })
    void theEndIsFoundInOnePieceAndByteByByte(String body) throws MalformedException {
        byte[] all = bytes(body + "GET http://next");
        ChunkScanner whole = ChunkScanner.ofRequest();
        ChunkScanner slow = ChunkScanner.ofRequest();

        assertThat(whole.scan(all, 0, all.length)).isEqualTo(body.length());
        assertThat(whole.isDone()).isTrue();
        assertThat(whole.scan(all, 0, all.length)).isZero();
        for (int i = 0; i < body.length(); i++) {
            assertThat(slow.isDone()).isFalse();
            assertThat(slow.scan(all, i, i + 1)).isEqualTo(1);
        }
        assertThat(slow.isDone()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n",
                ";x\r\n",
                "x\r\n",
                "-1\r\n",
                "+1\r\n",
                " 1\r\n",
                "1 \r\n",
                "1\t;x\r\n",
                "0x1\r\n",
                "1\n",
                "1\rx",
                "1;a\nb",
                "1;a\0",
                "1\r\nxx",
                "1\r\nx\n",
                "1\r\nx\rx",
                "2\r\nx\r\n0",
                "0\r\nX",
                "0\r\n X: y\r\n",
                "0\r\n: y\r\n",
                "0\r\nX : y\r\n",
                "0\r\nX: y\n",
                "0\r\nX: y\rz",
                "0\r\nX: y\0",
                "0\r\nContent-Length: 5\r\n",
                "0\r\nX: y\r\nTRANSFER-encoding:\r\n",
                "0\r\nContent_Length: 5\r\n",
                "0\r\nhost: x\r\n",
                "0\r\nProxy-Authorization: x\r\n",
                "0\r\n\n",
                "0\r\n\rx",
                "0000000000000001\r\n",
                "fffffffffffffffff\r\n",
                "7fffffffffffffff\r\n",
                "\u0661\r\n",
            })
    void whatIsNoChunkIsRefused(String body) {
        byte[] all = bytes(body + "\r\n");

        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> {
                    ChunkScanner scanner = ChunkScanner.ofResponse();
                    int length = scanner.scan(all, 0, all.length);
                    assertThat(scanner.isDone()).as("done after %d", length).isFalse();
                    scanner.scan(bytes("\n\n"), 0, 2);
                })
                .satisfies(e -> assertThat(e.code()).isEqualTo(502));
    }

    @Test
    void dataMayPassUnseen() throws MalformedException {
        ChunkScanner scanner = ChunkScanner.ofRequest();
        byte[] start = bytes("FFFFFFFFFFFFFFF\r\nab");

        scanner.scan(start, 0, start.length);
        assertThat(scanner.dataLeft()).isEqualTo((1L << 60) - 1 - 2);
        scanner.skip(0);
        scanner.skip(scanner.dataLeft());
        assertThat(scanner.dataLeft()).isZero();
        byte[] end = bytes("\r\n0\r\n\r\n");
        assertThat(scanner.scan(end, 0, end.length)).isEqualTo(end.length);
        assertThat(scanner.isDone()).isTrue();
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> scanner.skip(1));
    }

    @Test
    void extensionsAndTrailersAreBounded() throws MalformedException {
        byte[] fits = bytes(
                "1;" + "x".repeat(1 << 10) + "\r\ny\r\n0\r\nX:" + "z".repeat(8000) + "\r\n\r\n");
        byte[] extension = bytes("1;" + "x".repeat((1 << 10) + 1) + "\r\n");
        byte[] trailer = bytes("0\r\n" + "X: y\r\n".repeat(2000));

        assertThat(ChunkScanner.ofRequest().scan(fits, 0, fits.length)).isEqualTo(fits.length);
        for (byte[] tooLong : new byte[][] {extension, trailer}) {
            assertThatExceptionOfType(MalformedException.class)
                    .isThrownBy(() -> ChunkScanner.ofRequest().scan(tooLong, 0, tooLong.length))
                    .withMessageContaining("too long");
        }
    }
}
