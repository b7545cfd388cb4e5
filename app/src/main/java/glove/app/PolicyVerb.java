package glove.app;

import glove.policy.session.SessionPolicy;
import glove.policy.session.SessionPolicyReview;
import glove.sandbox.Refusal;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.JsonWriter;

import java.util.ArrayList;
import java.util.List;

/** {@code glove policy}: says what a session policy lets controllers ask for (sheet 80, 9). */
final class PolicyVerb {
    static final String HELP = """
            usage: glove policy validate --file FILE [--json]
                   glove policy explain --file FILE [--config FILE] [--json]

            The session policy of gloved: which runtimes, paths, limits, networks, tools and
            secrets the plan of a controller may ask for. The file must be yours, with mode
            600, and its path absolute.

              validate  reads the file as gloved does, and tells all that is wrong with it,
                        each with its place (a JSON Pointer) and what to write instead
              explain   says in words what a plan could get, and what stands there now:
                        executables and who can change them, files of secrets (never
                        their content), and what is exposed

              --file FILE    the policy
              --config FILE  of gloved, for what is exposed; else
                             ~/.config/glove/config.json
              --json         print the answer as data
              -h, --help     this text

            Exit status 0 for a valid policy, 1 for another, 2 for a bad command line.

            example: glove policy explain --file ~/.config/glove/session-policy.json
            """;

    private static final String SEE_HELP = "glove policy --help";
    private static final int SCHEMA_VERSION = 1;

    private final Linux linux;
    private final Invocation invocation;
    private final Notices notices = new Notices("policy");

    PolicyVerb(Linux linux, Invocation invocation) {
        this.linux = linux;
        this.invocation = invocation;
    }

    /** Does it all and returns the exit status. */
    int run() {
        try {
            VerbWords words = VerbWords.of(invocation, List.of("--file", DaemonPlace.CONFIG));
            if (words.help()) {
                return Output.print(HELP);
            }
            boolean explain = words.rest().equals(List.of("explain"));
            if (!explain && !words.rest().equals(List.of("validate"))) {
                throw new Refusal("'validate' or 'explain' is wanted, and nothing else", SEE_HELP);
            }
            if (!explain && words.value(DaemonPlace.CONFIG).isPresent()) {
                throw new Refusal(DaemonPlace.CONFIG + " is for explain", SEE_HELP);
            }
            UnixPath file = words.value("--file")
                    .orElseThrow(() -> new Refusal("no policy is named", "--file /PATH"));
            SessionPolicyFile read = SessionPolicyFile.read(linux, file);
            Explained explained = explain && read.policy().isPresent()
                    ? explain(read.policy().get(), words)
                    : new Explained(List.of(), List.of());
            return words.json() ? tellJson(read, explained) : tell(read, explained, explain);
        } catch (Refusal e) {
            DaemonPlace.refuse(notices, e);
            return Refusal.EXIT_USAGE;
        }
    }

    /** What explain says. Immutable. */
    private record Explained(List<String> lines, List<PolicyLook> looks) {}

    private Explained explain(SessionPolicy policy, VerbWords words) throws Refusal {
        PolicyLooks looks = new PolicyLooks(linux);
        List<String> lines = new ArrayList<>(SessionPolicyReview.describe(policy, looks));
        List<PolicyLook> all = new ArrayList<>(looks.all());
        for (PolicyLook exposure : exposures(policy, words)) {
            lines.addAll(exposure.words());
            all.add(exposure);
        }
        return new Explained(lines, all);
    }

    /** A configuration that was named must be good; the usual one may be missing. */
    private List<PolicyLook> exposures(SessionPolicy policy, VerbWords words) throws Refusal {
        DaemonPlace place;
        try {
            place = DaemonPlace.of(linux, invocation, words);
        } catch (Refusal e) {
            if (words.value(DaemonPlace.CONFIG).isPresent()) {
                throw e;
            }
            return List.of(ExposureLooks.unconfigured(e.getMessage()));
        }
        return ExposureLooks.of(linux, place.config().orElseThrow(), policy);
    }

    private int tell(SessionPolicyFile read, Explained explained, boolean explain) {
        if (read.policy().isPresent()) {
            for (String warning : read.warnings()) {
                notices.say("warning: " + TerminalText.of(warning));
            }
            return Output.printLines(
                    explain
                            ? explained.lines
                            : List.of(read.path() + " is a valid session policy"));
        }
        for (String problem : read.problems()) {
            notices.say(TerminalText.of(problem));
        }
        return 1;
    }

    private int tellJson(SessionPolicyFile read, Explained explained) {
        int printed = Output.printJson(json(read, explained));
        return read.policy().isPresent() ? printed : 1;
    }

    private static String json(SessionPolicyFile read, Explained explained) {
        boolean valid = read.policy().isPresent();
        JsonWriter data = new JsonWriter().beginObject();
        data.member("schema_version", SCHEMA_VERSION)
                .member("valid", valid)
                .member("policy_path", read.path().toString())
                .member("code", valid ? "policy_valid" : "policy_invalid")
                .member(
                        "message",
                        valid ? "the session policy is valid" : read.problems().get(0))
                .member("recovery", valid ? "" : "correct each of the problems, and try again");
        data.name("problems").beginArray();
        read.problems().forEach(data::value);
        data.endArray().name("warnings").beginArray();
        read.warnings().forEach(data::value);
        data.endArray().name("description").beginArray();
        explained.lines.forEach(data::value);
        data.endArray().name("machine").beginArray();
        explained.looks.forEach(look -> look.write(data));
        return data.endArray().endObject().toJson();
    }
}
