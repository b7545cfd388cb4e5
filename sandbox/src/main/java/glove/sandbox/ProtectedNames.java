package glove.sandbox;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The names that are read-only inside a writable grant, at any depth: what makes the host run
 * code later without being asked (a shell that starts, an editor that opens the directory, git
 * that looks at it). What runs only when somebody runs it, such as build files, scripts and
 * package.json, is not here: writing it is what an agent is for. docs/protected-names.md says why
 * of each.
 *
 * <p>Data and lookup without an object for each name; immutable.
 */
final class ProtectedNames {
    /** Files or directories anywhere. Each begins with a dot, which the walk relies on. */
    static final String[] ANYWHERE = {
        // git
        ".gitmodules",
        ".gitconfig",
        ".husky",
        // editors and the agents themselves
        ".vscode",
        ".idea",
        ".devcontainer",
        ".devcontainer.json",
        ".mcp.json",
        ".claude",
        ".cursor",
        ".codex",
        ".gemini",
        ".opencode",
        ".windsurf",
        ".zed",
        ".lldbinit",
        ".Rprofile",
        ".vimrc",
        ".exrc",
        ".nvimrc",
        ".nvim.lua",
        ".gdbinit",
        // shells and logins
        ".envrc",
        ".bashrc",
        ".bash_profile",
        ".bash_login",
        ".bash_logout",
        ".bash_aliases",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        ".zlogin",
        ".zlogout",
        ".kshrc",
        ".cshrc",
        ".tcshrc",
        ".login",
        ".logout",
        ".inputrc",
        ".xinitrc",
        ".xprofile",
        ".xsession",
        ".xsessionrc",
        ".pam_environment",
        ".ssh",
        ".ripgreprc",
    };

    /** In a directory {@code .config}. */
    static final String[] IN_CONFIG = {"fish", "git", "autostart", "systemd", "nvim", "glove"};

    /**
     * In a git directory: one named {@code .git}, or with HEAD, objects and refs, or (the last two)
     * of a linked worktree. commondir leads git to another config and other hooks.
     */
    static final String[] IN_GIT = {"hooks", "config", "config.worktree", "commondir"};

    private static final byte[][][] BY_LENGTH = byLength(ANYWHERE);
    private static final byte[][][] CONFIG_BY_LENGTH = byLength(IN_CONFIG);
    private static final byte[][][] GIT_BY_LENGTH = byLength(IN_GIT);

    private ProtectedNames() {}

    private static byte[][][] byLength(String... names) {
        byte[][][] all = new byte[24][0][];
        for (String name : names) {
            byte[][] same = all[name.length()];
            same = Arrays.copyOf(same, same.length + 1);
            same[same.length - 1] = name.getBytes(StandardCharsets.US_ASCII);
            all[name.length()] = same;
        }
        return all;
    }

    /** Whether the name between two indices is protected wherever it stands. */
    static boolean anywhere(byte[] name, int from, int to) {
        return isOneOf(BY_LENGTH, name, from, to);
    }

    /** Whether it is in a directory {@code .config}. */
    static boolean inConfig(byte[] name, int from, int to) {
        return isOneOf(CONFIG_BY_LENGTH, name, from, to);
    }

    /** Whether it is in a git directory. */
    static boolean inGit(byte[] name, int from, int to) {
        return isOneOf(GIT_BY_LENGTH, name, from, to);
    }

    private static boolean isOneOf(byte[][][] names, byte[] name, int from, int to) {
        if (to - from >= names.length) {
            return false;
        }
        for (byte[] candidate : names[to - from]) {
            if (isSame(candidate, name, from)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSame(byte[] candidate, byte[] name, int from) {
        for (int i = candidate.length - 1; i >= 0; i--) { // they differ at their ends
            if (candidate[i] != name[from + i]) {
                return false;
            }
        }
        return true;
    }

    /** Whether it is that one, of ASCII letters. */
    static boolean isNamed(byte[] b, int from, int to, String word) {
        if (to - from != word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (b[from + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
