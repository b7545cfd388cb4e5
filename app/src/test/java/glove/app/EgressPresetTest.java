package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;

/** Presets of registries allow what the owner's own clients are set up for, and nothing else. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class EgressPresetTest {
    /** HOME is the room, and clients that answer as they are told stand first in PATH. */
    private static final String SETUP = """
            export HOME=$PWD PATH=$PWD/bin:/usr/sbin:/usr/bin:/sbin:/bin
            unset npm_config_registry CARGO_HOME PIP_INDEX_URL PIP_CONFIG_FILE
            cd work
            mkdir -p "$HOME/bin"
            client() { printf '#!/bin/sh\\n%s\\n' "$2" > "$HOME/bin/$1"; chmod 755 "$HOME/bin/$1"; }
            rules() { $GLOVE exec --explain --workspace . "$@" -- true | grep -o '[^ ]* by --egress.*'; }
            """;

    private final WorkRoom room;

    EgressPresetTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(String script) throws IOException, InterruptedException {
        return room.shell(SETUP + script).run();
    }

    private String prints(String script) throws IOException, InterruptedException {
        Command.Result result = run(script);
        assertThat(result.status()).as("%s", result).isZero();
        return result.out();
    }

    @Test
    void eachClientIsAskedInItsOwnWay() throws Exception {
        assertThat(prints("""
                client npm 'echo https://npm.test/$1/$2/$3/'
                client python3 'echo https://pip.test/simple; echo https://files.test'
                client mvn 'echo "[ERROR] Cannot access central (https://maven.test/x) in offline mode"; exit 1'
                client go 'echo "https://go.test,direct"'
                client apt-get 'echo http://apt.test/debian; echo http://apt.test/security'
                mkdir -p "$HOME/.cargo/registry/index/index.crates.test-0123456789abcdef"
                echo '{"dl": "https://dl.crates.test/x", "api": "https://crates.test"}' \\
                    > "$HOME/.cargo/registry/index/index.crates.test-0123456789abcdef/config.json"
                for preset in npm pypi maven cargo go debian; do rules --egress-allow @$preset; done
                """)).isEqualTo("""
                npm.test:443 by --egress-allow @npm
                pip.test:443 by --egress-allow @pypi
                files.test:443 by --egress-allow @pypi
                maven.test:443 by --egress-allow @maven
                index.crates.test:443 by --egress-allow @cargo
                dl.crates.test:443 by --egress-allow @cargo
                crates.test:443 by --egress-allow @cargo
                go.test:443 by --egress-allow @go
                apt.test:80 by --egress-allow @debian
                """);
    }

    @Test
    void realClientsSayWhatTheOwnersSettingsSay() throws Exception {
        Lanes.require("npm", WorkRoom.isInstalled("npm"), "npm is not installed in /usr/bin");
        Lanes.require("maven", WorkRoom.isInstalled("mvn"), "mvn is not installed in /usr/bin");
        assertThat(prints("""
                echo 'registry=https://npm.test/mine/' > "$HOME/.npmrc"
                mkdir -p "$HOME/.m2"
                printf '<settings><mirrors><mirror><id>m</id><mirrorOf>central</mirrorOf>' \\
                    > "$HOME/.m2/settings.xml"
                printf '<url>https://maven.test/mine</url></mirror></mirrors></settings>' \\
                    >> "$HOME/.m2/settings.xml"
                rules --egress-allow @npm
                rules --egress-allow @maven
                """)).isEqualTo("""
                npm.test:443 by --egress-allow @npm
                maven.test:443 by --egress-allow @maven
                """);
    }

    @Test
    void noFileOfAProjectHasASay() throws Exception {
        Lanes.require("npm", WorkRoom.isInstalled("npm"), "npm is not installed in /usr/bin");
        assertThat(prints("""
                echo 'registry=https://npm.test/mine/' > "$HOME/.npmrc"
                echo 'registry=https://evil.test/' > .npmrc; echo '{}' > package.json
                echo "control $(npm config get registry)"
                rules --egress-allow @npm
                """)).isEqualTo("""
                control https://evil.test/
                npm.test:443 by --egress-allow @npm
                """);
    }

    @Test
    void theClientInsideIsToldTheSameButNoSecret() throws Exception {
        assertThat(prints("""
                client npm 'echo https://npm.test/mine/'
                client python3 'echo https://me:secret@pip.test/simple'
                $GLOVE exec --workspace . --egress-allow @npm --egress-allow @pypi -- \\
                    sh -c 'cat ~/.npmrc; ls -A ~/.config 2>/dev/null; grep -rs secret ~ || true'
                """)).isEqualTo("registry=https://npm.test/mine/\n");
    }

    @Test
    void whatTheAgentCouldChangeIsNotAsked() throws Exception {
        Command.Result settings = run("""
                client npm 'echo asked >> asked; echo https://npm.test/'
                touch "$HOME/.npmrc"
                $GLOVE exec --explain --workspace . --write "$HOME/.npmrc" --egress-allow @npm -- true
                """);
        Command.Result program = run("""
                client npm 'echo asked >> asked; echo https://npm.test/'
                $GLOVE exec --explain --workspace . --write "$HOME/bin" --egress-allow @npm -- true
                """);

        assertThat(settings.status()).isEqualTo(2);
        assertThat(settings.err())
                .contains("--egress-allow @npm: your npm")
                .contains(".npmrc' lies inside a writable grant")
                .contains("--egress-allow HOST of that registry");
        assertThat(program.status()).isEqualTo(2);
        assertThat(program.err()).contains("lies inside a writable grant");
    }

    @Test
    void aClientIsAskedContained() throws Exception {
        String client = """
                there=$(mktemp -u /var/tmp/glove-was-here.XXXXXX)
                client npm 'echo was here > "$0.out"; echo was here > '$there'
                    [ -z "$NODE_OPTIONS$SECRET" ] && [ ! -e "$OUTSIDE" ] && echo https://npm.test/'
                export NODE_OPTIONS=--no-warnings SECRET=1 OUTSIDE=$PWD/outside; touch outside
                """;
        assertThat(prints(client + """
                rules --egress-allow @npm
                ls "$HOME"/bin/*.out $there 2>/dev/null || echo nothing
                unset NODE_OPTIONS SECRET; rm outside
                npm; ls "$HOME"/bin/*.out | wc -l; rm $there
                """)).isEqualTo("""
                npm.test:443 by --egress-allow @npm
                nothing
                https://npm.test/
                1
                """);
    }

    @Test
    void whatAContainedUpstreamMayReachIsNotTheAgentsToSay() throws Exception {
        Command.Result result = run("""
                mkdir bin; PATH=$PWD/bin:$PATH
                printf '#!/bin/sh\necho https://evil.test/\n' > bin/npm; chmod 755 bin/npm
                $GLOVE run --workspace . --upstream u=/usr/bin/cat --upstream-sandbox u:egress=@npm \
                    --allow 'u.*' -- true
                """);

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("upstream 'u'").contains("inside a writable grant");
    }

    @Test
    void settingsThatHoldAWritableGrantAreNotAsked() throws Exception {
        String index = "\"$HOME/.cargo/registry/index\"";
        Command.Result result =
                run("mkdir -p " + index + "/a.test-1; $GLOVE exec --explain --workspace ."
                        + " --write " + index + "/a.test-1 --egress-allow @cargo -- true");

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("or holds one");
    }

    @Test
    void whyThereIsNoAnswerIsSaid() throws Exception {
        assertThat(run("""
                ln -s /usr/bin/* "$HOME/bin" 2>/dev/null || true; rm -f "$HOME/bin/npm"
                PATH=$HOME/bin $GLOVE exec --explain --workspace . --egress-allow @npm -- true
                """).err()).contains("your npm").contains("no such program in your PATH");
        assertThat(run("""
                client npm 'printf "it is \\033[2Jbroken\\n" >&2; exit 3'
                $GLOVE exec --explain --workspace . --egress-allow @npm -- true
                """).err())
                .contains("names no registry: it ended with 3, saying 'it is \\u001b[2Jbroken'");
        assertThat(run("""
                client npm 'yes https://npm.test/'
                $GLOVE exec --explain --workspace . --egress-allow @npm -- true
                """).err()).contains("prints without end");
        assertThat(run("""
                client npm 'echo https://10.1.2.3/'
                $GLOVE exec --explain --workspace . --egress-allow @npm -- true
                """).err()).contains("--egress-allow-private 10.1.2.3");
    }

    @Test
    void theListOfPresetsShowsTheAnswers() throws Exception {
        assertThat(prints("""
                client npm 'echo https://npm.test/mine/'
                client go 'exit 1'
                $GLOVE egress presets
                """))
                .containsPattern("@npm .*\\n  npm.test +as your npm says")
                .containsPattern("@go .*\\n  unknown: .*your go")
                .contains("@github");
    }
}
