package glove.session.exposure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.journal.AppendLogException;
import glove.journal.AppendLogException.Fault;
import glove.policy.session.ExposureOffer;
import glove.policy.session.ExposurePolicy;
import glove.policy.session.ExposureRequest;
import glove.policy.session.ExposureRoot;
import glove.session.exposure.ExposureRecord.Created;
import glove.session.exposure.ExposureRecord.Described;
import glove.session.exposure.ExposureRecord.Head;
import glove.session.exposure.ExposureRecord.Revoked;
import glove.sys.FdLeaks;
import glove.sys.Syscalls;
import glove.wire.AbsolutePath;
import glove.wire.Digest;
import glove.wire.Id128;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Journals that do not follow are refused, with why, and left as they are. */
@Tag("unit")
@Timeout(900)
final class ExposureReplayTest {
    private static final long NOW = 1_000_000;

    @TempDir
    private Path parent;

    private Grounds grounds;
    private List<byte[]> good;

    /** Two generations, of which the first was revoked, and one of another name. */
    @BeforeEach
    void makeJournal() throws Exception {
        grounds = new Grounds(parent);
        try (ExposureRegistry registry = grounds.open()) {
            registry.create(grounds.wish("a", grounds.project), new Id128("k1"), NOW);
            registry.revoke("a", 1, new Id128("k2"), NOW + 1);
            registry.create(grounds.wish("a", grounds.project), new Id128("k3"), NOW + 2);
            registry.create(grounds.wish("b", grounds.project), new Id128("k4"), NOW + 3);
        }
        good = Grounds.payloads(Files.readAllBytes(grounds.file));
        assertThat(good).hasSize(4);
    }

    private String refusal(byte[] journal, ExposurePolicy policy) throws Exception {
        grounds.write(journal);
        FdLeaks.watch();
        AppendLogException refused = catchThrowableOfType(
                AppendLogException.class,
                () -> grounds.open(Syscalls.host(), policy).close());
        FdLeaks.assertNone();
        assertThat(Files.readAllBytes(grounds.file)).isEqualTo(journal);
        if (refused == null) {
            return "";
        }
        assertThat(refused.fault()).isEqualTo(Fault.CORRUPT);
        return refused.getMessage();
    }

    private String refusal(List<byte[]> payloads) throws Exception {
        return refusal(Grounds.journal(payloads), grounds.policy());
    }

    /** The journal with one record replaced, and all hashes made right again. */
    private List<byte[]> with(int index, ExposureRecord replacement) throws Exception {
        List<byte[]> out = new ArrayList<>();
        Digest previous = Digest.ZERO;
        for (int i = 0; i < good.size(); i++) {
            ExposureRecord record =
                    i == index ? replacement : ExposureRecordJson.decode(good.get(i));
            ExposureRecord linked = linked(record, previous);
            out.add(ExposureRecordJson.encode(linked));
            previous = linked.head().recordHash();
        }
        return out;
    }

    private static ExposureRecord linked(ExposureRecord record, Digest previous) {
        Head old = record.head();
        Head head = new Head(
                old.sequence(), old.requestId(), old.requestDigest(), previous, Digest.ZERO);
        return switch (record) {
            case Created created ->
                new Created(head, created.what(), created.hostPath(), created.parentIdentity())
                        .hashed();
            case Revoked revoked ->
                new Revoked(head, revoked.key(), revoked.state(), revoked.revokedAtMs()).hashed();
        };
    }

    private Created created(int index) throws Exception {
        return (Created) ExposureRecordJson.decode(good.get(index));
    }

    private Revoked revoked() throws Exception {
        return (Revoked) ExposureRecordJson.decode(good.get(1));
    }

    private static Created describing(Created record, Described what) {
        return new Created(record.head(), what, record.hostPath(), record.parentIdentity());
    }

    @Test
    void theJournalItselfOpens() throws Exception {
        assertThat(refusal(good)).isEmpty();
        assertThat(refusal(with(0, created(0)))).isEmpty();
    }

    @Test
    void noByteOfARecordCanBeChanged() throws Exception {
        byte[] last = good.get(3);
        for (int at = 0; at < last.length; at += 7) {
            byte[] changed = last.clone();
            changed[at] ^= 1;
            List<byte[]> payloads = new ArrayList<>(good.subList(0, 3));
            payloads.add(changed);

            assertThat(refusal(payloads)).as("byte " + at).contains("exposure journal");
        }
    }

    @Test
    void recordsMissingTwiceOrOutOfOrderAreFound() throws Exception {
        assertThat(refusal(good.subList(1, 4))).contains("has the number 2 where 1 belongs");
        assertThat(refusal(List.of(good.get(0), good.get(2)))).contains("number 3 where 2");
        assertThat(refusal(List.of(good.get(0), good.get(0)))).contains("number 1 where 2");
        assertThat(refusal(List.of(good.get(1), good.get(0)))).contains("number 2 where 1");
    }

    @Test
    void aTornEndIsCutOffAndKeptWhereverItIsTorn() throws Exception {
        byte[] whole = Grounds.journal(good);
        int kept = Grounds.journal(good.subList(0, 3)).length;
        for (int length = kept + 1; length < whole.length; length += 97) {
            grounds.write(Arrays.copyOf(whole, length));
            try (ExposureRegistry registry = grounds.open()) {
                assertThat(registry.repaired().orElseThrow().bytes()).isEqualTo(length - kept);
                assertThat(registry.list(NOW + 4)).hasSize(2);
                Path aside =
                        Path.of(registry.repaired().orElseThrow().setAside().toString());
                assertThat(Files.readAllBytes(aside))
                        .isEqualTo(Arrays.copyOfRange(whole, kept, length));
            }
            try (ExposureRegistry registry = grounds.open()) {
                assertThat(registry.repaired()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '%',
            value = {
                "\"schema_version\":1,\"sequence\" | \"schema_version\":2,\"sequence\" | is 2",
                "\"kind\":\"create\" | \"kind\":\"forget\" | is none of this build",
                "\"kind\":\"create\" | \"kind\":\"revoke\" | does not belong",
                "\"exposure_id\":\"\" | \"exposure_id\":\"a\" | does not belong",
                "\"revoked_at_ms\":0 | \"revoked_at_ms\":1 | does not belong",
                "\"state\":\"active\" | \"state\":\"revoked\" | is not active",
                "\"state\":\"active\" | \"state\":\"\" | is empty",
                ",\"state\":\"active\" | %% | is missing",
                "\"request_id\": | \"x\":1,\"request_id\": | '/x' is unknown",
                "\"request_id\":\"k4\" | \"request_id\":\"\" | is empty",
                "{\"schema_version\" | {\"sequence\":1,\"schema_version\" | no JSON",
                "\"previous_hash\":\" | \"previous_hash\":\"x | is '",
            })
    void recordsOfAnotherShapeAreRefused(String from, String to, String why) throws Exception {
        String text = new String(good.get(3), StandardCharsets.UTF_8);
        String changed = text.replaceFirst(
                java.util.regex.Pattern.quote(from), java.util.regex.Matcher.quoteReplacement(to));
        List<byte[]> payloads = new ArrayList<>(good.subList(0, 3));
        payloads.add(changed.getBytes(StandardCharsets.UTF_8));

        assertThat(changed).isNotEqualTo(text);
        assertThat(refusal(payloads)).contains(why);
    }

    @ParameterizedTest
    @CsvSource({"0,2", "0,0", "2,3", "2,1"})
    void generationsFollowEachOther(int index, long wrong) throws Exception {
        Created record = created(index);
        Described old = record.what();
        Described what = new Described(
                new ExposureKey(old.key().exposureId(), wrong),
                old.rootId(),
                old.source(),
                old.scopeDigest(),
                old.label(),
                old.modes(),
                old.expiresAtMs(),
                old.templates());

        assertThat(refusal(with(index, describing(record, what)))).contains("belongs");
    }

    @Test
    void aScopeThatIsNotItsDigestIsRefused() throws Exception {
        Created record = created(3);
        Described old = record.what();
        Described what = new Described(
                old.key(),
                old.rootId(),
                Digest.ZERO,
                old.scopeDigest(),
                old.label(),
                old.modes(),
                old.expiresAtMs(),
                old.templates());

        assertThat(refusal(with(3, describing(record, what)))).contains("another scope");
    }

    @Test
    void listsOutOfOrderLabelsAndTimesThatAreNoneAreRefused() throws Exception {
        Created record = created(3);
        Described old = record.what();

        assertThat(refusal(with(
                        3,
                        describing(
                                record,
                                new Described(
                                        old.key(),
                                        old.rootId(),
                                        old.source(),
                                        old.scopeDigest(),
                                        old.label(),
                                        List.of(Grounds.COPY, Grounds.READ),
                                        old.expiresAtMs(),
                                        old.templates())))))
                .contains("out of order");
        assertThat(refusal(with(
                        3,
                        describing(
                                record,
                                new Described(
                                        old.key(),
                                        old.rootId(),
                                        old.source(),
                                        old.scopeDigest(),
                                        "a/b",
                                        old.modes(),
                                        old.expiresAtMs(),
                                        old.templates())))))
                .contains("no label");
        assertThat(refusal(with(
                        3,
                        describing(
                                record,
                                new Described(
                                        old.key(),
                                        old.rootId(),
                                        old.source(),
                                        old.scopeDigest(),
                                        old.label(),
                                        old.modes(),
                                        0,
                                        old.templates())))))
                .contains("expires");
    }

    @Test
    void keysAreForOneRecord() throws Exception {
        Created record = created(3);
        Head old = record.head();
        Head head = new Head(
                old.sequence(),
                new Id128("k1"),
                old.requestDigest(),
                old.previousHash(),
                old.recordHash());

        assertThat(refusal(with(
                        3,
                        new Created(
                                head, record.what(), record.hostPath(), record.parentIdentity()))))
                .contains("'k1'");
    }

    @Test
    void revocationsAreOfWhatIsActiveAndSayAnEnd() throws Exception {
        Revoked old = revoked();
        Id128 a = new Id128("a");
        Head wrong = new Head(2, old.head().requestId(), Digest.ZERO, Digest.ZERO, Digest.ZERO);

        assertThat(refusal(
                        with(1, new Revoked(old.head(), new ExposureKey(a, 2), old.state(), NOW))))
                .contains("not active");
        assertThat(refusal(with(1, new Revoked(old.head(), old.key(), ExposureState.ACTIVE, NOW))))
                .contains("without an end");
        assertThat(refusal(with(1, new Revoked(old.head(), old.key(), old.state(), 0))))
                .contains("without an end");
        assertThat(refusal(with(1, new Revoked(wrong, old.key(), old.state(), NOW))))
                .contains("another request");
        Head third = new Head(
                3,
                new Id128("k9"),
                ExposureRequest.revokeDigest(new Id128("k9"), a, 1),
                Digest.ZERO,
                Digest.ZERO);
        assertThat(refusal(with(2, new Revoked(third, old.key(), old.state(), NOW))))
                .contains("not active");
    }

    @Test
    void aSecondGenerationNeedsTheEndOfTheFirst() throws Exception {
        ExposureRecord other = linked(
                new Created(
                        new Head(2, new Id128("k2"), Digest.ZERO, Digest.ZERO, Digest.ZERO),
                        created(2).what(),
                        created(2).hostPath(),
                        Digest.ZERO),
                ExposureRecordJson.decode(good.get(0)).head().recordHash());

        // It expires 2 ms later than the first, so the first may have been over: not for us to say.
        assertThat(refusal(List.of(good.get(0), ExposureRecordJson.encode(other))))
                .isEmpty();
        Described first = created(0).what();
        Described second = new Described(
                new ExposureKey(new Id128("a"), 2),
                first.rootId(),
                first.source(),
                first.scopeDigest(),
                first.label(),
                first.modes(),
                first.expiresAtMs(),
                first.templates());
        ExposureRecord same = linked(
                new Created(other.head(), second, created(0).hostPath(), Digest.ZERO),
                other.head().previousHash());
        assertThat(refusal(List.of(good.get(0), ExposureRecordJson.encode(same))))
                .contains("while one is active");
    }

    @Test
    void aJournalBeyondTodaysPolicyIsRefusedAndSaysWhatToDo() throws Exception {
        byte[] journal = Grounds.journal(good);
        ExposureRoot root = grounds.policy().roots().get(0);
        Files.createDirectory(grounds.root.resolve("other"));
        ExposureRoot renamed =
                new ExposureRoot(new Id128("x"), root.hostRoot(), root.offer(), 1000);
        ExposureRoot moved = new ExposureRoot(
                root.rootId(),
                new AbsolutePath(grounds.root + "/other"),
                root.offer(),
                root.maxTtlSecs());
        ExposureRoot smaller = new ExposureRoot(
                root.rootId(),
                root.hostRoot(),
                ExposureOffer.of(List.of(Grounds.READ), root.offer().templates()),
                root.maxTtlSecs());
        ExposureRoot shorter = new ExposureRoot(root.rootId(), root.hostRoot(), root.offer(), 1);

        for (ExposureRoot less : List.of(renamed, moved, smaller)) {
            assertThat(refusal(journal, new ExposurePolicy(List.of(less))))
                    .contains("put it back, or begin another journal");
        }
        assertThat(refusal(journal, new ExposurePolicy(List.of(shorter)))).isEmpty();
    }

    @Test
    void aRootThatIsNotThereOrNoDirectoryIsRefused() throws Exception {
        ExposureRoot root = grounds.policy().roots().get(0);
        Path link = grounds.top.resolve("link");
        Files.createSymbolicLink(link, grounds.root);
        List<String> paths = List.of(
                grounds.top + "/none",
                grounds.root + "/one.txt",
                link.toString(),
                link + "/project");
        for (String path : paths) {
            ExposureRoot other = new ExposureRoot(
                    root.rootId(), new AbsolutePath(path), root.offer(), root.maxTtlSecs());
            FdLeaks.watch();
            RootException refused = catchThrowableOfType(
                    RootException.class,
                    () -> grounds.open(Syscalls.host(), new ExposurePolicy(List.of(root, other))));
            FdLeaks.assertNone();

            assertThat(refused).hasMessageContaining("'" + path + "'");
        }
    }
}
