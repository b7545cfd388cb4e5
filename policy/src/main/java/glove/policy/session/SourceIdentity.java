package glove.policy.session;

import glove.wire.Digest;
import glove.wire.DigestWriter;

/**
 * Which file or directory it is, as the kernel knows it, without its name. Its digest says whether
 * two are the same, and nothing else. Immutable.
 *
 * @param device its number, as stat(2) has it
 * @param inode its number there
 * @param mode type and permissions
 * @param owner the user
 * @param group the group
 */
public record SourceIdentity(long device, long inode, int mode, int owner, int group) {
    private static final int VERSION = 1;

    /** Over all of it. */
    public Digest digest() {
        return new DigestWriter("glove.path-exposure-source-identity")
                .u8(VERSION)
                .u64(device)
                .u64(inode)
                .u32(mode)
                .u32(owner)
                .u32(group)
                .sha256();
    }
}
