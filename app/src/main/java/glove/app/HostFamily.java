package glove.app;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Distributions that are set up by the same commands (os-release(5)). */
enum HostFamily {
    DEBIAN("sudo apt-get install ", "sudo update-grub"),
    FEDORA("sudo dnf install ", ""),
    SUSE("sudo zypper install ", "sudo grub2-mkconfig -o /boot/grub2/grub.cfg"),
    ARCH("sudo pacman -S ", "sudo grub-mkconfig -o /boot/grub/grub.cfg"),
    ALPINE("sudo apk add ", "sudo grub-mkconfig -o /boot/grub/grub.cfg"),
    NIXOS("", ""),
    OTHER("", "sudo grub-mkconfig -o /boot/grub/grub.cfg");

    private static final int RELEASE_BYTES_MAX = 1 << 16;

    private final String install;
    private final String writeBoot;

    HostFamily(String install, String writeBoot) {
        this.install = install;
        this.writeBoot = writeBoot;
    }

    /** Of the machine, or of the container it looks like. */
    static HostFamily of(Linux linux) {
        String release = release(linux);
        String ids = " " + value(release, "ID") + " " + value(release, "ID_LIKE") + " ";
        if (ids.contains(" debian ") || ids.contains(" ubuntu ")) {
            return DEBIAN;
        }
        if (ids.contains(" fedora ") || ids.contains(" rhel ") || ids.contains(" centos ")) {
            return FEDORA;
        }
        if (ids.contains("suse ")) {
            return SUSE;
        }
        if (ids.contains(" arch ")) {
            return ARCH;
        }
        if (ids.contains(" alpine ")) {
            return ALPINE;
        }
        return ids.contains(" nixos ") ? NIXOS : OTHER;
    }

    /** What the distribution calls itself; empty when it does not say. */
    static String name(Linux linux) {
        return value(release(linux), "PRETTY_NAME");
    }

    private static String release(Linux linux) {
        for (String path : List.of("/etc/os-release", "/usr/lib/os-release")) {
            try {
                byte[] text = linux.readFile(UnixPath.of(path), RELEASE_BYTES_MAX);
                return new String(text, StandardCharsets.UTF_8);
            } catch (ErrnoException e) {
                // The next place, or none: then nothing is known of it.
            }
        }
        return "";
    }

    /** A line of shell assignments; quotes only around the whole value. */
    static String value(String release, String name) {
        for (String line : release.split("\n", -1)) {
            if (line.startsWith(name + "=")) {
                String value = line.substring(name.length() + 1).strip();
                boolean quoted =
                        value.length() > 1 && (value.charAt(0) == '"' || value.charAt(0) == '\'');
                return quoted ? value.substring(1, value.length() - 1) : value;
            }
        }
        return "";
    }

    /** What installs a package; names differ, so each family has its own. */
    String install(String debian, String fedora, String other) {
        String packages = this == DEBIAN ? debian : this == FEDORA || this == SUSE ? fedora : other;
        return install.isEmpty() ? "install " + packages : install + packages;
    }

    /** What sets a sysctl now and at each start. */
    String setSysctl(String name, String value) {
        if (this == NIXOS) {
            return "boot.kernel.sysctl.\"" + name + "\" = " + value
                    + "; in configuration.nix, then: sudo nixos-rebuild switch";
        }
        return "echo '" + name + " = " + value
                + "' | sudo tee /etc/sysctl.d/60-glove.conf && sudo sysctl --system";
    }

    /** What starts the kernel with a parameter from the next start on. */
    String setBootParameter(String parameter) {
        if (this == NIXOS) {
            return "boot.kernelParams = [ \"" + parameter
                    + "\" ]; in configuration.nix, then: sudo nixos-rebuild boot";
        }
        if (this == FEDORA) {
            return "sudo grubby --update-kernel=ALL --args=\"" + parameter + "\"";
        }
        return "add " + parameter + " to GRUB_CMDLINE_LINUX in /etc/default/grub, then: "
                + writeBoot;
    }
}
