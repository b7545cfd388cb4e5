package glove.policy.session;

import glove.wire.AbsolutePath;
import glove.wire.Id128;
import glove.wire.JsonFields;
import glove.wire.U64;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads a policy and checks what its parts cannot check of themselves (sheet 10, 2.3). Confined to
 * one thread, for one policy.
 */
final class SessionPolicyReader {
    private static final int PARTS_MAX = 64;
    private static final int NAMES_MAX = 128;

    /** Between the end of the longest session and that of the plan: for approval and launch. */
    private static final long HEADROOM_MS = 1000;

    private final HostPaths paths;

    SessionPolicyReader(HostPaths paths) {
        this.paths = paths;
    }

    /** A part with the object it was read from, for problems. */
    private record Part<T>(JsonFields fields, T value) {}

    Optional<SessionPolicy> read(JsonFields fields) {
        int schema = fields.u8("schema_version");
        if (schema != SessionPolicy.SCHEMA_VERSION) {
            fields.problem(
                    "schema_version", "is " + schema, "write " + SessionPolicy.SCHEMA_VERSION);
            return Optional.empty(); // nobody knows what else it may have
        }
        long revision = fields.positiveU64("revision");
        long ttl = fields.positiveU64("max_plan_ttl_ms");
        List<Part<RuntimeTemplate>> templates =
                some(fields, "runtime_templates", RuntimeTemplate::read);
        List<Part<PathAlias>> aliases = some(fields, "path_aliases", PathAlias::read);
        List<Part<ProjectionDestination>> destinations = parts(
                fields, "library_projection_destinations", NAMES_MAX, ProjectionDestination::read);
        List<Part<ResourceProfile>> profiles =
                some(fields, "resource_profiles", ResourceProfile::read);
        List<Id128> egressIds = Unique.ids(fields, "egress_policy_ids", NAMES_MAX);
        List<Id128> toolIds = Unique.ids(fields, "tool_policy_ids", NAMES_MAX);
        List<Id128> handles = Unique.ids(fields, "secret_handles", NAMES_MAX);
        List<Part<EgressTargets>> egress =
                parts(fields, "egress_policies", NAMES_MAX, EgressTargets::read);
        List<Part<SecretMount>> mounts =
                parts(fields, "secret_mounts", NAMES_MAX, SecretMount::read);
        fields.end();

        checkAliases(aliases);
        checkProfiles(profiles, ttl);
        checkDestinations(destinations);
        checkEgress(egress, egressIds);
        checkMounts(mounts, handles, templates);
        checkTemplates(templates, destinations);
        SessionPolicy policy = new SessionPolicy(
                revision,
                ttl,
                values(templates),
                values(aliases),
                values(destinations),
                values(profiles),
                new SessionPolicy.Network(egressIds, toolIds, values(egress)),
                new SessionPolicy.Secrets(handles, values(mounts)));
        return fields.problems().isEmpty() ? Optional.of(policy) : Optional.empty();
    }

    private static <T> List<Part<T>> parts(
            JsonFields fields, String name, int most, Function<JsonFields, T> read) {
        List<Part<T>> parts = new ArrayList<>();
        for (JsonFields object : fields.objects(name, most)) {
            parts.add(new Part<>(object, read.apply(object)));
        }
        return parts;
    }

    /** At least one. */
    private static <T> List<Part<T>> some(
            JsonFields fields, String name, Function<JsonFields, T> read) {
        List<Part<T>> parts = parts(fields, name, PARTS_MAX, read);
        if (parts.isEmpty() && !fields.isWrong(name)) {
            fields.problem(name, "has none", "write 1 to " + PARTS_MAX);
        }
        return parts;
    }

    private static <T> List<T> values(List<Part<T>> parts) {
        List<T> values = new ArrayList<>();
        for (Part<T> part : parts) {
            values.add(part.value);
        }
        return values;
    }

    /** Says of each part whose key was there before. */
    private static <T> void checkUnique(List<Part<T>> parts, String name, Function<T, Object> key) {
        Set<Object> seen = new HashSet<>();
        for (Part<T> part : parts) {
            if (!seen.add(key.apply(part.value))) {
                part.fields.problem(name, "stands there before", "keep one of them");
            }
        }
    }

    private void checkAliases(List<Part<PathAlias>> aliases) {
        checkUnique(aliases, "alias", PathAlias::alias);
        Map<HostPaths.HostObject, PathAlias> objects = new HashMap<>();
        for (int i = 0; i < aliases.size(); i++) {
            JsonFields fields = aliases.get(i).fields;
            PathAlias alias = aliases.get(i).value;
            if (!fields.isWrong("host_path")) {
                look(fields, alias, objects);
                lookForKeys(fields, alias);
            }
            for (Part<PathAlias> earlier : aliases.subList(0, i)) {
                String other = "'" + earlier.value.alias() + "'";
                if (alias.hostPath().overlaps(earlier.value.hostPath())) {
                    fields.problem(
                            "host_path",
                            "overlaps that of " + other,
                            "name directories that lie apart");
                }
                if (alias.targetPath().overlaps(earlier.value.targetPath())) {
                    fields.problem(
                            "target_path",
                            "overlaps that of " + other,
                            "name places that lie apart");
                }
            }
        }
    }

    private void look(
            JsonFields fields, PathAlias alias, Map<HostPaths.HostObject, PathAlias> objects) {
        try {
            PathAlias earlier = objects.putIfAbsent(paths.look(alias.hostPath()), alias);
            if (earlier != null && !earlier.hostPath().overlaps(alias.hostPath())) {
                fields.problem(
                        "host_path",
                        "is the same file or directory as that of '" + earlier.alias() + "'",
                        "keep one of them");
            }
        } catch (HostPathException e) {
            fields.problem(
                    "host_path", e.getMessage(), "name an existing file or directory, no link");
        }
    }

    /** A home that has another name is one all the same. */
    private void lookForKeys(JsonFields fields, PathAlias alias) {
        for (String name : ReservedPaths.secretNames()) {
            String path = alias.hostPath() + "/" + name;
            Optional<String> complaint = AbsolutePath.is(path)
                    ? complaintOfKeys(name, new AbsolutePath(path))
                    : Optional.empty();
            if (complaint.isPresent()) {
                fields.problem(
                        "host_path", complaint.get(), "name the directory the session needs");
                return;
            }
        }
    }

    /** What cannot be looked at may hold keys as well. */
    private Optional<String> complaintOfKeys(String name, AbsolutePath path) {
        try {
            paths.look(path);
            return Optional.of("holds keys in '" + name + "'");
        } catch (HostPathException e) {
            return e.isMissing()
                    ? Optional.empty()
                    : Optional.of("may hold keys in '" + name + "', which " + e.getMessage());
        }
    }

    private static void checkProfiles(List<Part<ResourceProfile>> profiles, long ttl) {
        checkUnique(profiles, "profile_id", ResourceProfile::profileId);
        Map<ResourceLimits, ResourceProfile> seen = new HashMap<>();
        for (Part<ResourceProfile> part : profiles) {
            ResourceLimits limits = part.value.limits();
            ResourceProfile earlier = seen.putIfAbsent(limits, part.value);
            if (earlier != null) {
                part.fields.problem(
                        "profile_id",
                        "has the limits of '" + earlier.profileId() + "'",
                        "keep one of them");
            }
            long wall = limits.wallTimeMs();
            boolean fits =
                    !U64.sumOverflows(wall, HEADROOM_MS) && !U64.isLess(ttl, wall + HEADROOM_MS);
            if (!fits) {
                part.fields.problem(
                        "wall_time_ms",
                        "leaves no second for approval and launch within max_plan_ttl_ms "
                                + U64.text(ttl),
                        "shorten it, or raise max_plan_ttl_ms");
            }
        }
    }

    private static void checkDestinations(List<Part<ProjectionDestination>> destinations) {
        checkUnique(destinations, "alias", ProjectionDestination::alias);
        for (int i = 0; i < destinations.size(); i++) {
            for (Part<ProjectionDestination> earlier : destinations.subList(0, i)) {
                ProjectionDestination here = destinations.get(i).value;
                if (here.targetPath().overlaps(earlier.value.targetPath())) {
                    destinations
                            .get(i)
                            .fields
                            .problem(
                                    "target_path",
                                    "overlaps that of '" + earlier.value.alias() + "'",
                                    "name places that lie apart");
                }
            }
        }
    }

    private static void checkEgress(List<Part<EgressTargets>> egress, List<Id128> ids) {
        checkUnique(egress, "policy_id", EgressTargets::policyId);
        for (Part<EgressTargets> part : egress) {
            boolean isNothing =
                    EgressTargets.NOTHING.contains(part.value.policyId().text());
            if (isNothing && !part.value.targets().isEmpty()) {
                part.fields.problem(
                        "targets", "are those of a policy that lets nothing out", "write []");
            }
            if (!ids.contains(part.value.policyId())) {
                part.fields.problem(
                        "policy_id",
                        "is not in egress_policy_ids",
                        "add it there, or leave it out");
            }
        }
    }

    private static void checkMounts(
            List<Part<SecretMount>> mounts,
            List<Id128> handles,
            List<Part<RuntimeTemplate>> templates) {
        checkUnique(mounts, "handle", SecretMount::handle);
        checkUnique(mounts, "target_path", mount -> mount.runtimeId() + " " + mount.targetPath());
        for (Part<SecretMount> part : mounts) {
            if (!handles.contains(part.value.handle())) {
                part.fields.problem(
                        "handle", "is not in secret_handles", "add it there, or leave it out");
            }
            Id128 runtime = part.value.runtimeId();
            if (templates.stream().noneMatch(t -> t.value.runtimeId().equals(runtime))) {
                part.fields.problem(
                        "runtime_id", "is that of no template", "write one of a template");
            }
        }
    }

    private static void checkTemplates(
            List<Part<RuntimeTemplate>> templates, List<Part<ProjectionDestination>> destinations) {
        checkUnique(templates, "runtime_template_id", RuntimeTemplate::templateId);
        for (Part<RuntimeTemplate> part : templates) {
            for (Id128 wanted : part.value.projectionDestinations()) {
                if (destinations.stream().noneMatch(d -> d.value.alias().equals(wanted))) {
                    part.fields.problem(
                            "allowed_projection_destinations",
                            "has '" + wanted + "', which is not defined",
                            "define it in library_projection_destinations");
                }
            }
        }
    }
}
