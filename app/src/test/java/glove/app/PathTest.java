package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;

/** Grants in grants in grants, and private directories. */
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
    void theNarrowerGrantDecidesThreeDeep() throws Exception {
        String out = room.outside("""
                mkdir -p w/r/w; "$GLOVE" exec --write w --read w/r --write w/r/w -- sh -c '
                cd w 2>/dev/null || cd "$0"; echo 1 > a && echo 2 > r/a; echo 3 > r/w/a' "$PWD/w" 2>/dev/null || true
                find w -type f | sort
                """);

        assertThat(out).isEqualTo("w/a\nw/r/w/a\n");
    }

    @Test
    void homeAndTheTemporaryDirectoriesAreFreshEachTime() throws Exception {
        String out = room.outside("""
                for i in 1 2; do
                    "$GLOVE" exec -- sh -c 'cd; pwd; for d in . /tmp /var/tmp /dev/shm; do ls -A $d | grep -cv gitconfig
                    touch $d/x; done'
                done
                """);

        assertThat(out).isEqualTo("/home/agent\n0\n0\n0\n0\n".repeat(2));
    }
}
