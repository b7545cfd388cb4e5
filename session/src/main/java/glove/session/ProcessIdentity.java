package glove.session;

import glove.wire.Digest;

import java.nio.charset.StandardCharsets;

/**
 * A process such that no other is taken for it, not even after a restart of the machine. Immutable.
 *
 * @param schemaVersion 1, or 0 when there is none
 * @param pid as the host counts
 * @param bootId of the machine (/proc/sys/kernel/random/boot_id)
 * @param startTimeTicks since boot (field 22 of /proc/PID/stat); u64
 * @param cgroupDevice of its cgroup's directory; u64
 * @param cgroupInode of its cgroup's directory; u64
 * @param cgroupPathDigest see {@link #digestOfCgroupPath}
 */
public record ProcessIdentity(
        int schemaVersion,
        long pid,
        String bootId,
        long startTimeTicks,
        long cgroupDevice,
        long cgroupInode,
        String cgroupPathDigest) {
    /** There is none. */
    public static final ProcessIdentity NONE = new ProcessIdentity(0, 0, "", 0, 0, 0, "");

    private static final int BOOT_ID_LENGTH = 36;

    /** Whether each part is what such parts are. */
    public boolean isValid() {
        return schemaVersion == 1
                && pid >= 1
                && pid <= Integer.MAX_VALUE
                && isBootId(bootId)
                && startTimeTicks != 0
                && cgroupDevice != 0
                && cgroupInode != 0
                && Digest.is(cgroupPathDigest);
    }

    private static boolean isBootId(String text) {
        if (text.length() != BOOT_ID_LENGTH) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
            boolean hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
            if (dash ? c != '-' : !hex) {
                return false;
            }
        }
        return true;
    }

    /** Whether it runs in that cgroup. */
    boolean isIn(Resources.Cgroup cgroup) {
        return cgroupDevice == cgroup.device() && cgroupInode == cgroup.inode();
    }

    /** Of the path behind {@code 0::} in /proc/PID/cgroup. */
    public static String digestOfCgroupPath(String path) {
        String text = "glove.linux-cgroup-path:" + path;
        return Digest.sha256(text.getBytes(StandardCharsets.UTF_8)).hex();
    }
}
