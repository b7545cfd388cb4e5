package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A fresh directory of one identity with a workspace {@code work} in it, and what that identity does
 * there: inside the sandbox, through the real program, and outside, as it would without Glove.
 * Confined to one thread; close it to remove everything.
 */
final class WorkRoom {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String STRICT = "set -euo pipefail\n";

    private final Identity identity;
    private final Path path;

    /** One below /var/tmp: inside, /tmp is another directory. */
    static WorkRoom of(Identity identity) throws IOException, InterruptedException {
        return below(Path.of("/var/tmp"), identity);
    }

    static WorkRoom below(Path directory, Identity identity)
            throws IOException, InterruptedException {
        WorkRoom room = new WorkRoom(identity, Files.createTempDirectory(directory, "glove work"));
        must(Command.of("chmod", "755", room.path.toString()));
        must(Command.of("chown", identity.owner(), room.path.toString()), Identity.isRoot());
        room.outside("mkdir work");
        return room;
    }

    private WorkRoom(Identity identity, Path path) {
        this.identity = identity;
        this.path = path;
    }

    private static void must(Command command, boolean wanted)
            throws IOException, InterruptedException {
        if (wanted) {
            must(command);
        }
    }

    private static Command.Result must(Command command) throws IOException, InterruptedException {
        Command.Result result = command.within(PATIENCE).run();
        assertThat(result.status()).as("%s", result).isZero();
        return result;
    }

    /** The directory around the workspace; not granted. */
    Path path() {
        return path;
    }

    Path work() {
        return path.resolve("work");
    }

    Identity identity() {
        return identity;
    }

    /** {@code glove exec OPTION... -- COMMAND...} with the workspace granted, not yet run. */
    Command exec(List<String> options, String... command) throws IOException {
        List<String> all = new ArrayList<>(List.of("--workspace", work().toString()));
        all.addAll(options);
        return GloveProgram.exec(identity, all, List.of(command)).in(path).within(PATIENCE);
    }

    /** A bash script inside, not yet run; it stops at the first failure. */
    Command bash(List<String> options, String script) throws IOException {
        return exec(options, "bash", "-c", STRICT + script);
    }

    /** What a bash script prints inside; it must succeed. */
    String prints(String script) throws IOException, InterruptedException {
        return prints(List.of(), script);
    }

    String prints(List<String> options, String script) throws IOException, InterruptedException {
        return must(bash(options, script)).out();
    }

    /** What a bash script prints without Glove around it, in this directory; it must succeed. */
    String outside(String script) throws IOException, InterruptedException {
        return must(shell(script)).out();
    }

    /** A bash script without Glove around it, not yet run; {@code $GLOVE} is the program. */
    Command shell(String script) throws IOException {
        return new Command(identity.command(List.of("bash", "-c", STRICT + script)))
                .in(path)
                .with("GLOVE", GloveProgram.script(identity))
                .within(PATIENCE);
    }

    /** Whether a program is installed for everybody, and so visible inside. */
    static boolean isInstalled(String program) {
        return Files.isExecutable(Path.of("/usr/bin", program));
    }

    /** Where this identity's PATH has a program, if at all; for --tool. */
    boolean hasTool(String program) throws IOException, InterruptedException {
        return shell(program + " --version || " + program + " version").run().status() == 0;
    }

    /** The directory itself, or a copy this identity may read of what find(1) finds there. */
    Path readable(Path directory, String wanted) throws IOException, InterruptedException {
        if (shell("test -x '" + directory + "'").run().status() == 0) {
            return directory;
        }
        Path copy = path.resolve(directory.getFileName());
        String script = "mkdir \"$0\"; find . " + wanted + " | tar -chT - | tar -x -C \"$0\";"
                + " chmod -R a+rX \"$0\"";
        must(Command.of("sh", "-c", script, copy.toString()).in(directory));
        return copy;
    }

    /** Removes everything. */
    void close() throws IOException, InterruptedException {
        must(Command.of("chmod", "-R", "u+rwX", path.toString()));
        must(Command.of("rm", "-rf", path.toString()));
    }
}
