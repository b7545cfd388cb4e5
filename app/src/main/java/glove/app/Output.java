package glove.app;

import java.nio.charset.StandardCharsets;

/** Standard output as UTF-8, whatever the locale says. */
final class Output {
    private Output() {}

    static void print(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.out.write(bytes, 0, bytes.length);
        System.out.flush();
    }
}
