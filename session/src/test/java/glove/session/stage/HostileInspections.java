package glove.session.stage;

import glove.sys.Linux;
import glove.wire.AbsolutePath;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A program of a test: two at once look at stages that cost as much as can be. */
@SuppressWarnings("SystemOut") // a program of its own: this is what it says
final class HostileInspections {
    private HostileInspections() {}

    public static void main(String[] words)
            throws IOException, InterruptedException, ExecutionException {
        if (words[0].equals("one")) {
            System.out.println(inspect(Path.of(words[1])));
            return;
        }
        List<Path> roots = new ArrayList<>();
        Path allowed = Path.of(words[0], "allowed");
        Path names = HostileStages.make(allowed, HostileStages.largeManifest());
        HostileStages.names(names, 66_000); // just what may be held
        roots.add(allowed);
        roots.add(allowed);
        Path deep = Path.of(words[0], "deep");
        Path inner = HostileStages.deep(HostileStages.make(deep, HostileStages.manifest()), 11);
        HostileStages.names(inner, 3_000);
        roots.add(deep);
        Path values = Path.of(words[0], "values");
        HostileStages.make(values, "[" + "1,".repeat(8 << 20).substring(0, (16 << 20) - 3) + "]");
        roots.add(values);
        try (ExecutorService two = Executors.newFixedThreadPool(2)) {
            for (int round = 0; round < 2; round++) {
                List<Future<String>> told = new ArrayList<>();
                for (Path root : roots) {
                    told.add(two.submit(() -> inspect(root)));
                }
                for (Future<String> one : told) {
                    System.out.println(one.get());
                }
            }
        }
    }

    private static String inspect(Path root) {
        try {
            new RetainedStages(Linux.host(), new AbsolutePath(root.toString()))
                    .inspect(HostileStages.ASKED, () -> true);
            return "shown";
        } catch (StageException e) {
            for (String why : List.of("other files", "no JSON")) {
                if (e.getMessage().contains(why)) {
                    return why;
                }
            }
            return e.getMessage();
        }
    }
}
