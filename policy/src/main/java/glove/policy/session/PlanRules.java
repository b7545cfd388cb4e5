package glove.policy.session;

import glove.wire.Id128;
import glove.wire.JsonProblem;
import glove.wire.JsonProblems;
import glove.wire.U64;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a plan asks only for what the policy allows (sheet 10, 1.5, 1.6 and 4.2): every rule, in
 * that order, as problems of the plan. Immutable; may be used by several threads when what it looks
 * at may.
 */
public final class PlanRules {
    /** The template of evaluations. */
    static final String REFINEMENT_TEMPLATE = "refinement-eval-v1";

    private static final int REFINEMENT_PROJECTIONS = 2;
    private static final long MS_PER_SECOND = 1000;

    private final SessionPolicy policy;
    private final HostPaths paths;
    private final ExposureGrants exposures;

    /**
     * Of one policy.
     *
     * @param paths of this machine: what a plan asks for must still be there
     * @param exposures for plans of {@link SessionPlan#SCHEMA_EXPOSURES}
     */
    public PlanRules(SessionPolicy policy, HostPaths paths, ExposureGrants exposures) {
        this.policy = policy;
        this.paths = paths;
        this.exposures = exposures;
    }

    /** The policy. */
    public SessionPolicy policy() {
        return policy;
    }

    /**
     * Reads a plan and checks it.
     *
     * @param nowMs milliseconds since 1970
     * @return the plan; empty when there are problems
     */
    public Optional<SessionPlan> admit(byte[] json, long nowMs, JsonProblems problems) {
        Optional<SessionPlan> plan = SessionPlan.parse(json, problems);
        plan.ifPresent(read -> new Check(read, nowMs, problems).run());
        return problems.isEmpty() ? plan : Optional.empty();
    }

    /** One plan being checked. */
    private final class Check {
        private final SessionPlan plan;
        private final long nowMs;
        private final JsonProblems problems;

        Check(SessionPlan plan, long nowMs, JsonProblems problems) {
            this.plan = plan;
            this.nowMs = nowMs;
            this.problems = problems;
        }

        private void say(String pointer, String what, String instead) {
            problems.add(new JsonProblem(pointer, what, instead));
        }

        void run() {
            checkTime();
            SessionPlan.RuntimeChoice runtime = plan.runtime();
            Optional<RuntimeTemplate> template = policy.template(runtime.templateId());
            if (template.isEmpty()) {
                say("/runtime_template_id", "is no template of this machine's policy", "");
                return; // all else depends on it
            }
            checkRuntime(template.get());
            checkPolicies();
            checkGrants(template.get());
            checkProjections(template.get());
            checkRefinement();
            checkSecrets();
        }

        private void checkTime() {
            if (plan.policyRevision() != policy.revision()) {
                say(
                        "/policy_revision",
                        "is " + U64.text(plan.policyRevision()),
                        "make the plan for revision " + U64.text(policy.revision()));
            }
            if (!U64.isLess(nowMs, plan.expiresAtMs())) {
                say("/expires_at_ms", "has passed", "make a new plan");
            } else if (U64.isLess(policy.maxPlanTtlMs(), plan.expiresAtMs() - nowMs)) {
                say(
                        "/expires_at_ms",
                        "is more than max_plan_ttl_ms of the policy away",
                        "at most " + U64.text(policy.maxPlanTtlMs()) + " ms from now");
            }
        }

        private void checkRuntime(RuntimeTemplate template) {
            SessionPlan.RuntimeChoice runtime = plan.runtime();
            if (!template.runtimeId().equals(runtime.runtimeId())) {
                say("/runtime_id", "is not that of the template", "write " + template.runtimeId());
            }
            if (!template.adapterCommandDigest().equals(runtime.adapterCommandDigest())) {
                say(
                        "/adapter_command_digest",
                        "is not that of the template",
                        "write " + template.adapterCommandDigest());
            }
            if (template.backend() != runtime.backend()) {
                say(
                        "/sandbox_backend",
                        "is not that of the template",
                        "write " + template.backend().word());
            }
            if (runtime.backend() == SandboxBackend.REMOTE_LINUX_CONTAINER) {
                checkRemote();
            }
        }

        private void checkRemote() {
            if (!plan.secretHandles().isEmpty()) {
                say("/secret_handles", "has some, and a remote runtime gets none", "write []");
            }
            for (int i = 0; i < plan.pathGrants().size(); i++) {
                Access access = plan.pathGrants().get(i).terms().access();
                if (access == Access.DIRECT_WRITE || access == Access.RETAINED_WRITE) {
                    say("/path_grants/" + i + "/access", "is not for remote runtimes", "");
                }
            }
        }

        private void checkPolicies() {
            SessionPolicy.Network network = policy.network();
            if (!network.egressPolicyIds().contains(plan.network().egressPolicyId())) {
                say("/egress_policy_id", "is not in the policy", "");
            }
            if (!network.toolPolicyIds().contains(plan.network().toolPolicyId())) {
                say("/tool_policy_id", "is not in the policy", "");
            }
            if (policy.profiles().stream().noneMatch(p -> p.limits().equals(plan.limits()))) {
                say("/limits", "are those of no profile", "write all six of one profile");
            }
        }

        private void checkGrants(RuntimeTemplate template) {
            for (int i = 0; i < plan.pathGrants().size(); i++) {
                PathGrant grant = plan.pathGrants().get(i);
                String pointer = "/path_grants/" + i;
                checkTtl(pointer, grant.terms().ttlSecs());
                switch (grant.source()) {
                    case PathGrant.OfPolicy alias ->
                        checkAlias(pointer, alias.id(), grant.terms(), template);
                    case PathGrant.Exposed exposed ->
                        exposures
                                .refusal(exposed, grant.terms(), template.templateId(), nowMs)
                                .ifPresent(why -> say(pointer, why, ""));
                }
            }
        }

        /** Rounded up for aliases and down for exposures, as peers do. */
        private void checkTtl(String pointer, long ttlSecs) {
            if (!U64.isLess(nowMs, plan.expiresAtMs())) {
                return; // the plan is over, and that was said
            }
            long left = plan.expiresAtMs() - nowMs;
            long seconds = Long.divideUnsigned(left, MS_PER_SECOND);
            boolean isPart = Long.remainderUnsigned(left, MS_PER_SECOND) != 0;
            long most = isPart && plan.schemaVersion() == SessionPlan.SCHEMA_ALIASES
                    ? seconds + 1
                    : seconds;
            if (ttlSecs == 0 || U64.isLess(most, ttlSecs)) {
                say(
                        pointer + "/ttl_secs",
                        "is " + U64.text(ttlSecs),
                        "from 1 to " + U64.text(most) + ", what is left of the plan");
            }
        }

        private void checkAlias(
                String pointer, Id128 name, PathGrant.Terms terms, RuntimeTemplate template) {
            if (!template.pathAliases().contains(name)) {
                say(pointer + "/alias", "is not allowed for the template", "");
                return;
            }
            if (terms.access() == Access.RETAINED_WRITE) {
                say(
                        pointer + "/access",
                        "is retained_write",
                        "expose the path, and grant that by schema_version 2");
                return;
            }
            Optional<PathAlias> alias = policy.alias(name);
            Optional<PathAlias.Mode> mode = alias.flatMap(a -> a.mode(terms.access()));
            if (alias.isEmpty()) {
                say(pointer + "/alias", "is no path of the policy", "");
                return;
            }
            if (mode.isEmpty()) {
                say(pointer + "/access", "is not allowed for this path", "");
                return;
            }
            checkMode(pointer, terms, mode.get());
            if (U64.isLess(alias.get().maxTtlSecs(), terms.ttlSecs())) {
                say(
                        pointer + "/ttl_secs",
                        "is more than the policy has",
                        "at most " + U64.text(alias.get().maxTtlSecs()));
            }
            try {
                paths.look(alias.get().hostPath());
            } catch (HostPathException e) {
                say(pointer + "/alias", "names a path that " + e.getMessage(), "");
            }
        }

        private void checkMode(String pointer, PathGrant.Terms terms, PathAlias.Mode mode) {
            if (terms.materialization() != mode.materialization()) {
                say(
                        pointer + "/materialization",
                        "is not that of the policy",
                        "write " + mode.materialization().word());
            }
            if (terms.cleanup() != mode.cleanup()) {
                say(
                        pointer + "/cleanup_policy",
                        "is not that of the policy",
                        "write " + mode.cleanup().word());
            }
            boolean fits = terms.access().isCopied()
                    ? terms.maxBytes() != 0 && !U64.isLess(mode.maxBytes(), terms.maxBytes())
                    : terms.maxBytes() == 0;
            if (!fits) {
                say(
                        pointer + "/max_bytes",
                        "is " + U64.text(terms.maxBytes()),
                        terms.access().isCopied()
                                ? "from 1 to " + U64.text(mode.maxBytes())
                                : "write 0: nothing is copied");
            }
        }

        private void checkProjections(RuntimeTemplate template) {
            List<LibraryProjection> projections = plan.libraryProjections();
            for (int i = 0; i < projections.size(); i++) {
                Id128 destination = projections.get(i).destinationAlias();
                if (!template.projectionDestinations().contains(destination)) {
                    say(
                            "/library_projections/" + i + "/destination_alias",
                            "is not allowed for the template",
                            "");
                }
            }
        }

        private void checkRefinement() {
            Optional<RefinementBinding> binding = plan.refinement();
            if (!plan.isRefinement()) {
                if (binding.isPresent()) {
                    say("/refinement", "is for template " + REFINEMENT_TEMPLATE, "leave it out");
                }
                return;
            }
            if (binding.isEmpty()) {
                say("/refinement", "is missing", "bind the evaluation, or choose another template");
                return;
            }
            if (plan.runtime().backend() != SandboxBackend.LINUX_PRODUCTION) {
                say("/sandbox_backend", "cannot evaluate", "write linux_production");
            }
            if (!plan.pathGrants().isEmpty()) {
                say("/path_grants", "has some, and an evaluation gets none", "write []");
            }
            checkBinding(binding.get());
        }

        private void checkBinding(RefinementBinding binding) {
            Set<Id128> ids = new HashSet<>(List.of(binding.fixture().projectionId()));
            ids.add(binding.base().projectionId());
            ids.add(binding.candidate().projectionId());
            if (ids.size() != REFINEMENT_PROJECTIONS + 1) {
                say("/refinement", "names one projection twice", "give three different ones");
            }
            List<LibraryProjection> shown = plan.libraryProjections();
            boolean exact = shown.size() == REFINEMENT_PROJECTIONS
                    && shown.contains(binding.fixture())
                    && shown.contains(binding.selected());
            if (!exact) {
                say(
                        "/library_projections",
                        "are not fixture and selected skill of the binding",
                        "give exactly these two");
            }
        }

        private void checkSecrets() {
            for (int i = 0; i < plan.secretHandles().size(); i++) {
                if (!policy.secrets().handles().contains(plan.secretHandles().get(i))) {
                    say("/secret_handles/" + i, "is not in the policy", "");
                }
            }
        }
    }
}
