package glove.policy.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.testkit.Mutations;
import glove.testkit.Seed;
import glove.wire.AbsolutePath;
import glove.wire.Id128;
import glove.wire.JsonProblem;
import glove.wire.JsonProblems;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Exposure policies: every rule, every problem at its place, all at once. */
@Tag("unit")
final class ExposurePolicyTest {
    private static final String READ =
            "{'access':'read','materialization':'bind','max_bytes':0,'cleanup_policy':'retain'}";
    private static final String COPY = "{'access':'ephemeral_write','materialization':'copy',"
            + "'max_bytes':1000,'cleanup_policy':'remove'}";
    private static final String ROOT = "{'root_id':'main','host_root':'/srv/one',"
            + "'allowed_modes':[" + COPY + "," + READ + "],'max_ttl_secs':60,"
            + "'allowed_runtime_template_ids':['pi-safe','codex-safe']}";
    private static final String GOOD = "{'schema_version':1,'roots':[" + ROOT + "]}";

    private static Optional<ExposurePolicy> parse(String text, JsonProblems problems) {
        byte[] json = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        return ExposurePolicy.parse(json, new TestPaths(), problems);
    }

    private static List<String> problems(String text) {
        JsonProblems problems = JsonProblems.all(20);
        Optional<ExposurePolicy> read = parse(text, problems);
        List<String> found = new ArrayList<>();
        for (JsonProblem problem : problems.list()) {
            found.add(problem.pointer() + " " + problem.what());
        }
        assertThat(read.isPresent()).isEqualTo(found.isEmpty());
        return found;
    }

    @Test
    void aPolicyIsReadWithItsListsSorted() {
        ExposurePolicy policy = parse(GOOD, JsonProblems.first()).orElseThrow();

        ExposureRoot root = policy.root(new Id128("main")).orElseThrow();
        assertThat(root.offer().modes())
                .extracting(ExposureMode::access)
                .containsExactly(Access.READ, Access.EPHEMERAL_WRITE);
        assertThat(root.offer().templates())
                .containsExactly(new Id128("codex-safe"), new Id128("pi-safe"));
        assertThat(root.maxTtlSecs()).isEqualTo(60);
        assertThat(policy.root(new Id128("other"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '%',
            value = {
                "'schema_version':1 | 'schema_version':2 | /schema_version is 2",
                "'roots' | 'root' | /root is unknown",
                "'main' | 'a b' | /roots/0/root_id is 'a b'",
                "/srv/one | srv | /roots/0/host_root is 'srv'",
                "/srv/one | / | /roots/0/host_root is '/'",
                "/srv/one | /srv/ | /roots/0/host_root is '/srv/'",
                "/srv/one | /srv/none | /roots/0/host_root does not exist",
                "/srv/one | /proc/1 | /roots/0/host_root is the system's, or holds keys",
                "/srv/one | /a/.ssh/b | /roots/0/host_root is the system's, or holds keys",
                "'max_ttl_secs':60 | 'max_ttl_secs':0 | /roots/0/max_ttl_secs is 0",
                "'max_ttl_secs':60, | %% | /roots/0/max_ttl_secs is missing",
                "'bind' | 'snapshot' | /roots/0/allowed_modes/1/materialization is 'snapshot'",
                "'read' | 'direct_write' | /roots/0/allowed_modes/1/access is 'direct_write'",
                "'pi-safe' | 'codex-safe' | "
                        + "/roots/0/allowed_runtime_template_ids has 'codex-safe' twice",
                "'pi-safe','codex-safe' | %% | "
                        + "/roots/0/allowed_runtime_template_ids allows no template",
            })
    void whatIsWrongIsSaidAtItsPlace(String from, String to, String problem) {
        String changed = GOOD.replace(from.strip(), to);

        assertThat(changed).isNotEqualTo(GOOD);
        assertThat(problems(changed)).contains(problem);
    }

    @Test
    void allProblemsAreSaidTogether() {
        String other = ROOT.replace("/srv/one", "/srv/one/inside").replace("'pi-safe',", "");
        String text = GOOD.replace("]}]}", "]}," + other.replace("60", "0") + "]}");

        assertThat(problems(text))
                .containsExactly(
                        "/roots/1/max_ttl_secs is 0",
                        "/roots/1/root_id stands there before",
                        "/roots/1/host_root overlaps that of another root, '/srv/one'",
                        "/roots/1/host_root does not exist");
    }

    @Test
    void aRootThatIsAFileIsRefused() {
        JsonProblems problems = JsonProblems.first();
        HostPaths files = path -> new HostPaths.HostObject(1, 2, 0100644);

        byte[] json = GOOD.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        assertThat(ExposurePolicy.parse(json, files, problems)).isEmpty();
        assertThat(problems.firstInWords()).contains("is no directory");
    }

    /** The table of the specification, and its neighbours. */
    @ParameterizedTest
    @CsvSource({
        "READ,BIND,0,RETAIN,true",
        "READ,BIND,1,RETAIN,false",
        "READ,BIND,0,REMOVE,false",
        "READ,COPY,0,RETAIN,false",
        "READ,SNAPSHOT,0,RETAIN,false",
        "READ,GIT_WORKTREE,0,RETAIN,false",
        "EPHEMERAL_WRITE,COPY,1,REMOVE,true",
        "EPHEMERAL_WRITE,COPY,-1,REMOVE,true",
        "EPHEMERAL_WRITE,COPY,0,REMOVE,false",
        "EPHEMERAL_WRITE,COPY,1,RETAIN,false",
        "EPHEMERAL_WRITE,BIND,1,REMOVE,false",
        "EPHEMERAL_WRITE,GIT_WORKTREE,1,REMOVE,false",
        "RETAINED_WRITE,COPY,33554432,RETAIN,true",
        "RETAINED_WRITE,COPY,-1,RETAIN,true",
        "RETAINED_WRITE,COPY,33554431,RETAIN,false",
        "RETAINED_WRITE,COPY,33554432,REMOVE,false",
        "RETAINED_WRITE,BIND,33554432,RETAIN,false",
        "DIRECT_WRITE,BIND,0,RETAIN,false",
    })
    void onlyThreeTuplesAreModes(
            Access access, Materialization how, long bytes, CleanupPolicy end, boolean valid) {
        ExposureMode mode = new ExposureMode(access, how, bytes, end);

        assertThat(mode.isValid()).isEqualTo(valid);
        assertThat(ExposureOffer.complaint(List.of(mode), List.of(new Id128("t")))
                        .isEmpty())
                .isEqualTo(valid);
    }

    @Test
    void aQuotaIsCoveredByALargerOneAsANumberWithoutSign() {
        ExposureMode small = copy(1000);
        ExposureMode huge = copy(-1);

        assertThat(huge.covers(small)).isTrue();
        assertThat(small.covers(huge)).isFalse();
        assertThat(small.covers(small)).isTrue();
        assertThat(small).isLessThan(huge);
        assertThat(new ExposureMode(
                                Access.RETAINED_WRITE,
                                Materialization.COPY,
                                ExposureMode.RETAINED_BYTES_LEAST,
                                CleanupPolicy.RETAIN)
                        .covers(small))
                .isFalse();
    }

    private static ExposureMode copy(long bytes) {
        return new ExposureMode(
                Access.EPHEMERAL_WRITE, Materialization.COPY, bytes, CleanupPolicy.REMOVE);
    }

    @Test
    void whatGoesBeyondARootIsNamedWithWhatIsAllowed() {
        ExposureRoot root =
                parse(GOOD, JsonProblems.first()).orElseThrow().roots().get(0);
        Id128 codex = new Id128("codex-safe");

        assertThat(refusal(root, "/srv/one/a", copy(1000), codex)).isEmpty();
        assertThat(refusal(root, "/srv/one/a", copy(1001), codex))
                .contains("max_bytes 1001")
                .contains("allowed modes: read (bind, max_bytes 0, retain), ephemeral_write");
        assertThat(refusal(root, "/srv/one/a", copy(1), new Id128("other")))
                .contains("'other'")
                .contains("allowed runtime templates: codex-safe, pi-safe");
        assertThat(refusal(root, "/srv/one", copy(1), codex)).contains("not itself");
        assertThat(refusal(root, "/srv/onetwo", copy(1), codex)).contains("is not below");
        assertThat(refusal(root, "/srv/one/.ssh", copy(1), codex)).contains("holds keys");
        assertThat(root.refusalOfTtl(60)).isEmpty();
        assertThat(root.refusalOfTtl(61).orElseThrow()).contains("61").contains("60");
        assertThat(root.refusalOfTtl(-1)).isPresent();
    }

    private static String refusal(ExposureRoot root, String path, ExposureMode mode, Id128 id) {
        ExposureOffer wanted = ExposureOffer.of(List.of(mode), List.of(id));
        return root.refusal(new AbsolutePath(path), wanted).orElse("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "a\\b", "a\nb", "a\u007fb", "\u001b[2J"})
    void aLabelIsNothingATerminalObeysOrSomebodyTakesForAPath(String text) {
        assertThat(ExposureRequest.isLabel(text)).isFalse();
    }

    @Test
    void aLabelHasAtMost256Bytes() {
        assertThat(ExposureRequest.isLabel("a".repeat(256))).isTrue();
        assertThat(ExposureRequest.isLabel("a".repeat(257))).isFalse();
        assertThat(ExposureRequest.isLabel("é".repeat(128))).isTrue();
        assertThat(ExposureRequest.isLabel("é".repeat(128) + "a")).isFalse();
    }

    @Test
    void aMutatedPolicyIsRefusedInWordsOrAllItsRootsAreWithinTheRules() {
        byte[] good = GOOD.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        HostPaths directories = path -> new HostPaths.HostObject(1, 2, 0040755);
        int read = 0;
        for (int i = 0; i < 4000; i++) {
            JsonProblems problems = JsonProblems.all(9);
            Optional<ExposurePolicy> policy =
                    ExposurePolicy.parse(Mutations.of(good, Seed.random(i)), directories, problems);
            assertThat(policy.isPresent()).as(Seed.words()).isEqualTo(problems.isEmpty());
            for (JsonProblem problem : problems.list()) {
                assertThat(problem.what() + problem.instead())
                        .as(Seed.words())
                        .matches("\\p{Print}+");
            }
            if (policy.isPresent()) {
                ExposureRoot root = policy.get().roots().get(0);
                assertThat(root.maxTtlSecs()).as(Seed.words()).isNotZero();
                assertThat(root.offer().modes()).as(Seed.words()).allMatch(ExposureMode::isValid);
                read++;
            }
        }
        assertThat(read).isBetween(1, 3999);
    }

    @Test
    void listsHaveBounds() {
        List<ExposureMode> modes = new ArrayList<>();
        List<Id128> templates = new ArrayList<>();
        for (int i = 1; i <= 65; i++) {
            modes.add(copy(i));
            templates.add(new Id128("t" + i));
        }

        assertThat(ExposureOffer.complaint(modes.subList(0, 8), templates.subList(0, 64)))
                .isEmpty();
        assertThat(ExposureOffer.complaint(modes.subList(0, 9), templates.subList(0, 64)))
                .isPresent();
        assertThat(ExposureOffer.complaint(modes.subList(0, 8), templates)).isPresent();
        assertThat(ExposureOffer.complaint(List.of(), templates.subList(0, 64))).isPresent();
        assertThat(ExposureOffer.complaint(List.of(copy(1), copy(1)), templates.subList(0, 1)))
                .isPresent();
        assertThat(ExposureOffer.complaint(
                        modes.subList(0, 1), List.of(new Id128("t"), new Id128("t"))))
                .isPresent();
    }
}
