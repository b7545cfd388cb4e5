package glove.policy.session;

import glove.wire.Id128;
import glove.wire.JsonException;
import glove.wire.JsonFields;
import glove.wire.JsonLimits;
import glove.wire.JsonProblem;
import glove.wire.JsonProblems;
import glove.wire.JsonText;

import java.util.List;
import java.util.Optional;

/**
 * What the owner of a machine lets controllers ask for (sheet 10, 2). Immutable.
 *
 * @param revision not 0; plans name the one they were made for
 * @param maxPlanTtlMs how far in the future a plan may expire
 * @param templates 1 to 64
 * @param aliases 1 to 64
 * @param destinations at most 128
 * @param profiles 1 to 64
 * @param network who may be talked to
 * @param secrets what may be shown of the owner's keys
 */
public record SessionPolicy(
        long revision,
        long maxPlanTtlMs,
        List<RuntimeTemplate> templates,
        List<PathAlias> aliases,
        List<ProjectionDestination> destinations,
        List<ResourceProfile> profiles,
        Network network,
        Secrets secrets) {
    /** The one schema there is. */
    public static final int SCHEMA_VERSION = 1;

    /** How large a policy file may be. */
    public static final int BYTES_MAX = 1 << 20;

    private static final JsonLimits LIMITS = JsonLimits.FILE.withBytesMax(BYTES_MAX);

    /**
     * Who may be talked to, and with which tools.
     *
     * @param egressPolicyIds that plans may name
     * @param toolPolicyIds that plans may name
     * @param egressPolicies of some of the first
     */
    public record Network(
            List<Id128> egressPolicyIds,
            List<Id128> toolPolicyIds,
            List<EgressTargets> egressPolicies) {
        /** Copies the lists. */
        public Network {
            egressPolicyIds = List.copyOf(egressPolicyIds);
            toolPolicyIds = List.copyOf(toolPolicyIds);
            egressPolicies = List.copyOf(egressPolicies);
        }
    }

    /** What plans may name of the owner's keys, and which files those are. */
    public record Secrets(List<Id128> handles, List<SecretMount> mounts) {
        /** Copies the lists. */
        public Secrets {
            handles = List.copyOf(handles);
            mounts = List.copyOf(mounts);
        }
    }

    /** Copies the lists. */
    public SessionPolicy {
        templates = List.copyOf(templates);
        aliases = List.copyOf(aliases);
        destinations = List.copyOf(destinations);
        profiles = List.copyOf(profiles);
    }

    /**
     * Reads one and checks every rule.
     *
     * @param json the whole file
     * @param paths of the machine it is for: sources must exist
     * @return the policy; empty when there are problems
     */
    public static Optional<SessionPolicy> parse(
            byte[] json, HostPaths paths, JsonProblems problems) {
        try {
            JsonFields fields = JsonFields.of(JsonText.value(json, LIMITS).root(), problems);
            return new SessionPolicyReader(paths).read(fields.missingIsDefault());
        } catch (JsonException e) {
            problems.add(new JsonProblem("", "is no JSON: " + e.getMessage(), ""));
            return Optional.empty();
        }
    }

    /** The template of a name. */
    public Optional<RuntimeTemplate> template(Id128 id) {
        return templates.stream()
                .filter(template -> template.templateId().equals(id))
                .findFirst();
    }

    /** The path of a name; names with a colon are none. */
    public Optional<PathAlias> alias(Id128 name) {
        return aliases.stream()
                .filter(alias -> alias.alias().text().equals(name.text()))
                .findFirst();
    }

    /** Whom a session may talk to; empty when such a policy has no targets and cannot start. */
    public Optional<List<EgressTargets.Target>> egress(Id128 id) {
        if (EgressTargets.NOTHING.contains(id.text())) {
            return Optional.of(List.of());
        }
        return network.egressPolicies.stream()
                .filter(policy -> policy.policyId().equals(id))
                .map(EgressTargets::targets)
                .findFirst();
    }
}
