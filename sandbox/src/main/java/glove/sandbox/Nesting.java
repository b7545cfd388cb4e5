package glove.sandbox;

/**
 * Whether the agent may make namespaces of its own. A new user namespace gives every capability in
 * it (user_namespaces(7)), so what those open is closed by the filter instead (docs/adr/0011).
 */
public enum Nesting {
    /** No namespace of any kind. */
    NONE,

    /**
     * User, pid, network, IPC and UTS namespaces, and chroot(2) in them, as the sandboxes of
     * browsers need; never a mount, control group or time namespace, and none is ever joined.
     */
    USER_NAMESPACES,

    /**
     * Those and mount namespaces, and mounting in them, as sandboxes for programs need. What is
     * mounted for the agent stays as it is, locked, but a name inside a grant is no
     * longer held, because a mount point of one namespace may be renamed in another; proc is not
     * covered, else the kernel mounts no other; and Landlock, which forbids mounting, guards no
     * files (docs/adr/0025).
     */
    MOUNT_NAMESPACES;

    /** Whether mount namespaces may be made, and mounts in them. */
    public boolean allowsMounts() {
        return this == MOUNT_NAMESPACES;
    }
}
