package glove.sandbox;

import glove.sys.Errno;

import java.util.Set;

/**
 * What to do, as root, about filesystems that cannot be idmapped (overlayfs, many network and FUSE
 * filesystems): the agent takes the kernel id of the grants' owner instead. Root's own files cannot
 * be granted writable that way: the agent would be root to the kernel.
 */
final class PlainGrants {
    private PlainGrants() {}

    /**
     * Notes the device of a grant whose idmapped mount failed.
     *
     * @return whether the launch is worth another try
     */
    static boolean learn(
            Profile profile, LaunchPlan plan, LaunchStatus status, Set<Long> plainDevices) {
        boolean idmapRefused = status.kind() == LaunchStatus.FAILED
                && status.stage() == LaunchStatus.STAGE_OUTER
                && (status.errno() == Errno.EINVAL || status.errno() == Errno.EPERM)
                && plan.subjectOf(status.value()).purpose().equals(GrantTrees.IDMAP_PURPOSE);
        if (!idmapRefused) {
            return false;
        }
        for (Grant grant : profile.mounted()) {
            if (grant.path().equals(plan.subjectOf(status.value()).path())) {
                return plainDevices.add(grant.identity().deviceWord());
            }
        }
        return false;
    }

    /** The profile with ids that fit its plain writable grants. */
    static Profile adapt(Profile profile, Set<Long> plainDevices) throws Refusal {
        if (plainDevices.isEmpty()) {
            return profile;
        }
        Ids ids = profile.ids();
        boolean adapted = false;
        for (Grant grant : profile.mounted()) {
            if (!grant.writable() || !plainDevices.contains(grant.identity().deviceWord())) {
                continue;
            }
            if (grant.owner() == 0 || grant.group() == 0) {
                throw new Refusal(
                        "'" + grant.path() + "' belongs to root, on a filesystem that cannot show "
                                + "its files under another owner",
                        profile.home().isKeptIn(grant.path())
                                ? "set XDG_STATE_HOME to a directory on ext4, xfs, btrfs or tmpfs"
                                : "chown it to an ordinary user, or run glove as the user it "
                                        + "belongs to");
            }
            Ids owners = new Ids(ids.initId(), grant.owner(), ids.initGid(), grant.group());
            if (adapted && !owners.equals(ids)) {
                throw new Refusal(
                        "the writable grants belong to different users, and the filesystem of '"
                                + grant.path() + "' cannot show them as one",
                        "grant the files of one user");
            }
            ids = owners;
            adapted = true;
        }
        return profile.withIds(ids);
    }
}
