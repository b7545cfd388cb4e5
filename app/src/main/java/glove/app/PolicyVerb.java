package glove.app;

import glove.policy.session.SessionPolicyReview;
import glove.sandbox.Refusal;
import glove.sys.Linux;
import glove.sys.UnixPath;
import glove.wire.JsonWriter;

import java.util.List;

/** {@code glove policy}: says what a session policy lets controllers ask for (sheet 80, 9). */
final class PolicyVerb {
    static final String HELP = """
            usage: glove policy validate --file FILE [--json]
                   glove policy explain --file FILE [--json]

            The session policy of gloved: which runtimes, paths, limits, networks, tools and
            secrets the plan of a controller may ask for. The file must be yours, with mode
            600, and its path absolute.

              validate  reads the file as gloved does, and tells all that is wrong with it,
                        each with its place (a JSON Pointer) and what to write instead
              explain   says in words what a plan could get

              --file FILE  the policy
              --json       print the answer as data
              -h, --help   this text

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
            VerbWords words = VerbWords.of(invocation, List.of("--file"));
            if (words.help()) {
                return Output.print(HELP);
            }
            boolean explain = words.rest().equals(List.of("explain"));
            if (!explain && !words.rest().equals(List.of("validate"))) {
                throw new Refusal("'validate' or 'explain' is wanted, and nothing else", SEE_HELP);
            }
            UnixPath file = words.value("--file")
                    .orElseThrow(() -> new Refusal("no policy is named", "--file /PATH"));
            return tell(SessionPolicyFile.read(linux, file), explain, words.json());
        } catch (Refusal e) {
            DaemonPlace.refuse(notices, e);
            return Refusal.EXIT_USAGE;
        }
    }

    private int tell(SessionPolicyFile read, boolean explain, boolean json) {
        boolean valid = read.policy().isPresent();
        List<String> lines =
                explain && valid ? SessionPolicyReview.describe(read.policy().get()) : List.of();
        if (json) {
            int printed = Output.printJson(json(read, lines));
            return valid ? printed : 1;
        }
        if (valid) {
            return Output.printLines(
                    explain ? lines : List.of(read.path() + " is a valid session policy"));
        }
        for (String problem : read.problems()) {
            notices.say(TerminalText.of(problem));
        }
        return 1;
    }

    private static String json(SessionPolicyFile read, List<String> lines) {
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
        data.endArray().name("description").beginArray();
        lines.forEach(data::value);
        return data.endArray().endObject().toJson();
    }
}
