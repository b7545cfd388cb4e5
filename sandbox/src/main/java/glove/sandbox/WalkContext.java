package glove.sandbox;

import glove.sys.UnixPath;

/**
 * What a directory is, for the names in it: bits that follow from its own name and from what it
 * lies in. Stateless.
 */
final class WalkContext {
    /** Git's: see {@link ProtectedNames#IN_GIT}. */
    static final int IN_GIT = 1;

    /** Below {@code node_modules}: packages ship editor settings nobody opens; git still counts. */
    static final int IN_NODE_MODULES = 2;

    /** A {@code .config}: see {@link ProtectedNames#IN_CONFIG}. */
    static final int IN_CONFIG = 4;

    /** {@code objects} of a git directory: its many parts hold nothing but objects. */
    static final int IN_OBJECTS = 8;

    /** Protected as a whole: only what is hidden, and sockets, matter. */
    static final int COVERED = 16;

    /** Names come and go here all the time, none of which is protected. */
    static final int QUIET = 32;

    /** Hooks of a git directory made during the run: each but the samples matters. */
    static final int IN_HOOKS = 64;

    /** What also holds for the directories in it. */
    static final int INHERITED = IN_NODE_MODULES | COVERED | QUIET;

    private static final String SAMPLE = ".sample";

    private WalkContext() {}

    /** What a directory of this name is. */
    static int of(UnixPath name, int inherited) {
        byte[] bytes = name.bytes();
        int context = inherited & INHERITED;
        if (ProtectedNames.isNamed(bytes, 0, bytes.length, ".git")) {
            context |= IN_GIT;
        } else if (ProtectedNames.isNamed(bytes, 0, bytes.length, ".config")) {
            context |= IN_CONFIG;
        } else if (ProtectedNames.isNamed(bytes, 0, bytes.length, "node_modules")) {
            context |= IN_NODE_MODULES;
        }
        return context;
    }

    /** What a directory is that has appeared in another. */
    static int ofNew(UnixPath name, int parent) {
        int context = of(name, parent);
        byte[] bytes = name.bytes();
        if ((parent & IN_GIT) != 0) {
            context |= inGit(bytes, 0, bytes.length, IN_HOOKS);
        }
        return context;
    }

    /**
     * What a directory is that lies in one of git's.
     *
     * @param ofHooks for {@code hooks}
     */
    static int inGit(byte[] name, int from, int to, int ofHooks) {
        if (ProtectedNames.isNamed(name, from, to, "objects")) {
            return IN_OBJECTS | QUIET;
        }
        if (ProtectedNames.isNamed(name, from, to, "hooks")) {
            return ofHooks;
        }
        return ProtectedNames.isNamed(name, from, to, "refs")
                        || ProtectedNames.isNamed(name, from, to, "logs")
                ? QUIET
                : 0;
    }

    /** Git itself puts samples there, and runs none of them. */
    static boolean isSample(byte[] b, int from, int to) {
        return to - from > SAMPLE.length()
                && ProtectedNames.isNamed(b, to - SAMPLE.length(), to, SAMPLE);
    }

    /** Whether a name in {@link #IN_OBJECTS} is git's own, with nothing in it but objects. */
    static boolean isObjectsPart(byte[] b, int from, int to) {
        return to - from == 2
                || ProtectedNames.isNamed(b, from, to, "pack")
                || ProtectedNames.isNamed(b, from, to, "info");
    }
}
