package glove.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.journal.AppendLogException;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/** Stores that another implementation wrote are read, and written again byte for byte. */
@Tag("unit")
final class SessionVectorsTest {
    @TempDir
    private Path parent;

    private Room room;

    @BeforeEach
    void makeRoom() throws Exception {
        room = new Room(parent);
    }

    private static List<JsonValue> cases(String prefix) throws Exception {
        try (InputStream in = Objects.requireNonNull(
                SessionVectorsTest.class.getResourceAsStream("session_store.json"))) {
            JsonText text = JsonText.value(in.readAllBytes(), JsonLimits.FRAME);
            List<JsonValue> found = new ArrayList<>();
            for (JsonValue one : text.root().member("cases").orElseThrow().children()) {
                if (string(one, "name").startsWith("open:") == prefix.equals("open:")) {
                    found.add(one);
                }
            }
            return found;
        }
    }

    private static String string(JsonValue object, String name) {
        return object.member(name).orElseThrow().string();
    }

    private static byte[] file(JsonValue one) {
        return Base64.getDecoder().decode(string(one, "file_base64"));
    }

    @Test
    void everyRecordIsReadAndWrittenAgainByteForByte() throws Exception {
        int records = 0;
        for (JsonValue one : cases("")) {
            for (byte[] payload : Room.payloads(file(one))) {
                StoredRecord record = SessionRecordJson.decode(payload);

                assertThat(new String(SessionRecordJson.encode(record), StandardCharsets.UTF_8))
                        .isEqualTo(new String(payload, StandardCharsets.UTF_8));
                assertThat(RecordHash.of(record).hex()).isEqualTo(record.head().thisHash());
                records++;
            }
        }
        assertThat(records).isGreaterThan(30);
    }

    @Test
    void everyStoreOpensWithItsSessions() throws Exception {
        for (JsonValue one : cases("")) {
            room.write(file(one));
            try (SessionRegistry registry = room.open()) {
                List<JsonValue> expected = one.member("sessions").orElseThrow().children();
                assertThat(registry.sessions()).hasSameSizeAs(expected);
                for (JsonValue session : expected) {
                    SessionRecord found = registry.find(new Id128(string(session, "session_id")))
                            .orElseThrow();
                    assertThat(found.state().word()).isEqualTo(string(session, "state"));
                    assertThat(found.plan().contentDigest())
                            .isEqualTo(string(session, "plan_content_digest"));
                    assertThat(found.plan().canonicalJson())
                            .isEqualTo(string(session, "canonical_plan_json"));
                }
            }
        }
    }

    @Test
    void theSameRequestsWriteTheSameFile() throws Exception {
        int files = 0;
        for (JsonValue one : cases("")) {
            byte[] expected = file(one);
            List<byte[]> payloads = Room.payloads(expected);
            Files.deleteIfExists(room.file);
            try (SessionRegistry registry = openForAnyPlan()) {
                for (byte[] payload : payloads) {
                    RegistryReply reply = Reissue.of(registry, SessionRecordJson.decode(payload));
                    assertThat(reply).isInstanceOf(RegistryReply.Done.class);
                }
            }
            assertThat(Files.readAllBytes(room.file)).as(string(one, "name")).isEqualTo(expected);
            files++;
        }
        assertThat(files).isEqualTo(11);
    }

    /** A plan sent in another form: only its digest differs, so the check gives the canonical one. */
    private SessionRegistry openForAnyPlan() throws AppendLogException {
        PlanCheck plans = (plan, nowMs) -> {
            String text = new String(plan, StandardCharsets.UTF_8);
            long expires = Long.parseLong(
                    text.substring(text.lastIndexOf(':') + 1, text.length() - 1).strip());
            return CanonicalPlan.of(text.replace(": ", ":"), 7, expires);
        };
        return SessionRegistry.open(
                Linux.host(),
                SessionRegistry.Store.at(UnixPath.of(room.file.toString())),
                new SessionRegistry.Checks(
                        plans,
                        (plan, nowMs) -> LaunchCheck.Eligibility.LAUNCHABLE,
                        envelope -> ReceiptCheck.Worth.DURABLE));
    }

    /** What opens there opens here; but a torn end, which is set aside. */
    @Test
    void filesOpenAsTheyDidButATornEndIsSetAside() throws Exception {
        int seen = 0;
        for (JsonValue one : cases("open:")) {
            String name = string(one, "name");
            boolean opens = one.member("opens").orElseThrow().truth();
            byte[] bytes = file(one);
            room.write(bytes);
            seen++;
            if (name.equals("open:torn-last-byte")) {
                try (SessionRegistry registry = room.open()) {
                    assertThat(registry.repaired()).isPresent();
                    assertThat(registry.room().records()).isEqualTo(4);
                }
                continue;
            }
            if (opens) {
                try (SessionRegistry registry = room.open()) {
                    assertThat(registry.repaired()).isEmpty();
                    assertThat(Long.toString(registry.room().records()))
                            .isEqualTo(one.member("record_count").orElseThrow().number());
                }
            } else {
                AppendLogException refused = catchThrowableOfType(
                        AppendLogException.class, () -> room.open().close());
                assertThat(refused).as(name).isNotNull();
            }
            assertThat(Files.readAllBytes(room.file)).as(name).isEqualTo(bytes);
        }
        assertThat(seen).isEqualTo(6);
    }

    /** The chain of records that is known to the last digest. */
    @Test
    void aChainOfAllOperationsHasTheKnownDigests() throws Exception {
        try (SessionRegistry registry = room.open()) {
            known(registry);
        }
        List<String> requests = new ArrayList<>();
        String last = "";
        for (byte[] payload : Room.payloads(Files.readAllBytes(room.file))) {
            RecordHead head = SessionRecordJson.decode(payload).head();
            requests.add(head.requestDigest().substring(0, 16));
            last = head.thisHash();
        }

        assertThat(requests)
                .containsExactly(
                        "cb1d4ab32794abfa",
                        "0331439db74a329a",
                        "ddcd179236ba408e",
                        "f828252f2d1974d5",
                        "21fe9a07421990b4",
                        "10bac736c4769b65",
                        "cb1d4ab32794abfa",
                        "67270e2582dd89d1",
                        "d96f157ffa6b2c98",
                        "580306e38694fb17",
                        "cb1d4ab32794abfa",
                        "33e89bb8059aacd2",
                        "3cb91c269816cb2c",
                        "935cc44fa4a179f1",
                        "cb1d4ab32794abfa");
        assertThat(last)
                .isEqualTo("43e3cff5d9451feeef80e0373b03a5d8ff1e2b823108f162fd3200f362ecb231");
    }

    private static void known(SessionRegistry registry) {
        List<RegistryReply> replies = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            String id = "session-" + i;
            replies.add(Room.create(registry, id, "create-session-" + i, 1000));
            replies.add(registry.reserveStart(
                    Room.authorization(id, 1001, 2001), Room.call("reserve-" + id, 1001)));
            Resources resources = switch (i) {
                case 1 -> Room.LOCAL;
                case 2 ->
                    new Resources.Local(
                            Room.CGROUP, new Resources.Filesystem(1, 2_097_152, List.of()));
                default -> Room.MANAGED;
            };
            String key = i == 3 ? "mark-managed-starting-3" : "mark-starting-" + i;
            replies.add(registry.markStarting(
                    Room.ids(id), resources, Room.reserved(id), Room.call(key, 1003)));
            if (i == 1) {
                replies.add(registry.markRunning(
                        Room.ids(id), Room.RUNNING, Room.call("mark-running-1", 1004)));
                replies.add(registry.markStopping(
                        Room.ids(id), Room.RUNNING, Room.call("mark-stopping-1", 1005)));
                replies.add(registry.markExited(
                        Room.envelope(id, 1004, 1010), Room.call("mark-exited-1", 1010)));
            } else if (i == 2) {
                replies.add(registry.markFailed(
                        Room.ids(id), FailureCode.LAUNCH_FAILED, Room.call("mark-failed-2", 1006)));
            } else {
                replies.add(registry.markRunning(
                        Room.ids(id),
                        new Execution.Managed(Room.MANAGED),
                        Room.call("mark-managed-running-3", 1004)));
            }
        }
        replies.add(Room.create(registry, "session-9", "create-9", 1000));
        assertThat(replies).hasSize(15).allMatch(reply -> reply instanceof RegistryReply.Done);
    }

    @Test
    void keysAndDigestsOfRecoveryAreTheKnownOnes() {
        SessionRecord session = SessionRecord.created(
                        new AcceptedPlan("session-1", "", "", 0, 0, 0, ""))
                .preparing(new Authorization("approval-session-1", 1001, 2001))
                .starting("e".repeat(64), Room.LOCAL, 1003);

        assertThat(RecoveryKeys.failure(session))
                .isEqualTo("recovery-fail-"
                        + "5f0a7daf570e74a9d537e9548bda191abf7d3218e7917c874423b99ee62194ec");
        assertThat(RecoveryKeys.exit(7)).isEqualTo("recovery-exit-7");
        assertThat(ProcessIdentity.digestOfCgroupPath("/user.slice/glove/session-1"))
                .isEqualTo("13f5cc70d4886d506a847171ee38bb46be22e4b09bd22aa3eddf1f236e95e890");
        assertThat(new Digest(Room.PROFILE).hex()).hasSize(64);
    }
}
