package glove.policy.session;

import glove.wire.AbsolutePath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a valid policy had better not say: it shows more than a session needs, or promises what no
 * session can have. Other implementations take such policies, so they are no problems. Stateless.
 */
public final class SessionPolicyWarnings {
    private SessionPolicyWarnings() {}

    /** A sentence for each; printable ASCII. */
    public static List<String> of(SessionPolicy policy) {
        List<String> warnings = new ArrayList<>();
        for (PathAlias alias : policy.aliases()) {
            ofAlias(warnings, policy, alias);
        }
        List<SecretMount> mounts = policy.secrets().mounts();
        for (SecretMount mount : mounts) {
            for (SecretMount other : mounts) {
                boolean inside = !other.equals(mount)
                        && other.runtimeId().equals(mount.runtimeId())
                        && other.targetPath().isWithin(mount.targetPath());
                if (inside) {
                    warnings.add("secret '" + other.handle() + "' lies inside secret '"
                            + mount.handle() + "', which is a file: no session can have both");
                }
            }
            if (ReservedPaths.isSetting(mount.sourcePath())) {
                warnings.add("secret '" + mount.handle() + "' is "
                        + HostPath.quoted(mount.sourcePath()) + ", of the system's settings: make "
                        + "a file of what the session needs");
            }
        }
        return warnings;
    }

    private static void ofAlias(List<String> warnings, SessionPolicy policy, PathAlias alias) {
        String name = "path '" + alias.alias() + "' ";
        if (ReservedPaths.isSetting(alias.hostPath())) {
            warnings.add(name + "shows " + HostPath.quoted(alias.hostPath())
                    + ", of the system's settings: copy what the session needs");
        }
        Optional<AbsolutePath> own = ReservedPaths.ofSession(alias.targetPath());
        if (own.isPresent()) {
            warnings.add(name + "is to be at " + HostPath.quoted(alias.targetPath())
                    + ", and sessions have their own " + HostPath.quoted(own.get())
                    + ": write /workspace, say");
        }
        for (ProjectionDestination libraries : policy.destinations()) {
            if (libraries.targetPath().overlaps(alias.targetPath())) {
                warnings.add(name + "and the libraries '" + libraries.alias()
                        + "' lie inside one another: no session can have both");
            }
        }
    }
}
