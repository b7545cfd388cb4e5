package glove.host;

import glove.sys.UnixPath;
import glove.wire.AbsolutePath;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The daemon's command line. Immutable.
 *
 * @param asked what to do
 * @param configFile of {@code --config}; else {@code paths} are given
 * @param paths by the names the file has for them
 * @param jsonLog whether events are written as JSON
 */
record DaemonOptions(
        Asked asked,
        Optional<UnixPath> configFile,
        Map<String, AbsolutePath> paths,
        boolean jsonLog) {
    static final String HELP = """
            usage: gloved --config FILE [--json-log]
                   gloved --runtime-dir DIR --audit-key FILE --journal FILE
                       [--session-policy FILE [--session-store FILE
                       [--materialization-root DIR] [--library-bundle-root DIR]]]
                       [--path-exposure-policy FILE --path-exposure-journal FILE]
                       [--json-log]

            Serves the owner's controllers on DIR/gloved.sock until SIGTERM, SIGINT or
            SIGHUP. All paths are absolute, each for one purpose; files are yours alone
            (mode 600), directories too (700). What is not configured does not exist for
            controllers.

              --config FILE                 all of it from a file, and no other path
              --runtime-dir DIR             socket, lock and secret
              --audit-key FILE              authenticates receipts
              --journal FILE                receipts
              --session-policy FILE         what plans may ask for: validate_plan
              --session-store FILE          sessions: create_session, session_status
              --materialization-root DIR    the sessions' own files
              --library-bundle-root DIR     libraries to be shown to sessions
              --path-exposure-policy FILE   which paths may be exposed, and how
              --path-exposure-journal FILE  what is exposed
              --json-log                    events on stderr as JSON objects
              -V, --version                 print the version
              -h, --help                    this text

            Exit status 0 after a signal, 1 when it cannot start or go on, 2 for a bad
            command line or configuration.

            example: gloved --config /home/you/.config/glove/config.json
            """;

    private static final List<String> PATHS = List.of(
            "runtime_directory",
            "audit_key",
            "receipt_journal",
            "session_policy",
            "session_store",
            "materialization_root",
            "library_bundle_root",
            "path_exposure_policy",
            "path_exposure_journal");

    /** What to do. */
    enum Asked {
        SERVE,
        VERSION,
        HELP
    }

    /**
     * Parts a command line.
     *
     * @param arguments without the program's name
     */
    static DaemonOptions parse(List<byte[]> arguments) throws StartException {
        List<String> words = new ArrayList<>();
        for (byte[] argument : arguments) {
            words.add(new String(argument, StandardCharsets.UTF_8));
        }
        if (words.contains("-h") || words.contains("--help")) {
            return only(Asked.HELP);
        }
        if (words.equals(List.of("-V")) || words.equals(List.of("--version"))) {
            return only(Asked.VERSION);
        }
        Map<String, AbsolutePath> paths = new HashMap<>();
        List<UnixPath> config = new ArrayList<>();
        boolean json = false;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("--json-log")) {
                if (json) {
                    throw StartException.usage("--json-log is given twice");
                }
                json = true;
                continue;
            }
            String name = name(word);
            if (++i == words.size()) {
                throw StartException.usage(word + " wants a path");
            }
            if (name.isEmpty()) {
                config.add(UnixPath.of(arguments.get(i)));
            } else if (paths.put(name, path(word, words.get(i))) != null) {
                throw StartException.usage(word + " is given twice");
            }
        }
        if (config.size() > 1 || (config.size() == 1 && !paths.isEmpty())) {
            throw StartException.usage("--config is given once, and is the only path then");
        }
        if (config.isEmpty() && paths.isEmpty()) {
            throw StartException.usage("no configuration is named: --config FILE");
        }
        return new DaemonOptions(Asked.SERVE, config.stream().findFirst(), Map.copyOf(paths), json);
    }

    private static DaemonOptions only(Asked asked) {
        return new DaemonOptions(asked, Optional.empty(), Map.of(), false);
    }

    /** Of a path in the file; empty for {@code --config}. */
    private static String name(String word) throws StartException {
        if (word.equals("--config")) {
            return "";
        }
        for (String name : PATHS) {
            if (word.equals("--" + DaemonConfig.option(name))) {
                return name;
            }
        }
        throw StartException.usage("unknown option '" + word + "'");
    }

    private static AbsolutePath path(String option, String text) throws StartException {
        return AbsolutePath.CLASS
                .parse(text)
                .orElseThrow(() -> StartException.usage(
                        option + " is '" + text + "': write " + AbsolutePath.CLASS.words()));
    }
}
