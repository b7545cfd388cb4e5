package glove.session.exposure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.journal.AppendLog;
import glove.journal.AppendLogException;
import glove.policy.session.ExposurePolicy;
import glove.policy.session.ExposureRequest;
import glove.policy.session.HostPaths;
import glove.policy.session.SourceIdentity;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonLimits;
import glove.wire.JsonProblems;
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
import java.util.Optional;

/** Journals another implementation wrote are read, and written again byte for byte. */
@Tag("unit")
final class ExposureVectorsTest {
    /** Others refuse it; here what nobody was told is cut off, and kept beside the journal. */
    private static final String TORN = "open:torn-last-byte";

    @TempDir
    private Path parent;

    private Grounds grounds;

    @BeforeEach
    void makeGrounds() throws Exception {
        grounds = new Grounds(parent);
    }

    private static JsonValue vectors() throws Exception {
        try (InputStream in = Objects.requireNonNull(
                ExposureVectorsTest.class.getResourceAsStream("exposure_journal.json"))) {
            return JsonText.value(in.readAllBytes(), JsonLimits.FRAME).root();
        }
    }

    private static List<JsonValue> cases(boolean opening) throws Exception {
        List<JsonValue> found = new ArrayList<>();
        for (JsonValue one : vectors().member("cases").orElseThrow().children()) {
            if (string(one, "name").startsWith("open:") == opening) {
                found.add(one);
            }
        }
        assertThat(found).hasSizeGreaterThanOrEqualTo(7);
        return found;
    }

    private static ExposurePolicy policy() throws Exception {
        String text = string(vectors().member("context").orElseThrow(), "policy_json");
        HostPaths directories =
                path -> new HostPaths.HostObject(1, path.text().hashCode(), 0040755);
        return ExposurePolicy.parse(
                        text.getBytes(StandardCharsets.UTF_8), directories, JsonProblems.first())
                .orElseThrow();
    }

    private static String string(JsonValue object, String name) {
        return object.member(name).orElseThrow().string();
    }

    private static long number(JsonValue object, String name) {
        return Long.parseLong(object.member(name).orElseThrow().number());
    }

    private static byte[] file(JsonValue one) {
        return Base64.getDecoder().decode(string(one, "file_base64"));
    }

    private static SourceIdentity identity(JsonValue stat) {
        return new SourceIdentity(
                number(stat, "device"),
                number(stat, "inode"),
                (int) number(stat, "mode"),
                (int) number(stat, "owner"),
                (int) number(stat, "group"));
    }

    private static ExposureChange.Request request(JsonValue operation) {
        long now = number(operation, "now_ms");
        if (string(operation, "operation").equals("revoke")) {
            Id128 id = new Id128(string(operation, "exposure_id"));
            return new ExposureRequests.Revocation(
                    new Id128(string(operation, "request_id")),
                    new ExposureKey(id, number(operation, "generation")),
                    now);
        }
        JsonProblems problems = JsonProblems.first();
        JsonFields fields = JsonFields.of(operation.member("request").orElseThrow(), problems);
        Id128 key = fields.value("request_id", Id128.CLASS);
        ExposureRequest.Submitted wish = ExposureRequest.Submitted.read(fields);
        assertThat(problems.list()).isEmpty();
        assertThat(wish.complaint()).isEmpty();
        ExposureRequests.Place place = new ExposureRequests.Place(
                identity(operation.member("source_stat").orElseThrow()),
                identity(operation.member("parent_stat").orElseThrow()));
        return new ExposureRequests.Creation(wish.request(key), Optional.of(place), now);
    }

    @Test
    void theSameOperationsWriteTheSameBytes() throws Exception {
        int operations = 0;
        for (JsonValue one : cases(false)) {
            ExposureMemory memory = new ExposureMemory(new ExposureBook(policy()));
            List<byte[]> payloads = new ArrayList<>();
            for (JsonValue operation : one.member("operations").orElseThrow().children()) {
                ExposureChange change = new ExposureChange(memory, request(operation));
                change.make(payloads.size() + 1).ifPresent(payloads::add);

                assertThat(change.done()).isInstanceOf(ExposureReply.Done.class);
                operations++;
            }
            assertThat(Grounds.journal(payloads)).as(string(one, "name")).isEqualTo(file(one));
        }
        assertThat(operations).isEqualTo(13);
    }

    @Test
    void everyRecordIsReadAndWrittenAgainByteForByte() throws Exception {
        int records = 0;
        for (JsonValue one : cases(false)) {
            for (byte[] payload : Grounds.payloads(file(one))) {
                ExposureRecord record = ExposureRecordJson.decode(payload);

                assertThat(ExposureRecordJson.encode(record)).isEqualTo(payload);
                assertThat(record.hash()).isEqualTo(record.head().recordHash());
                records++;
            }
        }
        assertThat(records).isGreaterThanOrEqualTo(11);
    }

    private AppendLog open(ExposureBook book) throws AppendLogException {
        return ExposureRegistry.openLog(
                Linux.host(), UnixPath.of(grounds.file.toString()), 1 << 20, book);
    }

    @Test
    void journalsOpenOrNotAsTheyDoElsewhere() throws Exception {
        for (JsonValue one : cases(true)) {
            String name = string(one, "name");
            byte[] bytes = file(one);
            grounds.write(bytes);
            boolean opens = one.member("opens").orElseThrow().truth() || name.equals(TORN);
            if (opens) {
                try (AppendLog log = open(new ExposureBook(policy()))) {
                    assertThat(log.repaired().isPresent()).as(name).isEqualTo(name.equals(TORN));
                }
            } else {
                AppendLogException refusal = catchThrowableOfType(
                        AppendLogException.class, () -> open(new ExposureBook(policy())));
                assertThat(refusal).as(name).isNotNull();
                assertThat(Files.readAllBytes(grounds.file)).as(name).isEqualTo(bytes);
            }
        }
    }

    @Test
    void journalsOfOthersOpenWithTheirExposures() throws Exception {
        for (JsonValue one : cases(false)) {
            grounds.write(file(one));
            ExposureBook book = new ExposureBook(policy());
            try (AppendLog log = open(book)) {
                assertThat(log.room().records())
                        .isEqualTo(Grounds.payloads(file(one)).size());
            }
            for (JsonValue operation : one.member("operations").orElseThrow().children()) {
                operation.member("descriptor").ifPresent(descriptor -> {
                    ExposureKey key = new ExposureKey(
                            new Id128(string(descriptor, "exposure_id")),
                            number(descriptor, "generation"));
                    assertThat(book.find(key).orElseThrow().scopeDigest().hex())
                            .isEqualTo(string(descriptor, "scope_digest"));
                });
            }
        }
    }

    /** The two records of the specification; no registry would take their scope and quota. */
    @Test
    void theChainOfTheSpecificationHasItsHashes() throws Exception {
        try (InputStream in = Objects.requireNonNull(
                ExposureVectorsTest.class.getResourceAsStream("exposure_chain.jsonl"))) {
            String[] lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n");
            assertThat(lines).hasSize(2);
            for (String line : lines) {
                byte[] payload = line.getBytes(StandardCharsets.UTF_8);
                ExposureRecord record = ExposureRecordJson.decode(payload);

                assertThat(record.hash()).isEqualTo(record.head().recordHash());
                assertThat(ExposureRecordJson.encode(record)).isEqualTo(payload);
            }
            grounds.write(Grounds.journal(List.of(lines[0].getBytes(StandardCharsets.UTF_8))));
            assertThat(catchThrowableOfType(
                            AppendLogException.class, () -> open(new ExposureBook(policy()))))
                    .hasMessageContaining("max_bytes 1048576");
        }
    }
}
