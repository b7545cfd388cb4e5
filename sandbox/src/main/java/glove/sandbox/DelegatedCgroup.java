package glove.sandbox;

import glove.sys.DirEntry;
import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The control group that is ours to divide, ready to hold the groups of runs. Either this process's
 * own, or the one above where systemd put this process into a subgroup (DelegateSubgroup=).
 *
 * <p>A group with controllers for its children must hold no process itself (cgroups(7), "no
 * internal processes"), so in its own one this process moves to a leaf, and back on {@link #close}.
 * Confined to one thread.
 */
final class DelegatedCgroup implements AutoCloseable {
    private static final int MEMBERSHIP_BYTES_MAX = 64 << 10;
    private static final String LEAF = "glove-host-";
    private static final String RUN = "glove-exec-";
    private static final String PROCS = "cgroup.procs";
    private static final String CONTROL = "cgroup.subtree_control";
    private static final int NAMES_TRIED = 16;

    private final Linux linux;
    private final Cgroup group;
    private String leaf = ""; // "" while we are not in one of our own
    private String enabled = ""; // what close takes back, as written

    private DelegatedCgroup(Linux linux, Cgroup group) {
        this.linux = linux;
        this.group = group;
    }

    /**
     * Finds it and enables controllers for its children.
     *
     * @param controllers {@code memory}, {@code pids}; none when only time is to be measured
     */
    static DelegatedCgroup open(Linux linux, CgroupHost host, List<String> controllers)
            throws CgroupException {
        try {
            DelegatedCgroup delegated = new DelegatedCgroup(linux, find(linux, host));
            try {
                delegated.removeStale();
                delegated.enable(controllers);
                return delegated;
            } catch (CgroupException | ErrnoException e) {
                delegated.close();
                throw e;
            }
        } catch (ErrnoException e) {
            throw new CgroupException("cannot use a control group: " + e.getMessage(), e);
        }
    }

    private static Cgroup find(Linux linux, CgroupHost host)
            throws CgroupException, ErrnoException {
        if (!host.hasVersion2(linux)) {
            throw new CgroupException("no cgroup version 2 at '" + host.mount() + "'");
        }
        String place = CgroupText.place(new String(
                linux.readFile(host.membership(), MEMBERSHIP_BYTES_MAX),
                StandardCharsets.ISO_8859_1));
        if (place.isEmpty()) {
            throw new CgroupException("this process's control group is not to be seen here");
        }
        boolean root = place.equals("/");
        UnixPath own = root ? host.mount() : host.mount().resolve(place.substring(1));
        Cgroup group = Cgroup.open(linux, own);
        if (isOurs(linux, host, group)) {
            return group;
        }
        group.close();
        if (!root) {
            Cgroup above = Cgroup.open(linux, own.parent());
            if (isOurs(linux, host, above) && !above.hasProcesses()) {
                return above;
            }
            above.close();
        }
        throw new CgroupException("the control group '" + place + "' is not delegated");
    }

    /**
     * Writable is not enough: systemd, which believes itself the only writer, takes back what it
     * finds changed in a group it has not handed over. The system's marks those it has. A user's
     * does not, so a scope or service of its is taken for one; were it to take controllers back,
     * the files of the run's group would go, and with them the run. Its slices hold others'.
     */
    private static boolean isOurs(Linux linux, CgroupHost host, Cgroup group)
            throws ErrnoException {
        if (!isWritable(linux, group)) {
            return false;
        }
        if (group.path().equals(host.mount())) {
            return linux.lstatIfPresent(host.systemd()).isEmpty()
                    ? group.stat().uid() == linux.geteuid()
                    : group.isMarkedDelegated();
        }
        String name = group.path().name().toString();
        if (name.endsWith(".slice")) {
            return false;
        }
        return isUnit(name)
                ? isUsers(group.path()) || group.isMarkedDelegated()
                : group.stat().uid() == linux.geteuid()
                        && !isUnit(group.path().parent().name().toString());
    }

    /** A group that is no unit, in one that is, is a subgroup or a leaf: the unit is meant. */
    private static boolean isUnit(String name) {
        return name.endsWith(".scope") || name.endsWith(".service");
    }

    private static boolean isUsers(UnixPath path) {
        UnixPath at = path.parent();
        while (!at.equals(at.parent())) {
            if (at.name().toString().startsWith("user@")) {
                return true;
            }
            at = at.parent();
        }
        return false;
    }

    private static boolean isWritable(Linux linux, Cgroup group) {
        return linux.isAccessible(group.path(), Linux.W_OK)
                && linux.isAccessible(group.path().resolve(PROCS), Linux.W_OK)
                && linux.isAccessible(group.path().resolve(CONTROL), Linux.W_OK);
    }

    /** What runs left whose Glove was killed: empty, because their processes died with it. */
    private void removeStale() throws ErrnoException {
        List<String> names = new ArrayList<>();
        for (DirEntry entry : group.list()) {
            String name = entry.name().toString();
            if (name.startsWith(RUN) || name.startsWith(LEAF)) {
                names.add(name);
            }
        }
        for (String name : names) {
            try (Cgroup stale = group.openChild(name)) {
                stale.lock();
                group.removeChild(name);
            } catch (ErrnoException e) {
                // EAGAIN, EBUSY: in use. ENOENT: another start was quicker. It costs nothing.
            }
        }
    }

    private void enable(List<String> controllers) throws CgroupException, ErrnoException {
        String available = group.read("cgroup.controllers");
        String already = group.read(CONTROL);
        StringBuilder wanted = new StringBuilder();
        for (String controller : controllers) {
            if (!CgroupText.hasWord(available, controller)) {
                throw new CgroupException("the control group '" + group.path()
                        + "' has no controller '" + controller + "'");
            }
            if (!CgroupText.hasWord(already, controller)) {
                wanted.append(wanted.isEmpty() ? "+" : " +").append(controller);
            }
        }
        if (wanted.isEmpty() || tryToEnable(wanted.toString())) {
            return;
        }
        moveToLeaf();
        if (!tryToEnable(wanted.toString())) {
            throw new CgroupException(
                    "processes of somebody else are in the control group '" + group.path() + "'");
        }
        enabled = wanted.toString();
    }

    /** False where processes stand in the way. */
    private boolean tryToEnable(String controllers) throws ErrnoException {
        try {
            group.write(CONTROL, controllers);
            return true;
        } catch (ErrnoException e) {
            if (e.errno() == Errno.EBUSY) {
                return false;
            }
            throw e;
        }
    }

    private void moveToLeaf() throws ErrnoException {
        String name = LEAF + linux.getpid();
        group.makeChild(name);
        leaf = name;
        try (Cgroup own = group.openChild(name)) {
            own.write(PROCS, Integer.toString(linux.getpid()));
        }
    }

    /** A new group for one run of this process, locked, so that nobody takes it for a stale one. */
    Run makeRun() throws ErrnoException {
        for (int i = 0; ; i++) {
            String name = RUN + linux.getpid() + "-" + i;
            try {
                group.makeChild(name);
                return new Run(name, openLocked(name));
            } catch (ErrnoException e) {
                // A stale one of a process with our id that is not quite gone; or our new one was
                // taken for stale before it was locked.
                boolean again = e.errno() == Errno.EEXIST || e.errno() == Errno.ENOENT;
                if (!again || i + 1 == NAMES_TRIED) {
                    throw e;
                }
            }
        }
    }

    private Cgroup openLocked(String name) throws ErrnoException {
        Cgroup run = group.openChild(name);
        try {
            run.lock();
            return run;
        } catch (ErrnoException e) {
            run.close();
            removeRun(name);
            throw e;
        }
    }

    /**
     * A run's group.
     *
     * @param group for the taker to close
     */
    record Run(String name, Cgroup group) {}

    /** Fails with EBUSY while there is a process in it. */
    void removeRun(String name) throws ErrnoException {
        group.removeChild(name);
    }

    /** As it was found. What cannot be undone costs nothing: an empty group, which stays ours. */
    @Override
    public void close() {
        try {
            if (!enabled.isEmpty()) {
                group.write(CONTROL, enabled.replace('+', '-'));
            }
            if (!leaf.isEmpty()) {
                group.write(PROCS, Integer.toString(linux.getpid()));
                group.removeChild(leaf);
            }
        } catch (ErrnoException e) {
            // The next start in this group removes the leaf, or systemd the whole.
        } finally {
            group.close();
        }
    }
}
