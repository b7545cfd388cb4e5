package glove.app;

import glove.host.ClientException;
import glove.policy.session.Access;
import glove.policy.session.CleanupPolicy;
import glove.policy.session.ExposureMode;
import glove.policy.session.ExposureRequest;
import glove.policy.session.Materialization;
import glove.sandbox.Refusal;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.Id128;
import glove.wire.JsonValue;
import glove.wire.U64;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code glove init}: exposes a project to controllers, through the daemon (sheet 80, 11). */
final class InitVerb {
    static final String HELP = """
            usage: glove init PROJECT [OPTION...]

            Exposes a directory to the controllers of gloved: their plans may ask for it
            by name, and never learn where it lies. What they get depends on the purpose:

              inspect     reads it, for 1 hour
              experiment  writes to a copy of 1 GiB that is removed, for 1 hour
              retain      writes to a copy of 1 GiB that is kept for you to look at, for
                          24 hours

              --purpose WORD     inspect, experiment or retain; else inspect
              --id ID            its name; else that of the directory
              --label TEXT       what controllers see; else the name of the directory
              --root ID          of the exposure policy; else projects
              --max-bytes N      of the copy
              --ttl-secs N       how long from now
              --runtime ID,...   runtime templates that may have it; else codex-safe,pi-safe
              --request-id ID    done once under this key, for ever; else a new one
              --config FILE      of gloved; else ~/.config/glove/config.json
              --runtime-dir DIR  of gloved, instead of its configuration
              --json             print the answer as data
              -h, --help         this text

            Exit status 0 when done, 1 when not, 2 for a bad command line.

            example: glove init ~/src/website --purpose experiment
            """;

    private static final String SEE_HELP = "glove init --help";
    private static final String GIBIBYTE = "1073741824";

    private final Linux linux;
    private final Invocation invocation;
    private final Notices notices = new Notices("init");

    InitVerb(Linux linux, Invocation invocation) {
        this.linux = linux;
        this.invocation = invocation;
    }

    /** What it is exposed for. */
    private enum Purpose {
        INSPECT(Access.READ, Materialization.BIND, CleanupPolicy.RETAIN, "3600"),
        EXPERIMENT(Access.EPHEMERAL_WRITE, Materialization.COPY, CleanupPolicy.REMOVE, "3600"),
        RETAIN(Access.RETAINED_WRITE, Materialization.COPY, CleanupPolicy.RETAIN, "86400");

        private final Access access;
        private final Materialization materialization;
        private final CleanupPolicy cleanup;
        private final String ttlSecs;

        Purpose(
                Access access,
                Materialization materialization,
                CleanupPolicy cleanup,
                String ttlSecs) {
            this.access = access;
            this.materialization = materialization;
            this.cleanup = cleanup;
            this.ttlSecs = ttlSecs;
        }

        static Purpose of(String word) throws Refusal {
            return switch (word) {
                case "inspect" -> INSPECT;
                case "experiment" -> EXPERIMENT;
                case "retain" -> RETAIN;
                default ->
                    throw new Refusal(
                            "there is no purpose '" + word + "'",
                            "--purpose inspect",
                            "--purpose experiment",
                            "--purpose retain");
            };
        }
    }

    /** Does it all and returns the exit status. */
    int run() {
        return DaemonPlace.run(notices, invocation, () -> {
            VerbWords words = VerbWords.of(
                    invocation,
                    DaemonPlace.options(
                            "--purpose",
                            "--id",
                            "--label",
                            "--root",
                            "--max-bytes",
                            "--ttl-secs",
                            "--runtime",
                            "--request-id"));
            if (words.help()) {
                return Output.print(HELP);
            }
            if (words.rest().size() != 1) {
                throw new Refusal("one project is wanted", SEE_HELP);
            }
            return expose(words);
        });
    }

    private int expose(VerbWords words) throws Refusal, ClientException {
        Purpose purpose = Purpose.of(word(words, "--purpose", "inspect"));
        String project = ExposureOrder.canonical(linux, words.rest().get(0));
        String name = UnixPath.of(project).name().toString();
        String id = word(words, "--id", id(name));
        ExposureOrder order = new ExposureOrder(new ExposureRequest.Submitted(
                id,
                word(words, "--root", "projects"),
                project,
                word(words, "--label", name),
                List.of(mode(words, purpose)),
                U64.parse(ExposureVerb.number(words, "--ttl-secs").orElse(purpose.ttlSecs)),
                parts(word(words, "--runtime", "codex-safe,pi-safe"))));
        DaemonPlace place = DaemonPlace.of(linux, invocation, words);
        Optional<Refusal> refusal = order.refusal(linux, place);
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        String request =
                word(words, "--request-id", ExposureOrder.key("init", id).text());
        if (!Id128.is(request)) {
            throw new Refusal("'" + request + "' is no key", "--request-id my-key-1");
        }
        JsonValue result = order.send(place.client(linux), new Id128(request));
        int status = ExposureVerb.tell(result, words.json());
        if (!words.json()) {
            notices.say("plans may ask for it as exposure '" + TerminalText.of(id)
                    + "'; to take it back:");
            notices.suggest(
                    "glove exposure revoke " + TerminalText.of(id + DaemonPlace.typed(invocation)));
        }
        return status;
    }

    private static ExposureMode mode(VerbWords words, Purpose purpose) throws Refusal {
        Optional<String> asked = ExposureVerb.number(words, "--max-bytes");
        boolean writes = purpose.access.isCopied();
        String bytes = asked.orElse(writes ? GIBIBYTE : "0");
        return new ExposureMode(
                purpose.access, purpose.materialization, U64.parse(bytes), purpose.cleanup);
    }

    private static String word(VerbWords words, String option, String otherwise) {
        return words.value(option).isPresent() ? words.value(option).get().toString() : otherwise;
    }

    private static List<String> parts(String list) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int comma = list.indexOf(','); comma >= 0; comma = list.indexOf(',', from)) {
            parts.add(list.substring(from, comma));
            from = comma + 1;
        }
        parts.add(list.substring(from));
        return parts;
    }

    /** A name made of another: what may not stand in it becomes a dash, and dashes one. */
    private static String id(String name) {
        StringBuilder id = new StringBuilder();
        for (int i = 0; i < name.length() && id.length() < Id128.BYTES_MAX; i++) {
            char c = name.charAt(i);
            boolean plain =
                    c == '.' || c == '_' || (Id128.is(String.valueOf(c)) && c != '-' && c != ':');
            boolean first = id.isEmpty();
            boolean dashed = !first && id.charAt(id.length() - 1) == '-';
            if (plain && !(first && c == '.')) {
                id.append(c);
            } else if (!first && !dashed) {
                id.append('-');
            }
        }
        int end = id.length();
        if (end > 0 && id.charAt(end - 1) == '-') {
            id.setLength(end - 1);
        }
        return id.isEmpty() ? "project" : id.toString();
    }
}
