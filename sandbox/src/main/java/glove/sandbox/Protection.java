package glove.sandbox;

import java.util.List;

/**
 * One kind of thing the agent is denied, what denies it, and what would still deny it if that
 * failed.
 */
public record Protection(String subject, String mechanism, String second) {
    private static final String ONE_LAYER = "one layer: the kernel has no second";

    private static final String NO_FILES =
            "no second layer: --allow-nesting, as Landlock over files forbids mounting";

    /** All of them, as they hold for a run on this host. */
    public static List<Protection> of(Profile profile) {
        int abi = profile.host().landlockAbi();
        String landlock = "Landlock ABI " + abi;
        String none = "no second layer: this kernel has no Landlock";
        boolean mounts = profile.nesting().allowsMounts();
        String files = mounts ? NO_FILES : abi > 0 ? landlock : none;
        String process = abi >= 6 ? landlock : "user namespace";
        String initId = profile.ids().separate() ? "process 1 has another user id" : process;
        return List.of(
                new Protection(
                        "files of the host that are not listed above",
                        "mount namespace: they are not mounted",
                        files),
                new Protection(
                        "writing to what is listed as readable",
                        "read-only mounts, locked by the second user namespace",
                        files),
                new Protection(
                        "writing to a readable grant inside a writable one",
                        "read-only mounts, locked by the second user namespace",
                        ONE_LAYER),
                new Protection(
                        "processes of the host, their memory and signals",
                        "pid namespace: they have no number here",
                        process),
                new Protection(
                        "process 1 of the sandbox", "parent user namespace, not dumpable", initId),
                network(profile),
                privileges(profile.nesting()),
                new Protection(
                        "set-user-id programs and files",
                        "no_new_privs and nosuid mounts",
                        "filter: no such bit can be set"),
                new Protection(
                        "typing into the caller's terminal",
                        "filter: TIOCSTI and TIOCLINUX are refused",
                        "a session without that terminal"),
                new Protection(
                        "your environment variables",
                        "a new environment, listed above",
                        "they are in no memory the agent could read"));
    }

    private static Protection network(Profile profile) {
        return profile.loopback().isEmpty()
                ? new Protection(
                        "the network, including the host's own ports",
                        "network namespace without a route",
                        "filter: no internet socket can be made")
                : new Protection(
                        "the network, including the host's own ports, but for what was let out",
                        "network namespace without a route; a proxy decides each connection",
                        "filter: no socket but TCP's, and the namespace has only loopback");
    }

    private static Protection privileges(Nesting nesting) {
        if (nesting == Nesting.NONE) {
            return new Protection(
                    "mounting, namespaces, kernel settings and modules",
                    "no capability, /proc/sys read-only",
                    "filter: the calls are refused");
        }
        if (nesting.allowsMounts()) {
            return new Protection(
                    "kernel settings and modules (--allow-nesting: not namespaces, nor mounting in"
                            + " them)",
                    "no capability outside its own namespaces; what is mounted for it is locked",
                    "file modes: the agent is nobody's root");
        }
        return new Protection(
                "mounting, mount namespaces, kernel settings and modules (--allow-userns: not user,"
                        + " pid, network, IPC and UTS namespaces)",
                "no capability outside its own namespaces, which own no mount; max_mnt_namespaces"
                        + " is 0",
                "filter: the calls are refused, and setting extended attributes and netlink");
    }
}
