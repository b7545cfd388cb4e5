package glove.session.exposure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import glove.journal.AppendLogException;
import glove.policy.session.Access;
import glove.policy.session.CleanupPolicy;
import glove.policy.session.CreatePolicy;
import glove.policy.session.ExposureGrants;
import glove.policy.session.ExposureMode;
import glove.policy.session.ExposureRequest;
import glove.policy.session.Materialization;
import glove.policy.session.PathGrant;
import glove.session.exposure.ExposureRefusedException.Reason;
import glove.sys.FdLeaks;
import glove.sys.Linux;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonWriter;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What may be exposed, granted and taken back, and what is told. */
@Tag("unit")
@Timeout(900)
final class ExposureRegistryTest {
    private static final long NOW = 1_000_000;

    @TempDir
    private Path parent;

    private Grounds grounds;
    private ExposureRegistry registry;

    @BeforeEach
    void openRegistry() throws Exception {
        grounds = new Grounds(parent);
        FdLeaks.watch();
        registry = grounds.open();
    }

    @AfterEach
    void closeRegistry() {
        registry.close();
        FdLeaks.assertNone();
    }

    private ExposureReply create(String id, String key, long nowMs) {
        return registry.create(grounds.wish(id, grounds.project), new Id128(key), nowMs);
    }

    private ExposureReply create(ExposureRequest.Submitted wish) {
        return registry.create(wish, new Id128("k"), NOW);
    }

    private ExposureReply revoke(String id, long generation, String key, long nowMs) {
        return registry.revoke(id, generation, new Id128(key), nowMs);
    }

    private static Reason reason(ExposureReply reply) {
        assertThat(reply).isInstanceOf(ExposureReply.Refused.class);
        return ((ExposureReply.Refused) reply).reason();
    }

    private void reopen() throws Exception {
        registry.close();
        registry = grounds.open();
    }

    private List<String> listed(long nowMs) throws Exception {
        return registry.list(nowMs).stream()
                .map(view -> view.exposureId() + " " + view.generation() + " "
                        + view.state().word())
                .toList();
    }

    @Test
    void whatIsExposedIsListedAlsoAfterARestart() throws Exception {
        ExposureView made = Grounds.done(create("b", "k1", NOW));
        create("a", "k2", NOW);

        assertThat(made.generation()).isEqualTo(1);
        assertThat(made.state()).isEqualTo(ExposureState.ACTIVE);
        assertThat(made.expiresAtMs()).isEqualTo(NOW + 100_000);
        assertThat(listed(NOW)).containsExactly("a 1 active", "b 1 active");
        reopen();
        assertThat(listed(NOW)).containsExactly("a 1 active", "b 1 active");
        assertThat(registry.list(NOW).get(1)).isEqualTo(made);
    }

    @Test
    void theCatalogueNamesNoPathNoRootAndNoIdentity() throws Exception {
        create("a", "k1", NOW);
        String held = Files.readString(grounds.file, java.nio.charset.StandardCharsets.ISO_8859_1);
        JsonWriter out = new JsonWriter();
        registry.list(NOW).get(0).write(out);

        String json = out.toJson();
        assertThat(json)
                .startsWith("{\"schema_version\":1,\"exposure_id\":\"a\",\"generation\":1,"
                        + "\"scope_digest\":\"")
                .endsWith("\"display_label\":\"A label\",\"allowed_modes\":[{\"access\":\"read\","
                        + "\"materialization\":\"bind\",\"max_bytes\":0,"
                        + "\"cleanup_policy\":\"retain\"},{\"access\":\"ephemeral_write\","
                        + "\"materialization\":\"copy\",\"max_bytes\":1000,"
                        + "\"cleanup_policy\":\"remove\"}],\"expires_at_ms\":1100000,"
                        + "\"allowed_runtime_template_ids\":[\"codex-safe\"],"
                        + "\"state\":\"active\"}");
        String source = held.replaceAll("(?s).*source_identity_digest\":\"([0-9a-f]{64}).*", "$1");
        assertThat(source).hasSize(64);
        assertThat(json).doesNotContain(grounds.root.toString(), "main", source, "root");
    }

    @ParameterizedTest
    @CsvSource({
        "exposure_id,a b,INVALID",
        "root_id,'',INVALID",
        "root_id,other,POLICY",
        "display_label,a/b,INVALID",
        "host_path,relative,INVALID",
        "host_path,ROOT/project/,INVALID",
        "host_path,ROOT/../root/project,INVALID",
        "host_path,ROOT,POLICY",
        "host_path,/etc/passwd,POLICY",
        "host_path,ROOT/.ssh,POLICY",
        "host_path,ROOT/none,SOURCE",
        "host_path,ROOT/none/none,SOURCE",
        "host_path,ROOT/one.txt/none,SOURCE",
        "host_path,ROOT/socket,SOURCE",
        "ttl_secs,0,INVALID",
        "ttl_secs,1001,POLICY",
        "ttl_secs,-1,POLICY",
        "template,other,POLICY",
        "template,a b,INVALID",
        "max_bytes,1001,POLICY",
        "max_bytes,0,INVALID",
    })
    void whatMayNotBeExposedIsRefusedAndNothingIsWritten(String what, String value, Reason expected)
            throws Exception {
        try (var socket =
                java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
            socket.bind(java.net.UnixDomainSocketAddress.of(grounds.root.resolve("socket")));
            long before = Files.size(grounds.file);
            String given = value.replace("ROOT", grounds.root.toString());
            long quota = what.equals("max_bytes") ? Long.parseLong(value) : 10;
            ExposureMode mode = new ExposureMode(
                    Access.EPHEMERAL_WRITE, Materialization.COPY, quota, CleanupPolicy.REMOVE);
            ExposureReply reply = create(new ExposureRequest.Submitted(
                    what.equals("exposure_id") ? given : "a",
                    what.equals("root_id") ? given : "main",
                    what.equals("host_path") ? given : grounds.project.toString(),
                    what.equals("display_label") ? given : "label",
                    List.of(mode),
                    what.equals("ttl_secs") ? Long.parseLong(given) : 10,
                    List.of(what.equals("template") ? given : "codex-safe")));

            assertThat(reason(reply)).isEqualTo(expected);
            assertThat(Files.size(grounds.file)).isEqualTo(before);
            assertThat(listed(NOW)).isEmpty();
        }
    }

    @Test
    void refusalsAreOneLineWhateverThePathHolds() {
        ExposureReply reply = create(Grounds.wish("a", grounds.root + "/\u001b[2J\n\u00e9", 5));

        assertThat(reason(reply)).isEqualTo(Reason.SOURCE);
        assertThat(((ExposureReply.Refused) reply).why())
                .matches("\\p{Print}+")
                .contains("/\\u001b[2J\\u000a\\u00e9'");
    }

    @Test
    void filesAndThingsDeepInsideAreExposedAndSlashesInARowAreKept() throws Exception {
        String deep = grounds.root + "//project///inner";

        assertThat(Grounds.words(registry.create(
                        grounds.wish("file", grounds.root.resolve("one.txt")),
                        new Id128("k1"),
                        NOW)))
                .isEqualTo("done 1 active");
        assertThat(Grounds.words(
                        registry.create(Grounds.wish("deep", deep, 5), new Id128("k2"), NOW)))
                .isEqualTo("done 1 active");
        assertThat(Files.readString(grounds.file, java.nio.charset.StandardCharsets.ISO_8859_1))
                .contains("\"host_path\":\"" + deep + "\"");
        reopen();
        assertThat(listed(NOW)).containsExactly("deep 1 active", "file 1 active");
    }

    @Test
    void theTimeIsNeededAndMustNotEndBeyondAllTime() throws Exception {
        assertThat(reason(create("a", "k", 0))).isEqualTo(Reason.INVALID);
        assertThat(reason(revoke("a", 1, "k", 0))).isEqualTo(Reason.INVALID);
        assertThat(reason(create("a", "k", -1))).isEqualTo(Reason.INVALID);
        assertThat(Grounds.words(create("a", "k", -100_001))).isEqualTo("done 1 active");
        assertThat(ExposureRequests.expiry(1, 1)).contains(1001L);
        assertThat(ExposureRequests.expiry(1, -1)).isEmpty();
        assertThat(ExposureRequests.expiry(0, Long.divideUnsigned(-1, 1000))).isPresent();
        assertThat(ExposureRequests.expiry(1000, Long.divideUnsigned(-1, 1000))).isEmpty();
    }

    @Test
    void theSameRequestIsDoneOnceForEver() throws Exception {
        assertThat(Grounds.words(create("a", "k", NOW))).isEqualTo("done 1 active");
        assertThat(Grounds.words(create("a", "k", NOW + 5))).isEqualTo("again 1 active");
        reopen();
        assertThat(Grounds.words(create("a", "k", NOW + 200_000))).isEqualTo("again 1 active");
        assertThat(Grounds.words(revoke("a", 1, "r", NOW + 5))).isEqualTo("done 1 revoked");
        assertThat(Grounds.words(revoke("a", 1, "r", NOW + 9))).isEqualTo("again 1 revoked");
        assertThat(Grounds.words(create("a", "k", NOW + 9))).isEqualTo("again 1 revoked");
        assertThat(registry.room().records()).isEqualTo(2);
    }

    @Test
    void aRequestIsRepeatedAlsoWhenItsSourceIsGone() throws Exception {
        create("a", "k", NOW);
        Files.delete(grounds.project.resolve("inner"));
        Files.delete(grounds.project);

        assertThat(Grounds.words(create("a", "k", NOW))).isEqualTo("again 1 active");
    }

    @Test
    void aKeyIsForOneRequest() {
        create("a", "k", NOW);

        assertThat(reason(create("b", "k", NOW))).isEqualTo(Reason.CONFLICT);
        assertThat(reason(revoke("a", 1, "k", NOW))).isEqualTo(Reason.CONFLICT);
        revoke("a", 1, "r", NOW);
        assertThat(reason(revoke("a", 2, "r", NOW))).isEqualTo(Reason.CONFLICT);
        assertThat(reason(create("c", "r", NOW))).isEqualTo(Reason.CONFLICT);
    }

    @Test
    void aNameIsFreeAgainWhenItsGenerationIsOver() throws Exception {
        create("a", "k1", NOW);
        assertThat(reason(create("a", "k2", NOW + 99_999))).isEqualTo(Reason.STATE);
        assertThat(Grounds.words(create("a", "k2", NOW + 100_000))).isEqualTo("done 2 active");
        revoke("a", 2, "r2", NOW + 100_001);
        assertThat(Grounds.words(create("a", "k3", NOW + 100_002))).isEqualTo("done 3 active");
        assertThat(listed(NOW + 100_002))
                .containsExactly("a 1 expired", "a 2 revoked", "a 3 active");
        reopen();
        assertThat(listed(NOW + 300_002))
                .containsExactly("a 1 expired", "a 2 revoked", "a 3 expired");
    }

    /** The clock may go back: what has a successor is over whatever it says. */
    @Test
    void onlyTheNewestGenerationIsEverActive() throws Exception {
        ExposureView first = Grounds.done(create("a", "k1", NOW));
        create("a", "k2", NOW + 100_000);

        assertThat(listed(NOW)).containsExactly("a 1 expired", "a 2 active");
        assertThat(refusal(first, Grounds.reading(1), NOW)).contains("expired");
        assertThat(Grounds.words(revoke("a", 1, "r", NOW))).isEqualTo("done 1 expired");
    }

    @Test
    void whatIsOverOrWasNeverIsNotTakenBack() {
        create("a", "k1", NOW);

        assertThat(reason(revoke("b", 1, "r1", NOW))).isEqualTo(Reason.STATE);
        assertThat(reason(revoke("a", 2, "r1", NOW))).isEqualTo(Reason.STATE);
        assertThat(reason(revoke("a", 0, "r1", NOW))).isEqualTo(Reason.INVALID);
        assertThat(reason(revoke("a b", 1, "r1", NOW))).isEqualTo(Reason.INVALID);
        assertThat(Grounds.words(revoke("a", 1, "r1", NOW + 100_000))).isEqualTo("done 1 expired");
        assertThat(reason(revoke("a", 1, "r2", NOW))).isEqualTo(Reason.STATE);
    }

    @Test
    void aSourceThatIsGoneOrAnotherIsShownAsRevokedAndComesBack() throws Exception {
        create("a", "k1", NOW);
        Path away = grounds.root.resolve("away");

        Files.move(grounds.project, away);
        assertThat(listed(NOW)).containsExactly("a 1 revoked");
        Files.createDirectory(grounds.project);
        assertThat(listed(NOW)).containsExactly("a 1 revoked");
        reopen();
        assertThat(listed(NOW)).containsExactly("a 1 revoked");
        Files.delete(grounds.project);
        Files.move(away, grounds.project);
        assertThat(listed(NOW)).containsExactly("a 1 active");
    }

    private String refusal(ExposureView view, PathGrant.Terms terms, long nowMs) {
        return refusal(Grounds.grant(view), terms, Grounds.CODEX, nowMs);
    }

    /** Empty when it is granted; checks that both ways to ask agree. */
    private String refusal(
            PathGrant.Exposed grant, PathGrant.Terms terms, Id128 template, long nowMs) {
        ExposureGrants grants = registry.grants();
        Optional<String> refusal = grants.refusal(grant, terms, template, nowMs);
        ExposureRefusedException thrown = catchThrowableOfType(
                ExposureRefusedException.class,
                () -> registry.resolve(grant, terms, template, nowMs).close());
        assertThat(refusal).isEqualTo(Optional.ofNullable(thrown).map(e -> e.getMessage()));
        assertThat(refusal.orElse("")).doesNotContain(grounds.top.toString());
        return refusal.orElse("");
    }

    @Test
    void aGrantOfWhatWasExposedIsGood() throws Exception {
        ExposureView view = Grounds.done(create("a", "k1", NOW));
        PathGrant.Terms copy = new PathGrant.Terms(
                Access.EPHEMERAL_WRITE, Materialization.COPY, 999, 100, CleanupPolicy.REMOVE);

        assertThat(refusal(view, copy, NOW)).isEmpty();
        try (GrantedExposure granted =
                registry.resolve(Grounds.grant(view), copy, Grounds.CODEX, NOW)) {
            assertThat(granted.alias()).isEqualTo(new Id128("a"));
            assertThat(granted.targetPath().text()).isEqualTo("/workspace/exposures/a");
            assertThat(granted.createPolicy()).isEqualTo(CreatePolicy.EMPTY_DIRECTORY);
            assertThat(granted.isDirectory()).isTrue();
            assertThat(Linux.host().pathOf(granted.source()).toString())
                    .isEqualTo(grounds.project.toString());
            assertThat(granted.sourceIdentity())
                    .isEqualTo(PinnedRoots.identity(Linux.host().fstat(granted.source()))
                            .digest());
        }
        try (GrantedExposure granted =
                registry.resolve(Grounds.grant(view), Grounds.reading(1), Grounds.CODEX, NOW)) {
            assertThat(granted.createPolicy()).isEqualTo(CreatePolicy.NEVER);
        }
    }

    @Test
    void aGrantOfAnythingElseIsNot() throws Exception {
        ExposureView view = Grounds.done(create("a", "k1", NOW));
        PathGrant.Exposed grant = Grounds.grant(view);
        PathGrant.Terms read = Grounds.reading(100);
        PathGrant.Exposed other = new PathGrant.Exposed(grant.id(), 1, Digest.ZERO);
        PathGrant.Exposed later = new PathGrant.Exposed(grant.id(), 2, grant.scopeDigest());
        PathGrant.Terms large = new PathGrant.Terms(
                Access.EPHEMERAL_WRITE, Materialization.COPY, 1001, 100, CleanupPolicy.REMOVE);
        PathGrant.Terms direct = new PathGrant.Terms(
                Access.DIRECT_WRITE, Materialization.BIND, 0, 100, CleanupPolicy.RETAIN);

        assertThat(refusal(grant, read, Grounds.CODEX, NOW)).isEmpty();
        assertThat(refusal(grant, Grounds.reading(0), Grounds.CODEX, NOW)).contains("0 seconds");
        assertThat(refusal(grant, direct, Grounds.CODEX, NOW)).contains("direct_write");
        assertThat(refusal(grant, large, Grounds.CODEX, NOW)).contains("1001");
        assertThat(refusal(later, read, Grounds.CODEX, NOW)).contains("there is not");
        assertThat(refusal(other, read, Grounds.CODEX, NOW)).contains("scope_digest");
        assertThat(refusal(grant, read, new Id128("pi-safe"), NOW)).contains("pi-safe");
        assertThat(refusal(grant, read, Grounds.CODEX, NOW + 1)).contains("99 are left");
        assertThat(refusal(grant, Grounds.reading(99), Grounds.CODEX, NOW + 1000))
                .isEmpty();
        assertThat(refusal(grant, Grounds.reading(-1), Grounds.CODEX, NOW)).contains("are left");
        assertThat(refusal(grant, Grounds.reading(1), Grounds.CODEX, NOW + 100_000))
                .contains("expired");
        revoke("a", 1, "r", NOW);
        assertThat(refusal(grant, read, Grounds.CODEX, NOW)).contains("revoked");
    }

    @Test
    void aGrantOfASourceThatChangedIsNot() throws Exception {
        ExposureView view = Grounds.done(create("a", "k1", NOW));

        Files.createFile(grounds.project.resolve("content may change"));
        assertThat(refusal(view, Grounds.reading(1), NOW)).isEmpty();
        assertThat(grounds.project.toFile().setWritable(false, false)).isTrue();
        assertThat(refusal(view, Grounds.reading(1), NOW)).contains("not there any more");
        assertThat(grounds.project.toFile().setWritable(true, true)).isTrue();
        assertThat(refusal(view, Grounds.reading(1), NOW)).isEmpty();
    }

    @Test
    void whatWasBegunCanBeFinishedAfterTheEndInTheSameDirectoryOnly() throws Exception {
        ExposureView view = Grounds.done(registry.create(
                grounds.wish("in", grounds.project.resolve("inner")), new Id128("k"), NOW));
        Digest source;
        try (GrantedExposure granted =
                registry.resolve(Grounds.grant(view), Grounds.reading(1), Grounds.CODEX, NOW)) {
            source = granted.sourceIdentity();
        }
        revoke("in", 1, "r", NOW);
        Files.delete(grounds.project.resolve("inner"));

        try (RecoveryTarget target =
                registry.recoveryTarget(view.exposureId(), 1, view.scopeDigest(), source)) {
            assertThat(target.name().toString()).isEqualTo("inner");
            assertThat(Linux.host().pathOf(target.parent()).toString())
                    .isEqualTo(grounds.project.toString());
            Linux.host().fsync(target.parent());
        }
        assertThat(recovery(view, Digest.ZERO, source)).isEqualTo(Reason.STATE);
        assertThat(recovery(view, view.scopeDigest(), Digest.ZERO)).isEqualTo(Reason.STATE);
        Files.move(grounds.project, grounds.root.resolve("away"));
        Files.createDirectory(grounds.project);
        assertThat(recovery(view, view.scopeDigest(), source)).isEqualTo(Reason.SOURCE);
    }

    private Reason recovery(ExposureView view, Digest scope, Digest source) {
        ExposureRefusedException thrown = catchThrowableOfType(
                ExposureRefusedException.class,
                () -> registry.recoveryTarget(view.exposureId(), 1, scope, source)
                        .close());
        return thrown.reason();
    }

    @Test
    void manyAtOnceEachGetTheirOwnAndOneOfARivalry() throws Exception {
        List<Callable<String>> asked = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            String own = "own" + i;
            String rival = "rival" + i;
            asked.add(() -> Grounds.words(create(own, own, NOW)));
            asked.add(() -> Grounds.words(create("one", rival, NOW)));
            asked.add(() -> Grounds.words(create("same", "same", NOW)));
        }
        List<String> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            for (Future<String> answer : threads.invokeAll(asked)) {
                answers.add(answer.get());
            }
        }

        assertThat(Collections.frequency(answers, "done 1 active")).isEqualTo(32 + 1 + 1);
        assertThat(Collections.frequency(answers, "STATE")).isEqualTo(31);
        assertThat(Collections.frequency(answers, "again 1 active")).isEqualTo(31);
        reopen();
        assertThat(registry.list(NOW)).hasSize(34);
    }

    @Test
    void aJournalChangedFromOutsideIsOfNoMoreUse() throws Exception {
        ExposureView view = Grounds.done(create("a", "k1", NOW));
        Files.write(grounds.file, new byte[] {0}, StandardOpenOption.APPEND);

        assertThat(reason(create("b", "k2", NOW))).isEqualTo(Reason.STORAGE);
        assertThat(reason(revoke("a", 1, "r", NOW))).isEqualTo(Reason.STORAGE);
        assertThat(refusal(view, Grounds.reading(1), NOW)).contains("of no more use");
        assertThat(catchThrowableOfType(AppendLogException.class, () -> registry.list(NOW)))
                .isNotNull();
        assertThat(recovery(view, view.scopeDigest(), Digest.ZERO)).isEqualTo(Reason.STORAGE);
    }
}
