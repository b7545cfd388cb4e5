package glove.testkit;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The child processes of this JVM or of another process, zombies included (proc(5), children). */
public final class Children {
    private Children() {}

    /** Process ids of this JVM's. */
    public static List<String> list() throws IOException {
        return of("self");
    }

    /** Those of a process. */
    public static List<String> of(String pid) throws IOException {
        List<String> all = new ArrayList<>();
        try (DirectoryStream<Path> tasks =
                Files.newDirectoryStream(Path.of("/proc", pid, "task"))) {
            for (Path task : tasks) {
                String children = Leftovers.read(task.resolve("children"));
                if (!children.isEmpty()) {
                    all.addAll(List.of(children.split(" ")));
                }
            }
        }
        return all;
    }
}
