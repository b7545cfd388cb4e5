package glove.sandbox;

import glove.sys.Call;
import glove.sys.UnixPath;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps directories in their place. A mount point can't be moved, removed or replaced (EBUSY),
 * wherever in the mount namespace it is one; but a mount on the way would part the tree in two, so
 * that files could no longer be moved or linked between its halves (EXDEV). So each grant concerned
 * is attached a second time, below proc, which covers it: directories are made mount points there,
 * and are held here (docs/adr/0006).
 */
final class Holds {
    private final PlanWriter plan;
    private final Steps steps;
    private final Mounts mounts;
    private final Slot root;
    private final Slot stash;
    private final Grants grants;
    private final Map<UnixPath, Slot> seconds = new HashMap<>();
    private final Set<UnixPath> held = new HashSet<>();

    /**
     * Makes the place for the second trees.
     *
     * @param at where in the root it is attached; something has to be attached over it
     */
    Holds(PlanWriter plan, Slot root, UnixPath at, Grants grants) {
        this.plan = plan;
        this.steps = plan.init();
        this.mounts = new Mounts(steps);
        this.root = root;
        this.grants = grants;
        this.stash = mounts.filesystem(
                "tmpfs",
                RootSteps.NO_PRIVILEGE | Mounts.NOEXEC,
                "size",
                "1m",
                "nr_inodes",
                "4096",
                "mode",
                "0700");
        mounts.attach(stash, root, at);
    }

    /** Every directory above the path keeps its place, as far as the agent could move it. */
    void holdAbove(UnixPath path) {
        UnixPath at = path.parent();
        Optional<Grant> around = grants.decisiveFor(at);
        while (around.isPresent()) {
            Grant grant = around.get();
            if (grant.writable() && !at.equals(grant.path()) && held.add(at)) {
                hold(grant, at);
            }
            at = at.parent();
            around = grants.decisiveFor(at);
        }
    }

    private void hold(Grant grant, UnixPath path) {
        byte[] whole = path.bytes();
        int from = grant.path().length() + 1;
        UnixPath below = UnixPath.of(Arrays.copyOfRange(whole, from, whole.length));
        Slot directory = mounts.openBeneath(second(grant), below);
        Slot tree = mounts.clonePath(Arg.slot(directory), "");
        mounts.attachOnto(tree, directory);
        steps.close(tree);
        steps.close(directory);
    }

    private Slot second(Grant grant) {
        Slot known = seconds.get(grant.path());
        if (known != null) {
            return known;
        }
        Slot shown = mounts.openBeneath(root, grant.path().relativeToRoot());
        Slot tree = mounts.cloneOpened(shown);
        steps.close(shown);
        String name = Integer.toString(seconds.size());
        steps.run(Call.MKDIRAT, Arg.slot(stash), plan.text(name), Arg.imm(0700));
        mounts.attach(tree, Arg.slot(stash), name);
        seconds.put(grant.path(), tree);
        return tree;
    }
}
