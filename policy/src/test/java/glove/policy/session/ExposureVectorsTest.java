package glove.policy.session;

import static org.assertj.core.api.Assertions.assertThat;

import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.JsonProblems;
import glove.wire.JsonValue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/** Digests of exposures, as other implementations compute them. */
@Tag("unit")
final class ExposureVectorsTest {
    /** Refused for what is exposed already, which the policy does not know. */
    private static final Set<String> OF_THE_REGISTRY = Set.of("rejections/r2", "rejections/r1");

    /** A slash at the end, from which the others take an empty last name. */
    private static final Set<String> REFUSED_HERE = Set.of("rejections/r17");

    private static final ExposureMode READ =
            new ExposureMode(Access.READ, Materialization.BIND, 0, CleanupPolicy.RETAIN);
    private static final ExposureMode RETAINED = new ExposureMode(
            Access.RETAINED_WRITE, Materialization.COPY, 33_554_432, CleanupPolicy.RETAIN);

    private static final HostPaths ANY_DIRECTORY =
            path -> new HostPaths.HostObject(1, path.text().hashCode(), 0040755);

    private static ExposurePolicy policy() throws Exception {
        JsonValue context =
                Vectors.file("exposure_scope_digest.json").member("context").orElseThrow();
        JsonProblems problems = JsonProblems.all(9);
        byte[] json = Vectors.string(context, "policy_json").getBytes(StandardCharsets.UTF_8);
        ExposurePolicy policy =
                ExposurePolicy.parse(json, ANY_DIRECTORY, problems).orElseThrow();
        assertThat(problems.list()).isEmpty();
        return policy;
    }

    private static ExposureRequest.Submitted submitted(JsonValue one) {
        JsonProblems problems = JsonProblems.all(9);
        JsonFields fields = JsonFields.of(one.member("request").orElseThrow(), problems);
        fields.string("request_id");
        ExposureRequest.Submitted read = ExposureRequest.Submitted.read(fields);
        assertThat(problems.list()).isEmpty();
        return read;
    }

    private static boolean isAllowed(
            ExposureRequest.Submitted wish, String key, ExposurePolicy by) {
        if (!Id128.is(key) || wish.complaint().isPresent()) {
            return false;
        }
        ExposureRequest asked = wish.request(new Id128(key));
        return by.root(asked.rootId())
                .filter(root -> root.refusalOfTtl(asked.ttlSecs()).isEmpty())
                .filter(root ->
                        root.refusal(asked.hostPath().path(), asked.offer()).isEmpty())
                .isPresent();
    }

    @Test
    void whatOthersExposeIsAllowedAndHasTheirDigests() throws Exception {
        int seen = 0;
        for (JsonValue one : Vectors.cases("exposure_scope_digest.json")) {
            if (!Vectors.isAccepted(one)) {
                continue;
            }
            String name = Vectors.string(one, "name");
            JsonValue descriptor = one.member("descriptor").orElseThrow();
            JsonValue stat = one.member("source_stat").orElseThrow();
            ExposureRequest.Submitted wish = submitted(one);
            boolean allowed = isAllowed(wish, "r", policy());
            assertThat(allowed).as(name).isEqualTo(!REFUSED_HERE.contains(name));
            if (!allowed) {
                continue;
            }
            ExposureRequest asked = wish.request(new Id128("r"));

            Digest source = new SourceIdentity(
                            Vectors.number(stat, "device"),
                            Vectors.number(stat, "inode"),
                            (int) Vectors.number(stat, "mode"),
                            (int) Vectors.number(stat, "owner"),
                            (int) Vectors.number(stat, "group"))
                    .digest();
            ExposureScope scope = new ExposureScope(
                    asked.exposureId(),
                    Vectors.number(descriptor, "generation"),
                    asked.rootId(),
                    source,
                    asked.offer(),
                    Vectors.number(descriptor, "expires_at_ms"));

            assertThat(source.hex())
                    .as(name)
                    .isEqualTo(Vectors.string(descriptor, "source_identity_digest"));
            assertThat(scope.digest().hex())
                    .as(name)
                    .isEqualTo(Vectors.string(descriptor, "scope_digest"));
            seen++;
        }
        assertThat(seen).isEqualTo(11);
    }

    @Test
    void whatOthersRefuseByPolicyIsRefused() throws Exception {
        int seen = 0;
        for (JsonValue one : Vectors.cases("exposure_scope_digest.json")) {
            String name = Vectors.string(one, "name");
            if (Vectors.isAccepted(one) || OF_THE_REGISTRY.contains(name)) {
                continue;
            }
            String key = Vectors.string(one.member("request").orElseThrow(), "request_id");

            assertThat(isAllowed(submitted(one), key, policy())).as(name).isFalse();
            seen++;
        }
        assertThat(seen).isGreaterThanOrEqualTo(9);
    }

    @Test
    void theFourDigestsOfTheSpecificationAreComputed() {
        Digest source = new SourceIdentity(65024, 2317899, 040755, 1000, 1000).digest();
        ExposureOffer offer = ExposureOffer.of(
                List.of(RETAINED, READ), List.of(new Id128("pi-safe"), new Id128("codex-safe")));
        Id128 id = new Id128("sage-workspace");
        Id128 root = new Id128("projects");
        ExposureScope scope = new ExposureScope(id, 1, root, source, offer, 3_601_000);
        ExposureRequest request = new ExposureRequest(
                new Id128("request-1"),
                id,
                root,
                HostPath.parse("/srv/projects/sage-protocol").orElseThrow(),
                "Sage protocol",
                offer,
                3600);

        assertThat(source.hex())
                .isEqualTo("24e65b3ade9d87d9574c08757d1b1c9df58aa13172dd02c3d3bb6c3133520a5c");
        assertThat(scope.digest().hex())
                .isEqualTo("aeadf3576c364c4303e013fe7377924aaa964565f8618781f4c59e392d0347fc");
        assertThat(request.digest().hex())
                .isEqualTo("c14847a6953693f2d7eeddc60b5439b015a411703f9745e57b803944b0326518");
        assertThat(ExposureRequest.revokeDigest(new Id128("revoke-1"), id, 1).hex())
                .isEqualTo("38f625dd1986bf91b34e9f9f248476bc5b8d24341631f0ee7b5ae63b5a968890");
    }
}
