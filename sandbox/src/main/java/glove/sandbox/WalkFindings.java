package glove.sandbox;

import glove.sys.DirectoryLister;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the walks of all grants found, one guard a path: hiding beats protecting. Confined to one
 * thread at a time.
 */
final class WalkFindings {
    static final String BY_NAME = "runs code on the host later";
    static final String LEADS_GIT = "leads git to its directory";
    static final String HOOK = "git runs it";
    static final String IN_GIT_DIRECTORY = "git runs what it names";

    /** Each takes up to 20 steps; a launch plan has 65,536. */
    static final int GUARDS_MAX = 2500;

    /** Of a mode: to enter it, by others, and by a group or, with an access list, its mask. */
    private static final int ENTERED_BY_OTHERS = 011;

    private final Linux linux;
    private Grants grants;
    private final HideRules hides;
    private final Map<UnixPath, Guard> guards = new HashMap<>();
    private final List<UnixPath> sockets = new ArrayList<>();
    private final List<UnixPath> repositories = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Map<UnixPath, Boolean> closed = new HashMap<>();
    private boolean isClosedLeftOut;
    private int unlisted;

    WalkFindings(Linux linux, Grants grants, HideRules hides) {
        this.linux = linux;
        this.grants = grants;
        this.hides = hides;
    }

    /** Has what no agent can reach left out. Root alone lists it; for others it is not there. */
    void leaveOutClosed() {
        isClosedLeftOut = linux.geteuid() == 0;
    }

    /** The grants of the run, when they are more than were known before. */
    void decideBy(Grants others) {
        grants = others;
        List<Guard> found = new ArrayList<>(guards.values());
        guards.clear();
        for (Guard guard : found) {
            add(guard);
        }
    }

    HideRules hides() {
        return hides;
    }

    Map<UnixPath, Guard> guards() {
        return guards;
    }

    List<UnixPath> sockets() {
        return sockets;
    }

    /** Git directories: each may name hooks that lie elsewhere. */
    List<UnixPath> repositories() {
        return repositories;
    }

    List<String> warnings() {
        return warnings;
    }

    void warn(String sentence) {
        warnings.add(sentence);
    }

    /** A directory of somebody else that can be passed but not listed. */
    void unlisted(UnixPath directory) {
        if (unlisted++ == 0) {
            warn("'" + directory + "' (and perhaps others) belongs to another user and cannot be"
                    + " listed: nothing in it is protected or hidden by name");
        }
    }

    void repository(UnixPath directory) {
        repositories.add(directory);
    }

    void socket(UnixPath path) {
        sockets.add(path);
    }

    /** Whether a NUL-ended path below one grant is another grant. */
    boolean isGrant(Grant around, byte[] below) {
        if (grants.list().size() == 1) {
            return false;
        }
        UnixPath relative = UnixPath.of(Arrays.copyOf(below, below.length - 1));
        UnixPath path = around.path().resolve(relative);
        Optional<Grant> decisive = grants.decisiveFor(path);
        return decisive.isPresent() && decisive.get().path().equals(path);
    }

    /**
     * A name that is to be read-only; of a link, also what it leads to, and links on the way, as
     * far as they could be written. Nothing to do where a grant of exactly this path says
     * otherwise.
     */
    void protect(UnixPath path, String why, int type) throws ErrnoException {
        if (type != DirectoryLister.DT_LNK) {
            add(new Guard(path, Guard.Kind.PROTECTED, why, type));
            return;
        }
        LinkChain chain = LinkChain.of(linux, path);
        for (UnixPath link : chain.links()) {
            add(new Guard(link, Guard.Kind.PROTECTED, why, DirectoryLister.DT_LNK));
        }
        if (chain.target().isPresent()) {
            Canonical target = chain.target().get();
            add(new Guard(
                    target.path(),
                    Guard.Kind.PROTECTED,
                    why + ", through '" + path + "'",
                    typeOf(target.stat())));
        }
    }

    /** The same of a path that may lead through links, if it leads anywhere. */
    void protectPath(UnixPath path, String why) throws ErrnoException {
        protectChain(LinkChain.of(linux, path), why);
    }

    void protectChain(LinkChain chain, String why) {
        protectLinks(chain, why);
        if (chain.target().isPresent()) {
            Canonical target = chain.target().get();
            add(new Guard(target.path(), Guard.Kind.PROTECTED, why, typeOf(target.stat())));
        }
    }

    void protectLinks(LinkChain chain, String why) {
        for (UnixPath link : chain.links()) {
            add(new Guard(link, Guard.Kind.PROTECTED, why, DirectoryLister.DT_LNK));
        }
    }

    /** What is to be absent; of a link, what it leads to as well. */
    void hidden(UnixPath path, Glob glob, int type) throws ErrnoException {
        hide(path, "--hide '" + glob.text() + "'", type);
    }

    void hide(UnixPath path, String why, int type) throws ErrnoException {
        add(new Guard(path, Guard.Kind.HIDDEN, why, type));
        if (type == DirectoryLister.DT_LNK) {
            Optional<Canonical> target = LinkChain.of(linux, path).target();
            if (target.isPresent() && grants.show(target.get().path())) {
                Canonical real = target.get();
                String through = why + ", through '" + path + "'";
                add(new Guard(real.path(), Guard.Kind.HIDDEN, through, typeOf(real.stat())));
            }
        }
    }

    private void add(Guard guard) {
        Optional<Grant> decisive = grants.decisiveFor(guard.path());
        if (decisive.isEmpty()) {
            return; // not shown at all
        }
        if (isOutOfReach(guard.path())) {
            return;
        }
        if (guard.kind() == Guard.Kind.PROTECTED) {
            boolean asked = decisive.get().path().equals(guard.path());
            if (asked || !decisive.get().writable() || guards.containsKey(guard.path())) {
                return;
            }
        }
        guards.put(guard.path(), guard);
    }

    /** Whether a directory on the way to a path in a writable grant is closed to the agent. */
    boolean isOutOfReach(UnixPath path) {
        Optional<Grant> decisive = isClosedLeftOut ? grants.decisiveFor(path) : Optional.empty();
        if (decisive.isEmpty() || !decisive.get().writable()) {
            return false;
        }
        Grant grant = decisive.get();
        int root = grant.path().length();
        for (UnixPath at = path.parent(); at.length() > root; at = at.parent()) {
            Boolean known = closed.get(at);
            if (known == null) {
                known = isClosed(at, grant);
                closed.put(at, known);
            }
            if (known) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether only its owner can enter a directory, and the agent is not that: of a writable grant
     * it is the owner of the grant itself, or of no file, and it has no capabilities. Who makes
     * mounts inside could not reach a name in it, either.
     */
    private boolean isClosed(UnixPath directory, Grant grant) {
        try {
            Optional<Stat> stat = linux.lstatIfPresent(directory);
            return stat.isPresent()
                    && stat.get().isDirectory()
                    && (stat.get().mode() & ENTERED_BY_OTHERS) == 0
                    && stat.get().uid() != grant.owner()
                    && stat.get().uid() != linux.geteuid();
        } catch (ErrnoException e) {
            return false; // then the launch tells
        }
    }

    static int typeOf(Stat stat) {
        return stat.mode() >>> 12 & 15; // S_IFMT and DT_* are the same numbers
    }
}
