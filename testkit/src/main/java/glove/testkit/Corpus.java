package glove.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Inputs of a reader that are kept, one a line: where some reader went wrong once, and where one
 * easily does. Lines that begin with {@code #} say why. Stateless.
 */
public final class Corpus {
    private Corpus() {}

    /** All of a file, which is closed. */
    public static List<byte[]> lines(InputStream file) throws IOException {
        List<byte[]> all = new ArrayList<>();
        try (file) {
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.split("\n", -1)) {
                if (!line.isEmpty() && line.charAt(0) != '#') {
                    all.add(line.getBytes(StandardCharsets.UTF_8));
                }
            }
        }
        if (all.isEmpty()) {
            throw new IOException("a corpus of nothing");
        }
        return all;
    }
}
