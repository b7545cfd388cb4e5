package glove.app;

import glove.host.ClientException;
import glove.host.ControlClient;
import glove.host.DaemonConfig;
import glove.host.HostLooks;
import glove.host.OwnPaths;
import glove.journal.DurableFileException;
import glove.journal.ProtectedFile;
import glove.policy.session.ExposurePolicy;
import glove.policy.session.ExposureRequest;
import glove.policy.session.ExposureRoot;
import glove.sandbox.Refusal;
import glove.sandbox.ShellWord;
import glove.sandbox.Trouble;
import glove.session.exposure.ExposureSources;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;
import glove.wire.Digest;
import glove.wire.Id128;
import glove.wire.JsonProblems;
import glove.wire.JsonValue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A wish of the owner's to expose something, checked here first: the daemon tells only that it
 * refuses. Immutable.
 */
record ExposureOrder(ExposureRequest.Submitted wish) {
    private static final int KEY_DIGITS = 16;

    /**
     * Of an exposure there was: its name, label and uses.
     *
     * @param project what to expose, where it really is
     */
    static ExposureOrder again(ToldExposure exposure, String project, String root, long ttlSecs) {
        List<String> templates = new ArrayList<>();
        exposure.templates().forEach(template -> templates.add(template.text()));
        return new ExposureOrder(new ExposureRequest.Submitted(
                exposure.exposureId().text(),
                root,
                project,
                exposure.label(),
                exposure.modes(),
                ttlSecs,
                templates));
    }

    /** Where a project really is: through links, absolute. A request holds text, not bytes. */
    static String canonical(Linux linux, String project) throws Refusal {
        int flags = OpenFlags.O_PATH | OpenFlags.O_DIRECTORY;
        try (OwnedFd directory = linux.open(UnixPath.of(project), flags, 0)) {
            UnixPath real = linux.pathOf(directory);
            String text = new String(real.bytes(), StandardCharsets.UTF_8);
            if (text.indexOf('\uFFFD') >= 0) { // of the JVM's own making, in the word, too
                throw new Refusal(
                        "the project '" + real + "' cannot be exposed: its path is no UTF-8",
                        "mv it to a name that is UTF-8, then glove init --help");
            }
            return text;
        } catch (ErrnoException e) {
            throw new Refusal(
                    "the project '" + project + "' is no directory that can be opened: "
                            + e.getMessage(),
                    "ls -ld " + ShellWord.of(project));
        }
    }

    /** A key of its own: the same wish is another one tomorrow. */
    static Id128 key(String verb, String exposureId) {
        Digest name = Digest.sha256(exposureId.getBytes(StandardCharsets.UTF_8));
        String when = Long.toString(System.currentTimeMillis());
        return new Id128(verb + "-" + name.hex().substring(0, KEY_DIGITS) + "-" + when);
    }

    /** What stands in its way, by the policy the configuration names; empty when nothing does. */
    Optional<Refusal> refusal(Linux linux, DaemonPlace place) throws Refusal {
        Optional<String> complaint = wish.complaint();
        if (complaint.isPresent()) {
            return refused(complaint.get());
        }
        if (place.config().isEmpty()) {
            return Optional.empty(); // the daemon will say
        }
        if (place.config().get().exposures().isEmpty()) {
            return refused(
                    "the configuration names no path_exposure_policy: nothing may be " + "exposed");
        }
        ExposurePolicy policy = policy(
                        linux, place.config().get().exposures().get().policy())
                .keepingBack(ownPaths(linux, place.config().get()));
        Optional<ExposureRoot> root = policy.root(new Id128(wish.rootId()));
        if (root.isEmpty()) {
            return refused("the exposure policy has no root '" + wish.rootId() + "'; it has "
                    + policy.rootNames());
        }
        Optional<String> ttl = root.get().refusalOfTtl(wish.ttlSecs());
        if (ttl.isPresent()) {
            return refused(ttl.get());
        }
        ExposureRequest request = wish.request(new Id128("check"));
        Optional<String> beyond =
                policy.refusal(root.get(), request.hostPath().path(), request.offer());
        if (beyond.isPresent()) {
            return refused(beyond.get());
        }
        return ExposureSources.refusal(linux, policy, request).flatMap(ExposureOrder::refused);
    }

    private static List<AbsolutePath> ownPaths(Linux linux, DaemonConfig config) throws Refusal {
        try {
            return OwnPaths.of(linux, config).all();
        } catch (ErrnoException e) {
            throw Trouble.refusal("cannot find out where the configured paths lead", e);
        }
    }

    private static Optional<Refusal> refused(String why) {
        return Optional.of(new Refusal(1, why, List.of("glove init --help")));
    }

    static ExposurePolicy policy(Linux linux, AbsolutePath path) throws Refusal {
        String what = "the path exposure policy";
        byte[] json;
        try {
            json = ProtectedFile.read(
                    linux, what, UnixPath.of(path.text()), ExposurePolicy.BYTES_MAX);
        } catch (DurableFileException e) {
            throw new Refusal(1, e.getMessage(), List.of());
        }
        JsonProblems problems = JsonProblems.first();
        Optional<ExposurePolicy> policy =
                ExposurePolicy.parse(json, new HostLooks(linux), problems);
        if (policy.isEmpty()) {
            throw new Refusal(1, what + ": " + problems.firstInWords(), List.of());
        }
        return policy.get();
    }

    /** Has the daemon do it. */
    JsonValue send(ControlClient client, Id128 key) throws ClientException {
        return client.change("create_path_exposure", key, wish::write);
    }
}
