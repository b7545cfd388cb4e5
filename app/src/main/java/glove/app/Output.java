package glove.app;

import java.nio.charset.StandardCharsets;

/** Standard output as UTF-8, whatever the locale says. */
final class Output {
    private Output() {}

    /** Exit status: 0, or 1 when not all could be written. */
    static int print(String text) {
        return print(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes as they are; exit status as above. */
    static int print(byte[] bytes) {
        System.out.write(bytes, 0, bytes.length);
        return System.out.checkError() ? 1 : 0;
    }
}
