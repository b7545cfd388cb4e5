package glove.app;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Command;
import glove.testkit.Identity;
import glove.testkit.Lanes;
import glove.wire.JsonException;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** {@code glove doctor} on this machine, and on one that is in the way. */
@Tag("e2e")
final class DoctorTest {
    private static final Path ROOT = Path.of(System.getProperty("glove.root"));

    private final List<WorkRoom> rooms = new ArrayList<>();

    static List<Identity> identities() {
        return Identity.available();
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        for (WorkRoom room : rooms) {
            room.close();
        }
    }

    private WorkRoom room(Identity identity) throws IOException, InterruptedException {
        WorkRoom room = WorkRoom.of(identity);
        rooms.add(room);
        return room;
    }

    private Command doctor(Identity identity, String... options) throws Exception {
        return doctor(room(identity), options);
    }

    private static Command doctor(WorkRoom room, String... options) throws IOException {
        List<String> words =
                Stream.concat(Stream.of("doctor"), Stream.of(options)).toList();
        return GloveProgram.as(room.identity(), words)
                .in(room.path())
                .with("HOME", room.path().toString())
                .with("TMPDIR", room.work().toString())
                .with("XDG_STATE_HOME", room.path().resolve("state").toString());
    }

    private static JsonValue parsed(byte[] text) throws JsonException {
        return JsonText.value(text, JsonLimits.FILE).root();
    }

    @ParameterizedTest
    @MethodSource("identities")
    void whereTheOtherTestsRunNothingFails(Identity identity) throws Exception {
        Command.Result result = doctor(identity, "-v").run();

        assertThat(result.status()).as("%s", result).isZero();
        assertThat(result.out())
                .contains("\nok       launch ", "\nok       egress ", "\nok       protected_names ")
                .contains("\nok       tree_watch ", "\nok       seccomp ", "\nholds    read a file")
                .doesNotContain("failed")
                .endsWith("glove exec runs here\n");
        assertThat(result.err()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("identities")
    void nothingIsLeftBehind(Identity identity) throws Exception {
        WorkRoom room = room(identity);
        String look = "find . | sort; ls /dev/shm /run/lock 2>/dev/null;"
                + " cat /proc/self/mountinfo | wc -l;";
        String before = room.outside(look);

        Process doctor = doctor(room).start();

        // Control groups have the pid in their names; others have theirs meanwhile.
        assertThat(new String(doctor.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .endsWith("glove exec runs here\n");
        assertThat(doctor.waitFor()).isZero();
        String its = "'glove-*-" + doctor.pid();
        String groups =
                "find /sys/fs/cgroup -maxdepth 3 -name " + its + "' -o -name " + its + "-*'";
        assertThat(room.outside(look + groups + " 2>/dev/null")).isEqualTo(before);
    }

    /** In a pid namespace all processes are seen; a shell is its first. */
    @ParameterizedTest
    @MethodSource("identities")
    void noProcessOutlivesIt(Identity identity) throws Exception {
        WorkRoom room = room(identity);
        String script = "unshare -Urpf --mount-proc sh -c '\"$GLOVE\" doctor >out; echo $?;"
                + " echo /proc/[0-9]*'";

        Command.Result result = room.shell(script).run();

        assertThat(result.out()).as("%s", result).isEqualTo("0\n/proc/1\n");
        assertThat(Files.readString(room.path().resolve("out"))).contains("ok       tree_watch");
    }

    @ParameterizedTest
    @MethodSource("identities")
    void theReportAsDataIsWhatItsSchemaSays(Identity identity) throws Exception {
        Command.Result result = doctor(identity, "--json").run();

        JsonValue report = parsed(result.outBytes());
        JsonValue schema =
                parsed(Files.readAllBytes(ROOT.resolve("docs/schemas/doctor.schema.json")));
        assertThat(names(report)).isEqualTo(properties(schema));
        JsonValue definitions = schema.member("$defs").orElseThrow();
        for (Map.Entry<String, String> list :
                Map.of("checks", "check", "protections", "protection").entrySet()) {
            JsonValue definition = definitions.member(list.getValue()).orElseThrow();
            List<JsonValue> items = report.member(list.getKey()).orElseThrow().children();
            assertThat(items).hasSizeGreaterThan(20);
            for (JsonValue item : items) {
                assertThat(names(item)).isEqualTo(properties(definition));
            }
        }
        assertThat(report.member("exec_runs").orElseThrow().truth()).isTrue();
        assertThat(report.member("schema_version").orElseThrow().number()).isEqualTo("1");
    }

    private static Set<String> names(JsonValue object) {
        Set<String> names = new TreeSet<>();
        object.children().forEach(member -> names.add(member.name()));
        return names;
    }

    private static Set<String> properties(JsonValue schema) {
        return names(schema.member("properties").orElseThrow());
    }

    @ParameterizedTest
    @MethodSource("identities")
    void aHostWithoutUserNamespacesIsToldWhatToType(Identity identity) throws Exception {
        WorkRoom room = room(identity);
        String script = "unshare -Ur sh -c 'echo 0 >/proc/sys/user/max_user_namespaces;"
                + " \"$GLOVE\" doctor; echo $?; \"$GLOVE\" exec -- true; echo $?'";

        Command.Result result = room.shell(script).run();

        assertThat(result.out())
                .contains("failed   user_namespace ", "failed   launch ", "not tried")
                .contains("try: ", "user.max_user_namespaces")
                .contains("glove exec cannot run here")
                .endsWith("\n125\n125\n");
        assertThat(result.err()).contains("sysctl -w user.max_user_namespaces=10000");
    }

    @ParameterizedTest
    @MethodSource("identities")
    void withoutDirectoriesWhatNeedsOneIsUntriedAndTheRestHolds(Identity identity)
            throws Exception {
        Command.Result result = doctor(identity)
                .withOnly(Map.of("PATH", "/usr/bin:/bin", "TMPDIR", "/nonexistent"))
                .run();

        assertThat(result.status()).as("%s", result).isEqualTo(3);
        assertThat(result.out())
                .contains("missing  state_directory", "HOME is not set")
                .contains("missing  temporary_directory  '/nonexistent'")
                .contains("untried  protected_names      not tried: for want of a directory")
                .contains("try: TMPDIR=/a/directory/of/yours glove doctor\n")
                .contains("\nuntried  write, move, link, replace", ", 0 lost, ");
    }

    /** What no command could be granted is no fault of what guards its names. */
    @ParameterizedTest
    @MethodSource("identities")
    void aDirectoryThatIsNeverGrantedLeavesProtectedNamesUntried(Identity identity)
            throws Exception {
        Command.Result result = doctor(identity).with("TMPDIR", "/dev/shm").run();

        assertThat(result.status()).as("%s", result).isEqualTo(3);
        assertThat(result.out())
                .contains("untried  protected_names ", "is a kernel interface", ", 0 lost, ")
                .contains("try: TMPDIR=/a/directory/of/yours glove doctor\n");
    }

    @ParameterizedTest
    @MethodSource("identities")
    void withFewOpenFilesTheWayOutIsUntriedAndWithTooFewAllIsRefused(Identity identity)
            throws Exception {
        WorkRoom room = room(identity);

        Command.Result few = room.shell("ulimit -n 64; \"$GLOVE\" doctor").run();
        Command.Result tooFew =
                room.shell("ulimit -n 28; \"$GLOVE\" doctor --json").run();

        assertThat(few.status()).as("%s", few).isEqualTo(3);
        assertThat(few.out())
                .contains("untried  egress ", "ulimit -Hn", ", 0 lost, ", "\nok       launch ");
        assertThat(tooFew.status()).as("%s", tooFew).isEqualTo(125);
        JsonValue report = parsed(tooFew.outBytes());
        assertThat(report.member("exec_runs").orElseThrow().truth()).isFalse();
        assertThat(tooFew.out())
                .contains("\"code\":\"user_namespace\",\"status\":\"untried\"")
                .contains("ulimit -n 256")
                .doesNotContain("\"state\":\"lost\"");
    }

    /** As an ordinary user: root passes any mode. */
    @Test
    void theStateDirectoryIsTriedAsRunsUseIt() throws Exception {
        WorkRoom room = room(Identity.ORDINARY);
        String online = "\"$GLOVE\" exec --egress-allow registry.test -- true; ";
        String state = "export XDG_STATE_HOME=$PWD/state; cd work; trap 'chmod 700 ../state/glove"
                + " ../state/glove/*' EXIT; set +e; ";
        room.outside(state + online);

        Command.Result closed = room.shell(state + "chmod 0 ../state/glove/audit; "
                        + "\"$GLOVE\" doctor; echo $?; " + online + "echo $?")
                .run();
        Command.Result partly = room.shell(state + "chmod 500 ../state/glove; "
                        + "\"$GLOVE\" doctor; " + online + "echo $?")
                .run();
        Command.Result well = room.shell(state + "\"$GLOVE\" doctor; echo $?").run();

        assertThat(closed.out())
                .as("%s", closed)
                .contains("failed   audit_log ", "glove/audit' is closed to yourself")
                .contains("ok       state_directory ")
                .contains("try: chmod 700 '" + room.path() + "/state/glove/audit'")
                .contains("see 'failed'\n1\n")
                .endsWith("\n2\n");
        assertThat(partly.out())
                .as("%s", partly)
                .contains("missing  state_directory ", "glove/pins' cannot be made", "--home would")
                .contains("ok       audit_log ")
                .doesNotContain("egress-allow would be refused")
                .endsWith("\n0\n");
        assertThat(well.out())
                .contains("ok       state_directory ", "ok       audit_log ")
                .endsWith("\n0\n");
    }

    /** A filesystem of four pages, in namespaces of an ordinary user. */
    @Test
    void onAFullDiskWhatWritesIsUntriedAndTheRestHolds() throws Exception {
        WorkRoom room = room(Identity.ORDINARY);
        String script = "unshare -Urm sh -c 'mount -t tmpfs -o size=16k none /mnt;"
                + " head -c 99999 /dev/zero >/mnt/fill 2>/dev/null;"
                + " TMPDIR=/mnt XDG_STATE_HOME=/mnt \"$GLOVE\" doctor; echo $?; ls -A /mnt'";

        Command.Result result = room.shell(script).run();

        assertThat(result.out())
                .as("%s", result)
                .contains("missing  temporary_directory  ", "ENOSPC", "try: df -h '/mnt'\n")
                .contains("missing  state_directory ", "untried  protected_names ")
                .contains("\nok       confinement ", ", 0 lost, ")
                .endsWith("see 'untried'\n3\nfill\n");
    }

    /** In a user namespace with the machine's user 0 alone, the agent is that. */
    @Test
    void aLimitOfProcessesThatDoesNotBindIsMissing() throws Exception {
        Lanes.require("e2e", Identity.isRoot(), "only root is not bound by it");
        WorkRoom room = room(Identity.ROOT);
        String script = "exec unshare -Ur \"$GLOVE\" doctor";

        Command.Result result = room.shell(script).run();

        assertThat(result.out())
                .as("%s", result)
                .contains("missing  process_limit ", "try: run glove as an ordinary user\n")
                .contains("\nok       confinement ", "\nlost     use up processes");
        assertThat(doctor(Identity.ROOT).run().out()).contains("\nok       process_limit ");
    }

    @ParameterizedTest
    @MethodSource("identities")
    void aBadCommandLineIsTold(Identity identity) throws Exception {
        Command.Result unknown = doctor(identity, "--wrong").run();
        Command.Result valued =
                GloveProgram.as(identity, List.of("doctor", "--json=1")).run();
        Command.Result command =
                GloveProgram.as(identity, List.of("doctor", "--", "x")).run();

        assertThat(unknown.status()).isEqualTo(2);
        assertThat(unknown.err()).contains("unknown option '--wrong'", "Try: glove doctor --help");
        assertThat(valued.status()).isEqualTo(2);
        assertThat(command.status()).isEqualTo(2);
        assertThat(unknown.out() + valued.out() + command.out()).isEmpty();
    }
}
