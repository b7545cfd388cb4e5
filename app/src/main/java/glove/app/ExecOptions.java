package glove.app;

import glove.sandbox.Access;
import glove.sandbox.GrantRequest;
import glove.sandbox.GuardRequests;
import glove.sandbox.Refusal;
import glove.sys.UnixPath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The command line of {@code glove exec}, parsed and nothing more (sheet 80 §3, §4.1). A value is
 * the next word, or stands behind {@code =} in the same word.
 */
final class ExecOptions {
    private static final String SEE_HELP = "glove exec --help";

    final List<GrantRequest> grants = new ArrayList<>();
    final List<byte[]> copiedVariables = new ArrayList<>();
    final List<byte[]> setVariables = new ArrayList<>();
    final List<UnixPath> tools = new ArrayList<>();
    final List<UnixPath> sockets = new ArrayList<>();
    final GuardRequests guards = new GuardRequests();
    final HomeOptions homeOptions = new HomeOptions();
    final LimitOptions limits = new LimitOptions();
    final EgressOptions egress = new EgressOptions();
    Optional<UnixPath> workspace = Optional.empty();
    Optional<UnixPath> workingDirectory = Optional.empty();
    Optional<UnixPath> auditLog = Optional.empty();
    boolean noGit;
    boolean allowUserns;
    boolean explain;
    boolean why;
    boolean json;
    boolean verbose;
    boolean help;
    List<byte[]> command = List.of();

    private final List<byte[]> words;
    private int next;

    private ExecOptions(List<byte[]> words) {
        this.words = words;
    }

    static ExecOptions parse(List<byte[]> words) throws Refusal {
        ExecOptions options = new ExecOptions(words);
        options.parseAll();
        return options;
    }

    private void parseAll() throws Refusal {
        while (next < words.size()) {
            byte[] word = words.get(next++);
            if (isText(word, "--")) {
                command = List.copyOf(words.subList(next, words.size()));
                requireCommand();
                return;
            }
            parseOption(word);
            if (help) {
                return;
            }
        }
        throw new Refusal("no '--' and command", SEE_HELP + ", or: glove exec -- COMMAND [ARG...]");
    }

    private void requireCommand() throws Refusal {
        homeOptions.check();
        if (json && !explain && !why) {
            throw new Refusal(
                    "--json goes with --explain or --why",
                    "glove exec --explain --json ... -- " + "COMMAND");
        }
        if (command.isEmpty() || command.get(0).length == 0) {
            throw new Refusal("no command after '--'", "glove exec -- COMMAND [ARG...]");
        }
    }

    private void parseOption(byte[] word) throws Refusal {
        int equals = indexOf(word, '=');
        String name = text(equals < 0 ? word : Arrays.copyOf(word, equals));
        Optional<byte[]> attached = equals < 0
                ? Optional.empty()
                : Optional.of(Arrays.copyOfRange(word, equals + 1, word.length));
        switch (name) {
            case "--workspace" -> addWorkspace(path(name, attached));
            case "--read" -> addGrant(path(name, attached), Access.READ, name);
            case "--write" -> addGrant(path(name, attached), Access.WRITE, name);
            case "--cwd" -> workingDirectory = Optional.of(path(name, attached));
            case "--audit-log" -> auditLog = Optional.of(path(name, attached));
            case "--env" -> copiedVariables.add(value(name, attached));
            case "--setenv" -> setVariables.add(value(name, attached));
            case "--tool" -> tools.add(path(name, attached));
            case "--protect" -> guards.protect.add(path(name, attached));
            case "--no-protect" -> guards.unprotect.add(path(name, attached));
            case "--hide" -> guards.hide.add(path(name, attached));
            case "--no-default-protect" -> guards.noDefaults = flag(name, attached);
            case "--strict-protect" -> guards.strict = flag(name, attached);
            case "--no-git" -> noGit = flag(name, attached);
            case "--socket" -> sockets.add(path(name, attached));
            case "--egress-allow" -> egress.allow(value(name, attached));
            case "--egress-allow-private" -> egress.allowPrivate(value(name, attached));
            case "--egress-bytes-out" -> egress.setBytesOut(name, value(name, attached));
            case "--egress-connections" -> egress.setConnections(name, value(name, attached));
            case "--egress-idle" -> egress.setIdle(name, value(name, attached));
            case "--egress-wall" -> egress.setWall(name, value(name, attached));
            case "--publish" -> egress.publish(name, value(name, attached));
            case "--loopback" -> egress.loopback = flag(name, attached);
            case "--egress-log" -> egress.log = flag(name, attached);
            case "--home" -> homeOptions.setName(path(name, attached));
            case "--home-shared" -> homeOptions.shared = flag(name, attached);
            case "--cache" -> homeOptions.caches.add(path(name, attached));
            case "--memory", "--limit-memory" -> limits.setMemory(name, value(name, attached));
            case "--cpu-time", "--limit-cpu-time" -> limits.setCpuTime(name, value(name, attached));
            case "--pids", "--limit-pids" -> limits.setProcesses(name, value(name, attached));
            case "--wall", "--limit-wall" -> limits.setWall(name, value(name, attached));
            case "--output", "--limit-output" -> limits.setOutput(name, value(name, attached));
            case "--scratch" -> limits.setScratch(name, value(name, attached));
            case "--allow-userns" -> allowUserns = flag(name, attached);
            case "--why" -> why = flag(name, attached);
            case "--explain" -> explain = flag(name, attached);
            case "--json" -> json = flag(name, attached);
            case "-v", "--verbose" -> verbose = flag(name, attached);
            case "-h", "--help" -> help = flag(name, attached);
            default -> throw unknown(word, name);
        }
    }

    private static Refusal unknown(byte[] word, String name) {
        String shown = UnixPath.of(word).toString();
        return name.startsWith("-")
                ? new Refusal("unknown option '" + shown + "'", SEE_HELP)
                : new Refusal(
                        "'" + shown + "' stands before '--'",
                        "put '--' in front of the command: glove exec -- " + shown + " ...");
    }

    private void addWorkspace(UnixPath path) throws Refusal {
        if (workspace.isPresent()) {
            throw new Refusal(
                    "--workspace is given twice", "--write '" + path + "' for the second");
        }
        workspace = Optional.of(path);
        addGrant(path, Access.WRITE, "--workspace");
    }

    private void addGrant(UnixPath path, Access access, String option) {
        grants.add(new GrantRequest(path, access, option));
    }

    private static boolean flag(String name, Optional<byte[]> attached) throws Refusal {
        if (attached.isPresent()) {
            throw new Refusal(name + " takes no value", name);
        }
        return true;
    }

    private UnixPath path(String name, Optional<byte[]> attached) throws Refusal {
        byte[] value = value(name, attached);
        if (value.length == 0) {
            throw new Refusal(name + " has an empty value", SEE_HELP);
        }
        return UnixPath.of(value);
    }

    private byte[] value(String name, Optional<byte[]> attached) throws Refusal {
        if (attached.isPresent()) {
            return attached.get();
        }
        if (next == words.size() || isText(words.get(next), "--")) {
            throw new Refusal(name + " needs a value", SEE_HELP);
        }
        return words.get(next++);
    }

    private static int indexOf(byte[] word, char wanted) {
        for (int i = 0; i < word.length; i++) {
            if (word[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isText(byte[] word, String text) {
        return Arrays.equals(word, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(byte[] word) {
        return new String(word, StandardCharsets.ISO_8859_1);
    }
}
