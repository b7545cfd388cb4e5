package glove.app;

import glove.sandbox.Access;
import glove.sandbox.GrantRequest;
import glove.sandbox.GuardRequests;
import glove.sandbox.Nesting;
import glove.sandbox.Refusal;
import glove.sandbox.ShellWord;
import glove.sys.UnixPath;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The command line of {@code glove exec}, parsed and nothing more (sheet 80 §3, §4.1); a {@link
 * Companion} takes options of its own.
 */
final class ExecOptions {
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
    boolean allowNesting;
    boolean explain;
    boolean why;
    boolean json;
    boolean verbose;
    boolean help;
    List<byte[]> command = List.of();

    private final String verb;
    private final OptionWords words;
    private final Companion companion;

    private ExecOptions(List<byte[]> words, Companion companion) {
        this.verb = "glove " + companion.verb();
        this.words = new OptionWords(words, verb + " --help");
        this.companion = companion;
    }

    /** Those of {@code exec}. */
    static ExecOptions parse(List<byte[]> words) throws Refusal {
        return parse(words, new Alone());
    }

    /** Those of {@code exec} and of the companion. */
    static ExecOptions parse(List<byte[]> words, Companion companion) throws Refusal {
        ExecOptions options = new ExecOptions(words, companion);
        options.parseAll();
        return options;
    }

    private void parseAll() throws Refusal {
        while (words.advance()) {
            parseOption(words.name());
            if (help) {
                return;
            }
        }
        Optional<List<byte[]>> behind = words.behind();
        if (behind.isEmpty()) {
            throw new Refusal(
                    "no '--' and command", verb + " --help, or: " + verb + " -- COMMAND [ARG...]");
        }
        command = behind.get();
        requireCommand();
    }

    private void requireCommand() throws Refusal {
        homeOptions.check();
        if (json && !explain && !why) {
            throw new Refusal(
                    "--json goes with --explain or --why",
                    verb + " --explain --json ... -- COMMAND");
        }
        if (command.isEmpty() || command.get(0).length == 0) {
            throw new Refusal("no command after '--'", verb + " -- COMMAND [ARG...]");
        }
    }

    /** Which namespaces of its own the command may make. */
    Nesting nesting() {
        if (allowNesting) {
            return Nesting.MOUNT_NAMESPACES;
        }
        return allowUserns ? Nesting.USER_NAMESPACES : Nesting.NONE;
    }

    private void parseOption(String name) throws Refusal {
        switch (name) {
            case "--workspace" -> addWorkspace(words.path());
            case "--read" -> addGrant(words.path(), Access.READ, name);
            case "--write" -> addGrant(words.path(), Access.WRITE, name);
            case "--cwd" -> workingDirectory = Optional.of(words.path());
            case "--audit-log" -> auditLog = Optional.of(words.path());
            case "--env" -> copiedVariables.add(words.value());
            case "--setenv" -> setVariables.add(words.value());
            case "--tool" -> tools.add(words.path());
            case "--protect" -> guards.protect.add(words.path());
            case "--no-protect" -> guards.unprotect.add(words.path());
            case "--hide" -> guards.hide.add(words.path());
            case "--no-default-protect" -> guards.noDefaults = words.flag();
            case "--strict-protect" -> guards.strict = words.flag();
            case "--no-git" -> noGit = words.flag();
            case "--socket" -> sockets.add(words.path());
            case "--egress-allow" -> egress.allow(words.value());
            case "--egress-allow-private" -> egress.allowPrivate(words.value());
            case "--egress-bytes-out" -> egress.setBytesOut(name, words.value());
            case "--egress-connections" -> egress.setConnections(name, words.value());
            case "--egress-idle" -> egress.setIdle(name, words.value());
            case "--egress-wall" -> egress.setWall(name, words.value());
            case "--publish" -> egress.publish(name, words.value());
            case "--loopback" -> egress.loopback = words.flag();
            case "--egress-log" -> egress.log = words.flag();
            case "--home" -> homeOptions.setName(words.path());
            case "--home-shared" -> homeOptions.shared = words.flag();
            case "--cache" -> homeOptions.caches.add(words.path());
            case "--memory", "--limit-memory" -> limits.setMemory(name, words.value());
            case "--cpu-time", "--limit-cpu-time" -> limits.setCpuTime(name, words.value());
            case "--pids", "--limit-pids" -> limits.setProcesses(name, words.value());
            case "--wall", "--limit-wall" -> limits.setWall(name, words.value());
            case "--output", "--limit-output" -> limits.setOutput(name, words.value());
            case "--scratch" -> limits.setScratch(name, words.value());
            case "--allow-nesting" -> allowNesting = words.flag();
            case "--allow-userns" -> allowUserns = words.flag();
            case "--why" -> why = words.flag();
            case "--explain" -> explain = words.flag();
            case "--json" -> json = words.flag();
            case "-v", "--verbose" -> verbose = words.flag();
            case "-h", "--help" -> help = words.flag();
            default -> {
                if (!companion.take(words)) {
                    throw unknown(name);
                }
            }
        }
    }

    private Refusal unknown(String name) {
        String shown = words.shown();
        return name.startsWith("-")
                ? new Refusal("unknown option '" + shown + "'", verb + " --help")
                : new Refusal(
                        "'" + shown + "' stands before '--'",
                        "put '--' in front of the command: " + verb + " -- " + shown + " ...");
    }

    private void addWorkspace(UnixPath path) throws Refusal {
        if (workspace.isPresent()) {
            throw new Refusal(
                    "--workspace is given twice",
                    "--write " + ShellWord.of(path) + " for the second");
        }
        workspace = Optional.of(path);
        addGrant(path, Access.WRITE, "--workspace");
    }

    private void addGrant(UnixPath path, Access access, String option) {
        grants.add(new GrantRequest(path, access, option));
    }
}
