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

/** Caches of the caller's tools, shown by {@code --cache}. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class CacheTest {
    private static final String SETTING = """
            export HOME=$PWD/caller XDG_STATE_HOME=$PWD/state
            unset npm_config_cache NPM_CONFIG_CACHE PIP_CACHE_DIR XDG_CACHE_HOME GRADLE_USER_HOME
            unset CARGO_HOME GOMODCACHE GOPATH GOCACHE
            mkdir -p caller/.npm/_cacache/sub; echo old > caller/.npm/_cacache/sub/f
            digest() { (cd caller; find . -printf '%p %y %m %U %s %T@ %l\\n' | sort;
                find . -type f | sort | xargs -r -d '\\n' sha256sum) | sha256sum; }
            inside() { "$GLOVE" exec --workspace work "$@"; }
            """;

    private final WorkRoom room;

    CacheTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(String script) throws IOException, InterruptedException {
        return room.shell(SETTING + script).run();
    }

    @Test
    void theAgentWritesToItsOwnCopyAndTheCallersStaysAsItIs() throws Exception {
        Command.Result result = run("""
                before=$(digest)
                inside --cache npm -- sh -euc 'cd ~/.npm/_cacache
                    cat sub/f; echo more >> sub/f; cat sub/f; mv sub/f moved; rm -r sub; mkdir sub
                    touch sub/g; chmod 700 .; ln -s /x l; ls; stat -c %U . moved sub/g'
                test "$before" = "$(digest)" && echo same
                inside --cache npm -- sh -c 'cd ~/.npm/_cacache; find . -type f'
                """);

        assertThat(result.err()).isEmpty();
        assertThat(result.out())
                .isEqualTo("old\nold\nmore\nl\nmoved\nsub\nagent\nagent\nagent\nsame\n./sub/f\n");
    }

    @Test
    void aReadOnlyCacheCanOnlyBeRead() throws Exception {
        Command.Result result = run("""
                inside --cache npm:ro -- sh -c 'cat ~/.npm/_cacache/sub/f
                    echo x > ~/.npm/_cacache/sub/f || echo refused; touch ~/.npm/mine && echo mine'
                """);

        assertThat(result.out()).isEqualTo("old\nrefused\nmine\n");
        assertThat(result.err()).contains("Read-only file system");
    }

    @Test
    void credentialsDoNotComeAlong() throws Exception {
        Command.Result result = run("""
                cd caller; mkdir -p .m2/repository .cargo/registry .cargo/bin .cache/pip .config/pip
                mkdir -p .gradle/caches go/pkg/mod go/bin
                touch .npmrc .m2/settings.xml .m2/settings-security.xml .cargo/credentials.toml
                touch .config/pip/pip.conf .gradle/gradle.properties .npm/_logs go/bin/x
                cd ..
                inside --cache npm --cache pip --cache maven --cache cargo --cache gradle --cache go \\
                    -- sh -c 'cd; find . -mindepth 1 | sort | tr "\\n" " "'
                """);

        assertThat(result.out())
                .as("%s", result)
                .contains("./.cargo/registry", "./.m2/repository", "./.cache/pip", "./go/pkg/mod")
                .doesNotContain("npmrc", "settings", "credentials", "pip.conf", "properties")
                .doesNotContain("_logs", "bin");
    }

    @Test
    void theToolsOwnVariablesSayWhereACacheIs() throws Exception {
        Command.Result result = run("""
                mkdir -p elsewhere/_cacache gopath/pkg/mod cargo/git
                echo n > elsewhere/_cacache/f; echo g > gopath/pkg/mod/f; echo c > cargo/git/f
                export npm_config_cache=$PWD/elsewhere GOPATH=$PWD/gopath:/x CARGO_HOME=$PWD/cargo
                inside --cache npm --cache go:ro --cache cargo -- sh -c \\
                    'cat ~/.npm/_cacache/f ~/go/pkg/mod/f ~/.cargo/git/f'
                """);

        assertThat(result.out()).as("%s", result).isEqualTo("n\ng\nc\n");
    }

    @Test
    void whatCannotBeSharedIsRefused() throws Exception {
        assertThat(run("inside --cache maven -- true").err())
                .contains("--cache maven: there is no '" + room.path() + "/caller/.m2/repository'");
        assertThat(run("inside --cache nix -- true").err()).contains("'nix' is not known");
        assertThat(run("inside --cache npm --cache npm:ro -- true").err()).contains("twice");
        assertThat(run("inside --write caller --cache npm -- true").err())
                .contains("is in a granted path already");
        assertThat(run("inside --cache npm: -- true").status()).isEqualTo(2);
    }

    @Test
    void aKeptHomeCanHaveCachesToo() throws Exception {
        Command.Result result = run("""
                inside --home dev --cache npm -- sh -c 'cat ~/.npm/_cacache/sub/f; echo x > ~/.npm/own'
                inside --home dev --cache npm -- sh -c 'cat ~/.npm/own; ls ~/.npm'
                inside --home dev -- sh -c 'ls ~/.npm/_cacache; rm -r ~/.npm; ln -s /etc ~/.npm'
                inside --home dev --cache npm -- true || echo refused
                ls /etc/_cacache 2>/dev/null || echo untouched
                """);

        assertThat(result.out())
                .as("%s", result)
                .isEqualTo("old\nx\n_cacache\nown\nrefused\nuntouched\n");
        assertThat(result.err()).contains("'.npm' is a link there, or no directory");
    }

    /** A second overlay below makes a third one too deep for the kernel. */
    @Test
    void whereCopiesAreRefusedTheCacheIsReadOnlyAndThatIsSaid() throws Exception {
        Command.Result result = run("""
                cat > nested <<'END'
                cd caller/.npm
                for i in 1 2; do
                    mount -t overlay o$i _cacache \
                        -o lowerdir=_cacache,upperdir=/mnt/u$i,workdir=/mnt/w$i,userxattr
                done
                cd ../..
                "$GLOVE" exec --workspace work --cache npm -- sh -c 'cat ~/.npm/_cacache/sub/f
                    echo x > ~/.npm/_cacache/sub/f || echo refused'
                END
                export GLOVE
                unshare -Urm sh -euc 'mount -t tmpfs t /mnt; cd /mnt; mkdir u1 w1 u2 w2; cd "$OLDPWD"
                    . ./nested'
                """);

        assertThat(result.out()).as("%s", result).isEqualTo("old\nrefused\n");
        assertThat(result.err())
                .contains("this host refuses private copies of caches: they are read-only");
    }

    @Test
    void npmInstallsOfflineFromTheCallersCache() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("npm"), "npm is not installed");
        Command.Result result = run("""
                mkdir package; cd package
                echo '{"name": "small", "version": "1.0.0"}' > package.json; npm pack --silent
                npm cache add "$PWD/small-1.0.0.tgz"; cd ..
                before=$(digest)
                cp package/small-1.0.0.tgz work; cd work
                inside2() { "$GLOVE" exec --workspace . "$@"; }
                inside2 --cache npm -- npm install --offline --no-audit --silent ./small-1.0.0.tgz
                inside2 --cache npm -- npm cache verify > /dev/null
                cd ..; ls work/node_modules; test "$before" = "$(digest)" && echo same
                """);

        assertThat(result.out()).as("%s", result).endsWith("small\nsame\n");
    }

    @Test
    void pipTakesTheCacheForItsOwn() throws Exception {
        Lanes.require("e2e", WorkRoom.isInstalled("pip3"), "pip is not installed for everybody");
        Command.Result result = run("""
                mkdir -p caller/.cache/pip; before=$(digest)
                inside --cache pip -- pip3 cache info
                test "$before" = "$(digest)" && echo same
                """);

        assertThat(result.err()).doesNotContain("not owned");
        assertThat(result.out()).contains("/home/agent/.cache/pip").endsWith("same\n");
    }
}
