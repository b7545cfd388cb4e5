package glove.sandbox;

import glove.sys.DirectoryLister;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The patterns of {@code --hide}, made ready for one granted directory. A pattern with a slash
 * counts from that directory and from every grant around it. Confined to one thread.
 */
final class HideRules {
    private static final int PATH_BYTES_MAX = 4096;

    private final Glob[] byName;
    private final Glob[] byPath;
    private final List<Grant> grants;
    private final UnixPath base;
    private final int[] starts;
    private final byte[] path = new byte[2 * PATH_BYTES_MAX];
    private int directoryEnd;
    private Glob matched;

    private HideRules(Glob[] byName, Glob[] byPath, List<Grant> grants, UnixPath base) {
        this.byName = byName;
        this.byPath = byPath;
        this.grants = grants;
        this.base = base;
        int count = 0;
        int[] found = new int[grants.size()];
        for (Grant grant : grants) {
            if (base.startsWith(grant.path())) {
                found[count++] = grant.path().length() + 1;
            }
        }
        this.starts = Arrays.copyOf(found, count);
        this.matched = byName.length > 0 ? byName[0] : byPath.length > 0 ? byPath[0] : NOTHING;
    }

    private static final Glob NOTHING = nothing();

    private static Glob nothing() {
        try {
            return Glob.of(UnixPath.of("nothing"));
        } catch (Refusal e) {
            throw new IllegalStateException(e);
        }
    }

    static HideRules of(List<Glob> globs, List<Grant> grants) {
        List<Glob> names = new ArrayList<>();
        List<Glob> paths = new ArrayList<>();
        for (Glob glob : globs) {
            (glob.isAnyDepth() ? names : paths).add(glob);
        }
        return new HideRules(
                names.toArray(new Glob[0]), paths.toArray(new Glob[0]), grants, UnixPath.of("/"));
    }

    boolean isEmpty() {
        return byName.length + byPath.length == 0;
    }

    /** Has the lister tell every name that may match. */
    void want(DirectoryLister lister) {
        for (Glob[] globs : new Glob[][] {byName, byPath}) {
            for (Glob glob : globs) {
                int last = glob.lastByte();
                if (last < 0) {
                    lister.wantAllNames();
                } else {
                    lister.wantNamesEnding((byte) last);
                }
            }
        }
    }

    /** For what lies in one granted directory. */
    HideRules below(UnixPath directory) {
        return new HideRules(byName, byPath, grants, directory);
    }

    /**
     * From now on names of this directory are asked about.
     *
     * @param relative to the granted directory, NUL-ended; {@code .} for itself
     * @return whether there is any pattern at all
     */
    boolean enter(byte[] relative) {
        if (byPath.length > 0) {
            byte[] top = base.bytes();
            System.arraycopy(top, 0, path, 0, top.length);
            directoryEnd = top.length;
            if (path[directoryEnd - 1] != '/') {
                path[directoryEnd++] = '/';
            }
            if (relative.length != 2 || relative[0] != '.') {
                System.arraycopy(relative, 0, path, directoryEnd, relative.length);
                directoryEnd += relative.length;
                path[directoryEnd - 1] = '/';
            }
        }
        return !isEmpty();
    }

    /** Whether a name of that directory matches; {@link #matched} is then the pattern. */
    boolean matches(byte[] name, int from, int to, int type) {
        boolean directory = type == DirectoryLister.DT_DIR;
        for (Glob glob : byName) {
            if (glob.matchesName(name, from, to, directory)) {
                matched = glob;
                return true;
            }
        }
        return byPath.length > 0 && matchesPath(name, from, to, directory);
    }

    private boolean matchesPath(byte[] name, int from, int to, boolean directory) {
        System.arraycopy(name, from, path, directoryEnd, to - from);
        int end = directoryEnd + to - from;
        for (Glob glob : byPath) {
            if (glob.isAbsolute()) {
                if (glob.matchesPath(path, 1, end, directory)) {
                    matched = glob;
                    return true;
                }
                continue;
            }
            for (int start : starts) {
                if (glob.matchesPath(path, start, end, directory)) {
                    matched = glob;
                    return true;
                }
            }
        }
        return false;
    }

    Glob matched() {
        return matched;
    }
}
