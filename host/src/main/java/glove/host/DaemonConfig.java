package glove.host;

import glove.sys.UnixPath;
import glove.wire.AbsolutePath;
import glove.wire.JsonException;
import glove.wire.JsonFields;
import glove.wire.JsonLimits;
import glove.wire.JsonProblem;
import glove.wire.JsonProblems;
import glove.wire.JsonText;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the daemon works with (sheet 81, 3): paths, each for one purpose. What is not configured
 * does not exist for controllers. Immutable.
 *
 * @param base what every daemon has
 * @param sessions what it needs for sessions; each may be missing
 * @param exposures both or none
 * @param file where all of it stands, if in a file
 */
public record DaemonConfig(
        Base base, Sessions sessions, Optional<Exposures> exposures, Optional<AbsolutePath> file) {
    /** The one schema there is. */
    static final int SCHEMA_VERSION = 1;

    /** How large the file may be. */
    static final int BYTES_MAX = 1 << 20;

    private static final String RUNTIME = "runtime_directory";
    private static final String MATERIALIZATION = "materialization_root";
    private static final String BUNDLES = "library_bundle_root";
    private static final JsonLimits LIMITS = JsonLimits.FILE.withBytesMax(BYTES_MAX);

    /**
     * What every daemon has.
     *
     * @param runtimeDirectory of its socket, lock and secret; owner-only
     * @param auditKey authenticates receipts
     * @param receiptJournal holds them
     */
    public record Base(
            AbsolutePath runtimeDirectory, AbsolutePath auditKey, AbsolutePath receiptJournal) {}

    /**
     * What a daemon with sessions has.
     *
     * @param policy what plans may ask for
     * @param store of sessions; needs the policy
     * @param materializationRoot where sessions have their files; needs the store
     * @param bundleRoot of libraries; needs the store
     */
    public record Sessions(
            Optional<AbsolutePath> policy,
            Optional<AbsolutePath> store,
            Optional<AbsolutePath> materializationRoot,
            Optional<AbsolutePath> bundleRoot) {}

    /** What the owner lets be exposed, and what is. */
    public record Exposures(AbsolutePath policy, AbsolutePath journal) {}

    /**
     * Reads the file's content. A part this build does not have is a problem, never ignored.
     *
     * @return the configuration; empty when there are problems
     */
    public static Optional<DaemonConfig> parse(byte[] json, JsonProblems problems) {
        try {
            JsonFields fields = JsonFields.of(JsonText.value(json, LIMITS).root(), problems);
            int schema = fields.u8("schema_version");
            if (problems.isEmpty() && schema != SCHEMA_VERSION) {
                fields.problem("schema_version", "is " + schema, "write " + SCHEMA_VERSION);
                return Optional.empty(); // nobody knows what else it may have
            }
            return read(fields);
        } catch (JsonException e) {
            problems.add(new JsonProblem("", "is no JSON: " + e.getMessage(), ""));
            return Optional.empty();
        }
    }

    private static Optional<DaemonConfig> read(JsonFields fields) {
        if (fields.has("persistent_service")) {
            fields.bool("persistent_service"); // for whoever installs the service
        }
        Base base = new Base(
                fields.value(RUNTIME, AbsolutePath.CLASS),
                fields.value("audit_key", AbsolutePath.CLASS),
                fields.value("receipt_journal", AbsolutePath.CLASS));
        Sessions sessions = new Sessions(
                fields.optionalValue("session_policy", AbsolutePath.CLASS),
                fields.optionalValue("session_store", AbsolutePath.CLASS),
                fields.optionalValue(MATERIALIZATION, AbsolutePath.CLASS),
                fields.optionalValue(BUNDLES, AbsolutePath.CLASS));
        Optional<AbsolutePath> policy =
                fields.optionalValue("path_exposure_policy", AbsolutePath.CLASS);
        Optional<AbsolutePath> journal =
                fields.optionalValue("path_exposure_journal", AbsolutePath.CLASS);
        ForeignBackends.refuse(fields);
        fields.end();
        if (!fields.problems().isEmpty()) {
            return Optional.empty();
        }
        Optional<String> problem = problem(base, sessions, policy, journal);
        problem.ifPresent(what -> fields.problems().add(new JsonProblem("", what, "")));
        return problem.isPresent()
                ? Optional.empty()
                : Optional.of(of(base, sessions, policy, journal));
    }

    private static DaemonConfig of(
            Base base,
            Sessions sessions,
            Optional<AbsolutePath> policy,
            Optional<AbsolutePath> journal) {
        return new DaemonConfig(
                base,
                sessions,
                policy.map(file -> new Exposures(file, journal.orElseThrow())),
                Optional.empty());
    }

    /** The same, read from a file: that is the daemon's own, too. */
    public DaemonConfig readFrom(UnixPath absolute) {
        return new DaemonConfig(
                base, sessions, exposures, AbsolutePath.CLASS.parse(absolute.toString()));
    }

    /**
     * Of single paths, as a command line has them.
     *
     * @param paths by the names the file has for them, without those that are not given
     * @throws StartException when they do not go together
     */
    static DaemonConfig of(Map<String, AbsolutePath> paths) throws StartException {
        for (String name : List.of(RUNTIME, "audit_key", "receipt_journal")) {
            if (!paths.containsKey(name)) {
                throw StartException.usage("the option --" + option(name) + " is missing");
            }
        }
        Base base = new Base(
                path(paths, RUNTIME).orElseThrow(),
                path(paths, "audit_key").orElseThrow(),
                path(paths, "receipt_journal").orElseThrow());
        Sessions sessions = new Sessions(
                path(paths, "session_policy"),
                path(paths, "session_store"),
                path(paths, MATERIALIZATION),
                path(paths, BUNDLES));
        Optional<AbsolutePath> policy = path(paths, "path_exposure_policy");
        Optional<AbsolutePath> journal = path(paths, "path_exposure_journal");
        Optional<String> problem = problem(base, sessions, policy, journal);
        if (problem.isPresent()) {
            throw StartException.usage(problem.get());
        }
        return of(base, sessions, policy, journal);
    }

    private static Optional<AbsolutePath> path(Map<String, AbsolutePath> paths, String name) {
        return Optional.ofNullable(paths.get(name));
    }

    /** How the command line names a path of the file. */
    static String option(String name) {
        return switch (name) {
            case RUNTIME -> "runtime-dir";
            case "receipt_journal" -> "journal";
            default -> name.replace('_', '-');
        };
    }

    /** What of the whole does not go together (sheet 81, 3.3). */
    private static Optional<String> problem(
            Base base,
            Sessions sessions,
            Optional<AbsolutePath> exposurePolicy,
            Optional<AbsolutePath> exposureJournal) {
        Map<String, AbsolutePath> all = new LinkedHashMap<>();
        all.put(RUNTIME, base.runtimeDirectory);
        all.put("audit_key", base.auditKey);
        all.put("receipt_journal", base.receiptJournal);
        sessions.policy.ifPresent(path -> all.put("session_policy", path));
        sessions.store.ifPresent(path -> all.put("session_store", path));
        sessions.materializationRoot.ifPresent(path -> all.put(MATERIALIZATION, path));
        sessions.bundleRoot.ifPresent(path -> all.put(BUNDLES, path));
        exposurePolicy.ifPresent(path -> all.put("path_exposure_policy", path));
        exposureJournal.ifPresent(path -> all.put("path_exposure_journal", path));
        Optional<String> shared = shared(all);
        if (shared.isPresent()) {
            return shared;
        }
        if (sessions.store.isPresent() && sessions.policy.isEmpty()) {
            return Optional.of("session_store needs session_policy: without it no plan is good");
        }
        boolean rooted =
                sessions.materializationRoot.isPresent() || sessions.bundleRoot.isPresent();
        if (rooted && sessions.store.isEmpty()) {
            return Optional.of(MATERIALIZATION + " and " + BUNDLES + " need session_store");
        }
        return exposurePolicy.isPresent() == exposureJournal.isPresent()
                ? Optional.empty()
                : Optional.of("path_exposure_policy and path_exposure_journal go together: "
                        + "configure both or none");
    }

    /** Two purposes of one path, or a file where the daemon keeps others' files. */
    private static Optional<String> shared(Map<String, AbsolutePath> all) {
        for (Map.Entry<String, AbsolutePath> one : all.entrySet()) {
            for (Map.Entry<String, AbsolutePath> other : all.entrySet()) {
                boolean root =
                        one.getKey().equals(MATERIALIZATION) || one.getKey().equals(BUNDLES);
                boolean same = other.getValue().equals(one.getValue());
                boolean inside = root && other.getValue().isWithin(one.getValue());
                if (!one.getKey().equals(other.getKey()) && (same || inside)) {
                    return Optional.of(other.getKey() + " '" + other.getValue()
                            + (same ? "' is also " : "' lies within ") + one.getKey()
                            + ": give it a path of its own");
                }
            }
        }
        return Optional.empty();
    }
}
