package glove.policy.session;

import glove.wire.AbsolutePath;

/** Looks at paths of this machine, for rules that are about what stands there. */
public interface HostPaths {
    /**
     * What stands at a path, no part of which may be a symbolic link.
     *
     * @throws HostPathException when there is nothing, or neither a regular file nor a directory
     */
    HostObject look(AbsolutePath path) throws HostPathException;

    /**
     * A regular file or directory, by what stat(2) says of it.
     *
     * @param mode with the file type
     */
    record HostObject(long device, long inode, int mode) {}
}
