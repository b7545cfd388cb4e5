package glove.sandbox;

import glove.sys.Call;
import glove.sys.OpenFlags;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The steps of process 1 that make the agent's own writable directories, and what stands in its
 * HOME. After the system paths, before the grants that may lie inside. Used once.
 */
final class PrivateSteps {
    private static final int CREATE = OpenFlags.O_WRONLY
            | OpenFlags.O_CREAT
            | OpenFlags.O_EXCL
            | OpenFlags.O_NOFOLLOW
            | OpenFlags.O_CLOEXEC;

    private static final String HOME = "home";

    private final PlanWriter plan;
    private final Steps steps;
    private final Profile profile;
    private final RootSteps root;
    private final Mounts mounts;
    private final List<Slot> opened;
    private final GrantTrees trees;
    private final Arg agent;
    private final Set<UnixPath> made = new HashSet<>();

    /**
     * @param opened the detached trees of {@link AgentHome#sources} that were made outside, in that
     *     order; none when process 1 is to make them
     * @param trees of process 1
     */
    PrivateSteps(
            PlanWriter plan, Profile profile, RootSteps root, List<Slot> opened, GrantTrees trees) {
        this.plan = plan;
        this.steps = plan.init();
        this.profile = profile;
        this.root = root;
        this.mounts = new Mounts(steps);
        this.opened = opened;
        this.trees = trees;
        this.agent = Arg.imm(profile.ids().agentInFirst());
    }

    /** Adds them all. One sized tmpfs serves every directory, so that one limit holds for all. */
    void add() {
        steps.about("scratch");
        Scratch scratch = profile.scratch();
        Slot fs = mounts.filesystem(
                "tmpfs",
                RootSteps.NO_PRIVILEGE,
                "size",
                Long.toString(scratch.bytes()),
                "nr_inodes",
                Long.toString(scratch.inodes()),
                "mode",
                "0700");
        List<Slot> caches = profile.home().caches().isEmpty() ? List.of() : openCaches(fs);
        addHome(fs);
        addPrivate(fs, "tmp", profile.directories().temporary(), 01777);
        if (profile.directories().varTmp()) {
            addPrivate(fs, "vartmp", PrivateDirectories.VAR_TMP, 01777);
        }
        addPrivate(fs, "shm", PrivateDirectories.SHM, 01777);
        addCaches(caches);
        steps.close(fs);
    }

    private Slot tree(int index) {
        return opened.isEmpty()
                ? trees.open(profile.home().sources().get(index))
                : opened.get(index);
    }

    /** Detached trees, in the caches' order; what is to be a copy is one. */
    private List<Slot> openCaches(Slot fs) {
        CacheCopies copies = new CacheCopies(steps, profile.ids().agentInFirst());
        UnixPath scratchPlace = profile.directories().temporary();
        CacheCopies.Stand stand =
                new CacheCopies.Stand(root.root(), PrivateDirectories.SHM, scratchPlace);
        boolean copying = profile.home().copiesCaches();
        if (copying) {
            root.makePrivateTarget(scratchPlace);
            root.makePrivateTarget(PrivateDirectories.SHM);
            Slot view = mounts.clonePath(Arg.slot(fs), "");
            mounts.attach(view, root.root(), scratchPlace.relativeToRoot());
            steps.close(view);
        }
        int at = profile.home().kept().isPresent() ? 1 : 0;
        List<Slot> slots = new ArrayList<>();
        for (CacheShare cache : profile.home().caches()) {
            Slot tree = tree(at++);
            boolean copied = cache.mode() == CacheShare.Mode.COPY;
            slots.add(copied ? copies.of(tree, cache.source().path(), fs, stand) : tree);
        }
        if (copying) {
            copies.detach(scratchPlace);
        }
        return slots;
    }

    private void addHome(Slot fs) {
        UnixPath home = profile.directories().home();
        if (profile.home().kept().isPresent()) {
            Slot tree = tree(0);
            steps.about("kept home", home);
            root.makePrivateTarget(home);
            mounts.attach(tree, root.root(), home.relativeToRoot());
            steps.close(tree);
            return;
        }
        addPrivate(fs, HOME, home, 0700);
        for (HomeFile file : profile.home().files()) {
            addFile(fs, file);
        }
        for (CacheShare cache : profile.home().caches()) {
            steps.about("cache directory", cache.place());
            makeInHome(fs, cache.place());
        }
    }

    private void addFile(Slot fs, HomeFile file) {
        steps.about("file in HOME", file.place());
        if (file.place().hasSlash()) {
            makeInHome(fs, file.place().parent());
        }
        Slot made = steps.get(
                Call.OPENAT,
                Arg.slot(fs),
                plan.text(HOME + "/" + file.place()),
                Arg.imm(CREATE),
                Arg.imm(0644));
        Arg data = plan.data(file.content());
        steps.run(Call.WRITE, Arg.slot(made), data, Arg.imm(data.length()));
        steps.run(Call.FCHOWN, Arg.slot(made), agent, agent);
        steps.close(made);
    }

    /** A directory of the fresh HOME, and those above it. */
    private void makeInHome(Slot fs, UnixPath relative) {
        if (relative.length() == 0 || !made.add(relative)) {
            return;
        }
        makeInHome(fs, relative.parent());
        makeDirectory(fs, HOME + "/" + relative, 0755);
    }

    private void makeDirectory(Slot fs, String name, int mode) {
        steps.run(Call.MKDIRAT, Arg.slot(fs), plan.text(name), Arg.imm(0700));
        Slot directory = mounts.openDirectory(fs, name);
        steps.run(Call.FCHOWN, Arg.slot(directory), agent, agent);
        steps.run(Call.FCHMOD, Arg.slot(directory), Arg.imm(mode));
        steps.close(directory);
    }

    private void addPrivate(Slot fs, String name, UnixPath path, int mode) {
        steps.about("private directory", path);
        makeDirectory(fs, name, mode);
        root.makePrivateTarget(path);
        Slot tree = mounts.clonePath(Arg.slot(fs), name);
        mounts.attach(tree, root.root(), path.relativeToRoot());
        steps.close(tree);
    }

    /** No link on the way: a kept HOME is full of an agent's. */
    private void addCaches(List<Slot> slots) {
        for (int i = 0; i < slots.size(); i++) {
            UnixPath place = profile.directories()
                    .home()
                    .resolve(profile.home().caches().get(i).place());
            steps.about("cache directory", place);
            Slot target = mounts.openBeneath(root.root(), place.relativeToRoot());
            mounts.attachOnto(slots.get(i), target);
            steps.close(target);
            steps.close(slots.get(i));
        }
    }
}
