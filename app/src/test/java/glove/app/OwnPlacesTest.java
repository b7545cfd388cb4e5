package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What Glove executes or maps, now or at its next start, is read-only inside whatever is granted:
 * an image, a source tree, the JDK below it. Each attack succeeds outside, as a control.
 */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class OwnPlacesTest {
    private static final Path ROOT = Path.of(System.getProperty("glove.root"));
    private static final Duration BUILD_TIME = Duration.ofMinutes(20);
    private static final String IMAGE = "deep/image/bin/glove";
    private static final String READ_ONLY = "Read-only file system";
    private static final String BUSY = "Device or resource busy";
    private static final String OTHER_MOUNT = "Invalid cross-device link";

    private static Path top = Path.of("/nonexistent");

    private final WorkRoom room;

    /** One line of shell, and how it fails inside. */
    private record Attack(String line, String refusal) {}

    OwnPlacesTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @BeforeAll
    static void makeImage() throws IOException, InterruptedException {
        top = Files.createTempDirectory(Path.of("/tmp"), "glove-own");
        must(Command.of("sh", "-c", "\"$0\" image image", ROOT + "/glove").in(top));
    }

    @AfterAll
    static void removeImage() throws IOException, InterruptedException {
        must(Command.of("rm", "-rf", top.toString()));
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private static void must(Command command) throws IOException, InterruptedException {
        Command.Result result = command.within(BUILD_TIME).run();
        assertThat(result.status()).as("%s", result).isZero();
    }

    /** Puts something into the workspace, as the identity's own; by whoever runs the tests. */
    private void put(String script) throws IOException, InterruptedException {
        String owner = Identity.isRoot() ? "; chown -R " + room.identity().owner() + " ." : "";
        must(Command.of("sh", "-ec", script + owner).in(room.work()));
    }

    private void putImage() throws IOException, InterruptedException {
        put("mkdir deep bin; cp -a '" + top + "/image' deep/; ln -s ../" + IMAGE + " bin/glove");
    }

    /** A built tree, and the JDK it runs on. */
    private void putClone() throws IOException, InterruptedException {
        put("mkdir clone jdk; cd '" + ROOT + "'; tar -cf - glove gloved pom.xml scripts native "
                + "*/pom.xml */src/main target/run target/\"$(readlink target/run)\" "
                + "| tar -C '" + room.work()
                + "/clone' -xf -; cd \"$(head -n 1 target/run/settings)\"; "
                + "tar --exclude=./jmods --exclude=./lib/src.zip -chf - . "
                + "| tar -C '" + room.work() + "/jdk' -xf -; cd '" + room.work() + "'; "
                + "printf '%s\\n' \"$PWD/jdk\" \"$(sed -n 2p clone/target/run/settings)\" "
                + "\"$PWD/clone\" > settings; cp settings clone/target/run/settings; "
                + "touch clone/target/run/stamp");
    }

    /** The Glove of the workspace; its bin directory is the first of PATH. */
    private Command glove(String program, List<String> words) {
        List<String> all = new ArrayList<>(List.of(room.work() + "/" + program));
        all.addAll(words);
        return new Command(room.identity().command(all))
                .in(room.work())
                .with("PATH", room.work() + "/bin:/usr/bin:/bin")
                .with("HOME", room.path().toString())
                .within(Duration.ofMinutes(4));
    }

    private Command.Result exec(String program, List<String> options, String script)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("exec"));
        words.addAll(options);
        words.addAll(List.of("--", "bash", "-c", script));
        return glove(program, words).run();
    }

    private static String script(List<Attack> attacks) {
        StringBuilder script = new StringBuilder("exec 2>&1; ");
        for (Attack attack : attacks) {
            script.append(attack.line).append(" && echo done\n");
        }
        return script.toString();
    }

    private void assertRefusedInsideOnly(String program, List<Attack> attacks) throws Exception {
        Command.Result inside =
                exec(program, List.of("--workspace", "."), script(attacks) + "echo end");

        List<String> lines = inside.out().lines().toList();
        assertThat(lines).as("%s", inside).hasSize(attacks.size() + 1).endsWith("end");
        for (int i = 0; i < attacks.size(); i++) {
            assertThat(lines.get(i)).as(attacks.get(i).line).contains(attacks.get(i).refusal);
        }
        assertThat(room.outside("cd work; " + script(attacks)).lines().distinct())
                .as("control")
                .containsExactly("done");
    }

    @Test
    void anImageInsideAGrantCannotBeWrittenNorMovedNorItsStarterLedElsewhere() throws Exception {
        putImage();
        String library = "deep/image/lib/glove/libglove-sys.so";

        assertRefusedInsideOnly(
                IMAGE,
                List.of(
                        new Attack(
                                "printf x | dd status=none conv=notrunc of=" + library, READ_ONLY),
                        new Attack(": >> deep/image/lib/modules", READ_ONLY),
                        new Attack(": >> deep/image/lib/glove/exec.aot", READ_ONLY),
                        new Attack(": >> " + IMAGE, READ_ONLY),
                        new Attack("chmod 777 " + IMAGE, READ_ONLY),
                        new Attack("touch deep/image/lib/glove/new", READ_ONLY),
                        new Attack("rm -f deep/image/bin/java", READ_ONLY),
                        new Attack("ln deep/image/lib/libjava.so linked", OTHER_MOUNT),
                        new Attack("ln -sfn /bin/true bin/glove", BUSY),
                        new Attack("mv deep/image deep/other", BUSY),
                        new Attack("mv deep other", BUSY)));
    }

    @Test
    void aSourceTreesBuildItsStartersAndItsJdkAreReadOnlyAndItsSourcesAreTold() throws Exception {
        putClone();
        String look = "touch clone/app/src/main/new && echo written";

        Command.Result sources = exec("clone/glove", List.of("--workspace", "."), look);

        assertThat(sources.out()).as("%s", sources).isEqualTo("written\n");
        assertThat(sources.err()).contains("is the source tree this Glove runs from");
        room.outside("rm work/clone/app/src/main/new; touch work/clone/target/run/stamp");
        assertRefusedInsideOnly(
                "clone/glove",
                List.of(
                        new Attack(": >> clone/glove", READ_ONLY),
                        new Attack(": >> clone/gloved", READ_ONLY),
                        new Attack(": >> clone/scripts/run.sh", READ_ONLY),
                        new Attack(": >> clone/target/run/settings", READ_ONLY),
                        new Attack(": >> clone/target/run/libglove-sys.so", READ_ONLY),
                        new Attack("ln -sfn /tmp clone/target/run", READ_ONLY),
                        new Attack("touch clone/target/run.new", READ_ONLY),
                        new Attack("touch clone/native/target/new", READ_ONLY),
                        new Attack(": >> jdk/lib/modules", READ_ONLY),
                        new Attack("rm jdk/bin/java", READ_ONLY),
                        new Attack("mv jdk other", BUSY),
                        new Attack("mv clone/scripts clone/other", BUSY),
                        new Attack("mv clone/native clone/n", BUSY),
                        new Attack("mv clone/target clone/t", BUSY),
                        new Attack("mv clone c", BUSY)));
    }

    @Test
    void aWritableGrantOfTheImageOrInItIsRefusedAndAReadOnlyOneIsNot() throws Exception {
        putImage();

        for (String path : List.of("deep/image", "deep/image/lib/glove", IMAGE)) {
            Command.Result result = exec(IMAGE, List.of("--write", path), "true");

            assertThat(result.status()).as("%s", result).isEqualTo(2);
            assertThat(result.err())
                    .contains("--write '" + room.work() + "/" + path + "'")
                    .contains("from which Glove itself runs")
                    .contains("Try: --read ");
        }
        assertThat(exec(IMAGE, List.of("--read", "deep/image"), "true").status())
                .isZero();
    }

    @Test
    void noOptionLiftsItAndExplainTellsIt() throws Exception {
        putImage();
        List<String> lifted =
                List.of("--workspace", ".", "--no-default-protect", "--no-protect", "deep/image");

        assertThat(exec(IMAGE, lifted, ": >> " + IMAGE).err()).contains(READ_ONLY);
        assertThat(exec(IMAGE, List.of("--workspace", ".", "--explain"), "true").out())
                .contains(room.work() + "/deep/image protected: Glove itself runs from it")
                .contains(room.work() + "/bin/glove protected: Glove itself runs from it");
        Command.Result nested = exec(
                IMAGE,
                List.of("--workspace", ".", "--no-default-protect", "--allow-nesting"),
                "true");
        assertThat(nested.status()).as("%s", nested).isEqualTo(2);
        assertThat(nested.err())
                .contains("--allow-nesting: ", "Glove itself runs from it")
                .contains("Try: grant something narrower");
    }

    @Test
    void anUpstreamsWritableGrantIsHeldTheSame() throws Exception {
        putImage();
        Files.writeString(
                room.path().resolve("peer.sh"),
                "cd '" + room.work() + "'; : >> " + IMAGE + " || : > refused; : > ran\n");
        List<String> words = new ArrayList<>(List.of("run", "--upstream"));
        words.add("a=/bin/bash," + room.path() + "/peer.sh");
        words.addAll(List.of("--allow", "a.*", "--upstream-sandbox"));
        String reads = "a:read=" + room.path() + "/peer.sh,write=";

        List<String> whole = new ArrayList<>(words);
        whole.addAll(List.of(reads + room.work(), "--read", room.work().toString(), "--"));
        whole.addAll(List.of("sh", "-c", "until test -e \"$0\"; do sleep 0.05; done"));
        whole.add(room.work() + "/ran");
        Command.Result held = glove(IMAGE, whole).run();
        List<String> within = new ArrayList<>(words);
        within.addAll(List.of(reads + room.work() + "/deep/image", "--", "true"));
        Command.Result refused = glove(IMAGE, within).run();

        assertThat(room.work().resolve("ran")).as("%s", held).exists();
        assertThat(room.work().resolve("refused")).as("%s", held).exists();
        assertThat(refused.status()).as("%s", refused).isEqualTo(2);
        assertThat(refused.err()).contains("upstream 'a'", "from which Glove itself runs");
    }
}
