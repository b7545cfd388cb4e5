package glove.app;

import glove.sandbox.Grant;
import glove.sandbox.Grants;
import glove.sandbox.HomeFile;
import glove.sandbox.LinkedWorktree;
import glove.sandbox.Trouble;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The {@code .gitconfig} of the agent: who the caller is to git and how his first branches are
 * called, and that git may work in the granted directories. Nothing else of the caller's
 * configuration, which can hold credentials and commands. Confined to one thread.
 */
final class AgentGitConfig {
    private static final byte[] HOME = {'H', 'O', 'M', 'E'};
    private static final byte[] XDG = "XDG_CONFIG_HOME".getBytes(StandardCharsets.US_ASCII);
    private static final UnixPath PLACE = UnixPath.of(".gitconfig");
    private static final int FILE_BYTES_MAX = 1 << 20;
    private static final int VALUE_BYTES_MAX = 1024;
    private static final int INCLUDE_DEPTH_MAX = 10; // as in git

    /** What passes: section and variable, one after another. */
    private static final String[][] PASSED = {
        {"user", "name"}, {"user", "email"}, {"init", "defaultbranch"},
    };

    private final Linux linux;
    private final Grants grants;
    private final Optional<UnixPath> home;
    private final List<String> notices = new ArrayList<>();
    private final List<Optional<byte[]>> values = new ArrayList<>();

    /** Reads the caller's global configuration: what lies in a granted path does not count. */
    AgentGitConfig(Linux linux, Invocation invocation, Grants grants) throws ErrnoException {
        this.linux = linux;
        this.grants = grants;
        this.home = directory(invocation, HOME);
        for (int i = 0; i < PASSED.length; i++) {
            values.add(Optional.empty());
        }
        Optional<UnixPath> xdg = directory(invocation, XDG);
        if (xdg.isPresent()) {
            read(xdg.get().resolve("git/config"), 0);
        } else if (home.isPresent()) {
            read(home.get().resolve(".config/git/config"), 0);
        }
        if (home.isPresent()) {
            read(home.get().resolve(".gitconfig"), 0);
        }
    }

    private static Optional<UnixPath> directory(Invocation invocation, byte[] name) {
        Optional<byte[]> value = invocation.variable(name);
        boolean absolute = value.isPresent() && value.get().length > 0 && value.get()[0] == '/';
        return absolute ? Optional.of(UnixPath.of(value.get())) : Optional.empty();
    }

    /** What could not be read, each a sentence. */
    List<String> notices() {
        return notices;
    }

    private void read(UnixPath path, int depth) throws ErrnoException {
        byte[] text = content(path);
        GitConfigReader reader = new GitConfigReader(text);
        List<Optional<byte[]>> before = List.copyOf(values);
        try {
            while (reader.next()) {
                take(reader, path, depth);
            }
        } catch (GitConfigReader.SyntaxException e) {
            for (int i = 0; i < values.size(); i++) {
                values.set(i, before.get(i));
            }
            notices.add("'" + path + "' is no git configuration in line " + e.line()
                    + ": nothing is taken from it");
        }
    }

    private void take(GitConfigReader reader, UnixPath path, int depth) throws ErrnoException {
        String name = reader.name();
        if (name.equals("include.path")) {
            Optional<UnixPath> included = reader.path();
            if (included.isPresent() && depth < INCLUDE_DEPTH_MAX) {
                read(path.parent().resolve(expanded(included.get())), depth + 1);
            }
            return;
        }
        for (int i = 0; i < PASSED.length; i++) {
            byte[] value = reader.value();
            if (name.equals(PASSED[i][0] + "." + PASSED[i][1]) && isPassable(value)) {
                values.set(i, Optional.of(value));
            }
        }
    }

    private static boolean isPassable(byte[] value) {
        boolean passable = value.length > 0 && value.length <= VALUE_BYTES_MAX;
        for (byte b : value) {
            passable &= b != 0;
        }
        return passable;
    }

    private UnixPath expanded(UnixPath path) {
        byte[] bytes = path.bytes();
        boolean tilde = bytes.length > 1 && bytes[0] == '~' && bytes[1] == '/';
        return tilde && home.isPresent()
                ? home.get().resolve(UnixPath.of(Arrays.copyOfRange(bytes, 2, bytes.length)))
                : path;
    }

    /** Empty for what is absent, no file, or where an agent could have written it. */
    private byte[] content(UnixPath path) throws ErrnoException {
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_NONBLOCK;
        try (OwnedFd file = linux.open(path, flags, 0)) {
            return linux.fstat(file).isRegularFile() && !grants.show(linux.pathOf(file))
                    ? linux.readAll(file, FILE_BYTES_MAX)
                    : new byte[0];
        } catch (ErrnoException e) {
            if (Trouble.is(e.errno())) {
                throw e;
            }
            return new byte[0];
        }
    }

    /** The file; none when there is nothing to say. */
    List<HomeFile> files() {
        byte[] content = content();
        return content.length == 0 ? List.of() : List.of(new HomeFile(PLACE, content));
    }

    private byte[] content() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String section = "";
        for (int i = 0; i < PASSED.length; i++) {
            if (values.get(i).isPresent()) {
                section = header(out, section, PASSED[i][0]);
                entry(out, PASSED[i][1], values.get(i).get(), "");
            }
        }
        for (Grant grant : grants.list()) {
            if (grant.isDirectory() && !grant.reason().equals(LinkedWorktree.REASON)) {
                section = header(out, section, "safe");
                entry(out, "directory", grant.path().bytes(), "");
                entry(out, "directory", grant.path().bytes(), "/*");
            }
        }
        return out.toByteArray();
    }

    private static String header(ByteArrayOutputStream out, String current, String wanted) {
        if (!current.equals(wanted)) {
            write(out, "[" + wanted + "]\n");
        }
        return wanted;
    }

    /** In quotes, so that a value can be nothing but a value. */
    private static void entry(ByteArrayOutputStream out, String name, byte[] value, String suffix) {
        write(out, "\t" + name + " = \"");
        for (byte b : value) {
            switch (b) {
                case '\n' -> write(out, "\\n");
                case '\t' -> write(out, "\\t");
                case '\b' -> write(out, "\\b");
                case '"' -> write(out, "\\\"");
                case '\\' -> write(out, "\\\\");
                default -> out.write(b);
            }
        }
        write(out, suffix + "\"\n");
    }

    private static void write(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        out.write(bytes, 0, bytes.length);
    }
}
