package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The script {@code glove} on a tree of its own, whose path has a space and a quote. In order: the
 * first test is the first use, and a build is too long to repeat for each.
 */
@Tag("e2e")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class StartScriptTest {
    private static final Path ROOT = Path.of(System.getProperty("glove.root"));
    private static final Duration BUILD_TIME = Duration.ofMinutes(20);
    private static final String VERSION = "glove 0\\.1\\.0\nbuild [0-9a-f]{16}\n";

    private static Path top = Path.of("/nonexistent");
    private static Path tree = Path.of("/nonexistent");

    @BeforeAll
    static void copyTheSources() throws IOException, InterruptedException {
        top = Files.createTempDirectory(Path.of("/tmp"), "glove-start");
        tree = top.resolve("it's a tree");
        String parts =
                "glove gloved pom.xml .mvn LICENSE packaging scripts native/build native/*/*.[ch] "
                        + "*/pom.xml */src";
        String copy = "mkdir \"$1\" && tar -cf - " + parts + " | tar -C \"$1\" -xf -";
        Command.Result copied = sh(ROOT, copy);
        assertThat(copied.status()).as(copied.toString()).isZero();
        sh(top, "chmod 755 .");
    }

    @AfterAll
    static void remove() throws IOException, InterruptedException {
        sh(top, "rm -rf \"$PWD\"");
    }

    @Test
    @Order(1)
    void twoFirstUsesAtOnceBuildOnce() {
        CompletableFuture<Command.Result> other =
                CompletableFuture.supplyAsync(StartScriptTest::version);

        Command.Result one = version();
        Command.Result two = other.join();

        assertThat(one.out()).as(one.toString()).matches(VERSION);
        assertThat(two.out()).as(two.toString()).matches(VERSION);
        assertThat(one.err() + two.err())
                .containsOnlyOnce("glove: building")
                .doesNotContain("no AOT cache");
    }

    @Test
    @Order(2)
    void theNextUseSaysNothing() throws IOException, InterruptedException {
        Command.Result result = sh(top, "export JAVA_TOOL_OPTIONS=-Da=b; \"$1/glove\" --version");

        assertThat(result.out()).matches(VERSION);
        assertThat(result.err()).isEmpty();
        assertThat(result.status()).isZero();
    }

    /** Neither what a JVM looks for where it starts nor what the environment says changes ours. */
    @Test
    @Order(2)
    void settingsOfAJvmThatLieAboutAreNotRead() throws IOException, InterruptedException {
        String plant = "mkdir lie && cd lie && echo +PrintFlagsFinal >.hotspotrc"
                + " && echo 'print *.*' >.hotspot_compiler && echo -version >java_args;"
                + " export CLASSPATH=/nonexistent.jar:. JDK_JAVA_OPTIONS=-version"
                + " JAVA_TOOL_OPTIONS=-XX:+PrintFlagsFinal _JAVA_OPTIONS=-verbose:class"
                + " JAVA_OPTIONS=-version JDK_AOT_VM_OPTIONS=-version;";
        String starts = plant + " for verb in '--version' 'exec -- true' 'run --help >/dev/null'"
                + " 'tools --help >/dev/null'; do eval \"\\\"\\$1/glove\\\" $verb\"; done;"
                + " \"$1/gloved\" --version";

        Command.Result result = sh(top, starts);
        Command.Result control = sh(
                top,
                "cd lie && read -r jdk <\"$1/target/run/settings\" && \"$jdk/bin/java\""
                        + " -version");

        assertThat(control.err() + control.out()).contains(".hotspotrc", ".hotspot_compiler");
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).as("%s", result).matches(VERSION + "gloved 0\\.1\\.0\n");
        assertThat(result.status()).isZero();
    }

    @Test
    @Order(3)
    void aPoorPathIsEnoughOrOneSentence() throws IOException, InterruptedException {
        sh(top, "ln -s \"$1/glove\" poor; ln -s \"$1/gloved\" poord");
        for (String path : List.of("", "/nonexistent", ".")) {
            for (String start : List.of("\"$1/glove\"", "\"$1/gloved\"", "./poor", "./poord")) {
                Command.Result result = sh(top, "PATH=" + path + "; " + start + " --version");

                assertThat(result.err().lines())
                        .as("%s with PATH='%s': %s", start, path, result)
                        .singleElement()
                        .asString()
                        .contains(" in PATH", "PATH=$PATH:/usr/bin:/bin glove");
                assertThat(result.out()).isEmpty();
                assertThat(result.status())
                        .isEqualTo(start.contains("gloved") || start.contains("poord") ? 1 : 125);
            }
        }
        for (String path : List.of("/usr/bin", "/bin", "/usr/bin:")) {
            Command.Result result = sh(
                    top,
                    "PATH=" + path + "; \"$1/glove\" exec -- /bin/true"
                            + " && \"$1/gloved\" --version && ./poor exec -- /bin/true");

            assertThat(result.out()).as("%s", result).isEqualTo("gloved 0.1.0\n");
            assertThat(result.err()).isEmpty();
        }
    }

    @Test
    @Order(3)
    void worksFromAnywhereAndThroughLinks() throws IOException, InterruptedException {
        sh(top, "ln -s \"$1\" d && ln -s d/glove one && mkdir sub && ln -s ../one sub/two");

        for (String call : List.of(
                "cd \"$1\" && ./glove",
                "cd \"$1\" && sh glove",
                "cd \"$1/app\" && ../glove",
                "cd / && \"$1/glove\"",
                "./one",
                "cd sub && ./two",
                "sh one",
                "cd sub && sh two",
                "cd / && PATH=\"$OLDPWD/sub:$PATH\" two")) {
            Command.Result result = sh(top, call + " --version");

            assertThat(result.out()).as(call + "\n" + result).matches(VERSION);
            assertThat(result.err()).as(call).isEmpty();
        }
    }

    /** As when LD_PRELOAD names what is not there: no reason to build, nor to refuse. */
    @Test
    @Order(3)
    void wordsOfTheLoaderDoNotMakeATreeStale() throws IOException, InterruptedException {
        Command.Result result = sh(top, "LD_PRELOAD=/nonexist.so \"$1/glove\" exec -- echo ran");
        Command.Result failing = sh(
                top,
                "mkdir fails && printf '#!/bin/sh\\nexit 1\\n' >fails/find && chmod 755 fails/find"
                        + " && PATH=$PWD/fails:/usr/bin:/bin \"$1/glove\" exec -- echo ran");

        assertThat(result.err()).contains("nonexist.so").doesNotContain("building");
        assertThat(result.out()).as("%s", result).isEqualTo("ran\n");
        assertThat(failing.out()).as("%s", failing).isEmpty();
        assertThat(failing.status()).isEqualTo(125);
    }

    @Test
    @Order(3)
    void tooLittleDataForAJvmIsOneSentence() throws IOException, InterruptedException {
        for (String call : List.of("glove\" exec -- echo ran", "glove\" doctor", "gloved\"")) {
            Command.Result result = sh(top, "ulimit -d 25000; \"$1/" + call);

            assertThat(result.out()).as("%s", result).isEmpty();
            assertThat(result.err()).contains("of data: ulimit -d unlimited (now 25000)");
            assertThat(result.err().lines()).hasSize(1);
            assertThat(result.status()).isEqualTo(call.startsWith("gloved") ? 1 : 125);
        }
    }

    @Test
    @Order(3)
    void aTreeWhereNoJvmStartsIsNotBuilt() throws IOException, InterruptedException {
        String copy = "for d in 'a:b' \"$(printf 'n\\377')\"; do mkdir \"$d\""
                + " && cp -R \"$1/glove\" \"$1/gloved\" \"$1/scripts\" \"$d\";"
                + " for s in glove gloved; do \"$d/$s\" --version; echo $?; done; done";

        Command.Result result = sh(top, copy);

        assertThat(result.out()).as("%s", result).isEqualTo("125\n1\n125\n1\n");
        assertThat(result.err().lines())
                .hasSize(4)
                .allMatch(line -> line.contains("move the tree"));
    }

    @Test
    @Order(4)
    void theCacheIsUsed() throws IOException, InterruptedException {
        String require = "sed 's/-Xlog:disable/-XX:AOTMode=on/' scripts/run.sh > strict.sh && ";
        String start = ". ./strict.sh && is_fresh . && ";
        String version = "(become_java open -XX:AOTCache=\"$run/exec.aot\" --version) && ";
        String help = "become_java deny -XX:AOTCache=\"$run/other.aot\" --help";
        String tools = " && (become_java serve -XX:AOTCache=\"$run/run.aot\" run --help)";
        String daemon = " && become_java daemon -XX:AOTCache=\"$run/gloved.aot\" --version";

        Command.Result result =
                sh(tree, require + start + version + "(" + help + ")" + tools + daemon);

        assertThat(result.out())
                .matches("(?s)" + VERSION + ".*")
                .contains("usage: glove", "usage: glove run")
                .endsWith("gloved 0.1.0\n");
        assertThat(result.err()).isEmpty();
        assertThat(result.status()).as(result.toString()).isZero();
        sh(tree, "rm strict.sh");
    }

    @Test
    @Order(5)
    void anUnknownVerbIsAUsageError() throws IOException, InterruptedException {
        Command.Result result = sh(tree, "./glove nothing");

        assertThat(result.err()).isEqualTo("glove: unknown verb 'nothing'; see 'glove --help'\n");
        assertThat(result.out()).isEmpty();
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    @Order(6)
    void anotherUserRunsItAndIsToldWhoMustBuild() throws IOException, InterruptedException {
        Lanes.require("e2e", Identity.isRoot(), "only root can become another user");

        Command.Result fresh = as(tree.resolve("glove").toString(), "--version");
        sh(tree, "touch app/src/main/java/module-info.java");
        Command.Result stale = as(tree.resolve("glove").toString(), "--version");

        assertThat(fresh.out()).as(fresh.toString()).matches(VERSION);
        assertThat(fresh.err()).isEmpty();
        assertThat(stale.err())
                .contains("must be built again", "let its owner 'root' run", "glove --version");
        assertThat(stale.out()).isEmpty();
        assertThat(stale.status()).isEqualTo(125);
    }

    @Test
    @Order(7)
    void aFailingBuildShowsTheEndOfItsLog() throws IOException, InterruptedException {
        String broken = "app/src/main/java/glove/app/Broken.java";

        Command.Result result =
                sh(tree, "echo broken > " + broken + "; echo in | ./glove --version; rm " + broken);
        Command.Result repaired = version();

        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("Broken.java", "the build failed", "target/build.log'");
        assertThat(repaired.out()).as(repaired.toString()).matches(VERSION);
    }

    @Test
    @Order(8)
    void missingToolsAreNamed() throws IOException, InterruptedException {
        String only = "mkdir bin; for t in sh find dirname cat chmod cp cut grep id ln mkdir mv"
                + " readlink rm sed sha256sum stat tail touch; do"
                + " ln -s \"$(command -v $t)\" bin/$t; done; ln -s \"$(command -v flock)\" bin;"
                + " ln -s \"$(command -v ls)\" bin; touch \"$1/pom.xml\"; ";

        Command.Result none = sh(top, only + "PATH=$PWD/bin; \"$1/glove\" --version");
        Command.Result each = sh(top, """
                cd bin; for t in *; do
                    case $t in sh | ls) continue ;; esac
                    mv $t ../kept
                    for s in glove gloved; do
                        (PATH=$PWD; "$1/$s" --version) >said 2>&1 && echo "ran without $t"
                        read -r line <said; [ "$(wc -l <said)" = 1 ] || cat said
                        case $line in *"no '$t' in PATH: "* | *"no flock: install"*) ;;
                        *) echo "without $t: $line" ;; esac
                    done
                    rm said; mv ../kept $t
                done""");
        Command.Result compiler =
                sh(top, "touch \"$1\"/native/sys/*; CC=no-such-cc \"$1/native/build\"");

        assertThat(none.err())
                .isEqualTo("glove: no Maven: install it (Debian, Fedora: package" + " maven)\n");
        assertThat(none.status()).isEqualTo(125);
        assertThat(each.out()).as("%s", each).isEmpty();
        assertThat(compiler.err()).contains("no C compiler 'no-such-cc': install gcc");
    }

    @Test
    @Order(9)
    void aJdkThatVanishedIsReplaced() throws IOException, InterruptedException {
        sh(tree, "sed -i '1s|.*|/gone/jdk|' target/run/settings");

        Command.Result first = version();
        Command.Result next = version();

        assertThat(first.err()).contains("glove: building");
        assertThat(first.out()).as(first.toString()).matches(VERSION);
        assertThat(next.err()).isEmpty();
    }

    @Test
    @Order(10)
    void aMovedTreeIsBuiltForItsNewPath() throws IOException, InterruptedException {
        Path moved = top.resolve("moved");

        Command.Result result = sh(top, "mv \"$1\" moved && moved/glove --version");

        assertThat(result.out()).as(result.toString()).matches(VERSION);
        assertThat(Files.readString(moved.resolve("target/run/settings"))).contains("/moved\n");
    }

    @Test
    @Order(11)
    void theDaemonOfAnImageStartsFromItsCacheAndAnswers() throws IOException, InterruptedException {
        Command.Result result = sh(top, """
                set -e; umask 077; moved/scripts/image image >&2
                sed 's/-Xlog:disable/-XX:AOTMode=on/' image/bin/gloved > image/bin/strict
                mkdir room room/runtime room/state room/projects
                printf '%064d\n' 0 > room/key
                for file in config exposures; do
                    sed "s|@|$PWD/room|" moved/scripts/training/$file.json.in > room/$file.json
                done
                sed -i '/session/d' room/config.json
                sh image/bin/strict --config "$PWD/room/config.json" 2> room/log & daemon=$!
                until grep -q ready room/log; do
                    kill -0 $daemon || { cat room/log >&2; exit 1; }
                    sleep 0.1
                done
                image/bin/glove exposure list --config "$PWD/room/config.json" --json
                kill -TERM $daemon; wait $daemon; cat room/log""");

        assertThat(result.status()).as(result.toString()).isZero();
        assertThat(result.err()).doesNotContain("no AOT cache");
        assertThat(result.out())
                .contains("\"schema_version\":1", "gloved: ready")
                .endsWith("gloved: stopped\n");
    }

    @Test
    @Order(12)
    void anImageWhereNoJvmStartsSaysSo() throws IOException, InterruptedException {
        Command.Result result = sh(top, """
                export LC_ALL=C.UTF-8
                for d in 'a b' 'i:m' "$(printf 'n\\377\\376')"; do
                    mkdir -p "places/$d"; mv image "places/$d/image"; ln -sfn "places/$d" linked
                    for s in "places/$d" linked; do
                        "$s/image/bin/glove" exec -- echo ran; echo $?
                    done
                    "places/$d/image/bin/gloved" --version; echo $?
                    mv "places/$d/image" image
                done""");

        assertThat(result.out())
                .as("%s", result)
                .isEqualTo("ran\n0\nran\n0\ngloved 0.1.0\n0\n125\n125\n1\n125\n125\n1\n");
        assertThat(result.err().lines())
                .hasSize(6)
                .allMatch(line -> line.contains("move Glove to a path"));
    }

    @Test
    @Order(13)
    void nativeCodeOutsideItsModuleIsNotBuilt() throws IOException, InterruptedException {
        String loads = "package glove.wire; final class Loads { static native void code(); }";
        String file = "moved/wire/src/main/java/glove/wire/Loads.java";

        Command.Result result =
                sh(top, "echo '" + loads + "' > " + file + "; moved/glove --version; rm " + file);

        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("only glove.sys may touch native code", "glove.wire");
    }

    private static Command.Result version() {
        try {
            // As most people have it: the script must find the JDK itself, for Maven too.
            return sh(top, "unset JAVA_HOME; PATH=/usr/bin:/bin; \"$1/glove\" --version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Runs shell text somewhere; {@code $1} is the tree. */
    private static Command.Result sh(Path where, String text)
            throws IOException, InterruptedException {
        return Command.of("sh", "-c", text, "sh", tree.toString())
                .in(where)
                .within(BUILD_TIME)
                .run();
    }

    private static Command.Result as(String... words) throws IOException, InterruptedException {
        return new Command(Identity.ORDINARY.command(List.of(words))).in(top).run();
    }
}
