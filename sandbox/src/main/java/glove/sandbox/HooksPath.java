package glove.sandbox;

import glove.sys.Errno;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.OpenFlags;
import glove.sys.OwnedFd;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * Where a repository's configuration puts its hooks: {@code core.hooksPath}, git-config(1). The one
 * place where a file of a granted directory is read to decide something, and it can only take away:
 * what it names becomes read-only. Files it includes are not followed.
 */
final class HooksPath {
    private static final int CONFIG_BYTES_MAX = 256 << 10;

    private HooksPath() {}

    /**
     * The directory, absolute, not canonical; empty when the configuration names none.
     *
     * @param repository a git directory
     */
    static Optional<UnixPath> of(Linux linux, UnixPath repository) throws ErrnoException {
        String hooks = "";
        String worktree = "";
        for (String name : new String[] {"config", "config.worktree"}) {
            String text = read(linux, repository.resolve(name));
            String found = value(text, "hookspath");
            hooks = found.isEmpty() ? hooks : found;
            found = value(text, "worktree");
            worktree = found.isEmpty() ? worktree : found;
        }
        if (hooks.isEmpty()) {
            return Optional.empty();
        }
        UnixPath top = repository;
        if (!worktree.isEmpty()) {
            top = repository.resolve(bytes(worktree));
        } else if (repository.name().equals(UnixPath.of(".git"))) {
            top = repository.parent();
        }
        return Optional.of(top.resolve(bytes(hooks)).normalize());
    }

    private static UnixPath bytes(String latin) {
        return UnixPath.of(latin.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** As bytes in a string; empty when there is no such file, or none that is read. */
    private static String read(Linux linux, UnixPath path) throws ErrnoException {
        int flags = OpenFlags.O_RDONLY | OpenFlags.O_NOFOLLOW | OpenFlags.O_NONBLOCK;
        try (OwnedFd fd = linux.open(path, flags, 0)) {
            if (!linux.fstat(fd).isRegularFile()) {
                return "";
            }
            return new String(linux.readAll(fd, CONFIG_BYTES_MAX), StandardCharsets.ISO_8859_1);
        } catch (ErrnoException e) {
            if (e.errno() == Errno.ENOENT
                    || e.errno() == Errno.EACCES
                    || e.errno() == Errno.ELOOP
                    || e.errno() == Errno.EFBIG) {
                return "";
            }
            throw e;
        }
    }

    /** The last value of a key in section core. */
    private static String value(String text, String key) {
        String found = "";
        boolean core = false;
        int start = 0;
        while (start < text.length()) {
            int end = text.indexOf('\n', start);
            end = end < 0 ? text.length() : end;
            String line = text.substring(start, end).strip();
            start = end + 1;
            if (line.startsWith("[")) {
                int close = line.indexOf(']');
                core = close > 0
                        && line.substring(1, close)
                                .strip()
                                .toLowerCase(Locale.ROOT)
                                .equals("core");
                line = close > 0 ? line.substring(close + 1).strip() : "";
            }
            int equals = line.indexOf('=');
            if (core
                    && equals > 0
                    && line.substring(0, equals)
                            .strip()
                            .toLowerCase(Locale.ROOT)
                            .equals(key)) {
                found = unquoted(line.substring(equals + 1).strip());
            }
        }
        return found;
    }

    /** Without quotes, escapes and a comment behind. */
    private static String unquoted(String value) {
        StringBuilder out = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && i + 1 < value.length()) {
                out.append(value.charAt(++i));
            } else if (!quoted && (c == '#' || c == ';')) {
                break;
            } else if (c != 0) {
                out.append(c);
            }
        }
        return out.toString().strip();
    }
}
