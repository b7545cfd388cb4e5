package glove.app;

import glove.host.ClientException;
import glove.host.ControlClient;
import glove.sandbox.Refusal;
import glove.sys.Linux;
import glove.wire.Id128;
import glove.wire.JsonKind;
import glove.wire.JsonValue;
import glove.wire.U64;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** {@code glove exposure}: what the owner has exposed to controllers. */
final class ExposureVerb {
    static final String HELP = """
            usage: glove exposure list [OPTION...]
                   glove exposure renew ID PROJECT [OPTION...]
                   glove exposure revoke ID [OPTION...]

            What 'glove init' exposed to the controllers of gloved.

              list    all of it, as controllers see it: no path
              renew   takes it back and exposes PROJECT under the same name, for the same
                      uses, with a new time and generation
              revoke  takes it back: from now on no plan gets it

              --generation N     the one to take back; else the latest
              --root ID          of the exposure policy, for renew; else projects
              --ttl-secs N       how long from now, for renew; else 3600
              --config FILE      of gloved; else ~/.config/glove/config.json
              --runtime-dir DIR  of gloved, instead of its configuration
              --json             print the answer as data
              -h, --help         this text

            Exit status 0 when done, 1 when not, 2 for a bad command line.

            example: glove exposure revoke my-project
            """;

    private static final String SEE_HELP = "glove exposure --help";
    private static final String GENERATION = "--generation";
    private static final String ROOT = "--root";
    private static final String TTL = "--ttl-secs";

    private final Linux linux;
    private final Invocation invocation;
    private final Notices notices = new Notices("exposure");

    ExposureVerb(Linux linux, Invocation invocation) {
        this.linux = linux;
        this.invocation = invocation;
    }

    /** Does it all and returns the exit status. */
    int run() {
        return DaemonPlace.run(notices, () -> {
            VerbWords words = VerbWords.of(invocation, DaemonPlace.options(GENERATION, ROOT, TTL));
            if (words.help()) {
                return Output.print(HELP);
            }
            List<String> rest = words.rest();
            String action = rest.isEmpty() ? "" : rest.get(0);
            boolean known = (action.equals("list") && rest.size() == 1)
                    || (action.equals("renew") && rest.size() == 3)
                    || (action.equals("revoke") && rest.size() == 2);
            if (!known) {
                throw new Refusal(
                        "'list', 'renew' with an id and a project, or 'revoke' with an id is "
                                + "wanted",
                        SEE_HELP);
            }
            ControlClient client = DaemonPlace.of(linux, invocation, words).client(linux);
            if (action.equals("revoke") && words.value(GENERATION).isPresent()) {
                long generation = U64.parse(number(words, GENERATION).orElseThrow());
                return tell(revoke(client, rest.get(1), generation), words.json());
            }
            JsonValue all = client.ask("list_path_exposures");
            if (action.equals("list")) {
                return list(all, words.json());
            }
            JsonValue one = find(all, rest.get(1), words);
            return action.equals("revoke")
                    ? tell(revoke(client, rest.get(1), generation(one)), words.json())
                    : renew(client, one, rest.get(2), words);
        });
    }

    private static int list(JsonValue all, boolean json) {
        if (json) {
            return Output.print(all.toJson() + "\n");
        }
        StringBuilder text = new StringBuilder();
        for (JsonValue one : all.member("exposures").orElseThrow().children()) {
            text.append(row(one));
        }
        return Output.print(text.toString());
    }

    /** As of the sheet of verbs: id, generation, state, label, end, digest. */
    static String row(JsonValue one) {
        long expires = U64.parse(one.member("expires_at_ms").orElseThrow().number());
        return text(one, "exposure_id")
                + " generation=" + one.member("generation").orElseThrow().number()
                + " state=" + text(one, "state")
                + " label=" + TerminalText.of(text(one, "display_label"))
                + " expires=" + time(expires)
                + " scope_digest=" + text(one, "scope_digest") + "\n";
    }

    /** Times beyond what a calendar has are shown as the numbers they are. */
    static String time(long atMs) {
        boolean calendar = atMs >= 0 && atMs < 253_402_300_800_000L;
        return calendar ? Instant.ofEpochMilli(atMs).toString() : U64.text(atMs);
    }

    static String text(JsonValue object, String name) {
        return object.member(name, JsonKind.STRING).orElseThrow().string();
    }

    static int tell(JsonValue result, boolean json) {
        return Output.print(
                json ? result.toJson() + "\n" : row(result.member("exposure").orElseThrow()));
    }

    private static JsonValue find(JsonValue all, String id, VerbWords words) throws Refusal {
        Optional<String> wanted = number(words, GENERATION);
        Optional<JsonValue> found = Optional.empty();
        for (JsonValue one : all.member("exposures").orElseThrow().children()) {
            String generation = one.member("generation").orElseThrow().number();
            boolean same = text(one, "exposure_id").equals(id)
                    && (wanted.isEmpty() || wanted.get().equals(generation));
            if (same) {
                found = Optional.of(one); // they come by generation: the last is the latest
            }
        }
        if (found.isEmpty()) {
            throw new Refusal(1, "there is no such exposure", List.of("glove exposure list"));
        }
        return found.get();
    }

    /** Empty when the option is not there. */
    static Optional<String> number(VerbWords words, String option) throws Refusal {
        if (words.value(option).isEmpty()) {
            return Optional.empty();
        }
        String text = words.value(option).get().toString();
        if (!U64.isText(text)) {
            throw new Refusal(option + " is '" + text + "'", option + " 3600");
        }
        return Optional.of(text);
    }

    private static long generation(JsonValue one) {
        return U64.parse(one.member("generation").orElseThrow().number());
    }

    private static JsonValue revoke(ControlClient client, String id, long generation)
            throws ClientException {
        return client.change(
                "revoke_path_exposure",
                ExposureOrder.key("revoke", id),
                out -> out.beginObject()
                        .member("exposure_id", id)
                        .unsigned("generation", generation)
                        .endObject());
    }

    private int renew(ControlClient client, JsonValue one, String project, VerbWords words)
            throws Refusal, ClientException {
        ExposureOrder order = ExposureOrder.again(
                linux,
                one,
                project,
                words.value(ROOT).isPresent() ? words.value(ROOT).get().toString() : "projects",
                U64.parse(number(words, TTL).orElse("3600")));
        Optional<Refusal> refusal = order.refusal(linux, DaemonPlace.of(linux, invocation, words));
        if (refusal.isPresent()) {
            throw refusal.get(); // before anything is taken back
        }
        if (text(one, "state").equals("active")) {
            revoke(client, text(one, "exposure_id"), generation(one));
        }
        Id128 key = ExposureOrder.key("renew", text(one, "exposure_id"));
        return tell(order.send(client, key), words.json());
    }
}
