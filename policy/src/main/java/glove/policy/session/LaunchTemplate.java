package glove.policy.session;

import glove.wire.AbsolutePath;
import glove.wire.Digest;
import glove.wire.DigestWriter;
import glove.wire.JsonFields;
import glove.wire.JsonProblem;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The one command a runtime template launches (sheet 10, 2.9): a pinned executable, or one to be
 * found in directories the owner names. Immutable.
 *
 * @param discovery runtime to look for; empty when the executable is pinned
 * @param executable absolute path; empty when it is looked for
 * @param searchPaths where it is looked for, in order
 * @param arguments behind the executable
 * @param environment {@code NAME=VALUE}, sorted by bytes
 * @param readOnlyPaths of the host, shown at the same place
 */
public record LaunchTemplate(
        String discovery,
        String executable,
        List<AbsolutePath> searchPaths,
        List<String> arguments,
        List<String> environment,
        List<AbsolutePath> readOnlyPaths) {
    private static final int ENTRIES_MAX = 256;
    private static final int ENTRY_BYTES_MAX = 64 << 10;

    /** Runtimes whose executable can be looked for: those with an adapter. */
    private static final List<String> RUNTIMES =
            List.of("codex", "claude-code", "pi", "copilot", "opencode");

    /** Copies the lists. */
    public LaunchTemplate {
        searchPaths = List.copyOf(searchPaths);
        arguments = List.copyOf(arguments);
        environment = List.copyOf(environment);
        readOnlyPaths = List.copyOf(readOnlyPaths);
    }

    /** Whether the executable is looked for. */
    public boolean isDiscovered() {
        return !discovery.isEmpty();
    }

    /** What is looked for in each of the directories; sense only where something is. */
    public String discoveredName() {
        return discovery.equals("claude-code") ? "claude" : discovery;
    }

    /** What a plan's {@code adapter_command_digest} must be (sheet 10, 3). */
    public Digest digest() {
        DigestWriter out = new DigestWriter("glove.runtime-launch-template");
        out.u8(isDiscovered() ? 2 : 1);
        if (isDiscovered()) {
            out.string(discovery).strings(texts(searchPaths));
        }
        return out.string(executable)
                .strings(arguments)
                .strings(environment)
                .strings(texts(readOnlyPaths))
                .sha256();
    }

    private static List<String> texts(List<AbsolutePath> paths) {
        return paths.stream().map(AbsolutePath::text).toList();
    }

    /** Reads one and checks it. */
    static LaunchTemplate read(JsonFields fields) {
        String discovery = fields.string("runtime_discovery");
        LaunchTemplate read = new LaunchTemplate(
                discovery,
                fields.string("executable_path"),
                fields.values("executable_search_paths", ENTRIES_MAX, AbsolutePath.CLASS),
                fields.strings("arguments", ENTRIES_MAX),
                fields.strings("environment", ENTRIES_MAX),
                fields.values("read_only_paths", ENTRIES_MAX, AbsolutePath.CLASS));
        fields.end();
        read.checkExecutable(fields);
        read.checkArguments(fields);
        read.checkEnvironment(fields);
        read.checkReadOnly(fields);
        Overlap.check(fields, "executable_search_paths", read.searchPaths);
        return read;
    }

    private void checkExecutable(JsonFields fields) {
        if (!isDiscovered()) {
            if (!AbsolutePath.is(executable)) {
                fields.problem(
                        "executable_path",
                        executable.isEmpty() ? "is empty" : "is no canonical path",
                        "write " + AbsolutePath.CLASS.words());
            }
            if (!searchPaths.isEmpty()) {
                fields.problem(
                        "executable_search_paths",
                        "is for an executable that is looked for",
                        "leave it empty, or set runtime_discovery and no executable_path");
            }
            return;
        }
        if (!RUNTIMES.contains(discovery)) {
            fields.problem(
                    "runtime_discovery",
                    "is no runtime that can be looked for",
                    "write one of " + String.join(", ", RUNTIMES) + ", or pin executable_path");
        }
        if (!executable.isEmpty()) {
            fields.problem(
                    "executable_path",
                    "is set, and so is runtime_discovery",
                    "leave one of them empty");
        }
        if (searchPaths.isEmpty()) {
            fields.problem(
                    "executable_search_paths",
                    "is empty: PATH is never searched",
                    "name each directory to look in");
        }
    }

    private void checkArguments(JsonFields fields) {
        for (int i = 0; i < arguments.size(); i++) {
            checkEntry(fields, "arguments", i, arguments.get(i));
        }
    }

    private static boolean checkEntry(JsonFields fields, String name, int index, String entry) {
        int length = Bytes.length(entry);
        if (length == 0 || length > ENTRY_BYTES_MAX || entry.indexOf('\0') >= 0) {
            problem(
                    fields,
                    name,
                    index,
                    "is empty, longer than 64 KiB or holds a NUL",
                    "shorten it");
            return false;
        }
        return true;
    }

    private void checkEnvironment(JsonFields fields) {
        Set<String> names = new HashSet<>();
        String previous = "";
        for (int i = 0; i < environment.size(); i++) {
            String entry = environment.get(i);
            if (!checkEntry(fields, "environment", i, entry)) {
                continue;
            }
            int equals = entry.indexOf('=');
            if (equals < 0) {
                problem(fields, "environment", i, "has no '='", "write NAME=VALUE");
                continue;
            }
            String name = entry.substring(0, equals);
            if (!isVariable(name)) {
                problem(
                        fields,
                        "environment",
                        i,
                        "names no variable",
                        "begin with a letter or '_', then letters, digits and '_'");
            } else if (name.startsWith("GLOVE_")) {
                problem(fields, "environment", i, "sets what Glove itself sets", "leave it out");
            } else if (!names.add(name)) {
                problem(fields, "environment", i, "sets " + name + " again", "keep one of them");
            } else if (Bytes.compare(previous, entry) >= 0) {
                problem(fields, "environment", i, "is out of order", "sort the entries by bytes");
            }
            previous = entry;
        }
    }

    private static boolean isVariable(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            if (!letter && !(i > 0 && c >= '0' && c <= '9')) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    /** The pinned executable is mounted by itself: nothing else may bring it along. */
    private void checkReadOnly(JsonFields fields) {
        Overlap.check(fields, "read_only_paths", readOnlyPaths);
        if (isDiscovered() || !AbsolutePath.is(executable)) {
            return;
        }
        AbsolutePath pinned = new AbsolutePath(executable);
        for (int i = 0; i < readOnlyPaths.size(); i++) {
            if (readOnlyPaths.get(i).overlaps(pinned)) {
                problem(
                        fields,
                        "read_only_paths",
                        i,
                        "overlaps the pinned executable",
                        "keep the executable outside the directories it needs");
            }
        }
    }

    private static void problem(
            JsonFields fields, String name, int index, String what, String instead) {
        String pointer = fields.pointer() + "/" + name + "/" + index;
        fields.problems().add(new JsonProblem(pointer, what, instead));
    }
}
