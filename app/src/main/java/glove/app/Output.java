package glove.app;

import java.nio.charset.StandardCharsets;

/** Standard output as UTF-8, whatever the locale says. */
final class Output {
    private Output() {}

    /** Exit status: 0, or 1 when not all could be written. */
    static int print(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.out.write(bytes, 0, bytes.length);
        return System.out.checkError() ? 1 : 0;
    }
}
