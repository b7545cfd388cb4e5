package glove.policy.session;

import glove.wire.Id128;
import glove.wire.U64;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says in words what a plan could get by a policy. Stateless. */
public final class SessionPolicyReview {
    private SessionPolicyReview() {}

    /**
     * One fact a line; what belongs to the line before is indented. Printable ASCII, but for the
     * notes.
     */
    public static List<String> describe(SessionPolicy policy, PolicyNotes notes) {
        List<String> lines = new ArrayList<>();
        lines.add("revision " + U64.text(policy.revision()) + ": a plan names it, and expires at "
                + "most " + U64.text(policy.maxPlanTtlMs()) + " ms after it arrives");
        for (RuntimeTemplate template : policy.templates()) {
            describe(lines, policy, template, notes);
        }
        for (PathAlias alias : policy.aliases()) {
            describe(lines, alias);
            add(lines, notes.onSource(alias));
        }
        for (ProjectionDestination destination : policy.destinations()) {
            lines.add("libraries '" + destination.alias() + "': read-only below "
                    + shown(destination.targetPath().text()));
        }
        for (ResourceProfile profile : policy.profiles()) {
            lines.add("limits '" + profile.profileId() + "': " + words(profile.limits()));
        }
        for (Id128 id : policy.network().egressPolicyIds()) {
            lines.add("network '" + id + "': " + network(policy, id));
        }
        for (Id128 id : policy.network().toolPolicyIds()) {
            lines.add("tools '" + id + "'");
        }
        for (Id128 handle : policy.secrets().handles()) {
            lines.add("secret '" + handle + "': " + secret(policy, handle));
            for (SecretMount mount : policy.secrets().mounts()) {
                if (mount.handle().equals(handle)) {
                    add(lines, notes.onSecret(mount));
                }
            }
        }
        return lines;
    }

    private static void add(List<String> lines, List<String> notes) {
        notes.forEach(note -> lines.add("    " + note));
    }

    private static void describe(
            List<String> lines, SessionPolicy policy, RuntimeTemplate template, PolicyNotes notes) {
        lines.add("template '" + template.templateId() + "': runs " + template.runtimeId() + " on "
                + template.backend().word());
        Optional<LaunchTemplate> launch = template.launch();
        if (launch.isEmpty()) {
            lines.add("  has no launch: plans are accepted, and nothing starts");
        } else {
            describe(lines, launch.get());
            add(lines, notes.onLaunch(template));
        }
        for (Id128 name : template.pathAliases()) {
            String known = policy.alias(name).isPresent() ? "" : ", which no path of the policy is";
            lines.add("  may be given path '" + name + "'" + known);
        }
        for (Id128 name : template.projectionDestinations()) {
            lines.add("  may be given libraries '" + name + "'");
        }
    }

    private static void describe(List<String> lines, LaunchTemplate launch) {
        StringBuilder command = new StringBuilder("  executes ");
        command.append(
                launch.isDiscovered()
                        ? launch.discovery() + " of "
                                + shown(launch.searchPaths().toString())
                        : shown(launch.executable()));
        for (String argument : launch.arguments()) {
            command.append(' ').append(shown(argument));
        }
        lines.add(command.toString());
        for (String variable : launch.environment()) {
            lines.add("  with " + shown(variable));
        }
        launch.readOnlyPaths().forEach(path -> lines.add("  reading " + shown(path.text())));
    }

    private static void describe(List<String> lines, PathAlias alias) {
        lines.add("path '" + alias.alias() + "': " + shown(alias.hostPath().text()) + " at "
                + shown(alias.targetPath().text()) + ", for at most "
                + U64.text(alias.maxTtlSecs()) + " s");
        for (PathAlias.Mode mode : alias.modes()) {
            String quota = mode.maxBytes() == 0
                    ? ""
                    : ", of at most " + U64.text(mode.maxBytes()) + " bytes";
            String fate = mode.cleanup() == CleanupPolicy.REMOVE ? "removed" : "kept";
            String starts =
                    mode.access() == Access.DIRECT_WRITE ? "; never starts: no copy is made" : "";
            lines.add("  " + mode.access().word() + " by "
                    + mode.materialization().word() + quota + ", " + fate + " afterwards" + starts);
        }
    }

    private static String words(ResourceLimits limits) {
        return U64.text(limits.cpuTimeMs()) + " ms of processors, "
                + U64.text(limits.memoryBytes()) + " bytes of memory, "
                + Integer.toUnsignedString(limits.pids()) + " processes, "
                + U64.text(limits.wallTimeMs()) + " ms, " + U64.text(limits.diskBytes())
                + " bytes on disk, " + U64.text(limits.terminalOutputBytes()) + " bytes printed";
    }

    private static String network(SessionPolicy policy, Id128 id) {
        Optional<List<EgressTargets.Target>> targets = policy.egress(id);
        if (targets.isEmpty()) {
            return "not defined: plans are accepted, and nothing starts";
        }
        if (targets.get().isEmpty()) {
            return "nothing";
        }
        StringBuilder words = new StringBuilder();
        for (EgressTargets.Target target : targets.get()) {
            words.append(words.isEmpty() ? "" : ", ")
                    .append(shown(target.host()))
                    .append(':')
                    .append(target.port())
                    .append(target.allowPrivate() ? " (may be private)" : "");
        }
        return words.toString();
    }

    private static String secret(SessionPolicy policy, Id128 handle) {
        for (SecretMount mount : policy.secrets().mounts()) {
            if (mount.handle().equals(handle)) {
                return "a copy of " + shown(mount.sourcePath().text()) + " at "
                        + shown(mount.targetPath().text()) + " for " + mount.runtimeId();
            }
        }
        return "no file: plans are accepted, and nothing starts";
    }

    /** What the owner wrote, without anything a terminal would obey. */
    private static String shown(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            out.append(c >= ' ' && c < 0x7f ? c : '?');
        }
        return out.toString();
    }
}
