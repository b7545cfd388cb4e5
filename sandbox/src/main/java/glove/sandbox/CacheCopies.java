package glove.sandbox;

import glove.sys.Call;
import glove.sys.UnixPath;

import java.util.List;

/**
 * Private copies of caches: overlay filesystems whose changes go to the scratch memory, as steps of
 * process 1. They need overlayfs in a user namespace (Linux 5.11; 5.19 for root's, whose lower
 * layer is idmapped) and {@code user.*} attributes in tmpfs (6.6).
 */
final class CacheCopies {
    /** A step so labelled fails where overlayfs is refused. */
    static final String PURPOSE = "private copy of cache";

    private static final int MNT_DETACH = 2;
    private static final int UMOUNT_NOFOLLOW = 8;

    private final Steps steps;
    private final Mounts mounts;
    private final Arg owner;
    private int count;

    /**
     * @param agent the agent's id as process 1 counts
     */
    CacheCopies(Steps steps, int agent) {
        this.steps = steps;
        this.mounts = new Mounts(steps);
        this.owner = Arg.imm(agent);
    }

    /** Whether a launch failed because the host refuses such a copy. */
    static boolean areRefused(LaunchPlan plan, LaunchStatus status) {
        return status.kind() == LaunchStatus.FAILED
                && status.stage() == LaunchStatus.STAGE_INIT
                && plan.subjectOf(status.value()).purpose().equals(PURPOSE);
    }

    /** Where the two trees of an overlay can be named, which the agent never sees. */
    record Stand(Slot root, UnixPath lower, UnixPath scratch) {}

    /**
     * A detached, writable view of a detached tree, which is closed.
     *
     * <p>Overlayfs takes its layers by name. They are relative to the new root, where until the
     * agent's own directories are mounted only process 1 can make any.
     *
     * @param scratch the memory; attached at the stand's place by the caller
     */
    Slot of(Slot tree, UnixPath source, Slot scratch, Stand stand) {
        steps.about("cache", source);
        String name = "cache" + count++;
        makeDirectory(scratch, name);
        makeDirectory(scratch, name + "/work");
        makeDirectory(scratch, name + "/upper");
        Slot upper = mounts.openDirectory(scratch, name + "/upper");
        steps.run(Call.FCHOWN, Arg.slot(upper), owner, owner);
        steps.close(upper);
        mounts.attach(tree, stand.root(), stand.lower().relativeToRoot());
        steps.close(tree);
        steps.run(Call.FCHDIR, Arg.slot(stand.root()));
        String changes = stand.scratch().relativeToRoot() + "/" + name;
        steps.about(PURPOSE, source);
        Slot copy = mounts.filesystem(
                "overlay",
                Mounts.NOSUID | Mounts.NODEV,
                List.of(
                        "lowerdir",
                        stand.lower().relativeToRoot().toString(),
                        "upperdir",
                        changes + "/upper",
                        "workdir",
                        changes + "/work",
                        "userxattr",
                        Mounts.FLAG));
        steps.about("cache", source);
        detach(stand.lower());
        return copy;
    }

    /** Unmounts what is attached at a path of the new root, the working directory. */
    void detach(UnixPath path) {
        Arg name = steps.plan().text(path.relativeToRoot());
        steps.run(Call.UMOUNT2, name, Arg.imm(MNT_DETACH | UMOUNT_NOFOLLOW));
    }

    private void makeDirectory(Slot directory, String name) {
        Arg path = steps.plan().text(name);
        steps.run(Call.MKDIRAT, Arg.slot(directory), path, Arg.imm(0755));
    }
}
