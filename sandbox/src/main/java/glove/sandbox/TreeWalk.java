package glove.sandbox;

import glove.sys.DirectoryLister;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.Arrays;
import java.util.Optional;

/**
 * Looks through one grant for names of {@link ProtectedNames}, for what {@code --hide} matches and
 * for sockets, and watches the directories it passes. Follows no link, opens nothing but
 * directories. Confined to one thread; used once.
 *
 * <p>Written for a virtual machine that interprets: thousands of names are looked at before a
 * launch, so a name that matters to nobody costs no object and no call.
 */
final class TreeWalk {
    /** About a second of walking. A grant with more is refused: unseen is unprotected. */
    static final int DIRECTORIES_MAX = 500_000;

    private static final int SEEN_HEAD = 1;
    private static final int SEEN_OBJECTS = 2;
    private static final int SEEN_REFS = 4;
    private static final int SEEN_REPOSITORY = SEEN_HEAD | SEEN_OBJECTS | SEEN_REFS;
    private static final int SEEN_PART = 8; // and the bits above it, one for each IN_GIT name
    private static final int SEEN_COMMONDIR = SEEN_PART << 3;

    /** Of protected files; directories and links are told anyway. HEAD, config, commondir. */
    private static final String FIRST_BYTES = ".Hc";

    private static final int NAME = DirectoryLister.NAME;
    private static final byte[] HERE = {'.', 0};

    private final Linux linux;
    private final Grant grant;
    private final WalkFindings findings;
    private final HideRules hides;
    private final boolean names;
    private boolean fresh;
    private final Optional<WatchedDirectories> watches;

    private byte[][] paths = new byte[256][];
    private int[] contexts = new int[256];
    private int waiting;
    private int listed;

    /** Types of what was seen of {@link ProtectedNames#IN_GIT} in the directory at hand. */
    private final int[] partTypes = new int[ProtectedNames.IN_GIT.length];

    /**
     * For one granted directory.
     *
     * @param names whether protected names count here
     * @param watches where its directories are watched, if they are
     */
    TreeWalk(
            Linux linux,
            Grant grant,
            WalkFindings findings,
            boolean names,
            Optional<WatchedDirectories> watches) {
        this.linux = linux;
        this.grant = grant;
        this.findings = findings;
        this.hides = findings.hides().below(grant.path());
        this.names = names;
        this.watches = watches;
    }

    /** Walks it all. */
    void run() throws Refusal, ErrnoException {
        run(HERE, names ? ofRoot() : WalkContext.COVERED);
    }

    /**
     * Walks what has appeared during the run. Of hooks that are new each is told by its own name.
     *
     * @param path relative to the grant
     */
    void runBelow(UnixPath path, int context) throws Refusal, ErrnoException {
        fresh = true;
        byte[] bytes = path.bytes();
        run(Arrays.copyOf(bytes, bytes.length + 1), context);
    }

    /** Walks it all, as if all of it had appeared during the run. */
    void runAgain() throws Refusal, ErrnoException {
        fresh = true;
        run();
    }

    private void run(byte[] start, int context) throws Refusal, ErrnoException {
        int flags = OpenFlags.O_PATH | OpenFlags.O_DIRECTORY;
        try (OwnedFd root = linux.open(grant.path(), flags, 0)) {
            DirectoryLister lister = new DirectoryLister(
                    root,
                    watches.isPresent() ? Optional.of(watches.get().inotify()) : Optional.empty(),
                    WatchedDirectories.EVENTS);
            if (fresh) {
                lister.wantAllNames();
            }
            lister.wantNamesBeginning(names ? FIRST_BYTES : "");
            hides.want(lister);
            push(start, context);
            while (waiting > 0) {
                byte[] path = paths[--waiting];
                list(lister, path, contexts[waiting]);
            }
        }
    }

    /** The granted directory itself may be, or lie in, one of those with a meaning. */
    private int ofRoot() {
        int context = WalkContext.of(grant.path().name(), 0);
        for (UnixPath at = grant.path(); at.length() > 1; at = at.parent()) {
            context |= WalkContext.of(at.name(), 0) & WalkContext.IN_NODE_MODULES;
        }
        return context;
    }

    private void list(DirectoryLister lister, byte[] path, int context)
            throws Refusal, ErrnoException {
        if (++listed > DIRECTORIES_MAX) {
            throw new Refusal(
                    "'" + grant.path() + "' holds more than " + DIRECTORIES_MAX
                            + " directories: too many to look for what must be protected",
                    "grant the directory inside it that is needed",
                    "--no-default-protect, and no --hide with a pattern");
        }
        int end;
        boolean watched =
                watches.isPresent() && (context & (WalkContext.COVERED | WalkContext.QUIET)) == 0;
        try {
            end = lister.list(path, watched);
        } catch (ErrnoException e) {
            notListed(path, e);
            return;
        }
        int children = waiting;
        int seen = lookThrough(lister.buffer(), end, path, context);
        boolean git =
                (context & WalkContext.IN_GIT) != 0 || (seen & SEEN_REPOSITORY) == SEEN_REPOSITORY;
        boolean linked = (seen & SEEN_HEAD) != 0 && (seen & SEEN_COMMONDIR) != 0;
        if ((git || linked) && (context & WalkContext.COVERED) == 0) {
            context |= WalkContext.IN_GIT;
            addGitParts(path, seen);
            markGitChildren(children);
        }
        if (watched) {
            watches.get().put(lister.watch(), grant.path(), path, context);
        }
    }

    /** All names of one directory; what was seen of a git directory. */
    private int lookThrough(byte[] b, int end, byte[] path, int context) throws ErrnoException {
        int seen = 0;
        boolean guarded = (context & WalkContext.COVERED) == 0;
        boolean hiding = hides.enter(path);
        for (int at = DirectoryLister.FIRST; at < end; ) {
            int from = at + NAME;
            int type = b[at + DirectoryLister.TYPE];
            int first = b[from];
            at += (b[at + DirectoryLister.LENGTH] & 0xff)
                    | (b[at + DirectoryLister.LENGTH + 1] & 0xff) << 8;
            if (first == '.' && (b[from + 1] == 0 || (b[from + 1] == '.' && b[from + 2] == 0))) {
                continue;
            }
            if (type == DirectoryLister.DT_UNKNOWN) {
                type = typeOf(path, b, from);
            }
            if (hiding && hides.matches(b, from, nameEnd(b, from), type)) {
                findings.hidden(absolute(path, b, from), hides.matched(), type);
                continue;
            }
            int child = context & WalkContext.INHERITED;
            if ((context & WalkContext.IN_HOOKS) != 0) {
                ofHook(path, b, from, type);
            } else if (guarded) {
                if (first == '.') {
                    child |= ofDotName(path, b, from, type, context);
                } else {
                    seen |= ofGit(b, from, first, type);
                }
                if ((context & WalkContext.IN_CONFIG) != 0) {
                    child |= ofConfigName(path, b, from, type, context);
                }
            }
            if (type == DirectoryLister.DT_DIR) {
                addDirectory(path, b, from, context, child);
            } else if (type == DirectoryLister.DT_SOCK) {
                findings.socket(absolute(path, b, from));
            }
        }
        return seen;
    }

    private void ofHook(byte[] path, byte[] b, int from, int type) throws ErrnoException {
        if (!WalkContext.isSample(b, from, nameEnd(b, from))) {
            findings.protect(absolute(path, b, from), WalkFindings.HOOK, type);
        }
    }

    private void addDirectory(byte[] path, byte[] b, int from, int context, int child) {
        int to = nameEnd(b, from);
        if ((context & WalkContext.IN_OBJECTS) != 0 && WalkContext.isObjectsPart(b, from, to)) {
            return;
        }
        byte[] below = join(path, b, from, to);
        if (findings.isGrant(grant, below)) {
            return; // looked through by itself
        }
        int inside = b[from] == 'n' && ProtectedNames.isNamed(b, from, to, "node_modules")
                ? WalkContext.IN_NODE_MODULES
                : 0;
        push(below, child | inside);
    }

    /** What follows for a directory with this name that begins with a dot. */
    private int ofDotName(byte[] path, byte[] b, int from, int type, int context)
            throws ErrnoException {
        int to = nameEnd(b, from);
        if (to - from == 4 && b[from + 1] == 'g' && b[from + 2] == 'i' && b[from + 3] == 't') {
            if (type == DirectoryLister.DT_DIR) {
                return WalkContext.IN_GIT;
            }
            findings.protect(absolute(path, b, from), WalkFindings.LEADS_GIT, type);
            return 0;
        }
        if ((context & WalkContext.IN_NODE_MODULES) != 0) {
            return 0;
        }
        if (ProtectedNames.isNamed(b, from, to, ".config")) {
            return WalkContext.IN_CONFIG;
        }
        if (ProtectedNames.anywhere(b, from, to)) {
            findings.protect(absolute(path, b, from), WalkFindings.BY_NAME, type);
            return WalkContext.COVERED;
        }
        return 0;
    }

    private int ofConfigName(byte[] path, byte[] b, int from, int type, int context)
            throws ErrnoException {
        int to = nameEnd(b, from);
        if ((context & WalkContext.IN_NODE_MODULES) != 0 || !ProtectedNames.inConfig(b, from, to)) {
            return 0;
        }
        findings.protect(absolute(path, b, from), WalkFindings.BY_NAME, type);
        return WalkContext.COVERED;
    }

    private int ofGit(byte[] b, int from, int first, int type) {
        if (first != 'H' && first != 'o' && first != 'r' && first != 'h' && first != 'c') {
            return 0;
        }
        int to = nameEnd(b, from);
        if (ProtectedNames.isNamed(b, from, to, "HEAD")) {
            return SEEN_HEAD;
        }
        if (ProtectedNames.isNamed(b, from, to, "objects")) {
            return SEEN_OBJECTS;
        }
        if (ProtectedNames.isNamed(b, from, to, "refs")) {
            return SEEN_REFS;
        }
        for (int i = 0; i < partTypes.length; i++) {
            if (ProtectedNames.isNamed(b, from, to, ProtectedNames.IN_GIT[i])) {
                partTypes[i] = type;
                return SEEN_PART << i;
            }
        }
        return 0;
    }

    private void addGitParts(byte[] path, int seen) throws ErrnoException {
        UnixPath directory = absolute(path);
        for (int i = 0; i < partTypes.length; i++) {
            boolean newHooks = fresh && i == 0 && partTypes[i] == DirectoryLister.DT_DIR;
            if ((seen & SEEN_PART << i) != 0 && !newHooks) {
                findings.protect(
                        directory.resolve(ProtectedNames.IN_GIT[i]),
                        WalkFindings.IN_GIT_DIRECTORY,
                        partTypes[i]);
            }
        }
        findings.repository(directory);
    }

    /** Directories of a git directory that have a meaning of their own. */
    private void markGitChildren(int first) {
        for (int i = first; i < waiting; i++) {
            byte[] path = paths[i];
            int to = path.length - 1;
            int from = to;
            while (from > 0 && path[from - 1] != '/') {
                from--;
            }
            contexts[i] |= WalkContext.inGit(
                    path, from, to, fresh ? WalkContext.IN_HOOKS : WalkContext.COVERED);
        }
    }

    /** A directory that can't be listed: gone, somebody else's, or hidden by its mode. */
    private void notListed(byte[] path, ErrnoException e) throws Refusal, ErrnoException {
        int errno = e.errno();
        if (errno == Errno.ENOENT || errno == Errno.ENOTDIR || errno == Errno.ELOOP) {
            return; // it was replaced meanwhile; by what, the watch of its parent tells
        }
        UnixPath absolute = absolute(path);
        if (errno == Errno.ENAMETOOLONG) {
            findings.warn("'" + grant.path() + "' is nested deeper than paths can name; what lies"
                    + " there was not looked at, and nothing in it is protected or hidden");
            return;
        }
        if (errno == Errno.EACCES) {
            Optional<Stat> stat = linux.lstatIfPresent(absolute);
            if (stat.isEmpty() || stat.get().uid() != linux.geteuid()) {
                if (linux.isAccessible(absolute, Linux.X_OK)) {
                    findings.unlisted(absolute);
                } // else closed to this user, and so to the agent
                return;
            }
            if (fresh) {
                // Closed during the run: it may be opened again and filled, so all is looked
                // through at the end.
                if (watches.isPresent()) {
                    watches.get().missedSome();
                }
                return;
            }
            // An agent could have closed its own directory, to open it again.
            throw new Refusal(
                    "cannot look into '" + absolute + "' for what must be protected: "
                            + Errno.words(errno),
                    "chmod u+rx " + ShellWord.operand(absolute),
                    "--no-default-protect, and no --hide with a pattern");
        }
        throw e;
    }

    private int typeOf(byte[] path, byte[] b, int from) throws ErrnoException {
        Optional<Stat> stat = linux.lstatIfPresent(absolute(path, b, from));
        if (stat.isEmpty()) {
            return DirectoryLister.DT_REG; // gone
        }
        return stat.get().mode() >>> 12 & 15; // S_IFMT and DT_* are the same numbers
    }

    private UnixPath absolute(byte[] path) {
        return path.length == HERE.length && path[0] == '.'
                ? grant.path()
                : grant.path().resolve(UnixPath.of(Arrays.copyOf(path, path.length - 1)));
    }

    private UnixPath absolute(byte[] path, byte[] b, int from) {
        return absolute(path).resolve(UnixPath.of(Arrays.copyOfRange(b, from, nameEnd(b, from))));
    }

    /** A NUL-ended path below another. */
    private static byte[] join(byte[] path, byte[] b, int from, int to) {
        int above = path.length == HERE.length && path[0] == '.' ? 0 : path.length;
        byte[] joined = new byte[above + to - from + 1];
        if (above > 0) {
            System.arraycopy(path, 0, joined, 0, above - 1);
            joined[above - 1] = '/';
        }
        System.arraycopy(b, from, joined, above, to - from);
        return joined;
    }

    private void push(byte[] path, int context) {
        if (waiting == paths.length) {
            paths = Arrays.copyOf(paths, 2 * waiting);
            contexts = Arrays.copyOf(contexts, 2 * waiting);
        }
        paths[waiting] = path;
        contexts[waiting++] = context;
    }

    private static int nameEnd(byte[] b, int from) {
        int to = from;
        while (b[to] != 0) {
            to++;
        }
        return to;
    }
}
