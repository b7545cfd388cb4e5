package glove.session.receipt;

import static glove.session.receipt.ReceiptRoom.payloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.journal.RecordException;
import glove.policy.session.TerminationCause;
import glove.session.ReceiptReservation;
import glove.sys.Linux;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonKind;
import glove.wire.JsonLimits;
import glove.wire.JsonText;
import glove.wire.JsonValue;
import glove.wire.SecretKey32;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** What another implementation printed is read, checked and written again byte for byte. */
@Tag("unit")
final class ReceiptVectorsTest {
    @TempDir
    private Path parent;

    private ReceiptRoom room;

    @BeforeEach
    void makeRoom() throws Exception {
        room = new ReceiptRoom(parent);
    }

    private static JsonValue file(String name) throws Exception {
        try (InputStream in = Objects.requireNonNull(
                ReceiptVectorsTest.class.getResourceAsStream(name + ".json"))) {
            return JsonText.value(in.readAllBytes(), JsonLimits.FRAME).root();
        }
    }

    private static List<JsonValue> cases(String name) throws Exception {
        return file(name).member("cases").orElseThrow().children();
    }

    private static String string(JsonValue object, String name) {
        return object.member(name).orElseThrow().string();
    }

    private static long number(JsonValue object, String name) {
        return Long.parseLong(object.member(name).orElseThrow().number());
    }

    private static byte[] base64(JsonValue object, String name) {
        return Base64.getDecoder().decode(string(object, name));
    }

    private static AuditKey key(JsonValue object) {
        return AuditKey.of(SecretKey32.parse(string(object, "key_hex")).orElseThrow());
    }

    /** The chain as written, from the journal of the file: some of its records are no cases. */
    private static void assertChain(String name, int cases) throws Exception {
        JsonValue context = file(name).member("context").orElseThrow();
        byte[] journal = base64(context, "journal_file_base64");
        assertThat(Digest.sha256(journal).hex()).isEqualTo(string(context, "journal_file_sha256"));
        ReceiptChain chain = new ReceiptChain(ReceiptRoom.KEY);
        List<byte[]> payloads = payloads(journal);
        for (byte[] payload : payloads) {
            ReceiptEnvelope envelope = ReceiptRecord.decode(payload);
            chain.follow(envelope);
            assertThat(ReceiptRecord.encode(envelope)).isEqualTo(payload);
        }
        int checked = 0;
        for (JsonValue one : cases(name)) {
            if (one.member("journal_payload_json", JsonKind.STRING).isEmpty()) {
                continue;
            }
            byte[] payload = string(one, "journal_payload_json").getBytes(StandardCharsets.UTF_8);
            ReceiptEnvelope envelope = ReceiptRecord.decode(payload);
            assertThat(payloads.get((int) number(one, "sequence") - 1)).isEqualTo(payload);
            assertThat(envelope.receipt().digest().hex())
                    .as(string(one, "name"))
                    .isEqualTo(string(one, "receipt_digest"));
            Anchor before = new Anchor(
                    envelope.keyId(),
                    envelope.sequence() - 1,
                    new Digest(string(one, "previous_hmac")));
            ReceiptEnvelope sealed = ReceiptEnvelope.seal(
                    key(one),
                    before,
                    envelope.sessionId(),
                    envelope.controllerPlanDigest(),
                    envelope.receipt());
            assertThat(sealed).isEqualTo(envelope);
            assertThat(sealed.thisHmac().hex()).isEqualTo(string(one, "this_hmac"));
            checked++;
        }
        assertThat(checked).isEqualTo(cases);
    }

    @Test
    void resourceReceiptsAreTheSame() throws Exception {
        assertChain("resource_receipt_envelope", 13);
    }

    @Test
    void refinementReceiptsAreTheSame() throws Exception {
        assertChain("refinement_receipt", 10);
    }

    /** Numbers that were worked out by hand. */
    @Test
    void aReceiptHasTheDigestAndCodeThatWereWorkedOut() {
        Receipt receipt = ReceiptRoom.resource(
                new Ending(TerminationCause.EXITED, OptionalInt.of(0), 1000, 1750), 1024);
        ReceiptEnvelope sealed = ReceiptEnvelope.seal(
                ReceiptRoom.KEY,
                ReceiptRoom.GENESIS,
                new Id128("session-1"),
                ReceiptRoom.CONTROLLER,
                receipt);

        assertThat(receipt.digest().hex())
                .isEqualTo("cf4dfdc1627c93e00c10a83a780937dba2a9493c03f0f91843af49ee17ed11a4");
        assertThat(sealed.thisHmac().hex())
                .isEqualTo("57bafec7db274bd24763fdbe4cfb680f6d19c46121bb79649ef3456532458f12");
    }

    @Test
    void whatIsRejectedThereIsRejectedHere() throws Exception {
        String good = string(cases("resource_receipt_envelope").get(0), "journal_payload_json");
        Map<String, List<String>> changes = Map.of(
                "reject-exited-without-code", List.of("\"exit_code\":0,", ""),
                "reject-exit-256", List.of("\"exit_code\":0", "\"exit_code\":256"),
                "reject-signaled-with-code", List.of("\"exited\"", "\"signaled\""),
                "reject-finished-before-started", List.of(":1750", ":999"),
                "reject-started-zero", List.of("_at_ms\":1000", "_at_ms\":0"),
                "reject-uppercase-profile", List.of("c".repeat(64), "C".repeat(64)),
                "reject-unverified-local", List.of("verified\":true", "verified\":false"));
        int rejected = 0;
        for (JsonValue one : cases("resource_receipt_envelope")) {
            if (one.member("accepted").orElseThrow().truth()) {
                continue;
            }
            List<String> change = Objects.requireNonNull(changes.get(string(one, "name")));
            String bad = good.replace(change.get(0), change.get(1));
            assertThat(bad).isNotEqualTo(good);
            assertThatThrownBy(() -> ReceiptRecord.decode(bad.getBytes(StandardCharsets.UTF_8)))
                    .as(string(one, "name"))
                    .isInstanceOf(RecordException.class)
                    .hasMessageContaining("/resource/receipt");
            rejected++;
        }
        assertThat(rejected).isEqualTo(changes.size());
    }

    @Test
    void keysHaveTheSameNames() throws Exception {
        JsonValue context = file("resource_receipt_envelope").member("context").orElseThrow();
        int accepted = 0;
        for (JsonValue one : context.member("key_ids").orElseThrow().children()) {
            byte[] content = string(one, "key_hex").getBytes(StandardCharsets.US_ASCII);
            Optional<AuditKey> key = AuditKey.parse(content);
            assertThat(key.map(found -> found.id().hex()))
                    .isEqualTo(one.member("key_id").map(JsonValue::string));
            accepted += key.isPresent() ? 1 : 0;
        }
        assertThat(accepted).isEqualTo(4);
    }

    /** Opens as the vectors' own implementation did, or does not. */
    @Test
    void journalsAreOpenedTheSame() throws Exception {
        int opened = 0;
        int refused = 0;
        for (JsonValue one : cases("receipt_journal")) {
            String name = string(one, "name");
            byte[] content = base64(one, "file_base64");
            room.write(content);
            Optional<Anchor> trusted = one.member("trusted_anchor")
                    .map(anchor -> new Anchor(
                            new Digest(string(anchor, "key_id")),
                            number(anchor, "sequence"),
                            new Digest(string(anchor, "head_hmac"))));
            boolean opens = one.member("opens").map(JsonValue::truth).orElse(true);
            if (!opens) {
                ReceiptException failure = catchThrowableOfType(
                        ReceiptException.class,
                        () -> ReceiptJournal.open(Linux.host(), room.store(), key(one), trusted)
                                .close());
                assertThat(failure).as(name).isNotNull();
                assertThat(Files.readAllBytes(room.file)).as(name).isEqualTo(content);
                refused++;
                continue;
            }
            try (ReceiptJournal journal =
                    ReceiptJournal.open(Linux.host(), room.store(), key(one), trusted)) {
                assertThat(journal.head().sequence()).isEqualTo(number(one, "record_count"));
                if (one.member("head_hmac").isPresent()) {
                    assertThat(journal.head().headHmac().hex()).isEqualTo(string(one, "head_hmac"));
                }
                assertThat(journal.repaired().isPresent())
                        .as(name)
                        .isEqualTo(one.member("repaired_torn_tail")
                                .map(JsonValue::truth)
                                .orElse(false));
            }
            String after = one.member("file_sha256_after").isPresent()
                    ? string(one, "file_sha256_after")
                    : string(one, "file_sha256");
            assertThat(Digest.sha256(Files.readAllBytes(room.file)).hex()).isEqualTo(after);
            opened++;
        }
        assertThat(opened).isEqualTo(8);
        assertThat(refused).isEqualTo(6);
    }

    @Test
    void theSameReceiptsMakeTheSameFile() throws Exception {
        int files = 0;
        for (JsonValue one : cases("receipt_journal")) {
            if (one.member("payloads").isEmpty()) {
                continue;
            }
            byte[] expected = base64(one, "file_base64");
            Files.deleteIfExists(room.file);
            try (ReceiptProducer producer = room.ready(ReceiptRoom.GENESIS)) {
                for (byte[] payload : payloads(expected)) {
                    ReceiptEnvelope envelope = ReceiptRecord.decode(payload);
                    try (TerminalReservation place = producer.reserve(
                            new ReceiptReservation(
                                    envelope.sessionId(),
                                    envelope.controllerPlanDigest(),
                                    envelope.receipt().resource().profileDigest()),
                            envelope.receipt())) {
                        assertThat(producer.commit(place, envelope.receipt())).isEqualTo(envelope);
                    }
                }
            }
            assertThat(Files.readAllBytes(room.file)).isEqualTo(expected);
            files++;
        }
        assertThat(files).isEqualTo(5);
    }
}
