package glove.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import glove.sys.Linux;
import glove.sys.UnixPath;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

@Tag("unit")
final class GrantsTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void makeTree() throws Exception {
        Files.createDirectories(directory.resolve("a/b/c"));
        Files.createFile(directory.resolve("a/file"));
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("a"));
    }

    @Test
    void aWiderGrantStandsBeforeTheNarrowerOneInsideIt() throws Exception {
        Grants grants = grants(read("a/b/c"), write("a"), read("a/b"));

        assertThat(grants.list())
                .extracting(grant ->
                        directory.relativize(Path.of(grant.path().toString())).toString())
                .containsExactly("a", "a/b", "a/b/c");
    }

    @Test
    void theNarrowestGrantDecides() throws Exception {
        Grants grants = grants(write("a"), read("a/b"), write("a/b/c"));

        assertThat(grants.decisiveFor(path("a/x")).orElseThrow().access()).isEqualTo(Access.WRITE);
        assertThat(grants.decisiveFor(path("a/b/x")).orElseThrow().access()).isEqualTo(Access.READ);
        assertThat(grants.decisiveFor(path("a/b/c/x")).orElseThrow().access())
                .isEqualTo(Access.WRITE);
        assertThat(grants.decisiveFor(path("a-sibling"))).isEmpty();
    }

    @Test
    void aLinkIsGrantedWhereItLeads() throws Exception {
        assertThat(grants(write("link")).list()).extracting(Grant::path).containsExactly(path("a"));
    }

    @Test
    void theSameGrantTwiceIsOne() throws Exception {
        assertThat(grants(write("a"), write("link"), write("a/b/..")).list()).hasSize(1);
    }

    @Test
    void theSamePathReadOnlyAndWritableIsRefused() {
        assertRefused("read-only and writable", write("a"), read("link"));
    }

    @Test
    void theRootIsRefusedHoweverItIsSpelled() {
        for (String root : List.of("/", "/../", "/usr/..", "//")) {
            assertRefused(
                    "root of the host", new GrantRequest(UnixPath.of(root), Access.READ, "--read"));
        }
    }

    @Test
    void kernelInterfacesAreRefused() {
        for (String reserved : List.of(
                "/proc", "/proc/self", "/proc/self/ns/net", "/dev", "/dev/null", "/sys", "/run")) {
            assertThatThrownBy(() -> Grants.of(
                            Linux.host(),
                            List.of(new GrantRequest(
                                    UnixPath.of(reserved), Access.READ, "--read"))))
                    .isInstanceOf(Refusal.class);
        }
    }

    @Test
    void aMissingPathIsRefusedWithTheCommandThatMakesIt() {
        assertThatThrownBy(() -> grants(write("missing")))
                .isInstanceOfSatisfying(Refusal.class, e -> {
                    assertThat(e.getMessage()).contains("--write").contains("does not exist");
                    assertThat(e.hints())
                            .containsExactly("mkdir -p '" + directory.resolve("missing") + "'");
                });
    }

    @Test
    void whatIsMissingIsNotMadeToBeRead() {
        assertThatThrownBy(() -> grants(read("missing")))
                .isInstanceOfSatisfying(Refusal.class, e -> {
                    assertThat(e.getMessage()).contains("--read").contains("does not exist");
                    assertThat(e.hints()).singleElement().asString().startsWith("correct the path");
                });
    }

    @Test
    void aLinkInsideAWritableGrantThatLeadsOutOfItIsRefused() throws Exception {
        Files.createDirectory(directory.resolve("secret"));
        Files.createSymbolicLink(directory.resolve("a/planted"), directory.resolve("secret"));
        Files.createSymbolicLink(directory.resolve("a/inner"), directory.resolve("a/b"));

        assertRefused("an agent may have made it", write("a"), read("a/planted"));
        assertThat(grants(write("a"), read("a/inner")).list()).hasSize(2);
        assertThat(grants(read("a"), read("a/planted")).list()).hasSize(2);
    }

    @Test
    void aFileIsAGrantToo() throws Exception {
        assertThat(grants(read("a/file")).list().getFirst().identity().isDirectory())
                .isFalse();
    }

    private void assertRefused(String words, GrantRequest... requests) {
        assertThatThrownBy(() -> grants(requests))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining(words);
    }

    private Grants grants(GrantRequest... requests) throws Refusal {
        return Grants.of(Linux.host(), List.of(requests));
    }

    private UnixPath path(String name) {
        return UnixPath.of(directory.resolve(name).toString());
    }

    private GrantRequest read(String name) {
        return new GrantRequest(path(name), Access.READ, "--read");
    }

    private GrantRequest write(String name) {
        return new GrantRequest(path(name), Access.WRITE, "--write");
    }
}
