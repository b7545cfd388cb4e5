package glove.session;

import glove.testkit.Command;
import glove.testkit.Identity;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A program of these tests, run by somebody. Stateless. */
@SuppressWarnings("exports") // test code: nobody outside of this module calls it
public final class OtherProgram {
    private OtherProgram() {}

    /**
     * Runs it to its end.
     *
     * @param main the name of its class
     * @param open a directory everybody may enter; jars are copied into it
     */
    public static Command.Result run(Identity identity, Path open, String main, String... words)
            throws IOException, InterruptedException {
        return run(identity, open, List.of(), main, words);
    }

    /**
     * The same in a JVM of another kind.
     *
     * @param flags of it
     */
    public static Command.Result run(
            Identity identity, Path open, List<String> flags, String main, String... words)
            throws IOException, InterruptedException {
        return new Command(identity.command(command(open, flags, main, words))).run();
    }

    /** What starts it. */
    public static List<String> command(Path open, List<String> flags, String main, String... words)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(flags);
        command.addAll(List.of(
                "-cp",
                classPath(open),
                "--enable-native-access=ALL-UNNAMED",
                "-Dglove.native=" + System.getProperty("glove.native"),
                main));
        command.addAll(Arrays.asList(words));
        return command;
    }

    /** Everything the tests run with, where an ordinary user can read it. */
    private static String classPath(Path open) throws IOException {
        Path jars = open.resolve("jars");
        Files.createDirectories(jars);
        Files.setPosixFilePermissions(jars, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> paths = new ArrayList<>();
        String all = System.getProperty("jdk.module.path", "")
                + File.pathSeparator
                + System.getProperty("java.class.path", "");
        for (String entry : all.split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (entry.endsWith(".jar") && Files.isRegularFile(path)) {
                Path copy = jars.resolve(paths.size() + ".jar");
                Files.copy(path, copy, StandardCopyOption.REPLACE_EXISTING);
                Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-r--r--"));
                paths.add(copy.toString());
            } else if (Files.isDirectory(path) && !entry.isEmpty()) {
                paths.add(entry);
            }
        }
        paths.add(System.getProperty("glove.root") + "/session/target/test-classes");
        return String.join(File.pathSeparator, paths);
    }
}
