package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;

/** What of the caller's git configuration reaches the agent. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class AgentGitConfigTest {
    private static final String SETTING = """
            export HOME=$PWD/caller XDG_CONFIG_HOME= XDG_STATE_HOME=$PWD/state
            mkdir -p caller/.config/git
            inside() { "$GLOVE" exec --workspace work "$@"; }
            """;

    private final WorkRoom room;

    AgentGitConfigTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @BeforeEach
    void requireGit() {
        Lanes.require("e2e", WorkRoom.isInstalled("git"), "git is not installed");
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(String script) throws IOException, InterruptedException {
        return room.shell(SETTING + script).run();
    }

    @Test
    void onlyTheIdentityAndTheBranchNamePass() throws Exception {
        Command.Result result = run("""
                cat > caller/.gitconfig <<'END'
                [user] name = A B ; comment
                	email = "a@example.org" # comment
                	signingkey = secret
                [credential]
                	helper = !echo secret
                [credential "https://secret.example.org"]
                	username = secret
                [alias]
                	x = !secret
                [core]
                	hooksPath = /secret
                [url "git@secret:"]
                	insteadOf = https://
                [INIT]
                	defaultBranch = trunk
                [user "sub"]
                	name = secret
                [includeIf "gitdir:~/"]
                	path = secret
                END
                inside -- sh -c 'git config --global --list; cat ~/.gitconfig'
                """);

        assertThat(result.out())
                .startsWith("user.name=A B\nuser.email=a@example.org\ninit.defaultbranch=trunk\n"
                        + "safe.directory=" + room.work() + "\n")
                .doesNotContain("secret");
    }

    @Test
    void whatGitReadsTheAgentReads() throws Exception {
        Command.Result result = run("""
                { printf '[user]\\n\\tname = "  two \\\\"spaces\\\\" "  x \\\\\\n  y\\\\t\\\\\\\\ ü ; c\\n'
                  printf 'email= a#b\\n[include]\\npath = more\\n'; } > caller/.gitconfig
                printf '[init "x"]\\ndefaultBranch=no\\n[init]defaultBranch="b\\\\nc"\\r\\n' > caller/more
                printf '[user]\\nname=xdg\\nemail=xdg\\n' > caller/.config/git/config
                for v in user.name user.email init.defaultbranch; do git config $v; done
                inside -- sh -c 'for v in user.name user.email init.defaultbranch
                    do git config $v; done'
                """);

        int half = result.out().length() / 2;
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("two \"spaces\"");
        assertThat(result.out().substring(half)).isEqualTo(result.out().substring(0, half));
    }

    @Test
    void aFileThatIsNoConfigurationGivesNothingAndIsNamed() throws Exception {
        Command.Result result = run("""
                printf '[user]\\nname = x\\n[broken\\n' > caller/.gitconfig
                inside -- sh -c 'git config user.name || echo none'
                """);

        assertThat(result.out()).isEqualTo("none\n");
        assertThat(result.err()).contains("caller/.gitconfig' is no git configuration in line");
    }

    @Test
    void aConfigurationTheAgentCouldWriteIsNotRead() throws Exception {
        Command.Result result = run("""
                printf '[user]\\nname = planted\\n' > work/config
                ln -s ../work/config caller/.gitconfig
                printf '[include]\\npath = %s/work/config\\n' "$PWD" > caller/.config/git/config
                git config user.name
                inside -- sh -c 'git config user.name || echo none'
                """);

        assertThat(result.out()).isEqualTo("planted\nnone\n");
    }

    @Test
    void aKeptHomeGetsOneOnlyWhenItHasNone() throws Exception {
        Command.Result result = run("""
                git config --global user.name First
                inside --home dev -- git config user.name
                git config --global user.name Second
                inside --home dev -- sh -c 'git config user.name; git config --global user.name Own'
                inside --home dev -- git config user.name
                """);

        assertThat(result.out()).as("%s", result).isEqualTo("First\nFirst\nOwn\n");
    }

    @Test
    void directoryNamesStayNames() throws Exception {
        Command.Result result = run("""
                d=$PWD/$'a"\\n[alias]\\n\\tst = !x\\\\#;'; mkdir "$d"
                "$GLOVE" exec --no-default-protect --workspace "$d" -- sh -c 'git config --global -z --list |
                    tr "\\0" "|"; git init -q .; git status --porcelain'
                """);

        assertThat(result.err()).isEmpty();
        assertThat(result.out()).doesNotContain("alias.st").contains("safe.directory\n");
    }
}
