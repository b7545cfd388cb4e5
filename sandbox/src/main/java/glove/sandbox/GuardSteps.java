package glove.sandbox;

import glove.sys.Call;

import java.util.Optional;

/**
 * The steps that put guards over names inside the attached grants. What is protected is mounted
 * over itself, read-only. What is hidden is covered: a directory by an empty one; anything else
 * by a link to nowhere, so that whoever opens it is told it is not there (ENOENT).
 */
final class GuardSteps {
    /** Below proc, where nobody makes a name. Readlink tells a person why the file is gone. */
    static final String NOWHERE = "/proc/hidden/by-glove";

    private static final String LINK = "link";
    private static final String DIRECTORY = "directory";

    private final PlanWriter plan;
    private final Steps steps;
    private final Mounts mounts;
    private final Slot root;
    private final Arg readOnly;
    private Optional<Slot> covers = Optional.empty();

    /**
     * For one phase.
     *
     * @param root the directory paths are relative to
     */
    GuardSteps(PlanWriter plan, Steps steps, Slot root) {
        this.plan = plan;
        this.steps = steps;
        this.mounts = new Mounts(steps);
        this.root = root;
        this.readOnly = mounts.attributes(RootSteps.VISIBLE);
    }

    /** Puts one guard in its place. */
    void add(Guard guard) {
        steps.about(purpose(guard.kind()), guard.path());
        Slot name = mounts.openNameBeneath(root, guard.path().relativeToRoot());
        Slot tree;
        if (guard.kind() == Guard.Kind.PROTECTED) {
            tree = mounts.cloneOpened(name);
            mounts.restrict(tree, readOnly);
        } else {
            tree = mounts.cloneName(covers(), guard.isDirectory() ? DIRECTORY : LINK);
        }
        mounts.attachOnto(tree, name);
        steps.close(tree);
        steps.close(name);
    }

    static String purpose(Guard.Kind kind) {
        return kind == Guard.Kind.PROTECTED
                ? "protected name"
                : kind == Guard.Kind.HIDDEN ? "hidden name" : "masked socket";
    }

    /** Flags as promised; a link's cannot be asked for. */
    void readBack(Guard guard) {
        if (guard.kind() == Guard.Kind.PROTECTED && !guard.isLink()) {
            steps.about("mount flags", guard.path());
            mounts.expectRestrictions(guard.path(), RootSteps.VISIBLE);
        }
    }

    private Slot covers() {
        if (covers.isPresent()) {
            return covers.get();
        }
        Slot fs = mounts.filesystem(
                "tmpfs",
                RootSteps.NO_PRIVILEGE | Mounts.NOEXEC,
                "size",
                "4k",
                "nr_inodes",
                "4",
                "mode",
                "0755");
        steps.run(Call.SYMLINKAT, plan.text(NOWHERE), Arg.slot(fs), plan.text(LINK));
        steps.run(Call.MKDIRAT, Arg.slot(fs), plan.text(DIRECTORY), Arg.imm(0555));
        mounts.restrictOne(fs, Mounts.RDONLY);
        covers = Optional.of(fs);
        return fs;
    }
}
