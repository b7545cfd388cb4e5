package glove.sandbox;

import java.util.ArrayList;
import java.util.List;

/**
 * User namespaces that map one owner on disk to the agent, made once per distinct owner
 * (mount_setattr(2), ID-mapped mounts).
 */
final class OwnerNamespaces {
    private record Made(int owner, int group, Slot userns) {}

    private final Steps outer;
    private final Ids ids;
    private final List<Made> made = new ArrayList<>();

    OwnerNamespaces(Steps outer, Ids ids) {
        this.outer = outer;
        this.ids = ids;
    }

    Slot of(Grant grant) {
        for (Made one : made) {
            if (one.owner() == grant.owner() && one.group() == grant.group()) {
                return one.userns();
            }
        }
        outer.about("owner mapping", grant.path());
        Slot userns = outer.userns(line(grant.owner(), ids.agentId()), line(grant.group(), ids.agentGid()));
        made.add(new Made(grant.owner(), grant.group(), userns));
        return userns;
    }

    private static String line(int onDisk, int kernel) {
        return Integer.toUnsignedString(onDisk) + " " + kernel + " 1\n";
    }
}
