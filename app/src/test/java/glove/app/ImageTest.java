package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The image and the package that {@code glove image} makes, moved to a path with a space and a
 * quote, which nobody may write.
 */
@Tag("e2e")
final class ImageTest {
    private static final Path ROOT = Path.of(System.getProperty("glove.root"));
    private static final Duration BUILD_TIME = Duration.ofMinutes(20);

    private static Path top = Path.of("/nonexistent");

    @BeforeAll
    static void makeBoth() throws IOException, InterruptedException {
        top = Files.createTempDirectory(Path.of("/tmp"), "glove-image");
        String script = """
                chmod 755 .; "$ROOT/glove" image first && mv first "it's an image" &&
                chmod -R a-w "it's an image" && "$ROOT/glove" image --deb one.deb &&
                dpkg-deb -x one.deb 'a root'""";
        must(script);
    }

    @AfterAll
    static void remove() throws IOException, InterruptedException {
        sh("chmod -R u+w \"$PWD\"; rm -rf \"$PWD\"");
    }

    static List<Place> everywhere() {
        List<Place> all = new ArrayList<>();
        for (Identity identity : Identity.available()) {
            all.add(new Place(identity, "it's an image/bin"));
            all.add(new Place(identity, "a root/usr/bin"));
        }
        return all;
    }

    record Place(Identity identity, String programs) {}

    @ParameterizedTest
    @MethodSource("everywhere")
    void itRunsWithoutJdkAndPathFromWhereItWasMovedTo(Place place) throws Exception {
        Command.Result result = as(
                place,
                List.of("exec", "--", "/bin/sh", "-c", "echo contained; test -e /etc/shadow"));
        Command.Result daemon = run(place, "gloved", List.of("--version"));

        assertThat(result.out()).as("%s", result).isEqualTo("contained\n");
        assertThat(result.err()).isEmpty();
        assertThat(result.status()).isEqualTo(1);
        assertThat(daemon.out()).as("%s", daemon).isEqualTo("gloved 0.1.0\n");
    }

    /** The JVM would end if it did not take the cache. */
    @ParameterizedTest
    @ValueSource(strings = {"exec", "egress", "run", "other", "gloved"})
    void eachCacheIsTakenWhereverItLies(String cache) throws Exception {
        String program = cache.equals("gloved") ? "gloved" : "glove";
        String words = switch (cache) {
            case "exec" -> "exec --help";
            case "egress" -> "exec --egress-allow x.example --help";
            case "run" -> "run --help";
            case "other" -> "home --help";
            default -> "--version";
        };
        String script = """
                export home="$PWD/it's an image"
                sed 's|-Xlog:disable|-XX:AOTMode=on|; s|^image=yes|&; tree=$home/bin|' \\
                    "$home/bin/%s" > strict
                grep -q AOTMode=on strict && sh strict %s""".formatted(program, words);

        Command.Result result = sh(script);

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).isNotEmpty();
    }

    /** What the classes of ours were recorded for is still what is loaded. */
    @Test
    void mostOfWhatExecLoadsComesFromItsCache() throws Exception {
        String script = """
                export home="$PWD/it's an image" loaded="$PWD/loaded"
                sed 's|-Xlog:disable|-Xlog:class+load:file="$loaded"|
                s|^image=yes|&; tree=$home/bin|' "$home/bin/glove" > loads
                sh loads exec -- /bin/true
                grep -c 'glove[.].*source: shared objects file' loaded
                grep -c 'glove[.].*source: jrt' loaded || true""";

        List<String> counts = must(script).lines().toList();

        assertThat(Integer.parseInt(counts.get(0))).isGreaterThan(100);
        assertThat(Integer.parseInt(counts.get(1)))
                .as("classes to be recorded anew: scripts/record-classes --new")
                .isLessThan(60);
    }

    @Test
    void theSameSourcesGiveTheSameBytesElsewhereAndLater() throws Exception {
        String parts = "glove gloved pom.xml .mvn LICENSE packaging scripts native/build "
                + "native/*/*.[ch] */pom.xml */src";

        String told = must("""
                mkdir 'another tree'
                (cd "$ROOT" && tar -cf - %s) | tar -C 'another tree' -xf -
                export TZ=Asia/Tokyo LC_ALL=C.UTF-8; umask 077; chmod -R go= 'another tree'
                find 'another tree' -exec touch -d '2 days ago' {} +
                'another tree/glove' image again >&2
                'another tree/glove' image --deb again.deb >&2
                chmod -R u+w "it's an image"
                diff -r "it's an image" again && cmp one.deb again.deb && echo same
                (cd again && find . -printf '%%p %%m %%y %%T@\\n') > modes
                grep -vcE ' (755 [df]|644 f|777 l) 1767225600[.]0*$' modes || true""".formatted(parts));

        assertThat(told).isEqualTo("same\n0\n");
    }

    @Test
    void theBillListsWhatIsThereAndNothingElse() throws Exception {
        String check = """
                import hashlib, json, os, subprocess, sys
                root, bill, java, jars = sys.argv[1:]
                read = json.load(open(bill))
                assert read["bomFormat"] == "CycloneDX" and read["specVersion"] == "1.6"
                refs = [c["bom-ref"] for c in read["components"]]
                assert len(refs) == len(set(refs))
                sha = lambda path: hashlib.sha256(open(path, "rb").read()).hexdigest()
                listed = {c["name"]: c["hashes"][0]["content"]
                    for c in read["components"] if c["type"] == "file"}
                there = {}
                for where, _, names in os.walk(root):
                    for name in names:
                        path = os.path.join(where, name)
                        if not os.path.islink(path) and not os.path.samefile(path, bill):
                            there[os.path.relpath(path, root)] = sha(path)
                assert listed == there, set(listed.items()) ^ set(there.items())
                libraries = {c["name"]: c for c in read["components"] if c["type"] == "library"}
                for one in libraries.values():
                    assert one["version"] and one["licenses"] and one["purl"].startswith("pkg:")
                linked = {line.split("@")[0] for line in subprocess.check_output(
                    [java, "--list-modules"], text=True).splitlines()}
                assert linked == set(libraries) - {"musl", "glibc"}, linked ^ set(libraries)
                for name, file in {"tools.jackson.core": "jackson-core", "re2j": "re2j",
                        "glove.app": "app", "glove.sys": "sys"}.items():
                    found = libraries[name]["hashes"][0]["content"]
                    assert found == sha(jars + "/" + file + ".jar"), name
                print(len(listed), len(libraries))
                """;
        Files.writeString(top.resolve("check.py"), check);

        String image = must("python3 check.py \"it's an image\" \"it's an image/sbom.cdx.json\""
                + " \"it's an image/bin/java\" \"$ROOT/target/run\"");
        String root = must("python3 check.py 'a root' 'a root/usr/share/doc/glove/sbom.cdx.json'"
                + " 'a root/usr/lib/glove/bin/java' \"$ROOT/target/run\"");

        assertThat(image).matches("[0-9]{2,} 1[0-9]\n");
        assertThat(root).matches("[0-9]{2,} 1[0-9]\n");
    }

    @Test
    void nothingIsOverwrittenAndAFailureLeavesNothing() throws Exception {
        String told = must("""
                mkdir there; : > file; ln -s /nowhere link
                for place in there file link nowhere/image ''; do
                    "$ROOT/glove" image "$place" 2>&1 && exit 9
                done
                ls -A there
                mkdir broken; printf '#!/bin/sh\\nexit 1\\n' > broken/strip; chmod +x broken/strip
                PATH="$PWD/broken:$PATH" "$ROOT/glove" image made 2>&1 && exit 9
                ls -A | grep '^made\\|^[.]glove' || echo nothing half-made""");

        assertThat(told)
                .contains("there' exists: remove it first", "file' exists", "link' exists")
                .contains("nowhere', where it is to lie: make that directory", "strip failed")
                .contains("the place has an empty name")
                .endsWith("nothing half-made\n");
    }

    @Test
    void anInstalledOneSaysWhatAnImageIsMadeFrom() throws Exception {
        Command.Result result =
                as(new Place(Identity.available().get(0), "a root/usr/bin"), List.of("image"));

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("made from a source tree", "Try: TREE/glove image");
    }

    /** In a root of its own, by fakeroot: nothing of the machine is touched. */
    @Test
    void thePackageIsInstalledUpgradedRemovedAndPurged() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("fakeroot"), "fakeroot is not installed");
        String told = must("""
                mkdir -p r/var/lib/dpkg/info r/var/lib/dpkg/updates; : > r/var/lib/dpkg/status
                : > r/var/lib/dpkg/available
                PATH=$PATH:/usr/sbin:/sbin
                d() { fakeroot dpkg --root="$PWD/r" --force-not-root --force-depends \\
                    --force-script-chrootless --log=/dev/null "$@" >> log 2>&1 ||
                    { cat log >&2; exit 8; }; }
                d -i one.deb; r/usr/bin/glove --version | head -n 1
                echo '# mine' >> r/etc/apparmor.d/glove
                dpkg-deb -R one.deb next; sed -i 's/^Version: .*/Version: 0.2.0/' next/DEBIAN/control
                dpkg-deb --root-owner-group -Znone -b next next.deb >> log
                d -i next.deb; dpkg --root="$PWD/r" -l glove | grep -o '^ii  glove *0.2.0'
                tail -n 1 r/etc/apparmor.d/glove; r/usr/bin/glove --version | head -n 1
                d -r glove; find r -path r/var -prune -o -type f -print
                d -P glove; find r -path r/var -prune -o -type f -print""");

        assertThat(told.replaceAll(" +", " ")).isEqualTo("""
                glove 0.1.0
                ii glove 0.2.0
                # mine
                glove 0.1.0
                r/etc/apparmor.d/glove
                """);
    }

    private static Command.Result as(Place place, List<String> words) throws Exception {
        return run(place, "glove", words);
    }

    private static Command.Result run(Place place, String program, List<String> words)
            throws Exception {
        List<String> line =
                new ArrayList<>(List.of("env", "-i", "PATH=/nonexistent", "JAVA_HOME="));
        line.add(top.resolve(place.programs()).resolve(program).toString());
        line.addAll(words);
        return new Command(place.identity().command(line)).in(Path.of("/tmp")).run();
    }

    private static String must(String text) throws IOException, InterruptedException {
        Command.Result result = sh(text);
        assertThat(result.status()).as("%s", result).isZero();
        return result.out();
    }

    private static Command.Result sh(String text) throws IOException, InterruptedException {
        return Command.of("bash", "-c", text)
                .in(top)
                .with("ROOT", ROOT.toString())
                .within(BUILD_TIME)
                .run();
    }
}
