package glove.sandbox;

import glove.sys.Call;
import glove.sys.OpenFlags;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The steps of process 1 that build the agent's root: an empty tmpfs, then only what is shown, then
 * pivot_root(2). Order matters: wide before narrow, private directories before grants inside them,
 * and the root read-only last.
 */
final class RootSteps {
    static final long NO_PRIVILEGE = Mounts.NOSUID | Mounts.NODEV;
    static final long VISIBLE = NO_PRIVILEGE | Mounts.RDONLY;
    private static final int ENOENT = 2;
    private static final int CREATE = OpenFlags.O_WRONLY | OpenFlags.O_CREAT | OpenFlags.O_CLOEXEC;
    private static final int EEXIST = 17;
    private static final int MNT_DETACH = 2;

    /** The host's own nodes in /dev the agent gets; each is stateless, or names the agent's own. */
    static final String[] DEVICES = {"null", "zero", "full", "random", "urandom", "tty"};

    /** The machine has 4,096 for all, kernel.pty.max. */
    private static final String PTYS_MAX = "256";

    private static final String[][] DEVICE_LINKS = {
        {"fd", "/proc/self/fd"},
        {"stdin", "/proc/self/fd/0"},
        {"stdout", "/proc/self/fd/1"},
        {"stderr", "/proc/self/fd/2"},
        {"ptmx", "pts/ptmx"},
    };

    private static final UnixPath MTAB = UnixPath.of("/etc/mtab");

    private final Profile profile;
    private final PlanWriter plan;
    private final Steps steps;
    private final Mounts mounts;
    private final Set<UnixPath> made = new HashSet<>();
    private final Set<UnixPath> systemPaths = new HashSet<>();
    private final Set<UnixPath> systemParents = new HashSet<>();
    private final Map<UnixPath, Boolean> inRoot = new HashMap<>();
    private final Arg visible;
    private final Slot root;
    private final Optional<Holds> holds;
    private final GuardSteps guards;
    private final Slot procView;

    /** The directory of the last grant, and whether grants need nothing but a new name in it. */
    private UnixPath lastParent = StepSubject.NO_PATH;

    private boolean lastParentIsPlain;

    /** Adds all the steps to the plan's init phase. */
    RootSteps(PlanWriter plan, Profile profile) {
        this.profile = profile;
        this.plan = plan;
        this.steps = plan.init();
        this.mounts = new Mounts(steps);
        this.visible = mounts.attributes(VISIBLE);
        steps.about("private mounts");
        mounts.makeAllPrivate();
        this.root = mountRoot();
        for (SystemSurface.Entry entry : profile.host().surface().entries()) {
            if (!profile.grants().show(entry.path())) {
                addSystemEntry(entry);
            }
        }
        addSynthesizedFiles();
        addDevices();
        makeDirectory(UnixPath.of("/proc"));
        this.holds = holds();
        this.procView = addProc();
        this.guards = new GuardSteps(plan, steps, root);
    }

    /** Only when there is something whose parents may have to keep their place. */
    private Optional<Holds> holds() {
        boolean needed =
                profile.grants().list().size() > 1 || !profile.guards().list().isEmpty();
        steps.about("held directories");
        return needed
                ? Optional.of(new Holds(plan, root, UnixPath.of("proc"), profile.grants()))
                : Optional.empty();
    }

    /** The new root. */
    Slot root() {
        return root;
    }

    /** A directory of the new root for something private to be mounted on. */
    void makePrivateTarget(UnixPath path) {
        makeParents(path);
        made.add(path);
        makeDirectory(path);
    }

    /** A detached, unmasked view of proc that only the plan's steps can reach. */
    Slot procView() {
        return procView;
    }

    private Slot mountRoot() {
        steps.about("root");
        Slot fs = mounts.filesystem(
                "tmpfs", NO_PRIVILEGE, "size", "16m", "nr_inodes", "65536", "mode", "0755");
        mounts.attach(fs, Arg.CWD, "/");
        return fs;
    }

    /** Makes the directories above a path that stands in the new root itself. */
    private void makeParents(UnixPath path) {
        UnixPath parent = path.parent();
        if (parent.equals(path) || !made.add(parent) || !isInRoot(parent)) {
            return;
        }
        makeParents(parent);
        if (!parent.equals(parent.parent())) {
            makeDirectory(parent);
        }
    }

    private void makeDirectory(UnixPath path) {
        steps.runUnless(EEXIST, Call.MKDIRAT, Arg.slot(root), relative(path), Arg.imm(0755));
    }

    private Arg relative(UnixPath absolute) {
        return plan.text(absolute.relativeToRoot());
    }

    /** Whether a directory stands in the new root itself, not in something mounted there. */
    private boolean isInRoot(UnixPath directory) {
        Boolean known = inRoot.get(directory);
        if (known == null) {
            known = !profile.host().surface().shows(directory)
                    && !profile.grants().show(directory);
            inRoot.put(directory, known);
        }
        return known;
    }

    private void addSystemEntry(SystemSurface.Entry entry) {
        steps.about("system path", entry.path());
        systemPaths.add(entry.path());
        systemParents.add(entry.path().parent());
        makeParents(entry.path());
        Optional<UnixPath> link = entry.link();
        if (link.isPresent()) {
            steps.run(
                    Call.SYMLINKAT, plan.text(link.get()), Arg.slot(root), relative(entry.path()));
            return;
        }
        Slot tree = mounts.cloneTree(entry.source());
        mounts.restrict(tree, visible);
        makeTarget(entry.path(), entry.directory());
        mounts.attach(tree, root, entry.path().relativeToRoot());
        steps.close(tree);
    }

    private void makeTarget(UnixPath path, boolean directory) {
        if (directory) {
            makeDirectory(path);
        } else {
            makeFile(path, new byte[0]);
        }
    }

    private void makeFile(UnixPath path, byte[] content) {
        makeFile(path, content, 0644);
    }

    private void makeFile(UnixPath path, byte[] content, int mode) {
        Slot fd = steps.get(
                Call.OPENAT, Arg.slot(root), relative(path), Arg.imm(CREATE), Arg.imm(mode));
        if (content.length > 0) {
            Arg data = plan.data(content);
            steps.run(Call.WRITE, Arg.slot(fd), data, Arg.imm(content.length));
        }
        steps.close(fd);
    }

    private void addSynthesizedFiles() {
        for (String[] file : SynthesizedFiles.CONTENT) {
            UnixPath path = UnixPath.of(file[0]);
            if (!profile.grants().show(path)) {
                steps.about("synthesized file", path);
                makeParents(path);
                makeFile(path, file[1].getBytes(StandardCharsets.US_ASCII));
            }
        }
        if (!profile.grants().show(MTAB)) {
            steps.about("link", MTAB);
            Arg mounts = plan.text("/proc/self/mounts");
            steps.run(Call.SYMLINKAT, mounts, Arg.slot(root), relative(MTAB));
        }
    }

    /** Before the grants: none of them stands there. */
    void addGuestPrograms(GuestPrograms programs) {
        for (int i = 0; i < programs.names().size(); i++) {
            String first = programs.names().get(0);
            UnixPath path =
                    GuestPrograms.DIRECTORY.resolve(UnixPath.of(programs.names().get(i)));
            steps.about("program of Glove", path);
            makeParents(path);
            if (i == 0) {
                makeFile(path, programs.program(), 0755);
            } else {
                steps.run(Call.SYMLINKAT, plan.text(first), Arg.slot(root), relative(path));
            }
        }
    }

    private void addDevices() {
        steps.about("devices");
        makeDirectory(UnixPath.of("/dev"));
        for (String device : DEVICES) {
            UnixPath path = UnixPath.of("/dev/" + device);
            steps.about("device", path);
            Slot node = mounts.clonePath(Arg.CWD, path.toString());
            mounts.restrictOne(node, Mounts.NOSUID | Mounts.NOEXEC);
            makeFile(path, new byte[0]);
            mounts.attach(node, root, path.relativeToRoot());
            steps.close(node);
        }
        for (String[] link : DEVICE_LINKS) {
            steps.run(
                    Call.SYMLINKAT,
                    plan.text(link[1]),
                    Arg.slot(root),
                    plan.text("dev/" + link[0]));
        }
        steps.about("pseudo terminals");
        String owner = Integer.toString(profile.ids().agentInFirst());
        Slot pts = mounts.filesystem(
                "devpts",
                Mounts.NOSUID | Mounts.NOEXEC,
                "ptmxmode",
                "0666",
                "mode",
                "0620",
                "uid",
                owner,
                "gid",
                owner,
                "max",
                PTYS_MAX);
        makeDirectory(UnixPath.of("/dev/pts"));
        mounts.attach(pts, root, UnixPath.of("dev/pts"));
        steps.close(pts);
    }

    /**
     * proc shows only processes the agent may trace; what tells about the host is covered, unless
     * the agent may mount another, which the kernel refuses where one is covered.
     */
    private Slot addProc() {
        steps.about("proc");
        Slot proc =
                mounts.filesystem("proc", NO_PRIVILEGE | Mounts.NOEXEC, "hidepid", "ptraceable");
        mounts.attach(proc, root, UnixPath.of("proc"));
        Slot view = mounts.clonePath(Arg.slot(proc), "");
        if (!profile.nesting().allowsMounts()) {
            coverProc(proc);
        }
        steps.close(proc);
        return view;
    }

    private void coverProc(Slot proc) {
        Slot sysctls = mounts.clonePath(Arg.slot(proc), "sys");
        mounts.restrictOne(sysctls, Mounts.RDONLY);
        mounts.attach(sysctls, root, UnixPath.of("proc/sys"));
        steps.close(sysctls);

        Slot emptyFile = mounts.clonePath(Arg.CWD, "/dev/null");
        mounts.restrictOne(emptyFile, VISIBLE | Mounts.NOEXEC);
        Slot emptyDirectory = mounts.filesystem(
                "tmpfs", VISIBLE | Mounts.NOEXEC, "size", "4k", "nr_inodes", "2", "mode", "0555");
        for (ProcEntries.Entry entry : profile.host().maskedProcEntries()) {
            UnixPath path = UnixPath.of("proc").resolve(entry.name());
            steps.about("mask", path);
            Slot mask =
                    mounts.clonePath(Arg.slot(entry.directory() ? emptyDirectory : emptyFile), "");
            mounts.attachIfPresent(mask, root, path, ENOENT);
        }
        steps.close(emptyFile);
        steps.close(emptyDirectory);
    }

    /** Attaches one grant's detached, restricted tree. */
    void addGrant(Grant grant, Slot tree) {
        steps.about("grant", grant.path());
        UnixPath parent = grant.path().parent();
        if (!parent.equals(lastParent)) {
            lastParent = parent;
            lastParentIsPlain = isInRoot(parent) && !systemParents.contains(parent);
            if (lastParentIsPlain) {
                makeParents(grant.path());
            }
        }
        if (lastParentIsPlain) {
            makeTarget(grant.path(), grant.identity().isDirectory());
            mounts.attach(tree, root, grant.path().relativeToRoot());
        } else {
            addGrantAmongOthers(grant, tree);
        }
    }

    /** Puts a socket's tree at its path, over the host's own when that is in a grant. */
    void addSocket(UnixPath path, Slot tree) {
        steps.about("socket", path);
        if (profile.grants().show(path)) {
            Slot target = mounts.openBeneath(root, path.relativeToRoot());
            mounts.attachOnto(tree, target);
            steps.close(target);
        } else {
            makeParents(path);
            makeFile(path, new byte[0]);
            mounts.attach(tree, root, path.relativeToRoot());
        }
        steps.close(tree);
    }

    /** A grant inside something shown, or beside or instead of a system path. */
    private void addGrantAmongOthers(Grant grant, Slot tree) {
        if (!isInRoot(grant.path().parent()) || systemPaths.contains(grant.path())) {
            if (!grant.writable() && holds.isPresent()) {
                // It holds its files, not its path: see addGuard.
                holds.get().holdAbove(grant.path());
            }
            Slot target = mounts.openBeneath(root, grant.path().relativeToRoot());
            steps.expectFile(target, grant.identity());
            mounts.attachOnto(tree, target);
            steps.close(target);
        } else {
            makeParents(grant.path());
            makeTarget(grant.path(), grant.identity().isDirectory());
            mounts.attach(tree, root, grant.path().relativeToRoot());
        }
    }

    /**
     * A guard over a name inside a grant; all grants are attached. The agent could move a directory
     * above it away and make another in its place, for the host to read: so they are held.
     */
    void addGuard(Guard guard) {
        if (guard.holdsParents() && holds.isPresent()) {
            steps.about("directories above", guard.path());
            holds.get().holdAbove(guard.path());
        }
        guards.add(guard);
    }

    /** Leaves the host's tree for good, and reads back what was promised. */
    void enter() {
        steps.about("root");
        mounts.restrictOne(root, Mounts.RDONLY);
        steps.about("pivot");
        steps.run(Call.FCHDIR, Arg.slot(root));
        steps.run(Call.PIVOT_ROOT, plan.text("."), plan.text("."));
        steps.run(Call.UMOUNT2, plan.text("."), Arg.imm(MNT_DETACH));
        steps.run(Call.CHDIR, plan.text("/"));
        steps.close(root);
        readBack(UnixPath.of("/"), VISIBLE);
        readBack(UnixPath.of("/proc"), NO_PRIVILEGE);
        if (!profile.nesting().allowsMounts()) {
            readBack(UnixPath.of("/proc/sys"), VISIBLE);
        }
        readBack(profile.directories().home(), NO_PRIVILEGE);
        readBack(profile.directories().temporary(), NO_PRIVILEGE);
        for (CacheShare cache : profile.home().caches()) {
            boolean copied = cache.mode() == CacheShare.Mode.COPY;
            UnixPath path = profile.directories().home().resolve(cache.place());
            readBack(path, copied ? NO_PRIVILEGE : VISIBLE);
        }
        for (SystemSurface.Entry entry : profile.host().surface().entries()) {
            if (entry.link().isEmpty() && !profile.grants().show(entry.path())) {
                readBack(entry.path(), VISIBLE);
            }
        }
        for (Grant grant : profile.grants().list()) {
            readBack(grant.path(), grant.writable() ? NO_PRIVILEGE : VISIBLE);
        }
        for (Guard guard : profile.guards().list()) {
            guards.readBack(guard);
        }
    }

    private void readBack(UnixPath path, long restrictions) {
        steps.about("mount flags", path);
        mounts.expectRestrictions(path, restrictions);
    }
}
