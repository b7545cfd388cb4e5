package glove.app;

import glove.sandbox.ShellWord;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What to type on this host when something of it is in the way, the least far-reaching first. Reads
 * the kernel's settings; changes nothing. Immutable.
 */
final class Remedies {
    private static final int TEXT_BYTES_MAX = 4096;
    private static final String APPARMOR = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns";
    private static final String CLONE = "/proc/sys/kernel/unprivileged_userns_clone";
    private static final String COUNT = "/proc/sys/user/max_user_namespaces";
    private static final String MEMFD = "/proc/sys/vm/memfd_noexec";
    private static final String LSM = "/sys/kernel/security/lsm";
    private static final String PROFILE = "packaging/apparmor/glove";

    private final Linux linux;
    private final HostFamily family;

    Remedies(Linux linux, HostFamily family) {
        this.linux = linux;
        this.family = family;
    }

    HostFamily family() {
        return family;
    }

    /** Whether this looks like the inside of a container of somebody's. */
    boolean inContainer() {
        return exists("/.dockerenv")
                || exists("/run/.containerenv")
                || exists("/run/host/container-manager");
    }

    private boolean exists(String path) {
        return exists(UnixPath.of(path));
    }

    private boolean exists(UnixPath path) {
        try {
            return linux.lstatIfPresent(path).isPresent();
        } catch (ErrnoException e) {
            return false;
        }
    }

    /** One line of a file; empty when there is none. */
    String setting(String path) {
        try {
            byte[] text = linux.readFile(UnixPath.of(path), TEXT_BYTES_MAX);
            return new String(text, StandardCharsets.US_ASCII).strip();
        } catch (ErrnoException e) {
            return "";
        }
    }

    /** When nothing contained starts. */
    List<String> ofLaunch() {
        List<String> all = new ArrayList<>(ofUserNamespaces());
        if (setting(MEMFD).equals("2")) {
            all.addAll(installLauncher());
            all.add(family.setSysctl("vm.memfd_noexec", "1"));
        }
        if (inContainer()) {
            all.add("docker run --security-opt seccomp=unconfined --security-opt "
                    + "systempaths=unconfined --security-opt apparmor=unconfined ...");
            all.add("Kubernetes: securityContext with procMount: Unmasked, hostUsers: false and "
                    + "seccompProfile: {type: Unconfined}");
        }
        return all;
    }

    /** When user namespaces, or capabilities in them, are refused. */
    List<String> ofUserNamespaces() {
        List<String> all = new ArrayList<>();
        if (setting(APPARMOR).equals("1")) {
            all.addAll(installLauncher());
            String load = "sudo apparmor_parser -r /etc/apparmor.d/glove";
            all.add(
                    exists("/etc/apparmor.d/glove")
                            ? load
                            : "sudo install -m 644 " + profile() + " /etc/apparmor.d/glove && "
                                    + load);
        }
        for (String kind : new String[] {"mnt", "pid", "net", "ipc", "uts", "cgroup"}) {
            String knob = "max_" + kind + "_namespaces";
            if (setting("/proc/sys/user/" + knob).equals("0")) {
                all.add(family.setSysctl("user." + knob, "10000"));
            }
        }
        if (setting(CLONE).equals("0")) {
            all.add(family.setSysctl("kernel.unprivileged_userns_clone", "1"));
        }
        if (setting(COUNT).equals("0")) {
            all.add(family.setSysctl("user.max_user_namespaces", "10000"));
        }
        return all;
    }

    private static List<String> installLauncher() {
        return List.of("sudo install -D -m 755 "
                + ShellWord.of(BuiltFiles.launcher())
                + " /usr/libexec/glove/launcher");
    }

    /** Beside the sources, or in the image; else by its name. */
    private String profile() {
        for (String name : new String[] {PROFILE, "etc/apparmor.d/glove"}) {
            UnixPath beside = BuiltFiles.of("../../" + name);
            if (exists(beside)) {
                return ShellWord.of(beside.normalize());
            }
        }
        return PROFILE;
    }

    /** When the installed launcher is not the build's. */
    List<String> ofLauncher() {
        return installLauncher();
    }

    /** When the kernel has no Landlock, or does not start with it. */
    List<String> ofLandlock() {
        if (inContainer()) {
            return List.of("docker run --security-opt seccomp=unconfined ..., or Landlock in the "
                    + "kernel of its host");
        }
        String modules = setting(LSM);
        return List.of(
                family.setBootParameter("lsm=landlock" + (modules.isEmpty() ? "" : "," + modules)),
                "or a kernel with CONFIG_SECURITY_LANDLOCK=y, Linux 5.13 or newer");
    }

    /**
     * When no control group can be had.
     *
     * @param refused whether a service manager was asked and refused
     */
    List<String> ofCgroup(boolean refused) {
        List<String> all = new ArrayList<>();
        if (inContainer()) {
            all.add("docker run --cgroupns=private with a writable /sys/fs/cgroup, or nothing: "
                    + "watching needs none");
            return all;
        }
        if (!exists("/run/systemd/system")) {
            all.add("make a group for yourself: sudo mkdir /sys/fs/cgroup/glove && sudo chown -R "
                    + "$USER /sys/fs/cgroup/glove, and start the shell in it");
        } else if (!exists("/sys/fs/cgroup/cgroup.controllers")) {
            all.add(family.setBootParameter("systemd.unified_cgroup_hierarchy=1"));
        } else {
            all.add("sudo mkdir -p /etc/systemd/system/user@.service.d && printf "
                    + "'[Service]\\nDelegate=cpu memory pids\\n' | sudo tee "
                    + "/etc/systemd/system/user@.service.d/glove.conf && "
                    + "sudo systemctl daemon-reload, then log in again");
            all.add(
                    refused
                            ? "systemctl --user status"
                            : "sudo loginctl enable-linger \"$USER\", without a login session");
        }
        return all;
    }
}
