package glove.policy.session;

import glove.wire.AbsolutePath;

import java.util.List;
import java.util.Optional;

/** Paths no policy may name (sheets 10 and 50). Stateless. */
final class ReservedPaths {
    private static final List<AbsolutePath> SYSTEM = paths("/dev", "/proc", "/run", "/sys");
    private static final List<AbsolutePath> INSIDE =
            paths("/bin", "/dev", "/etc", "/lib", "/lib64", "/proc", "/sbin", "/sys", "/usr");
    private static final List<AbsolutePath> UNDER_PROJECTIONS =
            paths("/dev", "/proc", "/run", "/sys", "/tmp", "/var/tmp");
    private static final List<AbsolutePath> HOMES = paths("/root", "/var/root");

    /** Directories that nobody needs whole: all homes, and where the system is. */
    private static final List<AbsolutePath> WHOLE = paths(
            "/bin", "/boot", "/etc", "/home", "/lib", "/lib32", "/lib64", "/libx32", "/sbin",
            "/Users", "/usr", "/var");

    private static final List<AbsolutePath> SETTINGS = paths("/boot", "/etc");

    /** What sessions have of their own, where nothing of an alias can be put. */
    private static final List<AbsolutePath> OF_SESSIONS =
            paths("/home/agent", "/run", "/tmp", "/var/tmp", "/workspace/exposures");

    private static final List<AbsolutePath> PARENTS_OF_HOMES = paths("/home", "/Users");
    private static final List<String> SECRET_NAMES =
            List.of(".aws", ".azure", ".gnupg", ".kube", ".sage", ".ssh");

    private ReservedPaths() {}

    private static List<AbsolutePath> paths(String... texts) {
        return List.of(texts).stream().map(AbsolutePath::new).toList();
    }

    /** Whether no alias may show it: the kernel's, whole homes, what holds keys. */
    static boolean isHost(AbsolutePath path) {
        return isExposed(path) || HOMES.contains(path) || WHOLE.contains(path) || isHome(path);
    }

    private static boolean isHome(AbsolutePath path) {
        for (AbsolutePath parent : PARENTS_OF_HOMES) {
            String above = parent.text() + "/";
            if (path.text().startsWith(above) && path.text().indexOf('/', above.length()) < 0) {
                return true;
            }
        }
        return false;
    }

    /** Names of what holds keys, in any directory. */
    static List<String> secretNames() {
        return SECRET_NAMES;
    }

    /** Whether it is of the system's settings: a policy may show it, and should not. */
    static boolean isSetting(AbsolutePath path) {
        return isWithin(path, SETTINGS);
    }

    /** What a session has of its own there; empty when nothing. */
    static Optional<AbsolutePath> ofSession(AbsolutePath target) {
        for (AbsolutePath own : OF_SESSIONS) {
            boolean covers = own.isWithin(target) && !own.text().startsWith("/workspace/");
            if (covers || target.isWithin(own)) {
                return Optional.of(own);
            }
        }
        return Optional.empty();
    }

    /** Whether no exposure may show it: the kernel's, and what holds keys. */
    static boolean isExposed(AbsolutePath path) {
        for (String name : path.text().substring(1).split("/", -1)) {
            if (SECRET_NAMES.contains(name)) {
                return true;
            }
        }
        return isWithin(path, SYSTEM);
    }

    /** Whether nothing may be mounted there in a session: the system's own. */
    static boolean isTarget(AbsolutePath path) {
        return isWithin(path, INSIDE);
    }

    /** Whether libraries there would cover, or be covered by, something else. */
    static boolean isProjection(AbsolutePath path) {
        for (AbsolutePath reserved : UNDER_PROJECTIONS) {
            if (path.overlaps(reserved)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isWithin(AbsolutePath path, List<AbsolutePath> directories) {
        for (AbsolutePath directory : directories) {
            if (path.isWithin(directory)) {
                return true;
            }
        }
        return false;
    }
}
