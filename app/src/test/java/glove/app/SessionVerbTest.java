package glove.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import glove.session.CanonicalPlan;
import glove.session.LaunchCheck;
import glove.session.ReceiptCheck;
import glove.session.RegistryCall;
import glove.session.RegistryReply;
import glove.session.SessionRegistry;
import glove.sys.Call;
import glove.sys.Linux;
import glove.sys.Syscalls;
import glove.sys.UnixPath;
import glove.testkit.Command;
import glove.testkit.Identity;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** {@code glove session}, on a store as a daemon leaves it, with the daemon and without it. */
@Tag("e2e")
@ParameterizedClass(name = "as {0}")
@MethodSource("glove.testkit.Identity#ordinary")
final class SessionVerbTest {
    private static final String CONTROLLER = "a".repeat(64);
    private static final String PLAN = "{\"runtime_id\":\"codex\",\"expires_at_ms\":61000}";
    private static final int RECORDS = 10_000;
    private static final char ESCAPE = 0x1b;

    /** With a store {@code stored} that was put there, and a policy for the daemon. */
    private static final String SETUP = GlovedScript.SETUP + """
            umask 077; cat ../stored > state/sessions
            mkdir -p source
            cat > policy.json <<END
            {"schema_version":1,"revision":3,"max_plan_ttl_ms":600000,
            "runtime_templates":[{"runtime_template_id":"t","runtime_id":"r",
            "adapter_command_digest":"%s","sandbox_backend":"linux_production"}],
            "path_aliases":[{"alias":"w","host_path":"$PWD/source","target_path":"/workspace",
            "max_ttl_secs":60,"access":[{"access":"read","materialization":"bind",
            "create_policy":"never","cleanup_policy":"retain","max_bytes":0}]}],
            "resource_profiles":[{"profile_id":"p","cpu_time_ms":1,"memory_bytes":1,"pids":1,
            "wall_time_ms":1,"disk_bytes":1,"terminal_output_bytes":1}]}
            END
            sed -i "s|^{|{\\"session_policy\\":\\"$PWD/policy.json\\",|" config.json
            sed -i "s|^{|{\\"session_store\\":\\"$PWD/state/sessions\\",|" config.json
            session() { "$GLOVE" session "$@" "$CONFIG"; }
            """.formatted(CONTROLLER);

    private final WorkRoom room;

    @TempDir
    private Path own;

    SessionVerbTest(Identity identity) throws IOException, InterruptedException {
        this.room = WorkRoom.of(identity);
    }

    /** Two sessions, of the user this test runs as; readable for the one the verb runs as. */
    @BeforeEach
    void makeStore() throws Exception {
        Path directory = Files.createDirectory(own.resolve("state"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        Path file = directory.resolve("sessions");
        SessionRegistry.Checks checks = new SessionRegistry.Checks(
                (plan, nowMs) -> CanonicalPlan.of(PLAN, 3, 61_000),
                (plan, nowMs) -> LaunchCheck.Eligibility.LAUNCHABLE,
                envelope -> ReceiptCheck.Worth.UNKNOWN);
        try (SessionRegistry registry = SessionRegistry.open(
                Linux.host(), SessionRegistry.Store.at(UnixPath.of(file.toString())), checks)) {
            for (String id : new String[] {"session-2", "session-1"}) {
                RegistryReply reply = registry.create(
                        new Id128(id),
                        new Digest(CONTROLLER),
                        PLAN.getBytes(StandardCharsets.UTF_8),
                        new RegistryCall(new Id128("key-" + id), 1000));
                assertThat(reply).isInstanceOf(RegistryReply.Done.class);
            }
        }
        Path there = room.path().resolve("stored");
        Files.copy(file, there);
        Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rw-r--r--"));
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        room.close();
    }

    private Command.Result run(String script) throws IOException, InterruptedException {
        return room.shell(SETUP + script).run();
    }

    private static JsonValue json(String text) throws Exception {
        return JsonText.value(text.getBytes(StandardCharsets.UTF_8), JsonLimits.FRAME)
                .root();
    }

    @Test
    void sessionsAreListedByNameWithoutADaemon() throws Exception {
        Command.Result text = run("session list; session list --store \"$PWD/state/sessions\"");
        Command.Result data = run("session list --json");

        assertThat(text.status()).as("%s", text).isZero();
        assertThat(text.out().lines().limit(2))
                .containsExactly(
                        "session-1 state=created created=1970-01-01T00:00:01Z"
                                + " expires=1970-01-01T00:01:01Z",
                        "session-2 state=created created=1970-01-01T00:00:01Z"
                                + " expires=1970-01-01T00:01:01Z");
        assertThat(text.out().lines()).as("the same store, named twice").hasSize(4);
        JsonValue root = json(data.out());
        assertThat(root.member("schema_version").orElseThrow().number()).isEqualTo("1");
        JsonValue first =
                root.member("sessions").orElseThrow().children().iterator().next();
        assertThat(first.member("session_id").orElseThrow().string()).isEqualTo("session-1");
        assertThat(first.member("state").orElseThrow().string()).isEqualTo("created");
        assertThat(first.member("created_at_ms").orElseThrow().number()).isEqualTo("1000");
        assertThat(first.member("expires_at_ms").orElseThrow().number()).isEqualTo("61000");
        assertThat(first.member("plan_content_digest").orElseThrow().string()).hasSize(64);
    }

    /** As many records and bytes as a store may have, in the heap that verbs have. */
    @Test
    void theLargestStoreIsListed() throws Exception {
        String plan = PLAN.replace("codex", "c".repeat(5_200));
        Path file = own.resolve("state/large");
        SessionRegistry.Checks checks = new SessionRegistry.Checks(
                (text, nowMs) -> CanonicalPlan.of(plan, 3, 61_000),
                (text, nowMs) -> LaunchCheck.Eligibility.LAUNCHABLE,
                envelope -> ReceiptCheck.Worth.UNKNOWN);
        Syscalls unsynced = (call, a, b, c, d, e, f) -> call == Call.FDATASYNC
                ? 0 // no power fails here
                : Syscalls.host().call(call, a, b, c, d, e, f);
        try (SessionRegistry registry = SessionRegistry.open(
                new Linux(unsynced),
                SessionRegistry.Store.at(UnixPath.of(file.toString())),
                checks)) {
            for (int i = 0; i < RECORDS; i++) {
                registry.create(
                        new Id128("session-" + i),
                        new Digest(CONTROLLER),
                        plan.getBytes(StandardCharsets.UTF_8),
                        new RegistryCall(new Id128("key-" + i), 1000));
            }
        }
        assertThat(Files.size(file)).isBetween(60L << 20, 64L << 20);
        Path there = room.path().resolve("large");
        Files.move(file, there);
        Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rw-r--r--"));

        Command.Result told = run("""
                cat ../large > state/large
                session list --store "$PWD/state/large" | wc -l
                session list --store "$PWD/state/large" --json | tr '{' '\\n' | grep -c session_id
                """);

        assertThat(told.out()).as("%s", told.err()).isEqualTo(RECORDS + "\n" + RECORDS + "\n");
    }

    @Test
    void aRunningDaemonIsNotDisturbedAndShowsWhatIsListed() throws Exception {
        Command.Result told = run("""
                : > log; start; before=$(sha256sum < state/sessions)
                session list > text; session show session-1; echo
                session show session-1 --json; session show session-3 || echo "status $?"
                test "$before" = "$(sha256sum < state/sessions)"; stop; session list | cmp - text""");

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out())
                .contains("session_id session-1\ncontroller_plan_digest " + CONTROLLER + "\n")
                .contains("\nstate created\npolicy_revision 3\nexpires_at_ms 61000\n")
                .contains("\n{\"schema_version\":1,\"session_id\":\"session-1\",")
                .endsWith("status 1\n");
        assertThat(told.err()).contains("session_not_found");
    }

    @Test
    void withoutADaemonOneCannotBeShownAndTheWayOnIsTold() throws Exception {
        Command.Result told = run("session show session-1");

        assertThat(told.status()).as("%s", told).isEqualTo(1);
        assertThat(told.out()).isEmpty();
        assertThat(told.err()).contains("gloved is not running", "Try: gloved --config");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rm state/sessions                             | cannot be read: ENOENT",
                "rm state/sessions; mkdir state/sessions       | is no file that is yours alone",
                "rm state/sessions; mkfifo state/sessions      | is no file that is yours alone",
                "chmod 640 state/sessions                      | is no file that is yours alone",
                "mv state/sessions s; ln -s ../s state/sessions| cannot be read: ELOOP",
                ": > state/sessions                            | does not begin as one",
                "sed -i s/created/creatid/ state/sessions      | at byte 8: the record ",
                "sed -i s/GLVSES05/GLVSES06/ state/sessions    | does not begin as one",
            })
    void aStoreThatCannotBeTrustedIsNotListed(String change, String why) throws Exception {
        Command.Result told = run(change + "; session list && exit 9; session list --json");

        assertThat(told.status()).as("%s", told).isEqualTo(1);
        assertThat(told.out()).isEmpty();
        assertThat(told.err()).contains("glove session: the session store '", why);
    }

    /** Whoever can give a file away can try to be believed. */
    @Test
    void anotherOwnersStoreIsNotListed() throws Exception {
        assumeThat(Identity.isRoot()).as("only root can give files away").isTrue();
        assertThat(run("session list").status()).as("control").isZero();
        Path store = room.path().resolve("d/state/sessions");
        Command.of("chown", "1", store.toString()).run();
        Command.Result told =
                room.shell("\"$GLOVE\" session list --store '" + store + "'").run();

        assertThat(told.status()).as("%s", told).isEqualTo(1);
        assertThat(told.out()).isEmpty();
        assertThat(told.err())
                .containsAnyOf("is no file that is yours alone", "cannot be read: EACCES");
    }

    @Test
    void aTornTailIsNoSessionAndStaysAsItIs() throws Exception {
        Command.Result told = run("""
                truncate -s -1 state/sessions; before=$(sha256sum < state/sessions)
                session list; session list --json
                test "$before" = "$(sha256sum < state/sessions)"; ls state""");

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out())
                .startsWith("session-2 state=created")
                .endsWith("\nsessions\n")
                .doesNotContain("session-1");
    }

    /** The names of files are the owner's, and what is in them may be anybody's. */
    @Test
    void nothingOfTheStoreOrItsNameIsObeyedByATerminal() throws Exception {
        Command.Result told = run("""
                bad=$(printf 'x\\033[31m'); cp state/sessions "state/$bad"
                session list --store "$PWD/state/$bad"
                rm "state/$bad"; session list --store "$PWD/state/$bad" || echo "status $?"
                sed "s/session-1/sess\\x1b[0m1/g" ../stored > state/sessions
                session list || echo "status $?"
                cat ../stored > state/sessions; : > log; start
                session show "$bad" || echo "status $?"; session show "$bad" --json || stop""");

        assertThat(told.status()).as("%s", told).isZero();
        assertThat(told.out())
                .contains("session-1 state=created")
                .endsWith("status 1\nstatus 1\nstatus 1\n")
                .doesNotContain(Character.toString(ESCAPE));
        assertThat(told.err())
                .contains("x\\x1b[31m", "the record ", "invalid session status request")
                .doesNotContain(Character.toString(ESCAPE));
    }

    @Test
    void aBadCommandLineIsOne() throws Exception {
        for (String line : new String[] {
            "session",
            "session list more",
            "session show",
            "session show a b",
            "session drop a",
            "session list --stor /x",
            "session list --store",
            "session list --store a --store b",
            "session show a --runtime-dir relative",
        }) {
            Command.Result result = room.shell("$GLOVE " + line).run();
            assertThat(result.status()).as(line).isEqualTo(2);
            assertThat(result.err()).as(line).contains("glove session: ").contains("Try: ");
        }
    }

    @Test
    void withoutAStoreInTheConfigurationThereIsNothingToList() throws Exception {
        Command.Result told = run("""
                sed -i 's/"session_store":"[^"]*",//' config.json; session list && exit 9
                "$GLOVE" session list --runtime-dir "$PWD/runtime\"""");

        assertThat(told.status()).as("%s", told).isEqualTo(2);
        assertThat(told.err()).contains("no session store is configured or named");
    }
}
