package glove.app;

import glove.host.ClientException;
import glove.host.ControlClient;
import glove.host.DaemonConfig;
import glove.journal.DurableFileException;
import glove.journal.ProtectedFile;
import glove.sandbox.Refusal;
import glove.sandbox.ShellWord;
import glove.sys.ErrnoException;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.JsonProblems;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The daemon a verb talks to: of a configuration, by default the owner's, or of a runtime directory
 * alone. Immutable.
 *
 * @param runtime its directory
 * @param config empty when only the directory was named
 */
record DaemonPlace(UnixPath runtime, Optional<DaemonConfig> config) {
    static final String CONFIG = "--config";
    static final String RUNTIME = "--runtime-dir";

    private static final byte[] HOME = "HOME".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] XDG = "XDG_CONFIG_HOME".getBytes(StandardCharsets.US_ASCII);
    private static final int BYTES_MAX = 1 << 20;

    /** What a verb does with a daemon. */
    interface Body {
        int run() throws Refusal, ClientException;
    }

    /** As the options and the environment say. */
    static DaemonPlace of(Linux linux, Invocation invocation, VerbWords words) throws Refusal {
        Optional<UnixPath> runtime = words.value(RUNTIME);
        if (runtime.isPresent()) {
            if (words.value(CONFIG).isPresent() || !runtime.get().isAbsolute()) {
                throw new Refusal(
                        RUNTIME + " is an absolute path, and stands instead of " + CONFIG,
                        RUNTIME + " /PATH");
            }
            return new DaemonPlace(runtime.get(), Optional.empty());
        }
        UnixPath file =
                words.value(CONFIG).isPresent() ? words.value(CONFIG).get() : usual(invocation);
        DaemonConfig config = read(linux, file);
        return new DaemonPlace(
                UnixPath.of(config.base().runtimeDirectory().text()), Optional.of(config));
    }

    /** As the configuration at its usual place says; empty when there is none. */
    static Optional<DaemonPlace> ifConfigured(Linux linux, Invocation invocation)
            throws Refusal, ErrnoException {
        Optional<byte[]> home = invocation.variable(HOME);
        boolean nowhere = invocation.variable(XDG).isEmpty() && home.isEmpty();
        return nowhere || linux.lstatIfPresent(usual(invocation)).isEmpty()
                ? Optional.empty()
                : Optional.of(
                        of(linux, invocation, new VerbWords(List.of(), Map.of(), false, false)));
    }

    private static UnixPath usual(Invocation invocation) throws Refusal {
        Optional<byte[]> xdg = invocation.variable(XDG);
        if (xdg.isPresent() && xdg.get().length > 0) {
            return UnixPath.of(xdg.get()).resolve("glove/config.json");
        }
        Optional<byte[]> home = invocation.variable(HOME);
        if (home.isEmpty() || home.get().length == 0) {
            throw new Refusal("no configuration is named, and HOME is not set", CONFIG + " FILE");
        }
        return UnixPath.of(home.get()).resolve(".config/glove/config.json");
    }

    private static DaemonConfig read(Linux linux, UnixPath file) throws Refusal {
        byte[] json;
        try {
            json = ProtectedFile.read(linux, "the configuration", file, BYTES_MAX);
        } catch (DurableFileException e) {
            throw new Refusal(
                    e.getMessage(),
                    "write one: docs/gloved.md has an example from nothing",
                    CONFIG + " FILE",
                    RUNTIME + " DIR");
        }
        JsonProblems problems = JsonProblems.first();
        Optional<DaemonConfig> config = DaemonConfig.parse(json, problems);
        if (config.isEmpty()) {
            throw new Refusal("the configuration '" + file + "': " + problems.firstInWords());
        }
        try {
            return config.get().readFrom(linux.absolute(file));
        } catch (ErrnoException e) {
            throw new Refusal(
                    1, "'" + file + "' has no absolute path: " + e.getMessage(), List.of());
        }
    }

    /** To talk to it. */
    ControlClient client(Linux linux) {
        return new ControlClient(linux, runtime);
    }

    /**
     * The option that named the daemon, as it was typed and with a space before it, for hints;
     * empty when none did.
     */
    static String typed(Invocation invocation) {
        List<String> words = invocation.words();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            for (String option : List.of(CONFIG, RUNTIME)) {
                if (word.startsWith(option + "=")) {
                    return " " + option + " " + shown(word.substring(option.length() + 1));
                }
                if (word.equals(option) && i + 1 < words.size()) {
                    return " " + option + " " + shown(words.get(i + 1));
                }
            }
        }
        return "";
    }

    private static String shown(String path) {
        return ShellWord.of(UnixPath.of(path));
    }

    /** Does what a verb does, and tells what went wrong; the exit status. */
    static int run(Notices notices, Invocation invocation, Body body) {
        try {
            return body.run();
        } catch (Refusal e) {
            refuse(notices, e, typed(invocation));
            return e.exitStatus();
        } catch (ClientException e) {
            boolean refused = e.kind() == ClientException.Kind.REFUSED;
            notices.say(TerminalText.of(e.getMessage())
                    + (refused ? "; the log of gloved tells why" : ""));
            if (e.kind() == ClientException.Kind.NOT_RUNNING) {
                String typed = typed(invocation);
                boolean named = typed.startsWith(" " + CONFIG);
                notices.suggest("gloved" + TerminalText.of(named ? typed : " --config FILE"));
            }
            if (e.kind() == ClientException.Kind.UNKNOWN) {
                String typed = TerminalText.of(typed(invocation));
                notices.suggest("glove exposure list" + typed);
                notices.suggest("glove session list" + typed);
            }
            return 1;
        }
    }

    /** Why something is refused, and each way on, without anything a terminal would obey. */
    static void refuse(Notices notices, Refusal refusal) {
        refuse(notices, refusal, "");
    }

    private static void refuse(Notices notices, Refusal refusal, String typed) {
        notices.say(TerminalText.of(refusal.getMessage()));
        for (String hint : refusal.hints()) {
            boolean asksIt = hint.startsWith("glove exposure ") && !hint.contains(" --");
            notices.suggest(TerminalText.of(asksIt ? hint + typed : hint));
        }
    }

    /** The options each such verb takes beside its own. */
    static List<String> options(String... own) {
        List<String> all = new ArrayList<>(List.of(own));
        all.add(CONFIG);
        all.add(RUNTIME);
        return all;
    }
}
