package glove.app;

import glove.host.ClientException;
import glove.host.ControlClient;
import glove.sandbox.Refusal;
import glove.session.exposure.ExposureState;
import glove.sys.Linux;
import glove.wire.JsonValue;
import glove.wire.U64;

import java.util.ArrayList;
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
        return DaemonPlace.run(notices, invocation, () -> {
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
                return tell(revoke(client, rest.get(1), generation), words.json()); // needs no list
            }
            JsonValue answer = client.ask("list_path_exposures");
            List<ToldExposure> all = understood(ToldExposure.all(answer));
            if (action.equals("list")) {
                return words.json() ? Output.printJson(answer.toJson()) : list(all);
            }
            ToldExposure one = find(all, rest.get(1), words);
            return action.equals("revoke")
                    ? tell(revoke(client, rest.get(1), one.generation()), words.json())
                    : renew(client, all, one, words);
        });
    }

    private static int list(List<ToldExposure> all) {
        List<String> lines = new ArrayList<>();
        for (ToldExposure one : all) {
            lines.add(one.line());
        }
        return Output.printLines(lines);
    }

    /** Who answers may be of another version, or broken. */
    static <T> T understood(Optional<T> answer) throws Refusal {
        if (answer.isEmpty()) {
            throw new Refusal(
                    1,
                    "gloved gave an answer that is none of this protocol: it may be of another "
                            + "version",
                    List.of("gloved --version", "glove --version"));
        }
        return answer.get();
    }

    static int tell(JsonValue result, boolean json) throws Refusal {
        Optional<ToldExposure> told = ToldExposure.one(result);
        if (told.isEmpty()) {
            throw new Refusal(
                    1,
                    "gloved gave an answer that is none of this protocol: it is not known whether "
                            + "it was done",
                    List.of("glove exposure list"));
        }
        ToldExposure one = told.get();
        return json ? Output.printJson(result.toJson()) : Output.printLines(List.of(one.line()));
    }

    private static ToldExposure find(List<ToldExposure> all, String id, VerbWords words)
            throws Refusal {
        Optional<String> wanted = number(words, GENERATION);
        Optional<ToldExposure> found = Optional.empty();
        for (ToldExposure one : all) {
            boolean same = one.exposureId().text().equals(id)
                    && (wanted.isEmpty() || wanted.get().equals(U64.text(one.generation())));
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

    /**
     * A name has one generation at a time, so the old one ends before there is a new one. All that
     * can be known before is looked at first, in the order in which the daemon does.
     */
    private int renew(
            ControlClient client, List<ToldExposure> all, ToldExposure one, VerbWords words)
            throws Refusal, ClientException {
        String project = words.rest().get(2);
        ExposureOrder order = ExposureOrder.again(
                one,
                ExposureOrder.canonical(linux, project),
                words.value(ROOT).isPresent() ? words.value(ROOT).get().toString() : "projects",
                U64.parse(number(words, TTL).orElse("3600")));
        Optional<Refusal> refusal = order.refusal(linux, DaemonPlace.of(linux, invocation, words));
        if (refusal.isPresent()) {
            throw refusal.get(); // before anything is taken back
        }
        requireRenewable(all, one);
        HeldSignals held = HeldSignals.hold(linux); // or the name would be left without anything
        JsonValue made;
        try {
            made = again(client, order, one);
        } finally {
            held.letGo(); // nobody may read what is told from here on
        }
        return held.statusAfter(tell(made, words.json()));
    }

    private static JsonValue again(ControlClient client, ExposureOrder order, ToldExposure one)
            throws Refusal, ClientException {
        String id = one.exposureId().text();
        boolean active = one.state() == ExposureState.ACTIVE;
        if (active) {
            understood(ToldExposure.one(revoke(client, id, one.generation())));
        }
        try {
            return order.send(client, ExposureOrder.key("renew", id));
        } catch (ClientException e) {
            throw halfDone(one, active, e);
        }
    }

    private static void requireRenewable(List<ToldExposure> all, ToldExposure one) throws Refusal {
        for (ToldExposure other : all) {
            boolean later = other.exposureId().equals(one.exposureId())
                    && U64.isLess(one.generation(), other.generation());
            if (later && other.state() == ExposureState.ACTIVE) {
                throw new Refusal(
                        1,
                        "generation " + U64.text(other.generation()) + " of '" + one.exposureId()
                                + "' is active, and only the latest can be renewed",
                        List.of("leave out " + GENERATION));
            }
        }
        if (all.size() >= ToldExposure.EXPOSURES_MAX) {
            throw new Refusal(
                    1,
                    "gloved has " + all.size() + " exposures, those that are over included, and "
                            + "takes no more; nothing was taken back: begin another journal "
                            + "(path_exposure_journal)",
                    List.of());
        }
    }

    /** What is left, and what to type. */
    private static Refusal halfDone(ToldExposure one, boolean revoked, ClientException e) {
        String id = one.exposureId().text();
        String name = "generation " + U64.text(one.generation()) + " of '" + id + "'";
        String old = revoked ? name + " was taken back" : name + " was over before";
        boolean known = e.kind() != ClientException.Kind.UNKNOWN;
        String why =
                e.kind() == ClientException.Kind.REFUSED ? "; the log of gloved tells why" : "";
        String now = known
                ? ", and a new one was not made: no plan gets '" + id + "' now" + why + ": "
                : ", and whether a new one was made is not known: ";
        return new Refusal(
                1,
                old + now + e.getMessage(),
                List.of(known ? "glove exposure renew " + id + " PROJECT" : "glove exposure list"));
    }
}
