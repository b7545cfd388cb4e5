package glove.app;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Standard output as UTF-8, whatever the locale says. */
final class Output {
    private Output() {}

    /** Exit status: 0, or 1 when not all could be written. */
    static int print(String text) {
        return print(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Lines that hold words of others, which no terminal obeys and none of which is more than a
     * line; exit status as above.
     */
    static int printLines(List<String> lines) {
        StringBuilder text = new StringBuilder();
        for (String line : lines) {
            text.append(TerminalText.of(line)).append('\n');
        }
        return print(text.toString());
    }

    /** A document in a line, in which what no terminal may obey is escaped; status as above. */
    static int printJson(String document) {
        return print(TerminalText.json(document) + "\n");
    }

    /** Bytes as they are; exit status as above. */
    static int print(byte[] bytes) {
        System.out.write(bytes, 0, bytes.length);
        return System.out.checkError() ? 1 : 0;
    }
}
