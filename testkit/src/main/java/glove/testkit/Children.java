package glove.testkit;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The child processes of this JVM, zombies included (proc(5), task/children). */
public final class Children {
    private Children() {}

    /** Their process ids. */
    public static List<String> list() throws IOException {
        List<String> all = new ArrayList<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                String children = Files.readString(task.resolve("children")).strip();
                if (!children.isEmpty()) {
                    all.addAll(List.of(children.split(" ")));
                }
            }
        }
        return all;
    }
}
