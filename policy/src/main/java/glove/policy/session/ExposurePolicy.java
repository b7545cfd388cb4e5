package glove.policy.session;

import glove.wire.AbsolutePath;
import glove.wire.Id128;
import glove.wire.JsonException;
import glove.wire.JsonFields;
import glove.wire.JsonLimits;
import glove.wire.JsonProblem;
import glove.wire.JsonProblems;
import glove.wire.JsonText;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Below which directories the owner of a machine may expose something to controllers, how and for
 * how long (sheet 50, 1). Immutable.
 *
 * @param roots 1 to {@value #ROOTS_MAX}, none inside another
 */
public record ExposurePolicy(List<ExposureRoot> roots, List<AbsolutePath> own) {
    /** The one schema there is. */
    public static final int SCHEMA_VERSION = 1;

    /** How large a policy file may be. */
    public static final int BYTES_MAX = 1 << 20;

    /** How many roots. */
    public static final int ROOTS_MAX = 64;

    private static final JsonLimits LIMITS = JsonLimits.FILE.withBytesMax(BYTES_MAX);
    private static final int S_IFMT = 0170000;
    private static final int S_IFDIR = 0040000;

    /** Copies the list. */
    public ExposurePolicy {
        roots = List.copyOf(roots);
        own = List.copyOf(own);
    }

    /** Of a file, which does not say what the daemon keeps for itself. */
    public ExposurePolicy(List<ExposureRoot> roots) {
        this(roots, List.of());
    }

    /** The same where some paths, and what they are in, are never exposed, whatever the roots. */
    public ExposurePolicy keepingBack(List<AbsolutePath> paths) {
        return new ExposurePolicy(roots, paths);
    }

    /**
     * What stands in the way of an exposure below a root, in words; empty when nothing does. What
     * is on disk is not looked at.
     */
    public Optional<String> refusal(ExposureRoot root, AbsolutePath path, ExposureOffer wanted) {
        for (AbsolutePath kept : own) {
            if (path.overlaps(kept)) {
                return Optional.of(HostPath.quoted(path) + " would show the daemon's own "
                        + HostPath.quoted(kept) + ", which is never exposed");
            }
        }
        return root.refusal(path, wanted);
    }

    /** The root of a name. */
    public Optional<ExposureRoot> root(Id128 id) {
        for (ExposureRoot root : roots) {
            if (root.rootId().equals(id)) {
                return Optional.of(root);
            }
        }
        return Optional.empty();
    }

    /** All names, for messages. */
    public String rootNames() {
        StringBuilder names = new StringBuilder();
        for (ExposureRoot root : roots) {
            names.append(names.isEmpty() ? "" : ", ").append(root.rootId());
        }
        return names.toString();
    }

    /**
     * Reads one and checks every rule.
     *
     * @param json the whole file
     * @param paths of the machine it is for: the directories must exist
     * @return the policy; empty when there are problems
     */
    public static Optional<ExposurePolicy> parse(
            byte[] json, HostPaths paths, JsonProblems problems) {
        try {
            JsonFields fields = JsonFields.of(JsonText.value(json, LIMITS).root(), problems);
            return read(fields.missingIsDefault(), paths);
        } catch (JsonException e) {
            problems.add(new JsonProblem("", "is no JSON: " + e.getMessage(), ""));
            return Optional.empty();
        }
    }

    private static Optional<ExposurePolicy> read(JsonFields fields, HostPaths paths) {
        int schema = fields.u8("schema_version");
        if (schema != SCHEMA_VERSION) {
            fields.problem("schema_version", "is " + schema, "write " + SCHEMA_VERSION);
            return Optional.empty(); // nobody knows what else it may have
        }
        List<JsonFields> objects = fields.objects("roots", ROOTS_MAX);
        List<ExposureRoot> roots = new ArrayList<>();
        List<AbsolutePath> earlierPaths = new ArrayList<>();
        List<Id128> earlierIds = new ArrayList<>();
        for (JsonFields object : objects) {
            readRoot(object, paths, earlierIds, earlierPaths).ifPresent(roots::add);
        }
        fields.end();
        if (objects.isEmpty()) {
            fields.problem("roots", "has none", "write 1 to " + ROOTS_MAX);
        }
        return fields.problems().isEmpty()
                ? Optional.of(new ExposurePolicy(roots))
                : Optional.empty();
    }

    private static Optional<ExposureRoot> readRoot(
            JsonFields fields, HostPaths paths, List<Id128> ids, List<AbsolutePath> hosts) {
        Id128 id = fields.value("root_id", Id128.CLASS);
        AbsolutePath host = fields.value("host_root", AbsolutePath.CLASS);
        List<ExposureMode> modes =
                ExposureMode.readAll(fields, "allowed_modes", ExposureMode.MODES_MAX);
        long ttl = fields.positiveU64("max_ttl_secs");
        List<Id128> templates = fields.values(
                "allowed_runtime_template_ids", ExposureOffer.TEMPLATES_MAX, Id128.CLASS);
        fields.end();
        checkOffer(fields, modes, templates);
        if (!id.equals(Id128.CLASS.standIn()) && ids.contains(id)) {
            fields.problem("root_id", "stands there before", "keep one of them");
        }
        ids.add(id);
        checkHost(fields, host, hosts, paths);
        hosts.add(host);
        return ExposureOffer.complaint(modes, templates).isEmpty()
                ? Optional.of(new ExposureRoot(id, host, ExposureOffer.of(modes, templates), ttl))
                : Optional.empty();
    }

    /** Each at its place; {@link ExposureOffer#complaint} would only say the first. */
    private static void checkOffer(
            JsonFields fields, List<ExposureMode> modes, List<Id128> templates) {
        for (int i = 0; i < modes.size(); i++) {
            ExposureMode mode = modes.get(i);
            if (!mode.isValid()) {
                fields.problem(
                        "allowed_modes",
                        "has the mode " + mode + ", which is none",
                        "write " + ExposureMode.words(mode.access()));
            }
            if (modes.subList(0, i).contains(mode)) {
                fields.problem("allowed_modes", "has " + mode + " twice", "keep one of them");
            }
        }
        for (int i = 0; i < templates.size(); i++) {
            Id128 template = templates.get(i);
            if (templates.subList(0, i).contains(template)
                    && !template.equals(Id128.CLASS.standIn())) {
                fields.problem(
                        "allowed_runtime_template_ids",
                        "has '" + template + "' twice",
                        "keep one of them");
            }
        }
        if (modes.isEmpty()) {
            fields.problem(
                    "allowed_modes", "allows nothing", "write 1 to " + ExposureMode.MODES_MAX);
        }
        if (templates.isEmpty()) {
            fields.problem(
                    "allowed_runtime_template_ids",
                    "allows no template",
                    "write 1 to " + ExposureOffer.TEMPLATES_MAX);
        }
    }

    private static void checkHost(
            JsonFields fields, AbsolutePath host, List<AbsolutePath> earlier, HostPaths paths) {
        if (host.equals(AbsolutePath.CLASS.standIn())) {
            return; // one problem is enough
        }
        if (ReservedPaths.isExposed(host)) {
            fields.problem(
                    "host_root",
                    "is the system's, or holds keys",
                    "name a directory of projects, such as /srv/projects");
        }
        for (AbsolutePath other : earlier) {
            if (host.overlaps(other)) {
                fields.problem(
                        "host_root",
                        "overlaps that of another root, " + HostPath.quoted(other),
                        "name directories that lie apart");
            }
        }
        try {
            if ((paths.look(host).mode() & S_IFMT) != S_IFDIR) {
                fields.problem("host_root", "is no directory", "name the directory it is in");
            }
        } catch (HostPathException e) {
            fields.problem("host_root", e.getMessage(), "name an existing directory, no link");
        }
    }
}
