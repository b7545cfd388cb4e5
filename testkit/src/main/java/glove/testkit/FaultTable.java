package glove.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The table of {@code docs/faults.md}: how many points each loop covers at least. A loop that
 * covers fewer has lost some; one that covers twice as many makes the table untrue. Stateless.
 */
public final class FaultTable {
    private static final int TIMES_MAX = 2;

    private FaultTable() {}

    /**
     * Says what a loop covered, and fails unless its row says so, too.
     *
     * @param loop the first column of its row
     */
    public static void require(String loop, int calls, int points) throws IOException {
        System.out.println("faults of " + loop + ": " + calls + " calls, " + points + " points");
        int least = least(loop);
        if (points < least || points > TIMES_MAX * least) {
            throw new AssertionError("the row '" + loop + "' of docs/faults.md says at least "
                    + least + " points, and there are " + points);
        }
    }

    private static int least(String loop) throws IOException {
        Path table = Path.of(System.getProperty("glove.root"), "docs/faults.md");
        for (String line : Files.readAllLines(table)) {
            if (line.startsWith("| " + loop + " | ")) {
                String[] columns = line.split("\\|", -1);
                return Integer.parseInt(columns[columns.length - 2].strip());
            }
        }
        throw new AssertionError("no row '" + loop + "' in docs/faults.md");
    }
}
