package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;

/** Says in words why a launch failed, and which knob of the host is in the way. */
final class LaunchFailure {
    private static final int KNOB_BYTES_MAX = 64;

    private static final String[] KINDS = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};

    /** Only who has it may map the user 0 of a namespace (user_namespaces(7), since 5.12). */
    private static final String ROOT_WITHOUT_SETFCAP =
            "root without CAP_SETFCAP, as in a container with fewer capabilities, cannot lend its "
                    + "user: run glove as an ordinary user there (Docker: --user 1000)";

    private LaunchFailure() {}

    static String words(Linux linux, LaunchPlan plan, LaunchStatus status) {
        return switch (status.kind()) {
            case LaunchStatus.REJECTED ->
                "the launcher refused the plan at step " + status.value()
                        + ": Glove and its launcher do not fit together; build again";
            case LaunchStatus.FAILED -> failed(linux, plan, status);
            default -> "the sandbox was killed from outside";
        };
    }

    private static String failed(Linux linux, LaunchPlan plan, LaunchStatus status) {
        String cause = Errno.words(status.errno());
        boolean cloning = status.stage() == LaunchStatus.STAGE_CLONE;
        if (cloning && (status.errno() == Errno.EAGAIN || status.errno() == Errno.ENOMEM)) {
            return "cannot start a process: " + cause
                    + "; a limit of processes is reached (ulimit -u, pids.max) or memory is";
        }
        if (plan.makesUserNamespace()
                && (cloning
                        || status.stage() == LaunchStatus.STAGE_MAPS
                        || isFirstPrivilegedStep(plan, status))) {
            boolean root = status.stage() == LaunchStatus.STAGE_MAPS
                    && status.errno() == Errno.EPERM
                    && linux.geteuid() == 0;
            return "cannot make a user namespace: " + cause + "; "
                    + (root ? ROOT_WITHOUT_SETFCAP : knob(linux, status.errno()));
        }
        if (cloning) {
            return "cannot make namespaces: " + cause + "; " + namespaceKnob(linux);
        }
        StepSubject subject = plan.subjectOf(status.value());
        String hint = status.stage() == LaunchStatus.STAGE_OUTER && status.errno() == Errno.EPERM
                ? "root without CAP_SYS_ADMIN, as in a container, cannot lend files: run glove as "
                        + "an ordinary user there"
                : hint(subject.purpose(), status.errno());
        return "cannot set up " + subject.words() + ": " + cause
                + (hint.isEmpty() ? "" : "; " + hint);
    }

    /** AppArmor lets the namespace be made and takes its capabilities away. */
    private static boolean isFirstPrivilegedStep(LaunchPlan plan, LaunchStatus status) {
        String purpose = plan.subjectOf(status.value()).purpose();
        return status.stage() == LaunchStatus.STAGE_INIT
                && (status.errno() == Errno.EPERM || status.errno() == Errno.EACCES)
                && (purpose.equals("identity")
                        || purpose.equals("host name")
                        || purpose.equals("private mounts"));
    }

    private static String knob(Linux linux, int errno) {
        if (isValue(linux, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1")) {
            return "AppArmor forbids them to programs without a profile: install Glove's (README),"
                    + " or sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
        }
        if (isValue(linux, "/proc/sys/kernel/unprivileged_userns_clone", "0")) {
            return "sysctl -w kernel.unprivileged_userns_clone=1 allows them";
        }
        if (isValue(linux, "/proc/sys/user/max_user_namespaces", "0")) {
            return "sysctl -w user.max_user_namespaces=10000 allows them";
        }
        if (errno == Errno.ENOSPC) {
            return namespaceKnob(linux);
        }
        return "the host, a chroot or the container's seccomp profile forbids it (Docker: "
                + "--security-opt seccomp=unconfined, or a profile that allows clone with "
                + "CLONE_NEWUSER)";
    }

    /** ENOSPC does not tell which kind of namespace there are too many of. */
    private static String namespaceKnob(Linux linux) {
        for (String kind : KINDS) {
            if (isValue(linux, "/proc/sys/user/max_" + kind + "_namespaces", "0")) {
                return "sysctl -w user.max_" + kind + "_namespaces=10000 allows them";
            }
        }
        return "there are too many already (user.max_pid_namespaces and its like), or it would be "
                + "the 33rd in one another, or the container's seccomp profile forbids it";
    }

    private static boolean isValue(Linux linux, String knob, String value) {
        try {
            byte[] text = linux.readFile(UnixPath.of(knob), KNOB_BYTES_MAX);
            return new String(text, StandardCharsets.US_ASCII).strip().equals(value);
        } catch (ErrnoException e) {
            return false; // a kernel without this knob
        }
    }

    private static String hint(String purpose, int errno) {
        if (errno == Errno.ESTALE) {
            return "it was replaced since it was looked at; try again";
        }
        if (purpose.equals("proc") && errno == Errno.EPERM) {
            return "the container Glove runs in masks its own /proc (Docker: "
                    + "--security-opt systempaths=unconfined)";
        }
        boolean guard = purpose.equals("directories above")
                || purpose.equals(GuardSteps.purpose(Guard.Kind.PROTECTED))
                || purpose.equals(GuardSteps.purpose(Guard.Kind.HIDDEN))
                || purpose.equals(GuardSteps.purpose(Guard.Kind.SOCKET));
        if (guard && errno == Errno.EACCES) {
            return "a directory above it is closed to the sandbox, and could be opened to the "
                    + "agent during the run: chmod o+x that one, or grant another that does not "
                    + "hold it";
        }
        if (purpose.equals("device") && errno == Errno.ENOENT) {
            return "what Glove runs in must have null, zero, full, random, urandom and tty in /dev";
        }
        if (purpose.equals("resource limits") && errno == Errno.EPERM) {
            return "the hard limit of core files is 0, and must be 1 where kernel.core_pattern "
                    + "pipes to a program, which 0 would start: ulimit -Hc 1 (LimitCORE=1)";
        }
        boolean readBack = purpose.equals("mount flags") || purpose.equals("id mappings");
        return readBack ? "it does not read back as set" : HostHint.words(errno);
    }
}
