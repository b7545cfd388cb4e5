package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.Stat;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The part of the host every sandbox shows read-only: installed software and the configuration it
 * needs to run, none of it personal. Data; what the host lacks is left out. Immutable.
 */
public final class SystemSurface {
    /** Installed software. On most hosts all but /usr are links into it. */
    private static final String[] SOFTWARE = {
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32",
    };

    /**
     * Configuration of that software: the dynamic linker, certificates (never private keys), time
     * zone, terminals, language run-times, names of services and file types.
     */
    private static final String[] CONFIGURATION = {
        "/etc/alternatives",
        "/etc/bash.bashrc",
        "/etc/bash_completion.d",
        "/etc/ca-certificates",
        "/etc/ca-certificates.conf",
        "/etc/chromium.d",
        "/etc/debian_version",
        "/etc/ethertypes",
        "/etc/fonts",
        "/etc/gai.conf",
        "/etc/inputrc",
        "/etc/java",
        "/etc/java-8-openjdk",
        "/etc/java-11-openjdk",
        "/etc/java-17-openjdk",
        "/etc/java-21-openjdk",
        "/etc/java-25-openjdk",
        "/etc/ld-musl-x86_64.path",
        "/etc/ld-musl-aarch64.path",
        "/etc/ld.so.cache",
        "/etc/ld.so.conf",
        "/etc/ld.so.conf.d",
        "/etc/locale.alias",
        "/etc/localtime",
        "/etc/lsb-release",
        "/etc/magic",
        "/etc/magic.mime",
        "/etc/maven",
        "/etc/mime.types",
        "/etc/mke2fs.conf",
        "/etc/os-release",
        "/etc/perl",
        "/etc/pki/ca-trust",
        "/etc/pki/java",
        "/etc/pki/tls/cert.pem",
        "/etc/pki/tls/certs",
        "/etc/pki/tls/openssl.cnf",
        "/etc/profile",
        "/etc/profile.d",
        "/etc/protocols",
        "/etc/python3",
        "/etc/redhat-release",
        "/etc/rpc",
        "/etc/services",
        "/etc/shells",
        "/etc/skel",
        "/etc/ssl/cert.pem",
        "/etc/ssl/certs",
        "/etc/ssl/openssl.cnf",
        "/etc/terminfo",
        "/etc/timezone",
        "/etc/xattr.conf",
    };

    /**
     * @param path where it stands, on the host and inside
     * @param link what a symbolic link says; empty for a file or directory that is mounted
     * @param source what is mounted: the path, or where its link leads when that is not visible
     * @param directory whether that is one
     */
    record Entry(UnixPath path, Optional<UnixPath> link, UnixPath source, boolean directory) {}

    private final List<Entry> entries;

    private SystemSurface(List<Entry> entries) {
        this.entries = List.copyOf(entries);
    }

    List<Entry> entries() {
        return entries;
    }

    /** Looks at the host. A path that cannot be looked at is left out. */
    static SystemSurface read(Linux linux) throws ErrnoException {
        List<Entry> entries = new ArrayList<>();
        for (String path : SOFTWARE) {
            addIfPresent(linux, UnixPath.of(path), entries);
        }
        for (String path : CONFIGURATION) {
            addIfPresent(linux, UnixPath.of(path), entries);
        }
        return new SystemSurface(entries);
    }

    private static void addIfPresent(Linux linux, UnixPath path, List<Entry> entries)
            throws ErrnoException {
        Optional<Stat> found = linux.lstatIfPresent(path);
        if (found.isEmpty()) {
            return;
        }
        Stat stat = found.get();
        if (!stat.isSymbolicLink()) {
            entries.add(new Entry(path, Optional.empty(), path, stat.isDirectory()));
            return;
        }
        UnixPath link = linux.readlink(path);
        UnixPath target = path.parent().resolve(link).normalize();
        if (isShown(target, entries)) {
            entries.add(new Entry(path, Optional.of(link), path, stat.isDirectory()));
            return;
        }
        Optional<Canonical> canonical = Canonical.ofIfPresent(linux, path);
        if (canonical.isPresent()) {
            Canonical real = canonical.get();
            entries.add(
                    new Entry(path, Optional.empty(), real.path(), real.stat().isDirectory()));
        }
    }

    private static boolean isShown(UnixPath path, List<Entry> entries) {
        for (Entry entry : entries) {
            if (path.startsWith(entry.path())) {
                return true;
            }
        }
        return false;
    }

    /** Whether a canonical host path can be seen through this surface. */
    boolean shows(UnixPath canonical) {
        for (Entry entry : entries) {
            if (entry.link().isEmpty() && canonical.startsWith(entry.path())) {
                return true;
            }
        }
        return false;
    }
}
