package glove.sandbox;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** What env(1) makes of its arguments, as far as that can be told. Stateless. */
final class EnvWords {
    private static final String SPLIT = "-S";

    private EnvWords() {}

    /**
     * The program it would execute; empty for none. Refuses what would change where that is looked
     * for, and what only env can read.
     *
     * @param words its arguments; those of that program stay
     */
    static Optional<byte[]> takeTarget(List<byte[]> words) throws Refusal {
        while (!words.isEmpty()) {
            byte[] word = words.remove(0);
            String text = new String(word, StandardCharsets.ISO_8859_1);
            if (text.startsWith(SPLIT)) {
                String all = text.substring(SPLIT.length());
                if (all.isEmpty() && !words.isEmpty()) {
                    all = new String(words.remove(0), StandardCharsets.ISO_8859_1);
                }
                split(words, all);
            } else if (text.startsWith("-") || text.startsWith("PATH=")) {
                throw unreadable(text);
            } else if (text.indexOf('=') < 0) {
                return Optional.of(word);
            }
        }
        return Optional.empty();
    }

    private static void split(List<byte[]> words, String all) throws Refusal {
        int at = 0;
        int from = 0;
        for (int i = 0; i <= all.length(); i++) {
            char c = i == all.length() ? ' ' : all.charAt(i);
            if ("\"'\\$#".indexOf(c) >= 0) {
                throw unreadable(all);
            }
            if (c <= ' ') {
                if (i > from) {
                    String one = all.substring(from, i);
                    words.add(at++, one.getBytes(StandardCharsets.ISO_8859_1));
                }
                from = i + 1;
            }
        }
    }

    private static Refusal unreadable(String text) {
        return new Refusal(
                ProgramLookup.EXIT_NOT_EXECUTABLE,
                "it runs by env '" + text + "', so that nobody can tell beforehand what will run",
                List.of("name the program itself, and its variables by --upstream-env"));
    }
}
