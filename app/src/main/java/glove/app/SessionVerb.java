package glove.app;

import glove.host.ClientException;
import glove.journal.DurableFileException;
import glove.sandbox.Refusal;
import glove.session.AcceptedPlan;
import glove.session.SessionRecord;
import glove.session.SessionSnapshot;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.AbsolutePath;
import glove.wire.JsonValue;
import glove.wire.JsonWriter;

import java.util.List;
import java.util.Optional;

/** {@code glove session}: what a daemon knows of its sessions. */
final class SessionVerb {
    static final String HELP = """
            usage: glove session list [--store FILE] [OPTION...]
                   glove session show ID [OPTION...]

            The sessions controllers created at gloved.

              list  all of them, from the store itself: gloved need not run, and may
              show  one, as gloved tells it to controllers

              --store FILE       the session store; else that of the configuration
              --config FILE      of gloved; else ~/.config/glove/config.json
              --runtime-dir DIR  of gloved, instead of its configuration
              --json             print the answer as data
              -h, --help         this text

            Exit status 0 when done, 1 when not, 2 for a bad command line.

            example: glove session show session-1 --json
            """;

    private static final String SEE_HELP = "glove session --help";
    private static final String STORE = "--store";
    private static final int SCHEMA_VERSION = 1;

    private final Linux linux;
    private final Invocation invocation;
    private final Notices notices = new Notices("session");

    SessionVerb(Linux linux, Invocation invocation) {
        this.linux = linux;
        this.invocation = invocation;
    }

    /** Does it all and returns the exit status. */
    int run() {
        return DaemonPlace.run(notices, invocation, () -> {
            VerbWords words = VerbWords.of(invocation, DaemonPlace.options(STORE));
            if (words.help()) {
                return Output.print(HELP);
            }
            List<String> rest = words.rest();
            if (rest.size() == 1 && rest.get(0).equals("list")) {
                return list(words);
            }
            if (rest.size() == 2 && rest.get(0).equals("show")) {
                return show(words, rest.get(1));
            }
            throw new Refusal("'list', or 'show' and an id are wanted", SEE_HELP);
        });
    }

    private int show(VerbWords words, String id) throws Refusal, ClientException {
        DaemonPlace place = DaemonPlace.of(linux, invocation, words);
        JsonValue session = place.client(linux)
                .ask(
                        "session_status",
                        out -> out.beginObject().member("session_id", id).endObject());
        List<String> lines = ExposureVerb.understood(ToldSession.lines(session, id));
        return words.json() ? Output.printJson(session.toJson()) : Output.printLines(lines);
    }

    private int list(VerbWords words) throws Refusal {
        UnixPath store = store(words);
        List<SessionRecord> sessions;
        try {
            sessions = SessionSnapshot.read(linux, store);
        } catch (DurableFileException e) {
            notices.say(TerminalText.of(e.getMessage()));
            return 1;
        }
        if (sessions.isEmpty() && !words.json()) {
            notices.say("there are no sessions in '" + TerminalText.of(store.toString()) + "'");
        }
        return words.json() ? printJson(sessions) : printLines(sessions);
    }

    /** One after the other: there may be ten thousand. */
    private static int printJson(List<SessionRecord> sessions) {
        String head = new JsonWriter()
                .beginObject()
                .member("schema_version", SCHEMA_VERSION)
                .name("sessions")
                .beginArray()
                .endArray()
                .endObject()
                .toJson();
        int end = head.length() - "]}".length();
        int status = Output.print(head.substring(0, end));
        boolean first = true;
        for (SessionRecord session : sessions) {
            JsonWriter data = new JsonWriter().beginObject();
            data.member("session_id", session.plan().sessionId())
                    .member("state", session.state().word())
                    .member("plan_content_digest", session.plan().contentDigest())
                    .unsigned("created_at_ms", session.plan().createdAtMs())
                    .unsigned("expires_at_ms", session.plan().expiresAtMs());
            String one = TerminalText.json(data.endObject().toJson());
            status |= Output.print(first ? one : "," + one);
            first = false;
        }
        return status | Output.print(head.substring(end) + "\n");
    }

    private static int printLines(List<SessionRecord> sessions) {
        int status = 0;
        for (SessionRecord session : sessions) {
            AcceptedPlan plan = session.plan();
            status |= Output.printLines(List.of(plan.sessionId() + " state="
                    + session.state().word() + " created=" + ToldExposure.time(plan.createdAtMs())
                    + " expires=" + ToldExposure.time(plan.expiresAtMs())));
        }
        return status;
    }

    private UnixPath store(VerbWords words) throws Refusal {
        if (words.value(STORE).isPresent()) {
            return words.value(STORE).get();
        }
        DaemonPlace place = DaemonPlace.of(linux, invocation, words);
        Optional<AbsolutePath> configured = place.config().isPresent()
                ? place.config().get().sessions().store()
                : Optional.empty();
        if (configured.isEmpty()) {
            throw new Refusal(
                    "no session store is configured or named", "glove session list --store FILE");
        }
        return UnixPath.of(configured.get().text());
    }
}
