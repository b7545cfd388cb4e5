package glove.sandbox;

import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a program installed outside the system directories needs to run: the file, its installation
 * directory, the interpreter of a script and that one's installation, read-only. Installers people
 * use are known by their directory, as data; for any other program in a {@code bin} directory with
 * a {@code lib} beside it, the directory above both. Confined to one thread.
 */
public final class ToolClosure {
    /** A variable a tool needs to find itself under another HOME. */
    public record Variable(String name, UnixPath value) {}

    /**
     * Installers: a directory name on the way to the program, what to grant beside it, and the
     * variable, if any, that says where the first of those is.
     */
    private record Installer(String marker, List<String> granted, String variable) {}

    private static final Installer[] INSTALLERS = {
        new Installer(".pyenv", List.of(".pyenv"), "PYENV_ROOT"),
        new Installer(".rbenv", List.of(".rbenv"), "RBENV_ROOT"),
        new Installer(".cargo", List.of(".rustup", ".cargo/bin"), "RUSTUP_HOME"),
        new Installer(".volta", List.of(".volta"), "VOLTA_HOME"),
        new Installer(".asdf", List.of(".asdf"), "ASDF_DATA_DIR"),
        new Installer(".deno", List.of(".deno/bin"), ""),
        new Installer(".bun", List.of(".bun/bin"), ""),
    };

    private static final String[] INSTALLATION_SIGNS = {"lib", "lib64", "libexec"};
    private static final int DEPTH_MAX = 4;
    private static final String OPTION = "--tool";

    private final Linux linux;
    private final Host host;
    private final List<UnixPath> callersPath;
    private final List<GrantRequest> grants = new ArrayList<>();
    private final List<Variable> variables = new ArrayList<>();
    private final List<UnixPath> directories = new ArrayList<>();

    /** Looks names up in the caller's PATH. */
    public ToolClosure(Linux linux, Host host, List<UnixPath> callersPath) {
        this.linux = linux;
        this.host = host;
        this.callersPath = List.copyOf(callersPath);
    }

    /** Adds one tool by its name, or by its path. */
    public void add(UnixPath tool) throws Refusal {
        for (UnixPath candidate : candidates(tool)) {
            Optional<Canonical> real = canonical(candidate);
            if (real.isPresent()
                    && real.get().stat().isRegularFile()
                    && Trouble.isExecutable(linux, candidate)) {
                addProgram(candidate, real.get(), 0);
                addDirectory(candidate.parent());
                return;
            }
        }
        throw new Refusal(
                OPTION + " " + tool + ": no such program in your PATH",
                "install it, or give its path: " + OPTION + " /path/to/" + tool.name());
    }

    private List<UnixPath> candidates(UnixPath tool) throws Refusal {
        if (tool.hasSlash()) {
            try {
                return List.of(linux.absolute(tool));
            } catch (ErrnoException e) {
                Trouble.refuse(OPTION + " " + tool, e);
                throw new Refusal(OPTION + " " + tool + ": " + e.getMessage());
            }
        }
        List<UnixPath> all = new ArrayList<>();
        for (UnixPath directory : callersPath) {
            all.add(directory.resolve(tool));
        }
        return all;
    }

    private void addDirectory(UnixPath directory) {
        if (!directories.contains(directory)) {
            directories.add(directory);
        }
    }

    private void addProgram(UnixPath found, Canonical real, int depth) throws Refusal {
        if (depth == DEPTH_MAX) {
            return;
        }
        addPlace(found);
        addPlace(real.path());
        Optional<UnixPath> interpreter = interpreter(real.path());
        if (interpreter.isPresent()) {
            Optional<Canonical> realInterpreter = canonical(interpreter.get());
            if (realInterpreter.isPresent()) {
                addProgram(interpreter.get(), realInterpreter.get(), depth + 1);
            }
        }
    }

    /** Grants what makes the file at this path, link or not, usable. */
    private void addPlace(UnixPath file) throws Refusal {
        if (host.surface().shows(file)) {
            return;
        }
        for (Installer installer : INSTALLERS) {
            Optional<UnixPath> holder = holderOf(file, installer.marker());
            if (holder.isPresent()) {
                addInstaller(installer, holder.get());
                return;
            }
        }
        Optional<UnixPath> installation = installationOf(file);
        grant(installation.orElse(file));
    }

    private static Optional<UnixPath> holderOf(UnixPath file, String marker) {
        UnixPath wanted = UnixPath.of(marker);
        UnixPath at = file;
        while (at.hasSlash() && !at.parent().equals(at)) {
            if (at.name().equals(wanted)) {
                return Optional.of(at.parent());
            }
            at = at.parent();
        }
        return Optional.empty();
    }

    private void addInstaller(Installer installer, UnixPath holder) throws Refusal {
        for (String path : installer.granted()) {
            UnixPath granted = holder.resolve(path);
            if (canonical(granted).isPresent()) {
                grant(granted);
            }
        }
        if (!installer.variable().isEmpty()) {
            UnixPath place = holder.resolve(installer.granted().get(0));
            variables.add(new Variable(installer.variable(), place));
        }
    }

    /** {@code X} for {@code X/bin/tool}, when X looks like an installation and is no home. */
    private Optional<UnixPath> installationOf(UnixPath file) throws Refusal {
        UnixPath bin = file.parent();
        UnixPath above = bin.parent();
        boolean shared = above.name().equals(UnixPath.of(".local"))
                || above.equals(bin)
                || above.equals(UnixPath.of("/"));
        if (shared || !bin.name().equals(UnixPath.of("bin"))) {
            return Optional.empty();
        }
        for (String sign : INSTALLATION_SIGNS) {
            if (canonical(above.resolve(sign)).isPresent()) {
                return Optional.of(above);
            }
        }
        return Optional.empty();
    }

    private void grant(UnixPath path) {
        for (GrantRequest earlier : grants) {
            if (earlier.asGiven().equals(path)) {
                return;
            }
        }
        grants.add(new GrantRequest(path, Access.READ, OPTION));
    }

    private Optional<UnixPath> interpreter(UnixPath file) throws Refusal {
        try (OwnedFd fd = linux.open(file, 0, 0)) {
            return Shebang.interpreterOf(linux.read(fd, Shebang.BYTES_MAX));
        } catch (ErrnoException e) {
            Trouble.refuse("cannot read '" + file + "'", e);
            return Optional.empty(); // a file only to be executed is no script
        }
    }

    private Optional<Canonical> canonical(UnixPath path) throws Refusal {
        try {
            return Canonical.ofIfPresent(linux, path);
        } catch (ErrnoException e) {
            Trouble.refuse("cannot look for '" + path + "'", e);
            return Optional.empty();
        }
    }

    /** What to grant, read-only. */
    public List<GrantRequest> grants() {
        return List.copyOf(grants);
    }

    /** What to set. */
    public List<Variable> variables() {
        return List.copyOf(variables);
    }

    /** What to put in front of PATH. */
    public List<UnixPath> directories() {
        return List.copyOf(directories);
    }
}
