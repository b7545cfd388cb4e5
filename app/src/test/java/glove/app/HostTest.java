package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Hosts that do not offer what a sandbox needs, made in throw-away namespaces. */
@Tag("e2e")
final class HostTest {
    @Test
    void whereUserNamespacesAreForbiddenOneLineSaysWhichKnob() throws Exception {
        Command.Result result =
                inUserNamespace("echo 0 > /proc/sys/user/max_user_namespaces", "true");

        assertThat(result.status()).isEqualTo(125);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.err())
                .contains("cannot make a user namespace")
                .contains("sysctl -w user.max_user_namespaces");
    }

    @Test
    void rootOfAnotherUserNamespaceIsContainedAsTheUserItIs() throws Exception {
        Command.Result result =
                inUserNamespace("true", "sh", "-c", "id -u; cat /proc/self/uid_map");

        assertThat(result.out())
                .as(result.err())
                .startsWith("1000\n")
                .contains("1000          0          1");
        assertThat(result.status()).isZero();
    }

    /** As an ordinary user who is root in a namespace of its own. */
    private static Command.Result inUserNamespace(String preparation, String... command)
            throws Exception {
        List<String> words = new ArrayList<>(
                List.of("unshare", "-Ur", "sh", "-c", preparation + "; exec \"$@\"", "sh"));
        words.addAll(GloveProgram.exec(Identity.ORDINARY, List.of(), List.of(command))
                .words());
        words.removeIf(word ->
                word.equals("setpriv") || word.startsWith("--re") || word.equals("--clear-groups"));
        return new Command(Identity.ORDINARY.command(words)).run();
    }
}
