package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A network to test in: namespaces with public-looking addresses on their loopback, names for them,
 * and real servers, as {@code app/src/test/world} makes them. One for each identity, opened on first
 * use and ended with this JVM. What is run in it is run by that identity, without any capability of
 * an ordinary user's. Confined to one thread.
 */
final class EgressWorld {
    private static final Path SCRIPTS =
            Path.of(System.getProperty("glove.root"), "app/src/test/world");
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String STRICT = "set -euo pipefail\n";
    private static final Map<Identity, EgressWorld> OPEN = new EnumMap<>(Identity.class);

    /** One that did not start is not tried for every test. */
    private static final Map<Identity, IOException> BROKEN = new EnumMap<>(Identity.class);

    private final Identity identity;
    private final Path directory;
    private final String pid;

    private EgressWorld(Identity identity, Path directory, String pid) {
        this.identity = identity;
        this.directory = directory;
        this.pid = pid;
    }

    /** Of one identity; skipped with the reason where namespaces are refused. */
    static synchronized EgressWorld of(Identity identity) throws IOException, InterruptedException {
        if (BROKEN.containsKey(identity)) {
            throw BROKEN.get(identity);
        }
        if (!OPEN.containsKey(identity)) {
            require();
            try {
                OPEN.put(identity, open(identity));
            } catch (IOException e) {
                BROKEN.put(identity, e);
                throw e;
            }
        }
        return OPEN.get(identity);
    }

    private static void require() throws IOException, InterruptedException {
        for (String program : List.of("python3", "openssl", "git", "curl", "nsenter", "setpriv")) {
            Lanes.require(
                    "net",
                    WorkRoom.isInstalled(program),
                    program + " is not installed in /usr/bin");
        }
        Command.Result namespaces = new Command(Identity.ORDINARY.command(List.of(
                        "unshare",
                        "--user",
                        "--map-current-user",
                        "--keep-caps",
                        "-n",
                        "-m",
                        "ip",
                        "link",
                        "set",
                        "lo",
                        "up")))
                .run();
        Lanes.require(
                "net",
                namespaces.status() == 0,
                "no network namespace can be made: " + namespaces.err());
    }

    private static EgressWorld open(Identity identity) throws IOException, InterruptedException {
        boolean root = identity == Identity.ROOT;
        Path directory = Files.createTempDirectory(Path.of("/var/tmp"), "glove-world");
        // The servers are an ordinary user's in any case: some refuse to be root's.
        String owner = Identity.ORDINARY.owner();
        Command.Result owned = Command.of(
                        "sh",
                        "-c",
                        "chmod 755 \"$0\" && { [ $(id -u) != 0 ] || chown " + owner + " \"$0\"; }",
                        directory.toString())
                .run();
        assertThat(owned.status()).as("%s", owned).isZero();
        List<String> words = new ArrayList<>(List.of("unshare"));
        if (!root) {
            words.addAll(List.of("--user", "--map-current-user", "--keep-caps"));
        }
        words.addAll(List.of("-n", "-m", "--pid", "--fork", "--kill-child"));
        words.addAll(List.of("bash", SCRIPTS.resolve("world").toString(), directory.toString()));
        words.addAll(
                root
                        ? Identity.ORDINARY.command(List.of())
                        : List.of("setpriv", "--ambient-caps=-all"));
        Process process = new Command(identity.command(words))
                .withOnly(Map.of(
                        "PATH",
                        System.getenv("PATH"),
                        "JAVA_HOME",
                        System.getProperty("java.home")))
                .start();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> close(process, directory), "close-world"));
        return new EgressWorld(identity, directory, readPid(process));
    }

    private static String readPid(Process process) throws IOException {
        BufferedReader lines = new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("ready ")) {
                return line.substring("ready ".length());
            }
        }
        byte[] why = process.getErrorStream().readAllBytes();
        throw new IOException(
                "the world did not start: " + new String(why, StandardCharsets.UTF_8));
    }

    /** With the end of its input everything in it ends; its kernel objects go with the last of it. */
    private static void close(Process process, Path directory) {
        try {
            process.getOutputStream().close();
            process.waitFor();
            Command.of("rm", "-rf", directory.toString()).run();
        } catch (IOException e) {
            throw new IllegalStateException("cannot close the world in " + directory, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Where its servers keep what they serve, {@code ca.pem} for instance. */
    Path directory() {
        return directory;
    }

    /** Whether a server of it listens, by the programs that are installed. */
    static boolean hasSsh() {
        return Files.isExecutable(Path.of("/usr/sbin/sshd"));
    }

    boolean hasPostgres() {
        return Files.exists(directory.resolve("postgres.bin"));
    }

    /** Every request that arrived at a server of HTTP: {@code ADDRESS:PORT METHOD PATH HOST}. */
    List<String> requests() throws IOException {
        String log = Files.readString(directory.resolve("requests.log"));
        // Another request's line may be half written.
        return log.substring(0, log.lastIndexOf('\n') + 1).lines().toList();
    }

    /** Whether a request for a path arrived anywhere; paths of a test are its own. */
    boolean wasAsked(String path) throws IOException {
        return requests().stream().anyMatch(line -> line.split(" ", -1)[2].equals(path));
    }

    /** A command in this world, in the work of a room, with nothing of the caller's environment. */
    Command command(WorkRoom room, List<String> words) {
        List<String> all = new ArrayList<>(List.of("nsenter", "-t", pid, "-n", "-m"));
        if (identity != Identity.ROOT) {
            all.addAll(List.of("--user", "--preserve-credentials"));
        }
        // nsenter leaves one at the root of the other mount namespace.
        all.addAll(List.of("sh", "-c", "cd \"$0\" && exec \"$@\"", room.work().toString()));
        all.addAll(words);
        Map<String, String> environment = new HashMap<>(Map.of(
                "PATH", System.getenv("PATH"),
                "HOME", room.path().toString(),
                "LANG", "C.UTF-8",
                "TERM", "dumb",
                "JAVA_HOME", System.getProperty("java.home")));
        return new Command(identity.command(all)).withOnly(environment).within(PATIENCE);
    }

    /** A bash script in this world without Glove around it. */
    Command outside(WorkRoom room, String script) {
        return command(room, List.of("bash", "-c", STRICT + script));
    }

    /** A bash script inside Glove, with the work of a room granted, not yet run. */
    Command inside(WorkRoom room, List<String> options, String script) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                GloveProgram.script(identity),
                "exec",
                "--workspace",
                room.work().toString()));
        words.addAll(options);
        words.addAll(List.of("--", "bash", "-c", STRICT + script));
        return command(room, words);
    }
}
