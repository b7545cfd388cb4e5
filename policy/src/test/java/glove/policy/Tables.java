package glove.policy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The tables of this module's tests. Stateless. */
final class Tables {
    private Tables() {}

    /** The lines of a resource that are no comments, written out. */
    static List<String> lines(String name) throws IOException {
        try (InputStream in = Tables.class.getResourceAsStream(name)) {
            String all = new String(
                    Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
            return all.lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .map(Tables::writtenOut)
                    .toList();
        }
    }

    /** {@code <x*9>} is nine x. */
    private static String writtenOut(String line) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < line.length()) {
            int star = line.charAt(at) == '<' ? line.indexOf('*', at) : -1;
            int end = star < 0 ? -1 : line.indexOf('>', star);
            if (end < 0) {
                out.append(line.charAt(at));
                at++;
            } else {
                int count = Integer.parseInt(line.substring(star + 1, end));
                out.append(line.substring(at + 1, star).repeat(count));
                at = end + 1;
            }
        }
        return out.toString();
    }
}
