package glove.policy.session;

import glove.wire.AbsolutePath;
import glove.wire.Id128;
import glove.wire.JsonWriter;

import java.util.List;

/** Policies written down again, all of them: what a reader lost is missing there. Stateless. */
final class PolicyText {
    private PolicyText() {}

    static byte[] of(SessionPolicy policy) {
        JsonWriter out = JsonWriter.canonical().beginObject();
        out.member("schema_version", SessionPolicy.SCHEMA_VERSION)
                .unsigned("revision", policy.revision())
                .unsigned("max_plan_ttl_ms", policy.maxPlanTtlMs())
                .name("runtime_templates")
                .beginArray();
        policy.templates().forEach(template -> write(template, out));
        out.endArray().name("path_aliases").beginArray();
        policy.aliases().forEach(alias -> write(alias, out));
        out.endArray().name("library_projection_destinations").beginArray();
        for (ProjectionDestination destination : policy.destinations()) {
            out.beginObject()
                    .member("alias", destination.alias().text())
                    .member("target_path", destination.targetPath().text())
                    .endObject();
        }
        out.endArray().name("resource_profiles").beginArray();
        for (ResourceProfile profile : policy.profiles()) {
            out.beginObject().member("profile_id", profile.profileId().text());
            profile.limits().write(out);
            out.endObject();
        }
        out.endArray();
        ids(out, "egress_policy_ids", policy.network().egressPolicyIds());
        ids(out, "tool_policy_ids", policy.network().toolPolicyIds());
        ids(out, "secret_handles", policy.secrets().handles());
        out.name("egress_policies").beginArray();
        policy.network().egressPolicies().forEach(targets -> write(targets, out));
        out.endArray().name("secret_mounts").beginArray();
        for (SecretMount mount : policy.secrets().mounts()) {
            out.beginObject()
                    .member("handle", mount.handle().text())
                    .member("runtime_id", mount.runtimeId().text())
                    .member("source_path", mount.sourcePath().text())
                    .member("target_path", mount.targetPath().text())
                    .endObject();
        }
        return out.endArray().endObject().toBytes();
    }

    private static void ids(JsonWriter out, String name, List<Id128> ids) {
        out.name(name).beginArray();
        ids.forEach(id -> out.value(id.text()));
        out.endArray();
    }

    private static void write(RuntimeTemplate template, JsonWriter out) {
        out.beginObject()
                .member("runtime_template_id", template.templateId().text())
                .member("runtime_id", template.runtimeId().text())
                .member(
                        "adapter_command_digest",
                        template.adapterCommandDigest().hex())
                .member("sandbox_backend", template.backend().word());
        ids(out, "allowed_path_aliases", template.pathAliases());
        ids(out, "allowed_projection_destinations", template.projectionDestinations());
        template.adoption()
                .ifPresent(adoption -> out.name("adoption")
                        .beginObject()
                        .member("manifest_root", adoption.manifestRoot().text())
                        .member("manifest_digest", adoption.manifestDigest().hex())
                        .member("snapshot_digest", adoption.snapshotDigest().hex())
                        .endObject());
        template.launch().ifPresent(launch -> write(launch, out.name("launch")));
        out.endObject();
    }

    static void write(LaunchTemplate launch, JsonWriter out) {
        out.beginObject()
                .member("runtime_discovery", launch.discovery())
                .member("executable_path", launch.executable());
        texts(out, "executable_search_paths", paths(launch.searchPaths()));
        texts(out, "arguments", launch.arguments());
        texts(out, "environment", launch.environment());
        texts(out, "read_only_paths", paths(launch.readOnlyPaths()));
        out.endObject();
    }

    private static List<String> paths(List<AbsolutePath> paths) {
        return paths.stream().map(AbsolutePath::text).toList();
    }

    private static void texts(JsonWriter out, String name, List<String> texts) {
        out.name(name).beginArray();
        texts.forEach(out::value);
        out.endArray();
    }

    private static void write(PathAlias alias, JsonWriter out) {
        out.beginObject()
                .member("alias", alias.alias().text())
                .member("host_path", alias.hostPath().text())
                .member("target_path", alias.targetPath().text())
                .unsigned("max_ttl_secs", alias.maxTtlSecs())
                .name("access")
                .beginArray();
        for (PathAlias.Mode mode : alias.modes()) {
            out.beginObject()
                    .member("access", mode.access().word())
                    .member("materialization", mode.materialization().word())
                    .member("create_policy", mode.create().word())
                    .member("cleanup_policy", mode.cleanup().word())
                    .unsigned("max_bytes", mode.maxBytes())
                    .endObject();
        }
        out.endArray().endObject();
    }

    private static void write(EgressTargets targets, JsonWriter out) {
        out.beginObject()
                .member("policy_id", targets.policyId().text())
                .name("targets")
                .beginArray();
        for (EgressTargets.Target target : targets.targets()) {
            out.beginObject()
                    .member("host", target.host())
                    .member("port", target.port())
                    .member("allow_private", target.allowPrivate())
                    .endObject();
        }
        out.endArray().endObject();
    }
}
