package glove.app;

import glove.sandbox.Refusal;
import glove.sandbox.ShellWord;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The environment inside: a short fixed list, what tools need, what was asked for, and what Glove
 * itself sets (sheet 80 §4.5). Nothing else of the caller's passes. Confined to one thread.
 */
final class AgentEnvironment {
    static final String DEFAULT_PATH =
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    /** Of the caller's, passed without asking: how to talk to the person at the terminal. */
    private static final String[] PASSED = {"TERM", "COLORTERM", "LANG", "TZ"};

    private static final String PASSED_PREFIX = "LC_";

    /** Glove's own; names that begin with GLOVE_ are, too. */
    private static final String[] RESERVED = {
        "ALL_PROXY",
        "HOME",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "TMPDIR",
        "all_proxy",
        "http_proxy",
        "https_proxy",
    };

    private final Invocation invocation;
    private final List<byte[]> entries = new ArrayList<>();
    private final List<UnixPath> lastOnPath = new ArrayList<>();
    private final List<byte[]> asked = new ArrayList<>();

    AgentEnvironment(Invocation invocation) {
        this.invocation = invocation;
        for (byte[] entry : invocation.environment()) {
            if (isPassed(nameOf(entry))) {
                put(entry);
            }
        }
    }

    private static boolean isPassed(String name) {
        for (String passed : PASSED) {
            if (passed.equals(name)) {
                return true;
            }
        }
        return name.startsWith(PASSED_PREFIX);
    }

    /** Adds what --env and --setenv ask for. */
    void ask(List<byte[]> copied, List<byte[]> set) throws Refusal {
        for (byte[] name : copied) {
            askCopied(name);
        }
        for (byte[] entry : set) {
            String shown = UnixPath.of(entry).toString();
            if (indexOfEquals(entry) < 0) {
                throw new Refusal(
                        "--setenv '" + shown + "' has no '='",
                        "--setenv " + ShellWord.of(shown + "=VALUE") + ", or --env "
                                + ShellWord.of(shown) + " to copy yours");
            }
            askFor(entry, "--setenv");
        }
    }

    private void askCopied(byte[] name) throws Refusal {
        String shown = UnixPath.of(name).toString();
        if (indexOfEquals(name) >= 0) {
            throw new Refusal(
                    "--env takes a name, not '" + shown + "'", "--setenv " + ShellWord.of(shown));
        }
        checkName(name, "--env");
        Optional<byte[]> value = invocation.variable(name);
        if (value.isEmpty()) {
            throw new Refusal(
                    "--env " + shown + ": it is not set in your environment",
                    "export " + shown + "=..., or --setenv " + shown + "=VALUE");
        }
        askFor(join(name, value.get()), "--env");
    }

    private void askFor(byte[] entry, String option) throws Refusal {
        byte[] name = Arrays.copyOf(entry, indexOfEquals(entry));
        checkName(name, option);
        for (byte[] earlier : asked) {
            if (nameOf(earlier).equals(nameOf(entry)) && !Arrays.equals(earlier, entry)) {
                throw new Refusal(
                        option + " " + UnixPath.of(name) + ": the variable is already given another"
                                + " value",
                        "keep one of the options");
            }
        }
        asked.add(entry);
        put(entry);
    }

    private static void checkName(byte[] name, String option) throws Refusal {
        String shown = UnixPath.of(name).toString();
        boolean wellFormed = name.length > 0 && !(name[0] >= '0' && name[0] <= '9');
        for (byte b : name) {
            wellFormed &= b == '_'
                    || (b >= '0' && b <= '9')
                    || (b >= 'A' && b <= 'Z')
                    || (b >= 'a' && b <= 'z');
        }
        if (!wellFormed) {
            throw new Refusal(
                    option + " '" + shown + "': a name consists of letters, digits and '_'",
                    "glove exec --help");
        }
        boolean reserved = shown.startsWith("GLOVE_");
        for (String own : RESERVED) {
            reserved |= own.equals(shown);
        }
        if (reserved) {
            throw new Refusal(
                    option + " " + shown + ": Glove sets this variable itself",
                    "leave the option out; HOME and TMPDIR are private, proxies come with egress");
        }
    }

    /** A variable that comes with a tool; what was asked for by name wins. */
    void putForTool(String name, UnixPath value) {
        putText(name, value.bytes());
    }

    /** The same with any text. */
    void putForTool(String name, String value) {
        putText(name, value.getBytes(StandardCharsets.US_ASCII));
    }

    /** Passes a variable of the caller's when this path is what it says. */
    void passIfNames(String name, UnixPath path) {
        Optional<byte[]> value = invocation.variable(name.getBytes(StandardCharsets.US_ASCII));
        if (value.isPresent() && Arrays.equals(value.get(), path.bytes())) {
            putText(name, path.bytes());
        }
    }

    /** The variables Glove decides, and PATH unless it was asked for. */
    void putOwn(UnixPath home, UnixPath temporary, List<UnixPath> toolDirectories) {
        if (!isAsked("PATH")) {
            putText("PATH", defaultPath(toolDirectories));
        }
        putText("HOME", home.bytes());
        putText("TMPDIR", temporary.bytes());
        putText("GLOVE_SANDBOXED", new byte[] {'1'});
    }

    /** A directory for the end of PATH, where nothing in it stands before what is installed. */
    void addLastToPath(UnixPath directory) {
        lastOnPath.add(directory);
    }

    private byte[] defaultPath(List<UnixPath> toolDirectories) {
        byte[] path = new byte[0];
        for (UnixPath directory : toolDirectories) {
            path = concatenate(path, directory.bytes(), new byte[] {':'});
        }
        path = concatenate(path, DEFAULT_PATH.getBytes(StandardCharsets.US_ASCII));
        for (UnixPath directory : lastOnPath) {
            path = concatenate(path, new byte[] {':'}, directory.bytes());
        }
        return path;
    }

    private void putText(String name, byte[] value) {
        if (!isAsked(name)) {
            put(join(name.getBytes(StandardCharsets.US_ASCII), value));
        }
    }

    private boolean isAsked(String name) {
        for (byte[] entry : asked) {
            if (nameOf(entry).equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** One value a name; the last one put wins. */
    private void put(byte[] entry) {
        for (int i = 0; i < entries.size(); i++) {
            if (nameOf(entries.get(i)).equals(nameOf(entry))) {
                entries.set(i, entry);
                return;
            }
        }
        entries.add(entry);
    }

    /** {@code NAME=VALUE}, in the order they came. */
    List<byte[]> entries() {
        return List.copyOf(entries);
    }

    /** The directories of the PATH inside. */
    List<UnixPath> path() {
        for (byte[] entry : entries) {
            if (nameOf(entry).equals("PATH")) {
                return directories(Arrays.copyOfRange(entry, 5, entry.length));
            }
        }
        return List.of();
    }

    /** Splits a PATH; relative and empty entries would depend on the working directory: dropped. */
    static List<UnixPath> directories(byte[] path) {
        List<UnixPath> all = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= path.length; i++) {
            if (i == path.length || path[i] == ':') {
                if (i > start && path[start] == '/') {
                    all.add(UnixPath.of(Arrays.copyOfRange(path, start, i)));
                }
                start = i + 1;
            }
        }
        return all;
    }

    private static int indexOfEquals(byte[] entry) {
        for (int i = 0; i < entry.length; i++) {
            if (entry[i] == '=') {
                return i;
            }
        }
        return -1;
    }

    private static String nameOf(byte[] entry) {
        int end = indexOfEquals(entry);
        return new String(entry, 0, Math.max(0, end), StandardCharsets.ISO_8859_1);
    }

    private static byte[] join(byte[] name, byte[] value) {
        return concatenate(name, new byte[] {'='}, value);
    }

    private static byte[] concatenate(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        byte[] all = new byte[length];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }
}
