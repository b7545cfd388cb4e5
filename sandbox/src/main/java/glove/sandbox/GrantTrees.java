package glove.sandbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Detached, restricted copies of what is mounted at grants, as steps of one phase. Each is compared
 * with the file that was validated before anything else is done with it.
 *
 * <p>Root's are idmapped as well (mount_setattr(2)): the owner on disk appears as the agent, and
 * what the agent makes is stored as his. One user namespace serves all grants of the same owner.
 */
final class GrantTrees {
    /** A step so labelled fails where a filesystem cannot be idmapped. */
    static final String IDMAP_PURPOSE = "idmapped grant";

    private static final long RESTRICTIONS = Mounts.NOSUID | Mounts.NODEV;

    private record Attributes(boolean writable, boolean idmapped, int owner, int group, Arg arg) {}

    private final Steps steps;
    private final Mounts mounts;
    private final Ids ids;
    private final Set<Long> plainDevices;
    private final List<Attributes> known = new ArrayList<>();

    /**
     * @param plainDevices filesystems known to refuse idmapped mounts, by device word
     */
    GrantTrees(Steps steps, Ids ids, Set<Long> plainDevices) {
        this.steps = steps;
        this.mounts = new Mounts(steps);
        this.ids = ids;
        this.plainDevices = plainDevices;
    }

    /** A descriptor of the tree. */
    Slot open(Grant grant) {
        boolean idmapped =
                ids.separate() && !plainDevices.contains(grant.identity().deviceWord());
        Arg attributes = attributes(grant, idmapped);
        steps.about("grant", grant.path());
        Slot tree = mounts.cloneTree(grant.path());
        steps.expectFile(tree, grant.identity());
        if (idmapped) {
            steps.about(IDMAP_PURPOSE, grant.path());
        }
        mounts.restrict(tree, attributes);
        return tree;
    }

    private Arg attributes(Grant grant, boolean idmapped) {
        for (Attributes one : known) {
            boolean sameOwner = one.owner() == grant.owner() && one.group() == grant.group();
            if (one.writable() == grant.writable()
                    && one.idmapped() == idmapped
                    && (sameOwner || !idmapped)) {
                return one.arg();
            }
        }
        long set = RESTRICTIONS | (grant.writable() ? 0 : Mounts.RDONLY);
        Arg arg = idmapped ? mounts.attributes(set, userns(grant)) : mounts.attributes(set);
        known.add(new Attributes(grant.writable(), idmapped, grant.owner(), grant.group(), arg));
        return arg;
    }

    private Slot userns(Grant grant) {
        steps.about("owner mapping", grant.path());
        return steps.userns(
                line(grant.owner(), ids.agentId()), line(grant.group(), ids.agentGid()));
    }

    private static String line(int onDisk, int kernel) {
        return Integer.toUnsignedString(onDisk) + " " + kernel + " 1\n";
    }
}
