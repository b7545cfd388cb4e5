package glove.policy.session;

import glove.wire.AbsolutePath;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonFields;

import java.util.List;
import java.util.Optional;

/**
 * A runtime the owner lets controllers choose (sheet 10, 2.2 and 2.9). Immutable.
 *
 * @param templateId what a plan names
 * @param runtimeId what it runs; several templates may run the same
 * @param adapterCommandDigest of its {@link LaunchTemplate}
 * @param backend what contains it
 * @param pathAliases paths a plan may ask for; they need not be defined
 * @param projectionDestinations where libraries may be shown
 * @param adoption of a prepared harness
 * @param launch without one it is a template of which nothing starts
 */
public record RuntimeTemplate(
        Id128 templateId,
        Id128 runtimeId,
        Digest adapterCommandDigest,
        SandboxBackend backend,
        List<Id128> pathAliases,
        List<Id128> projectionDestinations,
        Optional<Adoption> adoption,
        Optional<LaunchTemplate> launch) {
    private static final int NAMES_MAX = 128;

    /** A prepared harness (sheet 50, 9). */
    public record Adoption(
            AbsolutePath manifestRoot, Digest manifestDigest, Digest snapshotDigest) {
        static Adoption read(JsonFields fields) {
            Adoption read = new Adoption(
                    fields.value("manifest_root", AbsolutePath.CLASS),
                    fields.value("manifest_digest", Digest.CLASS),
                    fields.value("snapshot_digest", Digest.CLASS));
            fields.end();
            return read;
        }
    }

    /** Copies the lists. */
    public RuntimeTemplate {
        pathAliases = List.copyOf(pathAliases);
        projectionDestinations = List.copyOf(projectionDestinations);
    }

    static RuntimeTemplate read(JsonFields fields) {
        Id128 id = fields.value("runtime_template_id", Id128.CLASS);
        Id128 runtime = fields.value("runtime_id", Id128.CLASS);
        Digest adapter = fields.value("adapter_command_digest", Digest.CLASS);
        SandboxBackend backend = fields.value("sandbox_backend", SandboxBackend.CLASS);
        List<Id128> aliases = Unique.ids(fields, "allowed_path_aliases", NAMES_MAX);
        List<Id128> destinations = Unique.ids(fields, "allowed_projection_destinations", NAMES_MAX);
        Optional<Adoption> adoption = fields.optionalObject("adoption").map(Adoption::read);
        int before = fields.problems().count();
        Optional<LaunchTemplate> launch = fields.optionalObject("launch").map(LaunchTemplate::read);
        boolean sound = fields.problems().count() == before;
        RuntimeTemplate read = new RuntimeTemplate(
                id, runtime, adapter, backend, aliases, destinations, adoption, launch);
        fields.end();
        if (sound && launch.isPresent()) { // the digest of what is wrong says nothing
            read.check(fields, launch.get());
        }
        return read;
    }

    private void check(JsonFields fields, LaunchTemplate command) {
        String discovery = command.discovery();
        if (!discovery.isEmpty()
                && !fields.isWrong("runtime_id")
                && !discovery.equals(runtimeId.text())) {
            fields.problem(
                    "launch",
                    "looks for " + discovery + ", and runtime_id is " + runtimeId,
                    "write the same in launch.runtime_discovery");
        }
        Digest expected = command.digest();
        if (!fields.isWrong("adapter_command_digest") && !expected.equals(adapterCommandDigest)) {
            fields.problem(
                    "adapter_command_digest", "is not that of launch", "write " + expected.hex());
        }
    }
}
