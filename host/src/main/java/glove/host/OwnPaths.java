package glove.host;

import glove.policy.session.HostPath;
import glove.policy.session.LaunchTemplate;
import glove.policy.session.PathAlias;
import glove.policy.session.RuntimeTemplate;
import glove.policy.session.SecretMount;
import glove.policy.session.SessionPolicy;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The paths a daemon works with: its secret, key, journals, policies and what sessions have their
 * files in. Whoever may read them in a session may be the daemon's owner; so no policy may show
 * them, or a directory they are in. Immutable.
 *
 * @param all as they are configured, and where they lead
 */
public record OwnPaths(List<AbsolutePath> all) {
    /** Copies the list. */
    public OwnPaths {
        all = List.copyOf(all);
    }

    /**
     * Those of a configuration, as this machine stands now.
     *
     * @throws ErrnoException when it cannot be found out where one leads
     */
    public static OwnPaths of(Linux linux, DaemonConfig config) throws ErrnoException {
        List<AbsolutePath> written = new ArrayList<>(List.of(
                config.base().runtimeDirectory(),
                config.base().auditKey(),
                config.base().receiptJournal()));
        config.file().ifPresent(written::add);
        config.sessions().policy().ifPresent(written::add);
        config.sessions().store().ifPresent(written::add);
        config.sessions().materializationRoot().ifPresent(written::add);
        config.sessions().bundleRoot().ifPresent(written::add);
        config.exposures().ifPresent(files -> {
            written.add(files.policy());
            written.add(files.journal());
        });
        List<AbsolutePath> all = new ArrayList<>();
        for (AbsolutePath path : written) {
            all.add(path);
            AbsolutePath end = end(linux, path);
            if (!end.equals(path)) {
                all.add(end);
            }
        }
        return new OwnPaths(all);
    }

    /** Through links; what is not there yet is where its directory leads. */
    private static AbsolutePath end(Linux linux, AbsolutePath path) throws ErrnoException {
        UnixPath file = UnixPath.of(path.text());
        Optional<AbsolutePath> whole = opened(linux, file);
        if (whole.isPresent()) {
            return whole.get();
        }
        Optional<AbsolutePath> parent = opened(linux, file.parent());
        String below = parent.map(AbsolutePath::text).orElse("") + "/" + file.name();
        return parent.isPresent() && AbsolutePath.is(below) ? new AbsolutePath(below) : path;
    }

    private static Optional<AbsolutePath> opened(Linux linux, UnixPath path) throws ErrnoException {
        try (OwnedFd fd = linux.open(path, OpenFlags.O_PATH, 0)) {
            return AbsolutePath.CLASS.parse(linux.pathOf(fd).toString());
        } catch (ErrnoException e) {
            return switch (e.errno()) {
                // Then nothing can be shown of it under another name.
                case Errno.ENOENT, Errno.ENOTDIR, Errno.ELOOP, Errno.EACCES -> Optional.empty();
                default -> throw e;
            };
        }
    }

    /**
     * The first path of a policy that shows one of them, in words; empty when none does.
     *
     * @throws ErrnoException when it cannot be found out where one leads
     */
    public Optional<String> complaint(Linux linux, SessionPolicy policy) throws ErrnoException {
        for (PathAlias alias : policy.aliases()) {
            Optional<String> complaint = complaint(
                    linux, alias.hostPath(), "the host_path of path alias '" + alias.alias() + "'");
            if (complaint.isPresent()) {
                return complaint;
            }
        }
        for (SecretMount mount : policy.secrets().mounts()) {
            Optional<String> complaint = complaint(
                    linux,
                    mount.sourcePath(),
                    "the source_path of secret '" + mount.handle() + "'");
            if (complaint.isPresent()) {
                return complaint;
            }
        }
        for (RuntimeTemplate template : policy.templates()) {
            List<AbsolutePath> shown =
                    template.launch().map(LaunchTemplate::readOnlyPaths).orElse(List.of());
            for (AbsolutePath path : shown) {
                Optional<String> complaint = complaint(
                        linux,
                        path,
                        "a read-only path of template '" + template.templateId() + "'");
                if (complaint.isPresent()) {
                    return complaint;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> complaint(Linux linux, AbsolutePath path, String what)
            throws ErrnoException {
        AbsolutePath end = end(linux, path);
        for (AbsolutePath own : all) {
            if (path.overlaps(own) || end.overlaps(own)) {
                return Optional.of(what + ", " + HostPath.quoted(path)
                        + ", would show the daemon's own " + HostPath.quoted(own)
                        + ": name something else, or move that");
            }
        }
        return Optional.empty();
    }
}
