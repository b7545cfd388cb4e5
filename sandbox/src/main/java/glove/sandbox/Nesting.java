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
    USER_NAMESPACES
}
