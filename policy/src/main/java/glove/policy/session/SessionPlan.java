package glove.policy.session;

import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.Id128;
import glove.wire.JsonException;
import glove.wire.JsonFields;
import glove.wire.JsonLimits;
import glove.wire.JsonProblem;
import glove.wire.JsonProblems;
import glove.wire.JsonText;
import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a controller wants to run: identifiers and numbers only, each to be looked up in the owner's
 * policy (sheet 10, 1). Whether it may is for {@link PlanRules}. Immutable.
 *
 * @param schemaVersion {@link #SCHEMA_ALIASES} or {@link #SCHEMA_EXPOSURES}
 * @param runtime what runs, as template and command
 * @param network who it may talk to
 * @param pathGrants at most 64
 * @param libraryProjections at most 128
 * @param secretHandles at most 32
 * @param limits all six
 * @param policyRevision of the policy it was made for
 * @param expiresAtMs milliseconds since 1970: nothing of it is started from then on
 * @param refinement for evaluations only
 */
public record SessionPlan(
        int schemaVersion,
        RuntimeChoice runtime,
        Network network,
        List<PathGrant> pathGrants,
        List<LibraryProjection> libraryProjections,
        List<Id128> secretHandles,
        ResourceLimits limits,
        long policyRevision,
        long expiresAtMs,
        Optional<RefinementBinding> refinement) {
    /** Path grants name what the policy has. */
    public static final int SCHEMA_ALIASES = 1;

    /** Path grants name exposures. */
    public static final int SCHEMA_EXPOSURES = 2;

    private static final int GRANTS_MAX = 64;
    private static final int PROJECTIONS_MAX = 128;
    private static final int SECRETS_MAX = 32;

    /** As of {@link JsonLimits#FILE}: a plan fits a frame. */
    private static final JsonLimits LIMITS = JsonLimits.FILE;

    /**
     * What runs.
     *
     * @param adapterCommandDigest see {@link LaunchTemplate#digest}
     */
    public record RuntimeChoice(
            Id128 runtimeId,
            Id128 templateId,
            Digest adapterCommandDigest,
            SandboxBackend backend) {}

    /** Who it may talk to. */
    public record Network(Id128 egressPolicyId, Id128 toolPolicyId) {}

    /** Copies the lists. */
    public SessionPlan {
        pathGrants = List.copyOf(pathGrants);
        libraryProjections = List.copyOf(libraryProjections);
        secretHandles = List.copyOf(secretHandles);
    }

    /**
     * Reads one, strictly.
     *
     * @return the plan; empty when there are problems
     */
    public static Optional<SessionPlan> parse(byte[] json, JsonProblems problems) {
        try {
            return read(JsonFields.of(JsonText.value(json, LIMITS).root(), problems));
        } catch (JsonException e) {
            problems.add(new JsonProblem("", "is no JSON: " + e.getMessage(), ""));
            return Optional.empty();
        }
    }

    private static Optional<SessionPlan> read(JsonFields fields) {
        int schema = fields.u8("schema_version");
        if (schema != SCHEMA_ALIASES && schema != SCHEMA_EXPOSURES) {
            fields.problem(
                    "schema_version",
                    "is " + schema,
                    "write " + SCHEMA_ALIASES + " or " + SCHEMA_EXPOSURES);
            return Optional.empty(); // nobody knows what else it may have
        }
        Id128 runtimeId = fields.value("runtime_id", Id128.CLASS);
        RuntimeChoice runtime = new RuntimeChoice(
                runtimeId,
                fields.value("runtime_template_id", Id128.CLASS),
                fields.value("adapter_command_digest", Digest.CLASS),
                fields.value("sandbox_backend", SandboxBackend.CLASS));
        Network network = new Network(
                fields.value("egress_policy_id", Id128.CLASS),
                fields.value("tool_policy_id", Id128.CLASS));
        List<PathGrant> grants = new ArrayList<>();
        for (JsonFields grant : fields.objects("path_grants", GRANTS_MAX)) {
            grants.add(PathGrant.read(grant, schema));
        }
        List<LibraryProjection> projections = new ArrayList<>();
        for (JsonFields projection : fields.objects("library_projections", PROJECTIONS_MAX)) {
            projections.add(LibraryProjection.read(projection));
        }
        List<Id128> secrets = fields.values("secret_handles", SECRETS_MAX, Id128.CLASS);
        checkOrder(fields, "path_grants", ids(grants, grant -> grant.source().id()));
        checkOrder(
                fields, "library_projections", ids(projections, LibraryProjection::projectionId));
        checkOrder(fields, "secret_handles", secrets);
        JsonFields limits = fields.object("limits");
        ResourceLimits read = ResourceLimits.read(limits);
        limits.end();
        SessionPlan plan = new SessionPlan(
                schema,
                runtime,
                network,
                grants,
                projections,
                secrets,
                read,
                fields.u64("policy_revision"),
                fields.u64("expires_at_ms"),
                fields.optionalObject("refinement").map(RefinementBinding::read));
        fields.end();
        return fields.problems().isEmpty() ? Optional.of(plan) : Optional.empty();
    }

    private static <T> List<Id128> ids(List<T> list, Function<T, Id128> id) {
        return list.stream().map(id).toList();
    }

    /** Sorted by bytes, and nothing twice. */
    private static void checkOrder(JsonFields fields, String name, List<Id128> ids) {
        for (int i = 1; i < ids.size(); i++) {
            if (ids.get(i - 1).compareTo(ids.get(i)) >= 0) {
                fields.problems()
                        .add(new JsonProblem(
                                fields.pointer() + "/" + name + "/" + i,
                                "is out of order, or there twice",
                                "sort by bytes"));
            }
        }
    }

    /** The canonical form. */
    public byte[] toJson() {
        JsonWriter out = JsonWriter.canonical();
        out.beginObject()
                .member("schema_version", schemaVersion)
                .member("runtime_id", runtime.runtimeId.text())
                .member("runtime_template_id", runtime.templateId.text())
                .member("adapter_command_digest", runtime.adapterCommandDigest.hex())
                .member("sandbox_backend", runtime.backend.word())
                .member("egress_policy_id", network.egressPolicyId.text())
                .member("tool_policy_id", network.toolPolicyId.text());
        out.name("path_grants").beginArray();
        for (PathGrant grant : pathGrants) {
            grant.write(out);
        }
        out.endArray().name("library_projections").beginArray();
        for (LibraryProjection projection : libraryProjections) {
            projection.write(out);
        }
        out.endArray().name("secret_handles").beginArray();
        for (Id128 handle : secretHandles) {
            out.value(handle.text());
        }
        out.endArray().name("limits").beginObject();
        limits.write(out);
        out.endObject()
                .unsigned("policy_revision", policyRevision)
                .unsigned("expires_at_ms", expiresAtMs);
        refinement.ifPresent(binding -> binding.write(out.name("refinement")));
        return out.endObject().toBytes();
    }

    /** SHA-256 of the canonical form: what a session is bound to. */
    public Digest contentDigest() {
        return Digest.sha256(toJson());
    }

    /** Whether it is of the template for evaluations. */
    public boolean isRefinement() {
        return runtime.templateId.text().equals(PlanRules.REFINEMENT_TEMPLATE);
    }

    /**
     * What two runs of one evaluation have in common (sheet 10, 4.3): all but expiry, variant,
     * fixture, projections and path grants.
     *
     * @throws java.util.NoSuchElementException of a plan that is no evaluation
     */
    public Digest contextDigest() {
        RefinementBinding binding = refinement.orElseThrow();
        DigestWriter out = new DigestWriter("glove.refinement-plan-context")
                .u8(1)
                .string(runtime.runtimeId.text())
                .string(runtime.templateId.text())
                .digest(runtime.adapterCommandDigest)
                .string(runtime.backend.word())
                .string(network.egressPolicyId.text())
                .string(network.toolPolicyId.text())
                .strings(secretHandles.stream().map(Id128::text).toList());
        limits.write(out);
        out.u64(policyRevision);
        binding.base().write(out);
        binding.candidate().write(out);
        return out.sha256();
    }
}
