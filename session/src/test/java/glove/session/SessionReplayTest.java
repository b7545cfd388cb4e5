package glove.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.journal.AppendLogException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Everything that does not follow is refused when a store is opened, whatever its digests say. */
@Tag("unit")
final class SessionReplayTest {
    @TempDir
    private Path parent;

    private Room room;

    /** Of one session that exits, one that fails and one that is managed: 14 of them. */
    private List<byte[]> good = List.of();

    @BeforeEach
    void makeGood() throws Exception {
        room = new Room(parent);
        try (SessionRegistry registry = room.open()) {
            for (String id : List.of("a", "b", "m")) {
                Room.create(registry, id, "create-" + id, 1000);
                registry.reserveStart(
                        Room.authorization(id, 1001, 2001), Room.call("reserve-" + id, 1001));
                Resources in = id.equals("m") ? Room.MANAGED : Room.LOCAL;
                Execution runs =
                        id.equals("m") ? new Execution.Managed(Room.MANAGED) : Room.RUNNING;
                registry.markStarting(
                        Room.ids(id), in, Room.reserved(id), Room.call("starting-" + id, 1003));
                registry.markRunning(Room.ids(id), runs, Room.call("running-" + id, 1004));
                if (!id.equals("m")) {
                    registry.markStopping(Room.ids(id), runs, Room.call("stopping-" + id, 1005));
                }
            }
            registry.markExited(Room.envelope("a", 1004, 1010), Room.call("exited-a", 1010));
            registry.markFailed(
                    Room.ids("b"), FailureCode.SUPERVISOR_ERROR, Room.call("failed-b", 1011));
        }
        good = Room.payloads(Files.readAllBytes(room.file));
        assertThat(good).hasSize(16);
    }

    private static String text(byte[] payload) {
        return new String(payload, StandardCharsets.UTF_8);
    }

    private String opened() {
        AppendLogException refused =
                catchThrowableOfType(AppendLogException.class, () -> room.open().close());
        return refused == null ? "" : refused.getMessage();
    }

    private void refused(List<byte[]> payloads, String words) throws Exception {
        room.write(payloads);
        byte[] before = Files.readAllBytes(room.file);
        assertThat(opened()).contains("session store").contains(words);
        assertThat(Files.readAllBytes(room.file)).isEqualTo(before);
        assertThat(room.directory.toFile().list()).hasSize(1);
    }

    /** With one record rewritten, and all digests from there on made right again. */
    private List<byte[]> forged(int index, UnaryOperator<StoredRecord> change) throws Exception {
        List<byte[]> forged = new ArrayList<>(good);
        String previous = "";
        for (int i = index; i < good.size(); i++) {
            StoredRecord record = SessionRecordJson.decode(good.get(i));
            record = i == index ? change.apply(record) : chained(record, previous);
            record = new StoredRecord(
                    record.head().withThisHash(RecordHash.of(record).hex()), record.session());
            forged.set(i, SessionRecordJson.encode(record));
            previous = record.head().thisHash();
        }
        return forged;
    }

    private static StoredRecord chained(StoredRecord record, String previous) {
        RecordHead head = record.head();
        return new StoredRecord(
                new RecordHead(
                        head.sequence(),
                        head.operation(),
                        head.idempotencyKey(),
                        head.requestDigest(),
                        previous,
                        head.thisHash()),
                record.session());
    }

    /** With a text of one record replaced, its digests made right again. */
    private List<byte[]> replaced(int index, String from, String to) throws Exception {
        String changed = text(good.get(index)).replaceFirst(from, to);
        assertThat(changed).isNotEqualTo(text(good.get(index)));
        StoredRecord record = SessionRecordJson.decode(changed.getBytes(StandardCharsets.UTF_8));
        return forged(index, old -> record);
    }

    @Test
    void theGoodStoreOpensAndAForgerThatChangesNothingGetsTheSame() throws Exception {
        List<byte[]> forged = forged(0, record -> record);
        for (int i = 0; i < good.size(); i++) {
            assertThat(text(forged.get(i))).isEqualTo(text(good.get(i)));
        }
        room.write(forged);
        assertThat(opened()).isEmpty();
    }

    @Test
    void whitespaceAndAnotherOrderAreTheSameRecord() throws Exception {
        List<byte[]> other = new ArrayList<>(good);
        String first = text(good.get(0));
        String schema = "\"schema_version\":1,";
        assertThat(first).startsWith("{" + schema);
        String moved = "{ " + first.substring(1 + schema.length(), first.length() - 1)
                + " ,\n\"schema_version\": 1, \"observation_intent\":null }";
        other.set(0, moved.getBytes(StandardCharsets.UTF_8));
        room.write(other);
        assertThat(opened()).isEmpty();
    }

    @Test
    void aRecordRemovedDoubledOrMovedIsRefused() throws Exception {
        for (int i = 0; i < good.size() - 1; i++) {
            List<byte[]> removed = new ArrayList<>(good);
            removed.remove(i);
            refused(removed, "record " + (i + 1) + ", at byte");
            List<byte[]> doubled = new ArrayList<>(good);
            doubled.add(i, good.get(i));
            refused(doubled, "has the number " + (i + 1) + " where " + (i + 2) + " belongs");
            List<byte[]> swapped = new ArrayList<>(good);
            swapped.set(i, good.get(i + 1));
            swapped.set(i + 1, good.get(i));
            refused(swapped, "record " + (i + 1) + ", at byte");
        }
    }

    /** Each character of a whole record, one after the other, becomes another one. */
    @Test
    void anyChangedCharacterIsRefused() throws Exception {
        byte[] payload = good.get(good.size() - 2);
        for (int at = 0; at < payload.length; at += 7) {
            byte[] changed = payload.clone();
            changed[at] = (byte) (changed[at] == '1' ? '2' : '1');
            List<byte[]> payloads = new ArrayList<>(good);
            payloads.set(good.size() - 2, changed);
            room.write(payloads);
            assertThat(opened()).as("byte %d", at).isNotEmpty();
        }
    }

    @Test
    void unknownMissingAndDoubledMembersAreRefused() throws Exception {
        String first = text(good.get(0));
        String[][] bad = {
            {first.replace("{\"schema", "{\"x\":1,\"schema"), "'/x' is unknown"},
            {first.replace("\"schema_version\":1,", ""), "'/schema_version' is missing"},
            {first.replaceFirst(":1,", ":2,"), "use the build that wrote it"},
            {first.replaceFirst("\\{", "{\"state\":\"created\","), "is no JSON"},
            {first + " x", "is no JSON"},
            {first.replace("\"sequence\":1,", "\"sequence\":1e0,"), "'/sequence' is 1e0"},
            {first.replace("\"sequence\":1,", "\"sequence\":null,"), "'/sequence' is null"},
            {first.replace("\"create\"", "\"make\""), "'/operation' is 'make'"},
        };
        for (String[] one : bad) {
            List<byte[]> payloads = new ArrayList<>(good);
            payloads.set(0, one[0].getBytes(StandardCharsets.UTF_8));
            refused(payloads, one[1]);
        }
    }

    @Test
    void observationsOfOtherBuildsAreNamedAsSuch() throws Exception {
        String first = text(good.get(0));
        for (String other : List.of(
                first.replace("\"create\"", "\"enqueue_observation_intent_v1\""),
                first.replace("\"create\"", "\"set_observation_intent_disposition_v1\""),
                first.substring(0, first.length() - 1) + ",\"observation_intent\":{}}")) {
            List<byte[]> payloads = new ArrayList<>(good);
            payloads.set(0, other.getBytes(StandardCharsets.UTF_8));
            refused(payloads, "not in this build");
        }
    }

    @Test
    void aForgedShapeIsRefused() throws Exception {
        String[][] bad = {
            {"0", "\"policy_revision\":7", "\"policy_revision\":0", "no policy revision"},
            {"0", "\"created_at_ms\":1000", "\"created_at_ms\":0", "no time"},
            {"0", "\"authorization_id\":\"\"", "\"authorization_id\":\"x\"", "too early"},
            {"0", "\"starting_at_ms\":0", "\"starting_at_ms\":1", "launch too early"},
            {"0", "\"process_pid\":0", "\"process_pid\":1", "process too early"},
            {"0", "\"finished_at_ms\":0", "\"finished_at_ms\":1", "end too early"},
            {"0", "\"receipt_sequence\":0", "\"receipt_sequence\":1", "receipt too early"},
            {"0", "\"state\":\"created\"", "\"state\":\"preparing\"", "does not lead to"},
            {"0", "\"idempotency_key\":\"create-a\"", "\"idempotency_key\":\"\"", "identifier"},
            {"1", "_expires_at_ms\":2001", "_expires_at_ms\":1001", "authorization"},
            {"1", "_expires_at_ms\":2001", "_expires_at_ms\":61001", "authorization"},
            {"2", "\"starting_at_ms\":1003", "\"starting_at_ms\":2001", "no valid launch"},
            {"2", "\"device\":42", "\"device\":0", "no valid resources"},
            {"2", "\"quota_bytes\":1048576", "\"quota_bytes\":2097152", "no valid resources"},
            {"3", "\"running_at_ms\":1004", "\"running_at_ms\":1002", "not authorized"},
            {"3", "\"process_pid\":4242", "\"process_pid\":2147483648", "no valid process"},
            {"3", "\"process_cgroup_inode\":24242", "\"process_cgroup_inode\":1", "process"},
            {"4", "\"stopping_at_ms\":1005", "\"stopping_at_ms\":1003", "stops at a wrong time"},
            {"14", "\"exit_code\":0", "\"exit_code\":255", "digest of what"},
            {"14", "\"exit_code\":0,", "", "no valid receipt"},
            {"14", "\"finished_at_ms\":1010", "\"finished_at_ms\":1004", "ended at a wrong time"},
            {"14", "_started_at_ms\":1004", "_started_at_ms\":1005", "no valid receipt"},
            {"14", "\"termination_cause\":\"exited\"", "\"termination_cause\":\"gone\"", "receipt"},
            {"15", "\"supervisor_error\"", "\"launch_failed\"", "reason of failure"},
            {"15", "\"finished_at_ms\":1011", "\"finished_at_ms\":1004", "ended at a wrong time"},
        };
        for (String[] one : bad) {
            int index = Integer.parseInt(one[0]);
            refused(replaced(index, one[1], one[2]), one[3]);
        }
    }

    @Test
    void aForgedTransitionIsRefused() throws Exception {
        String plan = "\"session_id\":\"a\"";
        refused(replaced(1, plan, "\"session_id\":\"z\""), "never created");
        refused(replaced(5, "\"session_id\":\"b\"", plan), "creates the session 'a' again");
        refused(
                replaced(3, "\"authorized_at_ms\":1001", "\"authorized_at_ms\":1002"),
                "changes what is fixed");
        refused(
                replaced(4, "\"launch_profile_digest\":\"e", "\"launch_profile_digest\":\"f"),
                "changes what is fixed");
        refused(
                replaced(2, "\"policy_revision\":7", "\"policy_revision\":8"),
                "changes what is fixed");
        refused(
                replaced(
                        4,
                        "\"idempotency_key\":\"stopping-a\"",
                        "\"idempotency_key\":\"create-a\""),
                "key of an earlier record");
        refused(replaced(2, "\"mark_starting\"", "\"mark_managed_starting\""), "held otherwise");
        refused(replaced(13, "\"mark_managed_running\"", "\"mark_running\""), "held otherwise");
    }

    @Test
    void aForgedRequestDigestOrPlanIsRefused() throws Exception {
        for (int i : new int[] {1, 2, 3, 4, 12, 13, 14, 15}) {
            List<byte[]> forged = replaced(
                    i, "\"request_digest\":\"[0-9a-f]{8}", "\"request_digest\":\"01234567");
            refused(forged, "does not have the digest of what");
        }
        refused(replaced(0, "(policy_revision\\\\\":)7", "$18"), "was changed");
        List<byte[]> unhashed = new ArrayList<>(good);
        unhashed.set(
                0,
                text(good.get(0))
                        .replace("\"created_at_ms\":1000", "\"created_at_ms\":999")
                        .getBytes(StandardCharsets.UTF_8));
        refused(unhashed, "was changed");
    }
}
