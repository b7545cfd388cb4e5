package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What is started from the source tree loads its classes from the cache that was recorded, all that
 * a cache can hold; and a build whose recording failed says so. A cache of half of them is taken as well
 * (AOTMode=on), and nobody would notice but by the time.
 */
@Tag("e2e")
final class AotCacheTest {
    private static final Path ROOT = Path.of(System.getProperty("glove.root"));
    private static final Duration BUILD_TIME = Duration.ofMinutes(20);

    /** Takes cache, mode and words; prints how many classes of ours come from it, and from jars. */
    private static final String COUNT = """
            sed 's|-Xlog:disable|-Xlog:class+load:file="$loaded"|' "$ROOT/scripts/run.sh" >loads
            . ./loads && is_fresh "$ROOT" || exit 9
            scratch=$PWD loaded=$PWD/loaded
            count() {
                (cd work && eval "become_java $2 $1 $3" >../out 2>../err </dev/null)
                status=$?
                [ $status = 0 ] || { cat out err >&2; exit $status; }
                grep -c 'glove[.].*source: shared objects file' loaded || true
                # The JVM's own wall costs the archived lambdas (docs/adr/0024).
                made=nothing
                case $2 in serve | deny) made='[$][$]Lambda' ;; esac
                grep 'glove[.].*source: ' loaded | grep -v "$made" |
                    grep -vc 'source: shared objects file' || true
            }
            """;

    private Path top = Path.of("/nonexistent");

    @BeforeEach
    void makeADirectory() throws IOException {
        top = Files.createTempDirectory(Path.of("/tmp"), "glove-cache");
    }

    @AfterEach
    void remove() throws IOException, InterruptedException {
        must("rm -rf \"$PWD\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            exec   | open   | exec --workspace . -- true
            egress | open   | exec --workspace . --egress-allow example.com -- true
            run    | serve  | run --workspace . --upstream "u=sh,$scratch/upstream" --allow 'u.*' -- sh agent
            other  | deny   | --help
            gloved | daemon | --version
            """)
    void allClassesOfAStartComeFromItsCache(String cache, String mode, String words)
            throws Exception {
        String prepare = COUNT + "mkdir work; cp \"$ROOT\"/scripts/training/agent work;"
                + " cp \"$ROOT\"/scripts/training/upstream .; export XDG_STATE_HOME=$PWD/state;";
        String start = " " + mode + " '" + words.replace("'", "'\\''") + "'";

        String with = "count \"-XX:AOTCache=$run/" + cache + ".aot\"" + start;
        List<Integer> cached = numbers(must(prepare + with));
        List<Integer> control =
                numbers(must("rm -rf work;" + prepare + "count -Xshare:auto" + start));

        assertThat(cached.get(0)).isGreaterThan(10);
        assertThat(cached.get(1)).as("of %s, not from the cache", cache).isZero();
        assertThat(control.get(0)).as("the control: without a cache").isZero();
        assertThat(control.get(1)).isGreaterThan(10);
    }

    @Test
    void aRecordingThatFailsIsSaidAndNoImageIsMade() throws Exception {
        must("""
                mkdir tree; (cd "$ROOT" && tar -cf - glove gloved pom.xml .mvn LICENSE packaging \\
                    scripts native/build native/*/*.[ch] */pom.xml */src) | tar -C tree -xf -
                echo 'exit 3' >tree/scripts/training/agent""");

        Command.Result build = sh("tree/glove --version");
        Command.Result image = sh("tree/glove image made");
        Command.Result left = sh("ls -d made .glove* tree/target/run/*.aot");

        assertThat(build.status()).as("%s", build).isZero();
        assertThat(build.err().lines().filter(line -> line.contains("AOT cache")))
                .singleElement()
                .asString()
                .contains(
                        "'run'",
                        "failed: starts take three times as long",
                        "build.log'",
                        "--force");
        assertThat(image.status()).as("%s", image).isEqualTo(1);
        assertThat(image.err().lines())
                .singleElement()
                .asString()
                .startsWith("glove image: the build could not record a run of 'run'");
        assertThat(left.out().lines())
                .extracting(line -> line.replaceFirst(".*/", ""))
                .containsExactly("egress.aot", "exec.aot", "gloved.aot", "other.aot");
    }

    private static List<Integer> numbers(String text) {
        return text.lines().map(Integer::valueOf).toList();
    }

    private String must(String script) throws IOException, InterruptedException {
        Command.Result result = sh(script);
        assertThat(result.status()).as("%s", result).isZero();
        return result.out();
    }

    private Command.Result sh(String script) throws IOException, InterruptedException {
        return Command.of("sh", "-c", script)
                .with("ROOT", ROOT.toString())
                .in(top)
                .within(BUILD_TIME)
                .run();
    }
}
