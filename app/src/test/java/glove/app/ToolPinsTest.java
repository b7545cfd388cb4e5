package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.gateway.UpstreamPins;
import glove.gateway.UpstreamPins.Definition;
import glove.journal.AuditLog;
import glove.testkit.Command;
import glove.testkit.Identity;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code glove tools diff} and {@code accept}, on files and on what real runs pin. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#available")
final class ToolPinsTest {
    private static final String SETTING = """
            export HOME=$PWD XDG_STATE_HOME=$PWD/state
            tools() { "$GLOVE" tools "$@"; }
            """;
    private static final String KEY = "files-0123456789abcdef";
    private static final String OTHER = "files-fedcba9876543210";

    private final WorkRoom room;

    ToolPinsTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(String script) throws IOException, InterruptedException {
        return room.shell(SETTING + script).run();
    }

    private String prints(String script) throws IOException, InterruptedException {
        return room.outside(SETTING + script);
    }

    private static Definition definition(String kind, String name, String json) {
        String digest = AuditLog.sha256(json.getBytes(StandardCharsets.UTF_8));
        return new Definition(kind, name, digest, json);
    }

    private static Definition tool(String name, String description) {
        return definition("tool", name, "{\"description\":\"" + description + "\",\"name\":\"x\"}");
    }

    /** Writes pins as a run would. */
    private void keep(String key, UpstreamPins file) throws IOException, InterruptedException {
        String script = "mkdir -p -m 700 state/glove/pins; umask 077; cat >state/glove/pins/" + key;
        Command.Result written = room.shell(script).reading(file.toBytes()).run();
        assertThat(written.status()).as("%s", written).isZero();
    }

    private UpstreamPins kept(String key) throws Exception {
        return UpstreamPins.read(
                Files.readAllBytes(room.path().resolve("state/glove/pins/" + key)));
    }

    private static UpstreamPins changed() {
        UpstreamPins file = new UpstreamPins("files", "npx \u001b server");
        file.pin(definition(
                "tool",
                "read",
                "{\"description\":\"One\\nTwo\\nThree\",\"inputSchema\":{\"a\":1,\"b/c\":[1,2]},"
                        + "\"name\":\"read\",\"old\":true}"));
        file.offer(definition(
                "tool",
                "read",
                "{\"description\":\"One\\n2\\u001b[2J\u200b\\nThree\",\"inputSchema\":{\"a\":1,\"b/c\":[1,3,4]},"
                        + "\"name\":\"read\",\"title\":\"T\"}"));
        return file;
    }

    @Test
    void diffShowsEachMemberThatChangedAndNothingIsObeyed() throws Exception {
        keep(KEY, changed());
        Definition before = changed().pinned("tool", "read").orElseThrow();
        Definition now = changed().offered("tool", "read").orElseThrow();

        Command.Result result = run("tools diff files");
        assertThat(result.status()).as("%s", result).isEqualTo(1);
        assertThat(result.out()).isEqualTo("""
                files: npx \\u001b server
                --- tool "read", pinned sha256:%s
                +++ tool "read", waiting sha256:%s
                @@ /description
                  (1 line as before)
                -"Two\\n"
                +"2\\u001b[2J\\u200b\\n"
                  (1 line as before)
                @@ /inputSchema/b~1c/1
                -2
                +3
                @@ /inputSchema/b~1c/2
                +4
                @@ /old
                -true
                @@ /title
                +"T"
                Try: glove tools accept files read@%s
                """.formatted(
                        before.digest(), now.digest(), now.digest().substring(0, 16)));
        assertThat(run("tools diff --json").out())
                .startsWith("{\"schema_version\":1,\"waiting\":[{\"upstream\":\"files\",")
                .contains("{\"place\":\"/inputSchema/b~1c/1\",\"before\":2,\"now\":3}");
    }

    @Test
    void acceptPinsWhatWasShownAndOnlyThat() throws Exception {
        UpstreamPins file = changed();
        file.offer(tool("new", "n"));
        keep(KEY, file);
        String shown = prints("tools diff || true")
                .lines()
                .filter(line -> line.startsWith("Try: glove tools accept files read@"))
                .findFirst()
                .orElseThrow()
                .substring("Try: glove ".length());

        assertThat(prints("\"$GLOVE\" " + shown))
                .isEqualTo("pinned tool \"read\" of files: sha256:"
                        + file.offered("tool", "read").orElseThrow().digest() + "\n");
        assertThat(kept(KEY).pinned("tool", "read")).isEqualTo(file.offered("tool", "read"));
        assertThat(kept(KEY).allOffered()).containsExactly(tool("new", "n"));
        assertThat(kept(KEY).command()).isEqualTo(file.command());
        assertThat(prints("stat -c %a state/glove/pins/" + KEY)).isEqualTo("600\n");

        Command.Result again = run("\"$GLOVE\" " + shown);
        assertThat(again.status()).isEqualTo(1);
        assertThat(again.err()).contains("has changed, or never was there");
        assertThat(prints("tools accept files; tools diff")).endsWith("\nnothing waits\n");
    }

    @Test
    void whatChangedSinceItWasShownIsNotAccepted() throws Exception {
        keep(KEY, changed());
        String old = changed().offered("tool", "read").orElseThrow().digest().substring(0, 16);
        UpstreamPins newer = changed();
        newer.offer(tool("read", "worse"));
        keep(KEY, newer);

        assertThat(run("tools accept files read@" + old).status()).isEqualTo(1);
        assertThat(kept(KEY).pinned("tool", "read")).isEqualTo(changed().pinned("tool", "read"));
        assertThat(kept(KEY).offered("tool", "read")).isEqualTo(newer.offered("tool", "read"));
    }

    @Test
    void severalAreAcceptedByNameOrAllTogether() throws Exception {
        UpstreamPins file = new UpstreamPins("files", "one");
        file.offer(tool("a", "1"));
        file.offer(tool("b", "1"));
        file.offer(tool("$(touch evil)", "1"));
        file.offer(definition("prompt", "a", "{}"));
        file.offer(definition("instructions", "", "\"be good\""));
        keep(KEY, file);
        UpstreamPins other = new UpstreamPins("files", "two");
        other.offer(tool("b", "2"));
        keep(OTHER, other);

        refused("tools accept files", 2, "6 definitions wait: which?");
        refused("tools accept files a", 2, "is the name of several");
        refused("tools accept files b", 2, "is the name of several");
        refused("tools accept files c", 1, "nothing that waits of 'files' is 'c'");
        refused("tools accept files b@" + tool("b", "1").digest().substring(0, 7), 1, "nothing");
        refused("tools accept files --all a", 2, "do not go together");
        String digest = tool("b", "2").digest();
        assertThat(prints("tools accept files instructions b@" + digest))
                .contains("pinned instructions of files: sha256:")
                .contains("pinned tool \"b\" of files: sha256:" + digest);
        assertThat(kept(OTHER).allOffered()).isEmpty();

        assertThat(prints("tools diff | sed -n 's/^Try: //p' >all || true; cat all"))
                .contains("glove tools accept files @")
                .doesNotContain("touch");
        assertThat(prints("tools accept files --all")).hasLineCount(4);
        assertThat(kept(KEY).allOffered()).isEmpty();
        assertThat(prints("tools accept files --all")).isEqualTo("nothing waits\n");
    }

    private void refused(String command, int status, String what) throws Exception {
        Command.Result result = run(command);

        assertThat(result.status()).as("%s", result).isEqualTo(status);
        assertThat(result.err()).contains(what);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void whatOthersMayHaveWrittenOrAnotherVersionIsRefused() throws Exception {
        refused("tools diff none", 2, "nothing is pinned of an upstream 'none'");
        keep(KEY, changed());
        refused("tools diff none", 2, "but of files");
        refused("chmod 644 state/glove/pins/" + KEY + "; tools diff", 2, "is not owner-only");
        refused(
                "chmod 600 state/glove/pins/*; sed -i 's/:1,/:2,/' state/glove/pins/" + KEY
                        + "; tools diff",
                2,
                "another version than 1");
        refused("echo '{' >state/glove/pins/" + KEY + "; tools accept files", 2, "cannot be read");
        refused("chmod 777 state/glove/pins; tools diff", 2, "can be written by others");
        refused("tools diff a b", 2, "takes one name");
        refused("tools accept", 2, "accept what?");
        refused("tools accept files --force", 2, "unknown option '--force'");
        refused("tools accept files --json", 2, "prints no data");
    }

    @Test
    void aToolThatChangedIsHiddenUntilItIsAccepted() throws Exception {
        Path training = Path.of(System.getProperty("glove.root"), "scripts/training");
        String upstream = Files.readString(training.resolve("upstream"));
        String script = upstream.replace("\"it\"", "\"'\"$(cat \"$1\")\"'\"");
        assertThat(script).isNotEqualTo(upstream);
        room.shell("cat >upstream")
                .reading(script.getBytes(StandardCharsets.UTF_8))
                .run();
        room.shell("cat >work/agent")
                .reading(Files.readAllBytes(training.resolve("agent")))
                .run();
        String asks = """
                lists() {
                    "$GLOVE" run --workspace work --upstream "u=sh,$PWD/upstream,$PWD/word" \\
                        --allow 'u.*' -- sh agent 2>/dev/null | grep -c '"description":"'"$1" || true
                }
                """;

        assertThat(prints(asks + "echo one >word; lists one")).isEqualTo("1\n");
        assertThat(prints("tools diff u")).isEqualTo("nothing waits\n");
        assertThat(prints(asks + "echo two >word; lists two")).isEqualTo("0\n");
        Command.Result difference = run("tools diff u");
        assertThat(difference.status()).isEqualTo(1);
        assertThat(difference.out())
                .startsWith("u: sh " + room.path() + "/upstream " + room.path() + "/word\n")
                .contains("@@ /description\n-\"one\"\n+\"two\"\n");
        assertThat(prints(asks + "tools accept u; lists two"))
                .startsWith("pinned tool \"say\" of u: sha256:")
                .endsWith("\n1\n");
        assertThat(prints(asks + "echo one >word; lists one")).isEqualTo("0\n");
    }
}
