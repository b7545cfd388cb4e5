package glove.sandbox;

import glove.sys.DirectoryLister;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.PollFd;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Watches the granted directories while an agent runs (inotify(7)), for what no mount can prevent:
 * a protected name that did not exist is made, or the host replaces a guarded file, which drops
 * the mount over it. It tells; who asks acts.
 *
 * <p>Owns the watches. Confined to the run's thread.
 */
public final class NameWatch implements AutoCloseable {
    /** struct inotify_event: watch, mask, cookie, length of the name, name. */
    private static final int MASK = 4;

    private static final int LENGTH = 12;
    private static final int NAME = 16;

    private static final int BYTES_AT_ONCE = 64 << 10;
    private static final int READS_IN_TURN = 16;
    private static final int APPEARS = DirectoryLister.IN_CREATE | DirectoryLister.IN_MOVED_TO;

    private static final UnixPath GIT = UnixPath.of(".git");
    private static final UnixPath HOOKS = UnixPath.of("hooks");

    private final Linux linux;
    private final Grants grants;
    private final GuardRequests wanted;
    private final WatchedDirectories watches;
    private final Map<UnixPath, Guard> guards = new HashMap<>();

    /** Directories that appeared, and what they are; to be looked through once. */
    private final Map<UnixPath, Integer> toWalk = new LinkedHashMap<>();

    private final Set<UnixPath> awaited;
    private final Set<UnixPath> lifted;
    private final Set<UnixPath> aboveGuards = new HashSet<>();
    private final Set<UnixPath> removed = new HashSet<>();
    private final Set<UnixPath> told = new HashSet<>();
    private final List<Sighting> sightings = new ArrayList<>();
    private final Map<UnixPath, Guard> lost = new HashMap<>();

    /**
     * Takes over the watches of a walk.
     *
     * @param choice what was decided
     */
    NameWatch(Linux linux, WatchedDirectories watches, GuardChoice choice, Guards guards)
            throws ErrnoException {
        this.linux = linux;
        this.grants = choice.grants();
        this.wanted = choice.wanted();
        this.watches = watches;
        this.awaited = new HashSet<>(choice.awaited());
        this.lifted = new HashSet<>(choice.lifted());
        Set<UnixPath> parents = new HashSet<>();
        for (UnixPath path : awaited) {
            parents.add(path.parent());
        }
        for (Guard guard : guards.list()) {
            this.guards.put(guard.path(), guard);
            parents.add(guard.path().parent());
            for (UnixPath at = guard.path().parent(); at.length() > 1; at = at.parent()) {
                aboveGuards.add(at);
            }
        }
        for (UnixPath parent : parents) {
            watch(parent);
        }
    }

    /** The walk has watched most of them already: then this gives the same number. */
    private void watch(UnixPath directory) throws ErrnoException {
        try {
            int number =
                    linux.inotifyAddWatch(watches.inotify(), directory, WatchedDirectories.EVENTS);
            if (!watches.knows(number)) {
                watches.put(number, directory, new byte[] {'.', 0}, WalkContext.COVERED);
            }
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOSPC) {
                watches.missedSome();
            } else if (e.errno() != Errno.ENOENT && e.errno() != Errno.ENOTDIR) {
                throw e;
            }
        }
    }

    /** What to wait for. */
    public PollFd toRead() {
        return new PollFd(watches.inotify(), PollFd.POLLIN);
    }

    /** Whether the run is to end when a protected name is made. */
    public boolean isStrict() {
        return wanted.strict;
    }

    /** Reads what happened since the last time, without waiting. */
    public void read() throws ErrnoException, Refusal {
        readEvents();
        walkAppeared();
    }

    private void readEvents() throws ErrnoException {
        for (int i = 0; i < READS_IN_TURN; i++) {
            byte[] events;
            try {
                events = linux.read(watches.inotify(), BYTES_AT_ONCE);
            } catch (ErrnoException e) {
                if (e.errno() == Errno.EAGAIN) {
                    return;
                }
                throw e;
            }
            for (int at = 0; at < events.length; ) {
                int name = at + NAME;
                int length = number(events, at + LENGTH);
                hear(number(events, at), number(events, at + MASK), events, name);
                at = name + length;
            }
        }
    }

    /**
     * Looks through what appeared; once, however often it came and went: an agent that renames a
     * big tree to and fro must not keep Glove from the rest of its work.
     */
    private void walkAppeared() throws ErrnoException, Refusal {
        for (Map.Entry<UnixPath, Integer> one : toWalk.entrySet()) {
            walk(one.getKey(), one.getValue());
        }
        toWalk.clear();
    }

    private static int number(byte[] bytes, int at) {
        return (bytes[at] & 0xff)
                | (bytes[at + 1] & 0xff) << 8
                | (bytes[at + 2] & 0xff) << 16
                | (bytes[at + 3] & 0xff) << 24;
    }

    private void hear(int watch, int mask, byte[] events, int from) throws ErrnoException {
        if ((mask & DirectoryLister.IN_Q_OVERFLOW) != 0) {
            watches.missedSome();
            lost.putAll(guards);
            return;
        }
        if ((mask & DirectoryLister.IN_IGNORED) != 0 || !watches.knows(watch)) {
            return; // a directory is gone, and its watch with it
        }
        int to = from;
        while (to < events.length && events[to] != 0) {
            to++;
        }
        UnixPath directory = watches.path(watch);
        UnixPath name = UnixPath.of(Arrays.copyOfRange(events, from, to));
        UnixPath path = directory.resolve(name);
        Guard guard = guards.get(path);
        boolean appears = (mask & APPEARS) != 0;
        if (guard != null) {
            guardChanged(guard, appears);
        }
        if (!appears) {
            return;
        }
        int context = watches.context(watch);
        if (guard == null) {
            appeared(path, context);
        }
        if ((mask & DirectoryLister.IN_ISDIR) != 0) {
            madeAnew(path);
            if ((context & (WalkContext.COVERED | WalkContext.QUIET)) == 0) {
                toWalk.put(path, WalkContext.ofNew(name, context));
            }
        }
        if ((context & WalkContext.IN_GIT) == 0
                && isRepositoryPart(name)
                && isRepository(directory)) {
            toWalk.put(directory, context | WalkContext.IN_GIT);
        }
    }

    /** While its name is free, the agent can make it as well as the host. */
    private void guardChanged(Guard guard, boolean appears) {
        lost.put(guard.path(), guard);
        if (!appears) {
            removed.add(guard.path());
        } else if (removed.contains(guard.path()) && isThere(guard.path())) {
            removed.remove(guard.path());
            if (guard.kind() == Guard.Kind.PROTECTED) {
                sighted(guard.path(), guard.why() + "; it was removed before");
            }
        }
    }

    /** A directory above guards is a new one: they have gone with the old. */
    private void madeAnew(UnixPath directory) throws ErrnoException {
        if (!aboveGuards.contains(directory)) {
            return;
        }
        for (Guard guard : guards.values()) {
            if (guard.path().startsWith(directory)) {
                removed.add(guard.path());
                for (UnixPath at = guard.path().parent();
                        at.startsWith(directory);
                        at = at.parent()) {
                    watch(at);
                }
                guardChanged(guard, true);
            }
        }
    }

    private void appeared(UnixPath path, int context) {
        byte[] name = path.name().bytes();
        if (awaited.contains(path)) {
            sighted(path, "--protect");
        } else if (wanted.noDefaults || (context & WalkContext.COVERED) != 0) {
            return;
        } else if (path.name().equals(GIT) && !isDirectory(path)) {
            sighted(path, WalkFindings.LEADS_GIT);
        } else if ((context & WalkContext.IN_HOOKS) != 0) {
            if (!WalkContext.isSample(name, 0, name.length)) {
                sighted(path, WalkFindings.HOOK);
            }
        } else if ((context & WalkContext.IN_GIT) != 0) {
            if (ProtectedNames.inGit(name, 0, name.length) && !isNewHooksDirectory(path)) {
                sighted(path, WalkFindings.IN_GIT_DIRECTORY);
            }
        } else if ((context & WalkContext.IN_NODE_MODULES) == 0
                && (ProtectedNames.anywhere(name, 0, name.length)
                        || ((context & WalkContext.IN_CONFIG) != 0
                                && ProtectedNames.inConfig(name, 0, name.length)))) {
            sighted(path, WalkFindings.BY_NAME);
        }
    }

    /** Its content is told name by name. */
    private boolean isNewHooksDirectory(UnixPath path) {
        return path.name().equals(HOOKS) && isDirectory(path);
    }

    private boolean isDirectory(UnixPath path) {
        try {
            Optional<Stat> stat = linux.lstatIfPresent(path);
            return stat.isPresent() && stat.get().isDirectory();
        } catch (ErrnoException e) {
            return false; // told once too often is better than never
        }
    }

    private static boolean isRepositoryPart(UnixPath name) {
        String text = name.toString();
        return text.equals("HEAD") || text.equals("objects") || text.equals("refs");
    }

    private boolean isRepository(UnixPath directory) throws ErrnoException {
        return linux.lstatIfPresent(directory.resolve("HEAD")).isPresent()
                && linux.lstatIfPresent(directory.resolve("objects")).isPresent()
                && linux.lstatIfPresent(directory.resolve("refs")).isPresent();
    }

    /** A directory is new, or has become what it was not: names may be in it already. */
    private void walk(UnixPath directory, int context) throws ErrnoException, Refusal {
        Optional<Grant> grant = grants.decisiveFor(directory);
        if (grant.isEmpty() || !grant.get().writable() || wanted.noDefaults) {
            return;
        }
        WalkFindings findings =
                new WalkFindings(linux, grants, HideRules.of(List.of(), grants.list()));
        TreeWalk walk = new TreeWalk(linux, grant.get(), findings, true, Optional.of(watches));
        byte[] whole = directory.bytes();
        int from = grant.get().path().length() + 1;
        UnixPath below = from > whole.length
                ? UnixPath.of(".")
                : UnixPath.of(Arrays.copyOfRange(whole, from, whole.length));
        walk.runBelow(below, context);
        tell(findings);
    }

    private void tell(WalkFindings findings) {
        for (Guard found : findings.guards().values()) {
            Guard guard = guards.get(found.path());
            if (guard == null) {
                sighted(found.path(), found.why());
            }
        }
    }

    private void sighted(UnixPath path, String why) {
        boolean made = !lifted.contains(path) && !isBelowGuard(path) && isThere(path);
        if (made && told.add(path)) {
            sightings.add(new Sighting(path, why));
        }
    }

    /** Whether a name exists on the host. */
    public boolean isThere(UnixPath path) {
        try {
            return linux.lstatIfPresent(path).isPresent();
        } catch (ErrnoException e) {
            return true; // told once too often is better than never
        }
    }

    /** What lies below a guard was made by the host: the agent cannot. */
    private boolean isBelowGuard(UnixPath path) {
        for (UnixPath at = path.parent(); at.length() > 1; at = at.parent()) {
            if (guards.containsKey(at)) {
                return true;
            }
        }
        return false;
    }

    /** Protected names made since this was asked last; each is told once. */
    public List<Sighting> takeSightings() {
        List<Sighting> taken = List.copyOf(sightings);
        sightings.clear();
        return taken;
    }

    /** Guards the host has made ineffective since this was asked last, and that have something. */
    public List<Guard> takeLost() throws ErrnoException {
        List<Guard> all = new ArrayList<>(lost.values());
        lost.clear();
        return stillThere(all);
    }

    /** Those whose name exists, as what it is now. */
    public List<Guard> stillThere(List<Guard> some) throws ErrnoException {
        List<Guard> taken = new ArrayList<>();
        for (Guard guard : some) {
            Optional<Stat> stat = linux.lstatIfPresent(guard.path());
            if (stat.isPresent()) {
                int type = WalkFindings.typeOf(stat.get());
                taken.add(new Guard(guard.path(), guard.kind(), guard.why(), type));
            }
        }
        return taken;
    }

    /** Looks everywhere again when events were lost or a limit of watches was reached. */
    public boolean rescan() throws ErrnoException, Refusal {
        if (!watches.incomplete()) {
            return false;
        }
        WalkFindings findings =
                new WalkFindings(linux, grants, HideRules.of(List.of(), grants.list()));
        for (Grant grant : grants.list()) {
            if (grant.writable() && grant.identity().isDirectory() && !wanted.noDefaults) {
                new TreeWalk(linux, grant, findings, true, Optional.empty()).runAgain();
            }
        }
        tell(findings);
        for (UnixPath path : awaited) {
            if (linux.lstatIfPresent(path).isPresent()) {
                sighted(path, "--protect");
            }
        }
        return true;
    }

    @Override
    public void close() {
        watches.close();
    }
}
