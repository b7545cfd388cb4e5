package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

/**
 * Where a machine shows what concerns control groups; a parameter so that tests can be a machine.
 *
 * @param mount the version 2 hierarchy
 * @param membership says where this process is in it
 * @param systemd exists when systemd manages the machine
 * @param filesystem magic number of a version 2 hierarchy (statfs(2))
 */
record CgroupHost(UnixPath mount, UnixPath membership, UnixPath systemd, long filesystem) {
    private static final long CGROUP2_SUPER_MAGIC = 0x63677270L;

    /** False too where version 2 stands beside version 1 and has no controllers. */
    boolean hasVersion2(Linux linux) {
        try {
            return linux.statfsType(mount) == filesystem;
        } catch (ErrnoException e) {
            return false;
        }
    }

    static CgroupHost real() {
        return new CgroupHost(
                UnixPath.of("/sys/fs/cgroup"),
                UnixPath.of("/proc/self/cgroup"),
                UnixPath.of("/run/systemd/system"),
                CGROUP2_SUPER_MAGIC);
    }
}
