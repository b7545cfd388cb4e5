package glove.app;

import glove.testkit.Command;
import glove.testkit.Identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The real program, as a person types it: the script at the root of the tree. */
final class GloveProgram {
    private static final Path ROOT = Path.of(System.getProperty("glove.root"));
    private static Path home = ROOT;

    private GloveProgram() {}

    /** A command that runs {@code glove WORD...} as somebody. */
    static Command as(Identity identity, List<String> words) throws IOException {
        List<String> line = new ArrayList<>(List.of(script(identity)));
        line.addAll(words);
        return new Command(identity.command(line));
    }

    /** {@code glove exec OPTION... -- COMMAND...}. */
    static Command exec(Identity identity, List<String> options, List<String> command)
            throws IOException {
        List<String> words = new ArrayList<>(List.of("exec"));
        words.addAll(options);
        words.add("--");
        words.addAll(command);
        return as(identity, words);
    }

    /** The script to type; a tree below a closed directory is copied once for who may not pass. */
    static synchronized String script(Identity identity) throws IOException {
        if (identity == Identity.ORDINARY && Identity.isRoot() && home.equals(ROOT)) {
            home = isReachable(identity) ? ROOT : copy();
        }
        return (identity == Identity.ROOT ? ROOT : home).resolve("glove").toString();
    }

    private static boolean isReachable(Identity identity) throws IOException {
        return run(new Command(identity.command(
                                List.of("test", "-r", ROOT + "/target/run/app.jar"))))
                        .status()
                == 0;
    }

    private static Path copy() throws IOException {
        Path copy = Files.createTempDirectory(Path.of("/tmp"), "glove-tree");
        String script = "tar -C '" + ROOT
                + "' -cf - glove gloved pom.xml scripts native */pom.xml */src/main "
                + "target/run target/run-* | tar -C '" + copy + "' -xpf - && chmod -R a+rX '" + copy
                + "'";
        Command.Result result = run(Command.of("sh", "-c", "cd '" + ROOT + "' && " + script));
        if (result.status() != 0) {
            throw new IOException("cannot copy the tree: " + result);
        }
        run(Command.of("touch", copy + "/target/run/stamp"));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(copy), "remove-copy"));
        return copy;
    }

    private static void remove(Path copy) {
        try {
            run(Command.of("rm", "-rf", copy.toString()));
        } catch (IOException e) {
            throw new IllegalStateException("cannot remove " + copy, e);
        }
    }

    private static Command.Result run(Command command) throws IOException {
        try {
            return command.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
