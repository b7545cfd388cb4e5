package glove.sandbox;

import glove.testkit.Command;
import glove.testkit.Identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link HostProgramMain} in a JVM of its own, as any identity, from copies of the classes that
 * identity may read; and a directory it may write. Confined to one thread; close it to remove all.
 */
final class HostProgramRunner {
    static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Path ROOT = Path.of(System.getProperty("glove.root"));

    private final Identity identity;
    private final Path path;

    HostProgramRunner(Identity identity) throws IOException, InterruptedException {
        this.identity = identity;
        this.path = Files.createTempDirectory(Path.of("/var/tmp"), "glove-host");
        String script = """
                mkdir classes room && cp -R "$0/sys/target/classes" classes/sys
                cp -R "$0/sandbox/target/classes" classes/sandbox
                cp -R "$0/sandbox/target/test-classes" classes/test
                cp -R "$1" classes/native && chmod -R a+rX . && chown "$2" room
                """;
        String owner = Identity.isRoot() ? identity.owner() : ".";
        shell(owner.equals(".") ? script.replace("&& chown", "&& : chown") : script, owner);
    }

    private void shell(String script, String owner) throws IOException, InterruptedException {
        Command.Result result = Command.of(
                        "sh",
                        "-ec",
                        script,
                        ROOT.toString(),
                        System.getProperty("glove.native"),
                        owner)
                .in(path)
                .run();
        if (result.status() != 0) {
            throw new IOException("cannot copy the classes: " + result);
        }
    }

    /** Where it may write. */
    Path room() {
        return path.resolve("room");
    }

    /** Not yet run; OPTION... -- PROGRAM ARG..., found in /usr/bin and /bin, started in the room. */
    Command command(String... words) {
        return command(List.of(), words);
    }

    /** The same behind another command, such as {@code prlimit}. */
    Command command(List<String> before, String... words) {
        Path classes = path.resolve("classes");
        List<String> line = new ArrayList<>(before);
        line.add(System.getProperty("java.home") + "/bin/java");
        line.addAll(List.of("-XX:-MaxFDLimit", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
        line.add("-Dglove.native=" + classes + "/native");
        line.addAll(List.of("--enable-native-access=glove.sys", "--illegal-native-access=deny"));
        line.addAll(List.of("-p", classes + "/sys:" + classes + "/sandbox"));
        line.addAll(List.of("--patch-module", "glove.sandbox=" + classes + "/test"));
        line.addAll(List.of("-m", "glove.sandbox/" + HostProgramMain.class.getName()));
        line.addAll(List.of("path=/usr/bin:/bin", "cwd=" + room()));
        line.addAll(List.of(words));
        return new Command(identity.command(line)).in(path).within(PATIENCE);
    }

    /** What a shell script prints, and then how it ended; its variables are PATH alone. */
    String prints(String script) throws IOException, InterruptedException {
        return command("env=PATH=/usr/bin:/bin", "--", "sh", "-c", script).run().out();
    }

    void close() throws IOException, InterruptedException {
        Command.of("rm", "-rf", path.toString()).run();
    }
}
