package glove.wire;

import java.util.Optional;
import java.util.Set;

/** Which name somebody meant. Stateless. */
final class Spelling {
    /** More changes than this make another word of it. */
    private static final int CHANGES_MAX = 2;

    private static final int LENGTH_MAX = 64;

    private Spelling() {}

    /** The nearest of some names, if it is near. */
    static Optional<String> closest(String written, Set<String> names) {
        Optional<String> closest = Optional.empty();
        int least = CHANGES_MAX + 1;
        for (String name : names) {
            int changes = name.equalsIgnoreCase(written) ? 0 : changes(written, name);
            boolean another = changes >= name.length();
            if (!another && changes < least) {
                least = changes;
                closest = Optional.of(name);
            }
        }
        return closest;
    }

    /** Characters to add, leave out or replace (Levenshtein); many for long words. */
    private static int changes(String a, String b) {
        if (a.length() > LENGTH_MAX || Math.abs(a.length() - b.length()) > CHANGES_MAX) {
            return CHANGES_MAX + 1;
        }
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int same = a.charAt(i - 1) == b.charAt(j - 1) ? diagonal : diagonal + 1;
                diagonal = row[j];
                row[j] = Math.min(same, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
