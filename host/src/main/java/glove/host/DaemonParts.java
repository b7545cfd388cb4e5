package glove.host;

import glove.journal.AppendLogException;
import glove.journal.DurableFileException;
import glove.journal.ProtectedFile;
import glove.journal.TornTail;
import glove.policy.session.ExposureGrants;
import glove.policy.session.ExposurePolicy;
import glove.policy.session.HostPaths;
import glove.policy.session.PlanRules;
import glove.policy.session.SessionPolicy;
import glove.session.PlanRefusedException;
import glove.session.SessionRegistry;
import glove.session.bundle.BundleException;
import glove.session.bundle.LibraryBundleStore;
import glove.session.exposure.ExposureRegistry;
import glove.session.exposure.RootException;
import glove.session.receipt.ReceiptProducer;
import glove.session.receipt.ReceiptStore;
import glove.session.stage.RetainedStages;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;
import glove.wire.JsonProblems;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What a daemon is made of, as far as it is configured, and the methods each part brings: so what
 * is offered is what was constructed. Owns all of it; confined to the starting thread, but for the
 * methods.
 */
final class DaemonParts {
    /** How long a key is remembered where no policy says how long plans live. */
    private static final long KEY_LIFETIME_MS = 600_000;

    private final Linux linux;
    private final DaemonConfig config;
    private final DaemonLog log;
    private final HostPaths paths;
    private final Deque<Runnable> opened = new ArrayDeque<>();
    private final List<ControlMethod> methods = new ArrayList<>();
    private Optional<ExposureRegistry> exposures = Optional.empty();
    private Optional<SessionPolicy> policy = Optional.empty();
    private Optional<AbsolutePath> stages = Optional.empty();

    DaemonParts(Linux linux, DaemonConfig config, DaemonLog log) {
        this.linux = linux;
        this.config = config;
        this.log = log;
        this.paths = new HostLooks(linux);
    }

    /** What can be read without the runtime directory (sheet 20, 7.2, steps 1 and 2). */
    void openPolicies() throws StartException {
        if (config.exposures().isPresent()) {
            openExposures(config.exposures().get());
        }
        Optional<AbsolutePath> path = config.sessions().policy();
        if (path.isPresent()) {
            String what = "the session policy";
            String making = "write one, of mode 600, as docs/session-policy.md shows, and see"
                    + " 'glove policy validate --file " + path.get() + "'";
            byte[] json = protectedFile(what, path.get(), SessionPolicy.BYTES_MAX, making);
            JsonProblems problems = JsonProblems.first();
            policy = SessionPolicy.parse(json, paths, problems);
            if (policy.isEmpty()) {
                throw StartException.failed(what + " '" + path.get() + "': "
                        + problems.firstInWords() + "; 'glove policy validate --file "
                        + path.get() + "' tells all");
            }
            Optional<String> shown = shown(policy.get());
            if (shown.isPresent()) {
                throw StartException.failed(what + " '" + path.get() + "': " + shown.get());
            }
        }
    }

    private OwnPaths ownPaths() throws StartException {
        try {
            return OwnPaths.of(linux, config);
        } catch (ErrnoException e) {
            throw unknown(e);
        }
    }

    private Optional<String> shown(SessionPolicy read) throws StartException {
        OwnPaths own = ownPaths();
        try {
            return own.complaint(linux, read);
        } catch (ErrnoException e) {
            throw unknown(e);
        }
    }

    /** Then a policy might show them. */
    private static StartException unknown(ErrnoException e) {
        return StartException.failed(
                "it cannot be found out where the configured paths lead: " + e.getMessage());
    }

    private void openExposures(DaemonConfig.Exposures files) throws StartException {
        String what = "the path exposure policy";
        String making = "write one, of mode 600, as docs/exposures.md shows";
        byte[] json = protectedFile(what, files.policy(), ExposurePolicy.BYTES_MAX, making);
        JsonProblems problems = JsonProblems.first();
        ExposurePolicy read = ExposurePolicy.parse(json, paths, problems)
                .orElseThrow(() -> StartException.failed(
                        what + " '" + files.policy() + "': " + problems.firstInWords()))
                .keepingBack(ownPaths().all());
        try {
            ExposureRegistry registry = ExposureRegistry.open(
                    linux,
                    read,
                    UnixPath.of(files.journal().text()),
                    ExposureRegistry.BYTES_MAX_DEFAULT);
            opened.push(registry::close);
            registry.repaired().ifPresent(tail -> tell(files.journal(), tail));
            exposures = Optional.of(registry);
            ExposureMethods exposing = new ExposureMethods(registry, log);
            exposing.tellIfLow();
            methods.addAll(exposing.methods());
        } catch (RootException e) {
            throw StartException.failed(e.getMessage());
        } catch (AppendLogException e) {
            throw StartException.failed(e.getMessage());
        }
    }

    private void tell(AbsolutePath file, TornTail tail) {
        log.warning("torn_tail_set_aside", "file", file.text(), "tail", tail.toString());
    }

    private byte[] protectedFile(String what, AbsolutePath path, int bytesMax, String making)
            throws StartException {
        try {
            return ProtectedFile.read(linux, what, UnixPath.of(path.text()), bytesMax, making);
        } catch (DurableFileException e) {
            throw StartException.failed(e.getMessage());
        }
    }

    /** The rest, under the lock of the runtime directory (steps 5 and 6). */
    void openStores() throws StartException {
        ReceiptProducer receipts = openReceipts();
        methods.addAll(new ReceiptMethods(receipts, keyLifetimeMs(), log).methods());
        DaemonConfig.Sessions sessions = config.sessions();
        if (sessions.bundleRoot().isPresent()) {
            openBundles(sessions.bundleRoot().get());
        }
        Optional<PlanMethods> plans = policy.map(this::plans);
        plans.ifPresent(known -> methods.addAll(known.methods()));
        boolean stored = plans.isPresent() && sessions.store().isPresent();
        if (stored) {
            openSessions(sessions.store().orElseThrow(), plans.orElseThrow(), receipts);
        }
        if (sessions.materializationRoot().isPresent()) {
            openMaterializations(sessions.materializationRoot().get());
        }
        Capabilities capabilities = new Capabilities(
                receipts.keyId(), plans.isPresent(), stored, exposures.isPresent());
        addAlways(capabilities);
    }

    private long keyLifetimeMs() {
        return policy.map(SessionPolicy::maxPlanTtlMs).orElse(KEY_LIFETIME_MS);
    }

    private PlanMethods plans(SessionPolicy known) {
        ExposureGrants grants = exposures.map(ExposureRegistry::grants).orElse(ExposureGrants.NONE);
        return new PlanMethods(new PlanRules(known, paths, grants), log);
    }

    private ReceiptProducer openReceipts() throws StartException {
        UnixPath key = UnixPath.of(config.base().auditKey().text());
        UnixPath journal = UnixPath.of(config.base().receiptJournal().text());
        try {
            ReceiptProducer receipts = ReceiptProducer.of(linux, key, ReceiptStore.at(journal));
            opened.push(receipts::close);
            return receipts;
        } catch (DurableFileException e) {
            throw StartException.failed(e.getMessage());
        }
    }

    /** Held open: what stands in its place later is not used. */
    private void openBundles(AbsolutePath root) throws StartException {
        try {
            opened.push(LibraryBundleStore.open(linux, root)::close);
        } catch (BundleException e) {
            throw StartException.failed(e.getMessage());
        }
    }

    private void openMaterializations(AbsolutePath root) throws StartException {
        OwnedFd checked = RuntimeDirectory.openOwnerOnly(
                linux, "the materialization root", UnixPath.of(root.text()));
        opened.push(checked::close);
        stages = Optional.of(root);
    }

    private void openSessions(AbsolutePath path, PlanMethods plans, ReceiptProducer receipts)
            throws StartException {
        SessionRegistry.Checks checks = new SessionRegistry.Checks(
                plans,
                (plan, nowMs) -> {
                    throw new PlanRefusedException("this daemon has no runtime to launch it in");
                },
                receipts);
        try {
            SessionRegistry registry = SessionRegistry.open(
                    linux, SessionRegistry.Store.at(UnixPath.of(path.text())), checks);
            opened.push(registry::close);
            registry.repaired().ifPresent(tail -> tell(path, tail));
            SessionMethods sessions = new SessionMethods(registry, log);
            sessions.tellIfLow();
            methods.addAll(sessions.methods());
        } catch (AppendLogException e) {
            throw StartException.failed(e.getMessage());
        }
    }

    private void addAlways(Capabilities capabilities) {
        methods.add(ControlMethod.quick("health", (call, result) -> {
            call.requireNothing("health requires a null read-only payload");
            result.beginObject()
                    .member("schema_version", 1)
                    .member("status", "ready")
                    .endObject();
        }));
        methods.add(ControlMethod.quick("capabilities", (call, result) -> {
            call.requireNothing("capabilities requires a null read-only payload");
            capabilities.write(result);
        }));
    }

    /**
     * All that was made of what is configured.
     *
     * @param descriptors that one of those that may take long may have open
     */
    List<ControlMethod> methods(int descriptors) {
        List<ControlMethod> all = new ArrayList<>(methods);
        stages.ifPresent(root -> {
            RetainedStages retained = new RetainedStages(linux, root, descriptors);
            all.addAll(new RetainedMethods(retained, log).methods());
        });
        return List.copyOf(all);
    }

    /** Gives back what was opened, the last first; a second time this does nothing. */
    void release() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
    }
}
