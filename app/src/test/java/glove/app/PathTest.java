package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;

/** Granted paths: odd names, files, links, grants in grants, and the private directories. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class PathTest {
    private final WorkRoom room;

    PathTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    @Test
    void namesWithSpacesNewlinesQuotesAndBytesThatAreNoTextAreGrantedAsTheyAre() throws Exception {
        String out = room.outside("""
                for name in 'a b' $'new\\nline' "it's \\"q\\"" $'\\xff\\xfe-latin\\xe9' -dash '*' 'ü'; do
                    mkdir -- "./$name"; echo ok > "./$name/f"
                    "$GLOVE" exec --read="$PWD/$name" -- cat "$PWD/$name/f"
                    "$GLOVE" exec --workspace "./$name" -- sh -c 'cat f; echo new > g'; cat "./$name/g"
                done
                """);

        assertThat(out).isEqualTo("ok\nok\nnew\n".repeat(7));
    }

    @Test
    void theNarrowerGrantDecidesThreeDeep() throws Exception {
        String out = room.outside("""
                mkdir -p w/r/w; "$GLOVE" exec --write w --read w/r --write w/r/w -- sh -c '
                cd w 2>/dev/null || cd "$0"; echo 1 > a && echo 2 > r/a; echo 3 > r/w/a' "$PWD/w" 2>/dev/null || true
                find w -type f | sort
                """);

        assertThat(out).isEqualTo("w/a\nw/r/w/a\n");
    }

    @Test
    void singleFilesAreGrants() throws Exception {
        String out = room.outside("""
                echo r > r; echo w > w; echo hidden > hidden
                "$GLOVE" exec --read r --write w -- sh -c '
                cd "$0"; cat r; echo more >> w; echo x 2>/dev/null > r || echo refused; ls' "$PWD"; cat w
                """);

        assertThat(out).isEqualTo("r\nrefused\nr\nw\nw\nmore\n");
    }

    @Test
    void aLinkedWorkspaceIsShownWhereItReallyIs() throws Exception {
        String out = room.outside("""
                mkdir real; ln -s real link; "$GLOVE" exec --workspace link -- sh -c 'pwd -P; echo x > made'
                ls real
                """);

        assertThat(out).isEqualTo(room.path() + "/real\nmade\n");
    }

    @Test
    void aGrantBelowTmpStandsInThePrivateOne() throws Exception {
        String out = room.outside("""
                d=$(mktemp -d /tmp/glove-path-XXXXXX); trap 'rm -rf "$d"' EXIT; echo host > "$d/f"
                "$GLOVE" exec --workspace "$d" -- sh -c 'cat f; ls /tmp | wc -l; echo x > $TMPDIR/y; ls -d /tmp/y'
                """);

        assertThat(out).isEqualTo("host\n1\n/tmp/y\n");
    }

    @Test
    void withTmpItselfGrantedTheTemporaryDirectoryIsStillPrivate() throws Exception {
        String out = room.outside("""
                f=$(mktemp /tmp/glove-path-XXXXXX); trap 'rm -f "$f"' EXIT; echo host > "$f"
                "$GLOVE" exec --read /tmp -- sh -c 'cat "$0"; echo private > $TMPDIR/glove-mine; cat $TMPDIR/glove-mine' "$f"
                ls /tmp/glove-mine 2>/dev/null || echo not on the host
                """);

        assertThat(out).isEqualTo("host\nprivate\nnot on the host\n");
    }

    @Test
    void homeAndTheTemporaryDirectoriesAreEmptyEachTime() throws Exception {
        String out = room.outside("""
                for i in 1 2; do
                    "$GLOVE" exec -- sh -c 'cd; pwd; for d in . /tmp /var/tmp /dev/shm; do ls -A $d | wc -l
                    touch $d/x; done'
                done
                """);

        assertThat(out).isEqualTo("/home/agent\n0\n0\n0\n0\n".repeat(2));
    }

    @Test
    void relativePathsCountFromWhereGloveIsCalled() throws Exception {
        String out = room.outside("""
                mkdir -p a/b; echo x > a/f; cd a/b
                "$GLOVE" exec --read ../f --workspace . -- sh -c 'cat ../f; pwd'
                """);

        assertThat(out).isEqualTo("x\n" + room.path() + "/a/b\n");
    }
}
